"""The task of reading files or a frame: all steps in their order."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from bcompare.basis.messages import InputError, Note, Record, arg, counted
from bcompare.data.scores import Scores, bounded
from bcompare.files.options import MEASURE, ROW_NUMBERS, ReadOptions
from bcompare.files.presets import (
    PRESETS,
    by_itself,
    measures_of,
    preset_of,
    recognised,
    with_preset,
)
from bcompare.files.problems import LacksColumnsError, clipped, named
from bcompare.files.sources import Readable, Source, find_sources, skipped_in
from bcompare.files.tables import CellTable, Coded
from bcompare.files.text import open_text
from bcompare.reading.chosen_rows import Survey
from bcompare.reading.content import as_read
from bcompare.reading.header import Lacking, Names, find_layout
from bcompare.reading.long_table import (
    SHARED_DATASET,
    Long,
    NoRowError,
    merge,
    to_long,
    with_epochs,
    with_equal_rounds,
)
from bcompare.reading.sides import columns_about, notes_on_groups
from bcompare.reading.to_scores import to_scores
from bcompare.reading.unpaired import as_trials

if TYPE_CHECKING:
    from bcompare.files.frames import Frame

Made = TypeVar("Made")


@dataclass(frozen=True)
class Task:
    """What to read, and how.

    options : as the user gave them.
    sources : files.
    arguments : as the user named these.
    frame : in memory, instead of files.
    opened : what the files hold.
    assumed : options that the user did not give, decided by the names of columns.
    """

    options: ReadOptions
    sources: tuple[Source, ...] = ()
    arguments: tuple[Readable, ...] = ()
    frame: "Frame | None" = None
    opened: dict[Source, CellTable] = field(default_factory=dict)
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
        chosen = (options or ReadOptions()).but(**overrides)
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
            long = _read(self.frame, Names(self.frame.title, "results"), chosen)
            return (as_trials(long) if chosen.shares_nothing else long), chosen
        parts, chosen, notes = self._parts(chosen)
        long = merge(parts)
        counts_epochs = chosen.epoch_col == ROW_NUMBERS and "epoch" not in long.titles
        if counts_epochs or preset_of(chosen).counts_epochs:
            long = with_epochs(long)
        if preset_of(chosen).calibrates:
            long = with_equal_rounds(long)
        if chosen.shares_nothing:
            long = as_trials(long)
        notes += _not_read(self.arguments, self.options.preset)
        return replace(long, notes=tuple(dict.fromkeys((*notes, *long.notes)))), chosen

    def scores(self, options: ReadOptions | None = None) -> Scores:
        """Return checked scores.

        Raises
        ------
        InputError : with every problem that was found.
        """
        return self.checked(*self.long(options))

    def checked(self, long: Long, options: ReadOptions) -> Scores:
        """Return checked scores from the long table, which tell how their columns were decided.

        Raises
        ------
        InputError : with every problem that was found.
        """
        extremes = ("worst", "best") if options.failed == "bounds" else ()
        each = [replace(options, failed=extreme) for extreme in extremes] or [options]
        outcomes = [to_scores(long, Survey(long, one), self.files) for one in each]
        scores = bounded(*outcomes) if extremes else outcomes[0]
        if not self.assumed:
            return scores
        note = Note("by-names", "info", as_read(named(self.files), self.assumed, scores, options))
        notes = (note, *notes_on_groups(long), *scores.notes)
        return replace(scores, notes=notes, assumed=self.assumed)

    def lacking(self) -> list[Lacking]:
        """Return what each file, or the frame, lacks; none if one of them lacks nothing.

        Files that cannot be opened, or have no header, are left to reading, which says why.
        """
        lacking: list[Lacking] = []
        options = with_preset(self.options)
        try:
            for table, names in self._titled(options):
                if not table.header:
                    return []
                preset = table.preset or recognised(table.header)
                layout = find_layout(table.header, names, by_itself(options, preset))
                if not isinstance(layout, Lacking):
                    return []
                lacking.append(layout)
        except InputError:
            return []
        return lacking

    def _titled(self, options: ReadOptions) -> Iterator[tuple[CellTable, Names]]:
        """Yield each file, or the frame, with its names."""
        if self.frame is not None:
            yield self.frame, Names(self.frame.title, "results")
        for source in self.sources:
            yield self._open(source, options), self._names(source, options)

    def _parts(self, options: ReadOptions) -> tuple[list[Long], ReadOptions, list[Note]]:
        """Return the table of each file with rows, the options used, and notes on the other files.

        Raises
        ------
        InputError : a file that cannot be read, or no file with rows.
        """
        parts: dict[Source, Long] = {}
        failed: dict[Source, InputError] = {}
        empty: list[Source] = []
        notes: list[Note] = []
        others = self._without_metric(options)
        for source in self.sources:
            try:
                opened = self._open(source, options)
                if not opened.header:
                    empty.append(source)
                    raise NoRowError(f"{source.title}: there are no trials in it")
                if options.preset is None:
                    options, more = _recognised(options, source, opened)
                    notes += more
                compares = preset_of(options).compares
                if compares and len(self.sources) == 1 and source.label is None:
                    options = replace(options, classifier_col=compares, dataset_col=None)
                of_source = replace(options, score_col=None) if source in others else options
                parts[source] = _read(opened, self._names(source, of_source), of_source)
            except InputError as error:
                failed[source] = error
        skipped = {source: e.text for source, e in failed.items() if isinstance(e, NoRowError)}
        if not parts or failed.keys() - skipped.keys():
            from bcompare.reading.refusal import refuse

            refuse(failed, parts)
        used = {source.argument for source in parts}
        unused = {s.argument: s for s in self.sources if s.argument not in used}
        if unused:
            raise InputError([skipped[source] for source in unused.values()])
        if options.baseline:
            _check_origins(parts, options)
        unmet = [source for source in skipped if source not in empty]
        notes += _notes_on_files(others, empty, unmet, options)
        return self._together(parts, options), options, notes

    def _together(self, parts: Mapping[Source, Long], options: ReadOptions) -> list[Long]:
        """Return the tables of the files: of one data set if each holds one classifier, of its own.

        Files with several classifiers each are a data set each, unless a column or their path names
        the data set.
        """
        tables = [*parts.values()]
        for source, table in parts.items():
            names = self._names(source, options)
            by_file = "dataset" not in table.titles and not names.names_dataset
            if not by_file or table.keys["dataset"].names != (names.dataset,):
                return tables
        holders = [table.keys["classifier"].names for table in tables]
        if len(set(holders)) < 2 or any(len(names) > 1 for names in holders):
            return tables
        return [table.on_dataset(SHARED_DATASET) for table in tables]

    def _without_metric(self, options: ReadOptions) -> list[Source]:
        """Return the files of a program with metrics by name that lack the one chosen.

        None if all do: then it is misspelt.
        """
        headers: dict[Source, Sequence[str]] = {}
        for source in self.sources if options.score_col is not None else ():
            with suppress(InputError):  # which reading reports
                headers[source] = self._open(source, options).header
        without = [source for source, header in headers.items() if options.score_col not in header]
        measured = all(MEASURE in headers[source] for source in without)
        return without if measured and len(without) < len(headers) else []

    def tables(self) -> list[CellTable]:
        """Return all files, opened, or the frame."""
        if self.frame is not None:
            return [self.frame]
        options = with_preset(self.options)
        return [self._open(source, options) for source in self.sources]

    def _open(self, source: Source, options: ReadOptions) -> CellTable:
        """Return a text file with its dialect, or a frame; each is opened once."""
        if source not in self.opened:
            if source.format == "text":
                self.opened[source] = open_text(source, options)
            else:
                from bcompare.files.frames import open_frame

                self.opened[source] = open_frame(source, options.preset or source.preset)
        return self.opened[source]

    def _names(self, source: Source, options: ReadOptions) -> Names:
        """Return the names that replace missing columns, from the file's name."""
        several = len(self.sources) > 1 or options.takes_one
        path = preset_of(options).path
        folder = "" if source.path is None else f"{source.path.resolve().parent.as_posix()}/"
        match = re.search(f"(?:^|/){path}$", folder + source.stem) if path else None
        of_path = match.groupdict() if match else {}
        who = of_path.get("classifier") or (source.stem if several else None)
        return Names(
            title=source.title,
            dataset=of_path.get("dataset") or source.stem,
            classifier=source.label or who,
            label=source.label,
            names_dataset=source.one_of_many or "(?P<dataset>" in path,
        )


