"""What would read files or a frame that the options do not, or why nothing would."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from bcompare.advice.features import FileColumn, columns_of
from bcompare.advice.roles import FILE, UndecidedError, ask_if, decide
from bcompare.advice.search import find_readings
from bcompare.advice.words import ReadingCall, advice_on
from bcompare.basis.messages import InputError, Record
from bcompare.files.options import ReadOptions
from bcompare.files.presets import by_itself, recognised
from bcompare.files.problems import LacksColumnsError, UnreadError
from bcompare.reading.task import Task

Made = TypeVar("Made")

# The most rows to look at before a reading is tried.
MOST_SAMPLED = 4000
# Options on what the scores are, which no name of another column tells.
OF_SCORES = {"score_col", "lower_is_better", "percent", "where"}
# The most rows by which to decide which column is what.
MOST_DECIDED_ON = 100_000


def remedied(task: Task, make: Callable[[Task], Made], error: UnreadError) -> Made:
    """Return what is made of the results, read in the only way that the columns' names leave.

    A gate never reads so: its terms are written down. error : of reading as the options say.

    Raises
    ------
    InputError : that error, with the commands that would read the results, each of them tried.
    """
    decided = _decided(task) if isinstance(error, LacksColumnsError) else {}
    if not decided or task.options.is_explicit:
        raise with_advice(task, error, decided) from error
    try:
        return make(replace(task, options=replace(task.options, **decided), assumed=decided))
    except UndecidedError:
        raise with_advice(task, error, decided) from error
    except InputError as wrong:  # the columns are clear, and their values are not
        advice = with_advice(task, error, decided, wrong.messages).advice
        raise InputError(wrong.messages, advice if len(advice) > 1 else ()) from error


def _decided(task: Task) -> Record:
    """Return options that name the columns, if their names leave one reading."""
    try:
        return decide(_columns(task), task.options)
    except InputError:
        return {}


def _columns(task: Task) -> list[FileColumn]:
    """Return the columns of all files, if they have the same, with those of their files.

    Raises
    ------
    UndecidedError : they differ, or a program is known by them.
    """
    tables = task.tables()
    header = tables[0].header
    ask_if(any(table.header != header for table in tables), "the columns of the files differ")
    ask_if(tables[0].preset or recognised(header), "a program is known")
    conditions, most = task.options.conditions, MOST_DECIDED_ON // len(tables)
    ask_if({c.column for c in conditions} - {*header}, "a condition on no column")
    tests = [(header.index(c.column), c.test()) for c in conditions]
    samples = [
        [row for row in table.sample(most) if all(holds(row[i]) for i, holds in tests)]
        for table in tables
    ]
    if len(tables) == 1:
        return columns_of(header, samples[0])
    names = [source.label or source.stem for source in task.sources]
    rows = [[*row, name] for sample, name in zip(samples, names, strict=True) for row in sample]
    return columns_of([*header, FILE], rows)


def with_advice(
    task: Task, error: InputError, decided: Record, told: Sequence[str] = ()
) -> InputError:
    """Return the error with the commands that would read the results.

    decided : options that name the columns, if their names leave one reading. told : why the
    results cannot be read by these.
    """
    lacks = error if isinstance(error, LacksColumnsError) else None
    remedies = error.remedies if isinstance(error, UnreadError) else ()
    if not (lacks or remedies):
        return error

    columns: list[FileColumn] = []
    if lacks:
        table = task.tables()[lacks.file]
        if task.options.judges and task.options.score_col not in (None, *table.header):
            return error  # which metric is meant instead, only the user knows
        program = table.preset or recognised(table.header)
        known = by_itself(task.options, program) is not task.options
        if not (known and lacks.lacks_classifier):  # else only its name is missing
            columns = columns_of(table.header, table.sample(MOST_SAMPLED))
    readings, miss = find_readings(
        columns,
        task.options if lacks else _of_program(task),
        task.scores,
        several=len(task.sources) > 1 or task.options.takes_one,
        size=sum(source.size for source in task.sources),
        remedies=remedies,
        decided=decided,
    )
    if lacks and not task.options.is_explicit:
        readings = [replace(r, options=_shortest(task, r.options)) for r in readings]
    if miss is not None and miss.why in (*error.messages, *told):
        miss = None
    one = lacks is not None and lacks.lacks_classifier and len(task.sources) == 1
    return InputError(
        error.messages, [*advice_on(readings, miss, _command(task), columns, one=one)]
    )


def _shortest(task: Task, options: ReadOptions) -> ReadOptions:
    """Return options without the columns that follow from the others by their names."""
    chosen = {name: value for name, value in options.changed.items() if name in OF_SCORES}
    short = replace(task, options=replace(task.options, **chosen))
    try:
        short.long()
    except LacksColumnsError:
        if replace(short.options, **_decided(short)) == options:
            return short.options
    except InputError:
        pass
    return options


def _of_program(task: Task) -> ReadOptions:
    """Return the options with the preset of the program that is recognised, if any."""
    try:
        tables = task.tables()
    except InputError:  # one is no table, as the error says
        return task.options
    for table in tables:
        if by_itself(task.options, name := recognised(table.header)) is not task.options:
            return replace(task.options, preset=name)
    return task.options


def _command(task: Task) -> ReadingCall:
    """Return how to ask for a reading."""
    if task.frame is not None:
        return ReadingCall("", lambda words: f"from_frame({', '.join(['frame', *words])})")
    names = [a if isinstance(a, str) else str(getattr(a, "name", a)) for a in task.arguments]
    files = [*map(repr, names)]
    return ReadingCall(
        " ".join(map(shlex.quote, names)),
        lambda words: f"read_scores({', '.join([*files, *words])})",
    )
