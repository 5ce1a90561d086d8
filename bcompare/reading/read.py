"""Read the user's files and frames into checked `Scores`, step by step."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note, counted
from bcompare.data.bounds import bounded
from bcompare.data.scores import Scores
from bcompare.reading.columns import Block
from bcompare.reading.dialect import TextFile, sniff
from bcompare.reading.exact import find_rows, read_exactly
from bcompare.reading.header import find_layout
from bcompare.reading.layout import Layout, Names
from bcompare.reading.long import Long, NoRowError, in_slices, merge, to_long, with_epochs
from bcompare.reading.options import ReadOptions
from bcompare.reading.presets import MEANS, NONE, PRESETS, by_itself, recognised, with_preset
from bcompare.reading.problems import Problems, named
from bcompare.reading.sources import Readable, Source, find_sources
from bcompare.reading.survey import Survey
from bcompare.reading.validate import LEAST_SCORES, to_scores

if TYPE_CHECKING:
    import pandas as pd

    from bcompare.reading.frames import Frame

SMALL_BYTES = 1 << 21  # smaller files are read exactly before pandas is even imported

# The advice on a column that only some files lack.
ALIKE = re.compile(r"\. Did.you.mean .*$", re.DOTALL)


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
    return checked(*read_long(results, options, **overrides))


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
    long, files, chosen = read_long(results, options, **overrides | {"by": by})
    whole = checked(long, files, replace(chosen, by=None))
    if chosen.failed == "bounds":
        raise InputError(f"{arg('failed', 'bounds')} cannot be combined with {arg('by')}")
    sliced, notes = in_slices(long, LEAST_SCORES)
    scores = checked(sliced, files, replace(chosen, rho=None, datasets=()))
    return whole, replace(scores, notes=(*notes, *scores.notes))


def checked(long: Long, files: Sequence[str], options: ReadOptions) -> Scores:
    """Return checked scores from the canonical long table.

    Raises
    ------
    InputError : with every problem that was found.
    """
    if options.failed != "bounds":
        return to_scores(long, Survey(long, options), files)
    both = (replace(options, failed=extreme) for extreme in ("worst", "best"))
    return bounded(*(to_scores(long, Survey(long, one), files) for one in both))


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
    chosen = with_preset(replace(options or ReadOptions(), **overrides))
    from bcompare.reading.frames import Frame

    source = Frame.of(frame)
    chosen = by_itself(chosen, recognised(source.header))
    long = _read(source, Names(source.title, "results"), chosen)
    return checked(long, (), chosen)


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


def read_long(
    results: Sequence[Readable], options: ReadOptions | None, **overrides: Any
) -> tuple[Long, tuple[str, ...], ReadOptions]:
    """Return the canonical long table of all files, their names, and the options used.

    The table is not yet checked as a whole. The first recognised file decides for all.
    Arguments as for `read_scores`.

    Raises
    ------
    InputError : if a file cannot be read at all; with the problems of the others, too.
    """
    options = with_preset(replace(options or ReadOptions(), **overrides))
    sources = find_sources(results, options.preset)
    parts, options, notes = _parts(sources, options)
    long = merge(parts)
    if PRESETS.get(options.preset or "", NONE).counts_epochs:
        long = with_epochs(long)
    notes += _not_read(results, sources)
    long = replace(long, notes=tuple(dict.fromkeys((*notes, *long.notes))))
    return long, tuple(source.name for source in sources), options


def _parts(
    sources: Sequence[Source], options: ReadOptions
) -> tuple[list[Long], ReadOptions, list[Note]]:
    """Return the table of each file with rows, the options used, and notes on the other files.

    Raises
    ------
    InputError : a file that cannot be read, or no file with rows.
    """
    parts: list[Long] = []
    problems = Problems()
    files: dict[str, list[str]] = {}  # a message without the file's name → the files
    without: dict[str, list[str]] = {}  # the same, of files of which no row meets the conditions
    empty: list[str] = []
    notes: list[Note] = []
    for source in sources:
        try:
            opened = _open(source, options)
            if not opened.header:
                empty.append(source.title)
                continue
            if options.preset is None:
                options, more = _recognised(options, source, opened)
                notes += more
            names = _names(source, len(sources) > 1 or options.takes_one, options)
            parts.append(_read(opened, names, options))
            problems.include(parts[-1].problems)
        except InputError as error:
            message = error.text.removeprefix(f"{source.title}:")
            kind = without if isinstance(error, NoRowError) else files
            kind.setdefault(message, []).append(source.title * (message != error.text))
    if files or not parts:
        for message, titles in (files if parts else files | without).items():
            who = named(list(filter(None, titles)))
            own = _of_some(message) if parts else message
            problems.known += f"{who}:{own}".removeprefix(":").splitlines()
        if not problems.known:
            problems.known.append(f"{named(empty)}: there are no trials in it")
        problems.raise_any()
    if empty:
        message = f"no trials in {counted(empty, 'file')}: probably the summary of a job"
        notes.append(Note("no-trials", "info", message))
    if without:
        titles = [title for several in without.values() for title in several]
        message = f"no row meets {arg('where', list(options.where))} in "
        notes.append(Note("no-row", "info", message + counted(titles, "file", shown=3)))
    return parts, options, notes


def _of_some(message: str) -> str:
    """Return the problem with a file, of several of which others have none."""
    if not message.startswith(" no column "):
        return message
    return ALIKE.sub(". The other files have it: name it alike in all", message)


def _not_read(results: Sequence[Readable], sources: Sequence[Source]) -> list[Note]:
    """Return a note on the JSON files in a folder that do not belong to the program."""
    read = {source.path for source in sources}
    folders = [Path(name.rpartition("=")[2]) for name in results if isinstance(name, str)]
    left = [
        str(path)
        for folder in folders
        if folder.is_dir()
        for path in sorted(folder.rglob("*.json*"))
        if path not in read
    ]
    message = f"not read, since their names do not match: {counted(left, 'file', shown=3)}"
    return [Note("other-files", "info", message)] if left else []


def _open(source: Source, options: ReadOptions) -> "TextFile | Frame":
    """Return a text file with its dialect, or a frame."""
    if source.format == "text":
        return sniff(source, options)
    from bcompare.reading.frames import open_frame

    return open_frame(source, options.preset or source.preset)


def _recognised(
    options: ReadOptions, source: Source, opened: "TextFile | Frame"
) -> tuple[ReadOptions, list[Note]]:
    """Return the options for the program that wrote a file, if it is known, with a note."""
    name = source.preset or getattr(opened, "preset", None) or recognised(opened.header)
    chosen = by_itself(options, name)
    if chosen is options or name is None:
        return options, []
    message = f"read as results of {PRESETS[name].program}: {arg('preset', name)}"
    return chosen, [Note("recognised", "info", message)]


def _names(source: Source, several: bool, options: ReadOptions) -> Names:
    """Return the names that replace missing columns, from the file's name."""
    preset = PRESETS.get(options.preset or "", NONE)
    pattern, folder = preset.file, preset.folder
    dataset, classifier = source.stem, source.stem if several else None
    if pattern:
        matched = re.fullmatch(pattern, source.stem)
        dataset = matched[1] if matched else source.stem
    if folder and source.path is not None:
        above = source.path.resolve().parents
        classifier = above[min(folder, len(above)) - 1].name or source.stem
    return Names(
        title=source.title,
        dataset=dataset,
        classifier=source.label or classifier,
        label=source.label,
        names_dataset=source.one_of_many or bool(pattern),
    )


def _read(file: "TextFile | Frame", names: Names, options: ReadOptions) -> Long:
    """Return one file as a canonical long table."""
    layout = find_layout(file.header, names, options)
    find = partial(find_rows, file) if isinstance(file, TextFile) else file.find
    long = to_long(layout, _block(file, layout), names, find, options)
    if not (len(long) or long.filtered or long.unread):
        raise InputError(f"{names.title}: a header but no rows; a row is needed for each score")
    return replace(long, notes=(*file.notes(options), *long.notes))


def _block(file: "TextFile | Frame", layout: Layout) -> Block:
    """Return the requested columns; of a large text file by the fast reader, if it can read it."""
    if not isinstance(file, TextFile):
        from bcompare.reading.frames import read_frame

        return read_frame(file, layout)
    block = None
    both = set(layout.names) & set(layout.values)
    if file.source.size > SMALL_BYTES and not (file.escape or both or layout.grades):
        from bcompare.reading.fast import read_fast

        block = read_fast(file, layout)
    return block or read_exactly(file, layout)
