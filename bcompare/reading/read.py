"""From what the user named to checked `Scores`: the order of the room's work."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bcompare.basis.arguments import arg, spelled
from bcompare.basis.errors import InputError
from bcompare.data.scores import Scores
from bcompare.reading.dialect import sniff
from bcompare.reading.exact import find_rows, read_exactly
from bcompare.reading.header import find_layout
from bcompare.reading.layout import Names
from bcompare.reading.long import Located, Long, merge, to_long
from bcompare.reading.options import ReadOptions
from bcompare.reading.presets import MEANS, NONE, PRESETS, with_preset
from bcompare.reading.problems import Problems, clipped, named, place
from bcompare.reading.sources import Readable, Source, find_sources
from bcompare.reading.survey import Survey
from bcompare.reading.validate import to_scores

if TYPE_CHECKING:
    import pandas as pd

    from bcompare.reading.frames import Frame

SMALL_BYTES = 1 << 21  # read exactly sooner than pandas is imported


def read_scores(*results: Readable, options: ReadOptions | None = None, **overrides: Any) -> Scores:
    """Cross-validation results from files, checked.

    Parameters
    ----------
    results : files, ``LABEL=FILE``, ``-`` for standard input, or open binary files; all are
        read as one table. None means ``results.csv``.
    options : how to read them.
    overrides : fields of `ReadOptions` to change, such as ``lower_is_better=True``.

    Raises
    ------
    InputError : with every problem that was found.
    """
    chosen = with_preset(replace(options or ReadOptions(), **overrides))
    long, files = read_long(results, chosen)
    return to_scores(long, Survey(long, chosen), files)


def from_frame(
    frame: "pd.DataFrame", *, options: ReadOptions | None = None, **overrides: Any
) -> Scores:
    """Cross-validation results from a pandas frame, checked like a file; see `read_scores`."""
    chosen = with_preset(replace(options or ReadOptions(), **overrides))
    from bcompare.reading.frames import Frame

    source = Frame.of(frame)
    long = _read_frame(source, Names(source.title, "results"), chosen)
    return to_scores(long, Survey(long, chosen))


def from_means(
    frame: "pd.DataFrame", *, options: ReadOptions | None = None, **overrides: Any
) -> Scores:
    """A table of means: one row a data set, one column a classifier.

    The data sets are in the index if that has names, else in the first column.
    """
    import pandas as pd

    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index(names=frame.index.name or "dataset")
    return from_frame(frame, options=options, **overrides | {"preset": MEANS})


def from_items(
    frame: "pd.DataFrame",
    item: str,
    *,
    epoch: str | None = None,
    cluster: str | None = None,
    options: ReadOptions | None = None,
    **overrides: Any,
) -> Scores:
    """Scores of test items: one row an answer; see `read_scores`.

    Parameters
    ----------
    frame : with a row for each data set, item and classifier (and epoch).
    item, epoch, cluster : names of the columns; see `ReadOptions`.
    options, overrides : as for `read_scores`.
    """
    columns = {"item_col": item, "epoch_col": epoch, "cluster_col": cluster}
    return from_frame(frame, options=options, **columns | overrides)


def read_long(results: Sequence[Readable], options: ReadOptions) -> tuple[Long, tuple[str, ...]]:
    """Return the canonical long table of all files, not yet checked as a whole, and their names.

    Raises
    ------
    InputError : if a file cannot be read at all; with the problems of the others, too.
    """
    sources = find_sources(results, options.sheet)
    parts: list[Long] = []
    problems = Problems()
    files: dict[str, list[str]] = {}  # a message without the file's name → the files
    for source in sources:
        try:
            parts.append(
                _read(source, _names(source, len(sources) > 1 or options.lone, options), options)
            )
            problems.include(parts[-1].problems)
        except InputError as error:
            message = error.text.removeprefix(f"{source.title}:")
            files.setdefault(message, []).append(source.title * (message != error.text))
    if len(parts) < len(sources):
        for message, titles in files.items():
            who = named(list(filter(None, titles)))
            problems.known += f"{who}:{message}".removeprefix(":").splitlines()
        problems.raise_any()
    return merge(parts), tuple(source.name for source in sources)


def _names(source: Source, several: bool, options: ReadOptions) -> Names:
    """What a file's name says where a column is missing; whether it is one of several matters."""
    pattern = PRESETS.get(options.preset or "", NONE).file
    dataset, classifier = source.stem, source.stem if several else None
    if pattern:
        matched = re.fullmatch(pattern, source.stem)
        dataset = matched[1] if matched else source.stem
        folder = "" if source.path is None else source.path.resolve().parent.name
        classifier = folder or source.stem
    return Names(
        title=source.title,
        dataset=dataset,
        classifier=source.label or classifier,
        label=source.label,
        names_dataset=source.one_of_many or bool(pattern),
    )


def _read(source: Source, names: Names, options: ReadOptions) -> Long:
    """One file as a canonical long table."""
    if source.format != "text":
        from bcompare.reading.frames import open_frame

        return _read_frame(open_frame(source), names, options)
    dialect = sniff(source, options)
    if re.search(r"^split\d+_test_", "\n".join(dialect.labels), re.MULTILINE):
        turned = "turned.csv"
        raise InputError(
            f"{source.title}: cv_results_ with a row, not a column, for each of its keys; turn it "
            f'over: python -c "import pandas; pandas.read_csv({clipped(source.title)!r}, '
            f"index_col=0).T.to_csv('{turned}', index=False)\", and read {turned} with "
            f"{arg('preset', 'sklearn-cv-results')} {spelled('--folds N', 'folds=N')} (N: the "
            "folds of one run)"
        )
    layout = find_layout(dialect.header, names, options)
    request, block = layout.request, None
    both = set(request.names) & set(request.values)
    if source.size > SMALL_BYTES and not (dialect.escape or both or request.grades):
        from bcompare.reading.fast import read_fast

        block = read_fast(source, dialect, request)
    block = block or read_exactly(source, dialect, request)

    def find(numbers: Sequence[int]) -> Located:
        return {
            number: (place(source.title, line), dict(zip(dialect.header, cells, strict=True)))
            for number, (line, cells) in find_rows(source, dialect, numbers).items()
        }

    long = to_long(layout, block, names, find, options)
    return replace(long, notes=(*dialect.notes(source.title, options), *long.notes))


def _read_frame(source: "Frame", names: Names, options: ReadOptions) -> Long:
    """A frame as a canonical long table."""
    from bcompare.reading.frames import read_frame

    layout = find_layout(source.header, names, options)
    return to_long(layout, read_frame(source, layout.request), names, source.find, options)
