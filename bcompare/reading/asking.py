"""What the columns of files or a frame are: by options, by their names, or as the user is asked."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bcompare.basis.messages import InputError, as_keywords, as_options
from bcompare.columns.deciding import Sure, decide, of_program
from bcompare.columns.features import FILE, ColumnTable
from bcompare.columns.question import AskedError, Call, Question, said
from bcompare.files.options import ROW_NUMBERS, Condition, ReadOptions, parts_of
from bcompare.files.presets import NONE, PRESETS, Preset, by_itself, measures_of, recognised
from bcompare.files.tables import CellTable
from bcompare.reading.content import content_of, rows_of
from bcompare.reading.header import Lacking
from bcompare.reading.task import Task

# The most cells to look at.
MOST_CELLS = 300_000
# Options that `bcompare check` lacks, or that are spelled in their own way.
INTERNAL = {
    "grades",
    "by",
    "fewest",
    "lone",
    "suspects",
    "baseline",
    "cost_col",
    "scale",
    "strict",
    "bounded",
}


def understood(task: Task) -> Task:
    """Return the task with an option for each part of the results that its columns tell.

    Raises
    ------
    AskedError : with what the columns hold and could be, and what only the user knows.
    """
    lacks = task.lacking()
    if not lacks:
        return task
    answer = _answer(task, lacks)
    if answer is None:
        return task
    if isinstance(answer, Sure):
        options = replace(task.options, **answer.changes)
        return replace(task, options=options, assumed=answer.changes)
    raise asked(task, lacks, answer)


def _answer(task: Task, lacks: Sequence[Lacking]) -> Sure | Question | None:
    """Return what names leave, or what is asked; None where only a name is missing."""
    options = task.options
    tables = task.tables()
    header = tables[0].header
    if len({*header}) < len(header):
        return None
    for table in tables:
        conditions = [c.column for c in options.conditions if c.column not in table.header]
        if conditions or not _are_there(options.columns, table.header):
            return None
    program = tables[0].preset or recognised(header)
    is_read = program is not None and by_itself(options, program) is not options
    if is_read and lacks[0].lacks_classifier:
        return None  # only its name is missing
    columns = columns_in(task, tables)
    if not columns.rows:
        return None
    is_known = program is not None and lacks_only_numbers(PRESETS[program], header)
    if program is not None and is_known:
        return of_program(program, columns, options)
    at_once = not options.is_explicit and program is None
    answer = decide(columns, options, at_once=at_once)
    differ = any(table.header != header for table in tables) and not columns.stem
    if differ and isinstance(answer, Question) and answer.reasons:
        return None  # each file lacks something else, as reading says
    if isinstance(answer, Question) and is_complete(answer):
        return _tried(task, answer)
    return answer


def lacks_only_numbers(preset: Preset, header: Sequence[str]) -> bool:
    """Return whether a program's file has its scores, and lacks what only the user knows."""
    has_scores = preset.measures == NONE.measures or bool(measures_of(preset, header))
    return bool(preset.also) and has_scores


def is_complete(question: Question) -> bool:
    """Return whether reading needs no further answer; a rope is no matter of reading."""
    return not question.reasons and all(ask.word == "WHICH_ROPE" for ask in question.asks)


def _are_there(columns: Mapping[str, str], header: Sequence[str]) -> bool:
    """Return whether a header has the columns that options name, by their roles."""
    for role, name in columns.items():
        if name != ROW_NUMBERS and not {*parts_of(role, name, header)} <= {*header}:
            return False
    return True


def _tried(task: Task, question: Question) -> Question:
    """Return a question without a word, with what its command reads.

    Raises
    ------
    InputError : the columns are clear, and their values are not.
    """
    options = replace(task.options, **question.changes)
    if options.is_explicit:  # a gate may lack more than columns
        try:
            scores = replace(task, options=options).scores()
        except InputError:
            return question
    else:
        scores = replace(task, options=options).scores()
    return replace(question, reads=f"{content_of(scores)}; rows are {rows_of(scores, options)}")


def columns_in(task: Task, tables: Sequence[CellTable]) -> ColumnTable:
    """Return the columns that all files have, with that of their files.

    Of many rows a sample is taken, spread evenly over each file.
    """
    stems = [source.stem for source in task.sources]
    headers = [table.header for table in tables]
    stem = ""
    if len(tables) > 1 and len({*headers}) > 1:
        plain = set()
        for stem_here, header in zip(stems, headers, strict=True):
            plain.add(tuple(name.replace(stem_here, "") for name in header))
        if len(plain) == 1:  # names differ in that of their file, as of its classifier
            stem = stems[0]
            headers = [headers[0]] * len(headers)
    in_all = set(headers[0]).intersection(*headers[1:])
    shared = [name for name in headers[0] if name in in_all]
    most = max(MOST_CELLS // len(tables[0].header) // len(tables), 100)
    rows: list[list[str]] = []
    is_whole = True
    for k, table in enumerate(tables):
        header = headers[k]
        sample = table.sample(most)
        is_whole &= sample.is_whole
        places = [header.index(name) for name in shared]
        file = []
        if len(tables) > 1:
            source = task.sources[k]
            file.append(source.label or source.stem)
        kept = _meeting(task.options.conditions, header, sample.rows)
        rows += [[*(row[i] for i in places), *file] for row in kept]
    columns = [*shared, FILE] if len(tables) > 1 else shared
    return ColumnTable.of(columns, rows, is_whole=is_whole, stem=stem)


def _meeting(
    conditions: Iterable[Condition], header: Sequence[str], rows: Sequence[Sequence[str]]
) -> Sequence[Sequence[str]]:
    """Return the rows that meet all conditions."""
    for condition in conditions:
        place = header.index(condition.column)
        holds = condition.test()
        rows = [row for row in rows if holds(row[place])]
    return rows


def asked(task: Task, lacks: Sequence[Lacking], question: Question) -> AskedError:
    """Return the refusal of results that leave something open."""
    titles = [lack.short.partition(": no column")[0] for lack in lacks]
    what = lacks[0].short.partition(": ")[2]
    message = f"{', '.join(dict.fromkeys(titles[:3]))}: {what}"
    message = f"{message}; what its columns hold, and could be:"
    return AskedError([message], question, call_of(task))


def call_of(task: Task) -> Call:
    """Return how to ask for the results."""
    words = [*_words(task.options)]
    options = [*map(as_options, words)]
    keywords = [*map(as_keywords, words)]
    if task.frame is not None:

        def of_frame(more: Sequence[str]) -> str:
            return f"from_frame({', '.join(['frame', *keywords, *more])})"

        return Call("bcompare check", of_frame)
    names = [a if isinstance(a, str) else str(getattr(a, "name", a)) for a in task.arguments]

    def of_files(more: Sequence[str]) -> str:
        return f"read_scores({', '.join([*map(repr, names), *keywords, *more])})"

    return Call(" ".join(["bcompare check", *map(shlex.quote, names), *options]), of_files)


def _words(options: ReadOptions) -> list[str]:
    """Return the options that the user gave."""
    return [said(name, value) for name, value in options.changed.items() if name not in INTERNAL]
