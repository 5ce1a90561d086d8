"""Read the user's files and frames into checked `Scores`, step by step."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note, counted
from bcompare.basis.records import Record
from bcompare.data.bounds import bounded
from bcompare.data.scores import Scores
from bcompare.files.options import MEASURE, ReadOptions
from bcompare.files.presets import (
    MEANS,
    PRESETS,
    by_itself,
    measures_of,
    preset_of,
    recognised,
    with_preset,
)
from bcompare.files.problems import LacksColumnsError, Problems, UnreadError, clipped, named
from bcompare.files.sources import Readable, Source, find_sources
from bcompare.files.tables import Coded, Table
from bcompare.files.text import open_text
from bcompare.reading.header import find_layout
from bcompare.reading.layout import Names
from bcompare.reading.long import Long, NoRowError, in_slices, merge, to_long, with_epochs
from bcompare.reading.survey import Survey
from bcompare.reading.validate import LEAST_SCORES, to_scores

if TYPE_CHECKING:
    import pandas as pd

    from bcompare.advice.features import Column
    from bcompare.advice.search import Command
    from bcompare.files.frames import Frame

Made = TypeVar("Made")

MOST_SAMPLED = 4000
"""The most rows to look at before a reading is tried."""
OF_SCORES = {"score_col", "lower_is_better", "percent", "where"}
"""Options on what the scores are, which no name of another column tells."""
MOST_DECIDED_ON = 100_000
"""The most rows by which to decide which column is what."""


@dataclass(frozen=True)
class Task:
    """What to read, and how.

    options : as the user gave them. sources : files. arguments : as the user named these. frame :
    in memory, instead of files. opened : frames in files. assumed : options that the user did not
    give, decided by the names of columns.
    """

    options: ReadOptions
    sources: tuple[Source, ...] = ()
    arguments: tuple[Readable, ...] = ()
    frame: "Frame | None" = None
    opened: "dict[Source, Frame]" = field(default_factory=dict)
    assumed: Record = field(default_factory=dict)

    @classmethod
    def of(
        cls, results: Sequence[Readable], options: ReadOptions | None, **overrides: Any
    ) -> "Task":
        """Return the task of reading files.

        Raises
        ------
        InputError : a file that is not there.
        """
        chosen = replace(options or ReadOptions(), **overrides)
        sources = find_sources(results, with_preset(chosen).preset)
        return cls(chosen, tuple(sources), tuple(results))

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files."""
        return tuple(source.name for source in self.sources)

    def long(self, options: ReadOptions | None = None) -> tuple[Long, ReadOptions]:
        """Return the canonical long table, not yet checked as a whole, and the options used.

        The first recognised file decides for all.

        Raises
        ------
        InputError : if a file cannot be read at all; with the problems of the others, too.
        """
        chosen = with_preset(options or self.options)
        if self.frame is not None:
            chosen = by_itself(chosen, recognised(self.frame.header))
            return _read(self.frame, Names(self.frame.title, "results"), chosen), chosen
        parts, chosen, notes = self._parts(chosen)
        long = merge(parts)
        if preset_of(chosen).counts_epochs:
            long = with_epochs(long)
        notes += _not_read(self.arguments, self.sources)
        return replace(long, notes=tuple(dict.fromkeys((*notes, *long.notes)))), chosen

    def scores(self, options: ReadOptions | None = None) -> Scores:
        """Return checked scores.

        Raises
        ------
        InputError : with every problem that was found.
        """
        long, chosen = self.long(options)
        return self.checked(long, chosen)

    def checked(self, long: Long, options: ReadOptions) -> Scores:
        """Return checked scores from the long table, which tell how their columns were decided.

        Raises
        ------
        InputError : with every problem that was found.
        """
        scores = checked(long, self.files, options)
        if not self.assumed:
            return scores
        from bcompare.advice.roles import check_values
        from bcompare.advice.search import as_read

        check_values(long.numbers["score"], options.score_col or "score", options)
        note = Note("by-names", "info", as_read(named(self.files), self.assumed, scores, options))
        return replace(scores, notes=(note, *scores.notes), assumed=self.assumed)

    def read(self, make: "Callable[[Task], Made]") -> Made:
        """Return what is made of the results, read in the only way that the columns' names leave.

        Errors of reading tell which commands would read the results, each of them tried.

        Raises
        ------
        InputError : that of reading.
        """
        try:
            return make(self)
        except UnreadError as error:
            decided = self.by_names() if isinstance(error, LacksColumnsError) else None
            if decided is None:
                raise self.with_advice(error) from error
            from bcompare.advice.roles import UndecidedError

            try:
                return make(decided)
            except UndecidedError:
                raise self.with_advice(error) from error
            except InputError as wrong:  # the columns are clear, and their values are not
                advice = self.with_advice(error).advice
                raise InputError(wrong.messages, advice if len(advice) > 1 else ()) from error

    def by_names(self) -> "Task | None":
        """Return the task with options for the columns, if their names leave one reading.

        A gate never reads so: its terms are written down.
        """
        changes = {} if self.options.is_explicit else self._decided()
        if not changes:
            return None
        return replace(self, options=replace(self.options, **changes), assumed=changes)

    def _shortest(self, options: ReadOptions) -> ReadOptions:
        """Return options without the columns that follow from the others by their names."""
        changed = {f.name for f in fields(options) if getattr(options, f.name) != f.default}
        chosen = {name: getattr(options, name) for name in changed & OF_SCORES}
        short = replace(self, options=replace(self.options, **chosen))
        try:
            short.long()
        except LacksColumnsError:
            if replace(short.options, **short._decided()) == options:
                return short.options
        except InputError:
            pass
        return options

    def _decided(self) -> Record:
        """Return the options that name the columns, if their names leave one reading."""
        from bcompare.advice.roles import decide

        try:
            return decide(self._columns(), self.options)
        except InputError:
            return {}

    def _columns(self) -> "list[Column]":
        """Return the columns of all files, if they have the same, with those of their files.

        Raises
        ------
        UndecidedError : they differ, or a program is known by them.
        """
        from bcompare.advice.features import columns_of
        from bcompare.advice.roles import FILE, UndecidedError

        tables = self._tables()
        header = tables[0].header
        if any(table.header != header for table in tables):
            raise UndecidedError("the columns of the files differ")
        if tables[0].preset or recognised(header):
            raise UndecidedError("a program is known")
        conditions, most = self.options.conditions, MOST_DECIDED_ON // len(tables)
        if not {c.column for c in conditions} <= {*header}:
            raise UndecidedError("a condition on no column")
        tests = [(header.index(c.column), c.test()) for c in conditions]
        samples = [
            [row for row in table.sample(most) if all(holds(row[i]) for i, holds in tests)]
            for table in tables
        ]
        if len(tables) == 1:
            return columns_of(header, samples[0])
        names = [source.label or source.stem for source in self.sources]
        rows = [[*row, name] for sample, name in zip(samples, names, strict=True) for row in sample]
        return columns_of([*header, FILE], rows)

    def with_advice(self, error: InputError) -> InputError:
        """Return the error with the commands that would read the results."""
        lacks_columns = isinstance(error, LacksColumnsError)
        remedies = error.remedies if isinstance(error, UnreadError) else ()
        if not (lacks_columns or remedies):
            return error
        from bcompare.advice.features import columns_of
        from bcompare.advice.search import advice_on, find_readings

        columns = columns_of(*self._sample()) if lacks_columns else []
        readings, miss = find_readings(
            columns,
            self.options if lacks_columns else self._of_program(),
            self.scores,
            several=len(self.sources) > 1 or self.options.takes_one,
            size=sum(source.size for source in self.sources),
            remedies=() if lacks_columns else remedies,
            decided=self._decided() if lacks_columns else {},
        )
        if lacks_columns and not self.options.is_explicit:
            readings = [replace(r, options=self._shortest(r.options)) for r in readings]
        one = isinstance(error, LacksColumnsError) and error.lacks_classifier
        one &= len(self.sources) == 1
        advice = advice_on(readings, miss, self._command(), columns, one=one)
        return InputError(error.messages, [*advice])

    def _of_program(self) -> ReadOptions:
        """Return the options with the preset of the program that is recognised, if any."""
        for table in self._tables():
            if by_itself(self.options, name := recognised(table.header)) is not self.options:
                return replace(self.options, preset=name)
        return self.options

    def _parts(self, options: ReadOptions) -> tuple[list[Long], ReadOptions, list[Note]]:
        """Return the table of each file with rows, the options used, and notes on the other files.

        Raises
        ------
        InputError : a file that cannot be read, or no file with rows.
        """
        parts: list[Long] = []
        read: list[Source] = []
        problems = Problems()
        files: dict[str, list[str]] = {}  # a message without the file's name → the files
        # the same, of files of which no row meets the conditions
        without: dict[str, list[str]] = {}
        empty: list[str] = []
        notes: list[Note] = []
        lacks: list[LacksColumnsError] = []
        without_metric = self._without_metric(options)
        for source in self.sources:
            try:
                opened = self._open(source, options)
                if not opened.header:
                    empty.append(source.title)
                    continue
                if options.preset is None:
                    options, more = _recognised(options, source, opened)
                    notes += more
                own = replace(options, score_col=None) if source in without_metric else options
                parts.append(_read(opened, self._names(source, own), own))
                read.append(source)
                problems.include(parts[-1].problems)
            except InputError as error:
                lacks += [error] if isinstance(error, LacksColumnsError) else []
                problems.help_by(error.remedies if isinstance(error, UnreadError) else ())
                message = error.text.removeprefix(f"{source.title}:")
                kind = without if isinstance(error, NoRowError) else files
                kind.setdefault(message, []).append(source.title * (message != error.text))
        if files or not parts:
            for message, titles in (files if parts else files | without).items():
                who = named(list(filter(None, titles)))
                problems.known += f"{who}:{message}".removeprefix(":").splitlines()
            if not problems.known:
                problems.known.append(f"{named(empty)}: there are no trials in it")
            _refuse(problems, lacks, others=bool(parts))
        self._check_arguments(read, without)
        if options.baseline:
            _check_origins(read, parts, options)
        notes += self._notes_on(without_metric, empty)
        if without:
            titles = [title for several in without.values() for title in several]
            message = f"no row meets {arg('where', list(options.where))} in "
            notes.append(Note("no-row", "info", message + counted(titles, "file", shown=3)))
        return parts, options, notes

    def _check_arguments(
        self, read: Sequence[Source], without: Mapping[str, Sequence[str]]
    ) -> None:
        """Refuse an argument of which no file has a trial.

        read : the files that have. without : the message of files of which no row meets the
        conditions, and their titles.
        """
        used = {source.argument for source in read}
        known = {title: message for message, titles in without.items() for title in titles}
        unused = {s.argument: s for s in self.sources if s.argument not in used}
        if unused:
            raise InputError(
                [
                    f"{source.title}:{known.get(source.title, ' there are no trials in it')}"
                    for source in unused.values()
                ]
            )

    def _notes_on(self, without_metric: Sequence[Source], empty: Sequence[str]) -> Iterator[Note]:
        """Yield notes on files whose score is another metric, and on those without trials."""
        if without_metric:
            titles = [source.title for source in without_metric]
            message = (
                f"the score is the first metric where there is no {self.options.score_col}: "
                f"{counted(titles, 'file', 3)}"
            )
            yield Note("several-measures", "info", message)
        if empty:
            message = f"no trials in {counted(empty, 'file')}: probably the summary of a job"
            yield Note("no-trials", "info", message)

    def _without_metric(self, options: ReadOptions) -> list[Source]:
        """Return the files of a program with metrics by name that lack the one chosen.

        None if all do: then it is misspelt.
        """
        if options.score_col is None:
            return []
        headers: dict[Source, Sequence[str]] = {}
        for source in self.sources:
            with suppress(InputError):  # which reading reports
                headers[source] = self._open(source, options).header
        without = [source for source, header in headers.items() if options.score_col not in header]
        measured = all(MEASURE in headers[source] for source in without)
        return without if measured and len(without) < len(headers) else []

    def _tables(self) -> list[Table]:
        """Return all files, opened, or the frame."""
        if self.frame is not None:
            return [self.frame]
        options = with_preset(self.options)
        return [self._open(source, options) for source in self.sources]

    def _open(self, source: Source, options: ReadOptions) -> Table:
        """Return a text file with its dialect, or a frame, which is opened once."""
        if source.format == "text":
            return open_text(source, options)
        from bcompare.files.frames import open_frame

        if source not in self.opened:
            self.opened[source] = open_frame(source, options.preset or source.preset)
        return self.opened[source]

    def _names(self, source: Source, options: ReadOptions) -> Names:
        """Return the names that replace missing columns, from the file's name."""
        several = len(self.sources) > 1 or options.takes_one
        preset = preset_of(options)
        folder = "" if source.path is None else f"{source.path.resolve().parent.as_posix()}/"
        found = re.search(f"(?:^|/){preset.path}$", folder + source.stem) if preset.path else None
        of_path = found.groupdict() if found else {}
        return Names(
            title=source.title,
            dataset=of_path.get("dataset") or source.stem,
            classifier=source.label
            or of_path.get("classifier")
            or (source.stem if several else None),
            label=source.label,
            names_dataset=source.one_of_many or "(?P<dataset>" in preset.path,
        )

    def _sample(self) -> tuple[Sequence[str], list[list[str]]]:
        """Return the header and rows of the first file that lacks columns."""
        options, tables = with_preset(self.options), self._tables()
        for source, table in zip(self.sources, tables, strict=False):
            try:
                find_layout(table.header, self._names(source, options), options)
            except LacksColumnsError:
                return table.header, table.sample(MOST_SAMPLED)
        return tables[-1].header, tables[-1].sample(MOST_SAMPLED)

    def _command(self) -> "Command":
        """Return how to ask for a reading."""
        from bcompare.advice.search import Command

        if self.frame is not None:
            return Command("", lambda words: f"from_frame({', '.join(['frame', *words])})")
        names = [a if isinstance(a, str) else str(getattr(a, "name", a)) for a in self.arguments]
        files = [*map(repr, names)]
        return Command(
            " ".join(map(shlex.quote, names)),
            lambda words: f"read_scores({', '.join([*files, *words])})",
        )


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
    return Task.of(results, options, **overrides).read(Task.scores)


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
    long, chosen, whole = task.read(read)
    if chosen.failed == "bounds":
        raise InputError(f"{arg('failed', 'bounds')} cannot be combined with {arg('by')}")
    sliced, notes = in_slices(long, LEAST_SCORES)
    scores = checked(sliced, task.files, replace(chosen, rho=None, datasets=()))
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
    from bcompare.files.frames import Frame

    task = Task(replace(options or ReadOptions(), **overrides), frame=Frame.of(frame))
    return task.read(Task.scores)


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