def _notes_on_files(
    others: Sequence[Source], empty: Sequence[Source], unmet: Sequence[Source], options: ReadOptions
) -> list[Note]:
    """Return the notes on files that differ from the rest.

    others : without the metric that is the score. empty : without trials. unmet : without a row
    that meets the conditions.
    """
    notes = []
    if others:
        files = counted([source.title for source in others], "file", 3)
        score = f"the score is the first metric where there is no {options.score_col}"
        notes.append(Note("several-measures", "info", f"{score}: {files}"))
    if empty:
        files = counted([source.title for source in empty], "file", 10)
        message = f"no trials in {files}: probably the summary of a job"
        notes.append(Note("no-trials", "info", message))
    if unmet:
        files = counted([source.title for source in unmet], "file", 3)
        where = arg("where", list(options.where))
        notes.append(Note("no-row", "info", f"no row meets {where} in {files}"))
    return notes


def _check_origins(parts: Mapping[Source, Long], options: ReadOptions) -> None:
    """Refuse rows of one classifier in two arguments: no candidate brings those of its baseline.

    Arguments of one label count as one.
    """
    first: dict[str, Source] = {}
    problems = []
    for source, part in parts.items():
        dataset = part.keys["dataset"]
        who = part.keys["classifier"]
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


def _not_read(arguments: Sequence[Readable], preset: str | None) -> list[Note]:
    """Return a note on the files in folders that hold no results."""
    left = [str(path) for path in skipped_in(arguments, preset)]
    if not left:
        return []
    message = f"not read, as they hold no results by their names: {counted(left, 'file', shown=3)}"
    return [Note("other-files", "info", message)]


def _recognised(
    options: ReadOptions, source: Source, opened: CellTable
) -> tuple[ReadOptions, list[Note]]:
    """Return the options for the program that wrote a file, if it is known, with a note."""
    name = source.preset or opened.preset or recognised(opened.header)
    chosen = by_itself(options, name)
    if chosen is options or name is None:
        return options, []
    message = f"read as results of {PRESETS[name].program}: {arg('preset', name)}"
    return chosen, [Note("recognised", "info", message)]


def _read(table: CellTable, names: Names, options: ReadOptions) -> Long:
    """Return one file as a canonical long table."""
    layout = find_layout(table.header, names, options)
    if isinstance(layout, Lacking):
        raise LacksColumnsError(layout.problems)
    layout = replace(layout, about=columns_about(table, layout, preset_of(options)))
    long = to_long(table, layout, options)
    title = long.titles.get("score", "")
    if options.score_col is None and title in measures_of(preset_of(options), table.header):
        long = replace(long, keys={"measure": Coded.constant(title, len(long))} | long.keys)
    if not (len(long) or long.filtered or long.unread):
        raise InputError(f"{names.title}: a header but no rows; a row is needed for each score")
    return replace(long, notes=(*table.notes(options), *long.notes))
