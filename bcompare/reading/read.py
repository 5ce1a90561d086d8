"""Read the user's files and frames into checked `Scores`."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from bcompare.basis.messages import InputError, arg
from bcompare.data.scores import Scores, check_paired
from bcompare.files.options import ReadOptions
from bcompare.files.presets import MEANS
from bcompare.files.sources import Readable
from bcompare.reading.long_table import Long, in_slices
from bcompare.reading.task import Task
from bcompare.reading.to_scores import LEAST_SCORES

if TYPE_CHECKING:
    import pandas as pd

Made = TypeVar("Made")


def made_of(task: Task, make: Callable[[Task], Made]) -> Made:
    """Return what is made of the results as the options say or, unless a gate, as their names do.

    Raises
    ------
    InputError : that of reading, or with what is asked.
    """
    from bcompare.reading.asking import understood

    return make(understood(task))


def read_scores(
    *results: Readable, options: ReadOptions | None = None, **overrides: object
) -> Scores:
    """Read and check results from files.

    Parameters
    ----------
    results : files, ``LABEL=FILE``, ``-`` for standard input, or open binary files; all are
        read as one table. Without any, ``results.csv`` is read.
    options : how to read them.
    overrides : fields of `ReadOptions` to change, such as ``lower_is_better=True``.

    Raises
    ------
    InputError : with every problem that was found.

    Examples
    --------
    >>> import bcompare
    >>> bcompare.read_scores("sample_data/results.csv")
    <Scores: 5 classifiers, 25 data sets, 12,500 rows>
    >>> bcompare.read_scores("sample_data/means.csv", preset="means")
    <Scores: 5 classifiers, 25 data sets, 125 rows>
    """
    return made_of(Task.of(results, options, **overrides), Task.scores)


def read_slices(
    *results: Readable, by: str, options: ReadOptions | None = None, **overrides: object
) -> tuple[Scores, Scores]:
    """Return the results as a whole, and with the slices in a column as data sets.

    A slice consists of test items or, for other units, of data sets with their folds averaged.
    Slices with fewer than three are left out, with a note.

    by : the column, such as category. Others : as for `read_scores`.

    Raises
    ------
    InputError : with every problem that was found.
    """

    def read(task: Task) -> tuple[Long, ReadOptions, Scores]:
        long, chosen = task.long()
        return long, chosen, task.checked(long, replace(chosen, by=None))

    task = Task.of(results, options, **overrides | {"by": by})
    long, chosen, whole = made_of(task, read)
    check_paired(whole, arg("by", by))
    if chosen.failed == "bounds":
        raise InputError(f"{arg('failed', 'bounds')} cannot be combined with {arg('by')}")
    sliced, notes = in_slices(long, LEAST_SCORES)
    scores = replace(task, assumed={}).checked(sliced, replace(chosen, rho=None, datasets=()))
    return whole, replace(scores, notes=(*notes, *scores.notes))


def from_frame(
    frame: "pd.DataFrame", *, options: ReadOptions | None = None, **overrides: Any
) -> Scores:
    """Read and check results from a pandas frame; see `read_scores`.

    Examples
    --------
    >>> import bcompare, pandas
    >>> bcompare.from_frame(pandas.read_csv("sample_data/results.csv"))
    <Scores: 5 classifiers, 25 data sets, 12,500 rows>
    """
    from bcompare.files.frames import Frame

    task = Task((options or ReadOptions()).but(**overrides), frame=Frame.of(frame))
    return made_of(task, Task.scores)


def from_means(
    frame: "pd.DataFrame", *, options: ReadOptions | None = None, **overrides: object
) -> Scores:
    """Read a table of means, with a row for each data set and a column for each classifier.

    The names of the data sets are in the index if it has names, else in the first column. The rows
    of a frame of floats alone are numbered, unless ``dataset_col`` names one of its columns.

    Raises
    ------
    InputError : an index of several levels; others as for `read_scores`.

    Examples
    --------
    >>> import bcompare, pandas
    >>> table = pandas.DataFrame(
    ...     {"dataset": ["a", "b", "c"], "knn": [0.8, 0.7, 0.9], "forest": [0.85, 0.8, 0.88]}
    ... )
    >>> bcompare.from_means(table)
    <Scores: 2 classifiers, 3 data sets, 6 rows>
    """
    import pandas as pd

    from bcompare.files.frames import as_pandas

    frame = as_pandas(frame)
    if frame.index.nlevels > 1:
        raise InputError(
            f"the index of the frame has {frame.index.nlevels} levels, and a table of means has "
            "one row for each data set: frame.groupby(level=0).mean() is such a table"
        )
    only_scores = all(pd.api.types.is_float_dtype(dtype) for dtype in frame.dtypes)
    only_scores &= "dataset_col" not in overrides
    if frame.index.name is None and (only_scores or not isinstance(frame.index, pd.RangeIndex)):
        frame = frame.rename_axis(index="dataset")
    return from_frame(frame, options=options, **overrides | {"preset": MEANS})


def from_items(
    frame: "pd.DataFrame",
    item: str,
    *,
    epoch: str | None = None,
    cluster: str | None = None,
    options: ReadOptions | None = None,
    **overrides: object,
) -> Scores:
    """Read scores of test items, with a row for each answer; see `read_scores`.

    Parameters
    ----------
    frame : with a row for each data set, item and classifier (and epoch).
    item, epoch, cluster : names of the columns; see `ReadOptions`.
    options, overrides : as for `read_scores`.

    Examples
    --------
    >>> import bcompare, pandas
    >>> answers = pandas.DataFrame({
    ...     "question": ["q1", "q2", "q3"] * 2,
    ...     "classifier": ["small"] * 3 + ["large"] * 3,
    ...     "score": [1, 0, 1, 1, 1, 1],
    ... })
    >>> bcompare.from_items(answers, "question")
    <Scores: 2 classifiers, 1 data set, 6 rows>
    """
    columns = {"item_col": item, "epoch_col": epoch, "cluster_col": cluster}
    return from_frame(frame, options=options, **columns | overrides)