def _check_origins(sources: Sequence[Source], parts: Sequence[Long], options: ReadOptions) -> None:
    """Refuse rows of one classifier in two arguments: no candidate brings those of its baseline.

    sources : of each part. Arguments of one label count as one.
    """
    first: dict[str, Source] = {}
    problems = []
    for source, part in zip(sources, parts, strict=True):
        dataset, who = part.keys["dataset"], part.keys["classifier"]
        for name in who.used()[0]:
            other = first.setdefault(name, source)
            same = source.argument == other.argument or source.label == other.label is not None
            if same or (options.classifiers and name not in options.classifiers):
                continue
            where = dataset.rows(who.which(name.__eq__)).used()[0]
            problems.append(
                f"{source.title}: rows of {clipped(name)} on {counted(where, 'data set', 3)}, and "
                f"others are in {other.title}: in a gate the rows of a classifier come from one "
                f"argument, a file, a folder or a label; leave them out of one of the two"
            )
    if problems:
        raise InputError(problems)


def _refuse(problems: Problems, lacks: Sequence[LacksColumnsError], *, others: bool) -> None:
    """Raise the problems of files; of those that lack columns, if no other file has them."""
    if lacks and others:
        problems.known[-1] += ". The other files have it: name it alike in all"
    elif lacks:
        nobody = any(error.lacks_classifier for error in lacks)
        raise LacksColumnsError(problems.messages(), lacks_classifier=nobody)
    problems.raise_any()


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


def _recognised(
    options: ReadOptions, source: Source, opened: Table
) -> tuple[ReadOptions, list[Note]]:
    """Return the options for the program that wrote a file, if it is known, with a note."""
    name = source.preset or opened.preset or recognised(opened.header)
    chosen = by_itself(options, name)
    if chosen is options or name is None:
        return options, []
    message = f"read as results of {PRESETS[name].program}: {arg('preset', name)}"
    return chosen, [Note("recognised", "info", message)]


def _read(table: Table, names: Names, options: ReadOptions) -> Long:
    """Return one file as a canonical long table."""
    layout = find_layout(table.header, names, options)
    long = to_long(table, layout, options)
    title = long.titles.get("score", "")
    if options.score_col is None and title in measures_of(preset_of(options), table.header):
        long = replace(long, keys={"measure": Coded.constant(title, len(long))} | long.keys)
    if not (len(long) or long.filtered or long.unread):
        raise InputError(f"{names.title}: a header but no rows; a row is needed for each score")
    return replace(long, notes=(*table.notes(options), *long.notes))
