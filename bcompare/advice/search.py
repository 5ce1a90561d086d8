"""Find how a file can be read: candidate readings, each tried by reading the whole file.

What is shown has been read and checked, by the code that reads every file.
"""

from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from bcompare.advice.by_column import lone_scores
from bcompare.advice.candidates import candidates
from bcompare.advice.features import FEW, Column
from bcompare.advice.sample import Candidate
from bcompare.basis.arguments import arg, as_keywords, as_options, spelled
from bcompare.basis.errors import InputError
from bcompare.basis.notes import number_of
from bcompare.basis.records import Record
from bcompare.data.defaults import DEFAULT_ROPE
from bcompare.data.rope import Rope
from bcompare.data.scales import are_ranks, scale_notes, scaled
from bcompare.data.scores import Scores
from bcompare.files.options import ROW_NUMBERS, ReadOptions
from bcompare.files.presets import PRESETS
from bcompare.files.problems import UnreadError, quoted

MOST_SHOWN = 3
MOST_TRIED = 40
MOST_TRIED_ON_MUCH = 6
MUCH = 1 << 24
"""So many bytes take long to read."""
MUCH_LESS_LIKELY = 2.6
"""Readings that are this much less likely than the likeliest are not shown."""
LEAST = 2.0
"""Less likely candidates are not tried."""
LIKELY = 7.0
"""Readings that fail are shown only if they seemed as likely as this."""
ADDED = ("where", "na_values")
"""Options of several values, which a remedy adds to."""
INTERNAL = {"grades", "by", "fewest", "lone", "baseline", "cost_col", "scale", "sep", "decimal"}
"""Options that `bcompare check` lacks, or that are spelled in their own way."""

Read = Callable[[ReadOptions], Scores]


@dataclass(frozen=True)
class Command:
    """How a reading is asked for. shell : the files. call : in Python, with these arguments."""

    shell: str
    call: Callable[[Sequence[str]], str]


@dataclass(frozen=True)
class Reading:
    """Options that read a file, and what it then holds."""

    options: ReadOptions
    scores: Scores
    likelihood: float


@dataclass(frozen=True)
class Miss:
    """The likeliest reading that failed, and why."""

    options: ReadOptions
    why: str
    likelihood: float


def find_readings(
    columns: Sequence[Column],
    options: ReadOptions,
    read: Read,
    *,
    several: bool,
    size: int,
    remedies: Sequence[Record] = (),
) -> tuple[list[Reading], Miss | None]:
    """Return up to three readings that work, the likeliest first; else the nearest miss.

    options : as the user gave them. read : the files with other options. several : whether there
    are several files. size : in bytes, of all. remedies : what may help, besides the candidates.
    """
    first = [Candidate(_merged({}, r, options), -0.3 * i) for i, r in enumerate(remedies)]
    waiting = first or candidates(columns, options, several=several)  # the likeliest first
    tried: list[Record] = []
    found: list[Reading] = []
    seen: set[object] = set()
    miss: Miss | None = None
    most = MOST_TRIED if size < MUCH else MOST_TRIED_ON_MUCH
    while waiting and len(tried) < most and len(found) < MOST_SHOWN:
        candidate = waiting.pop(0)
        if candidate.changes in tried:
            continue
        tried.append(candidate.changes)
        best = found[0].likelihood if found else LEAST + MUCH_LESS_LIKELY
        if columns and candidate.likelihood < best - MUCH_LESS_LIKELY:
            break
        chosen = options
        try:
            chosen = replace(options, **candidate.changes)
            chosen, scores = _in_fractions(chosen, read(chosen), read)
        except InputError as error:
            miss = miss or Miss(chosen, error.messages[0], candidate.likelihood)
            for i, remedy in enumerate(_remedies(error, sure=not columns)):
                changes = _merged(candidate.changes, remedy, options)
                more = replace(candidate, changes=changes).likelier(-0.4 - 0.3 * i)
                insort(waiting, more, key=lambda other: -other.likelihood)
            continue
        if are_ranks(scores):
            miss = miss or Miss(chosen, "each row has ranks, not scores", candidate.likelihood)
            continue
        signature = _signature(scores)
        if _is_plausible(scores) and signature not in seen:
            seen.add(signature)
            found.append(Reading(chosen, scores, candidate.likelihood))
    return found, miss


def _remedies(error: InputError, *, sure: bool) -> list[Record]:
    """Return what may help; another unit only if the columns are sure."""
    found = error.remedies if isinstance(error, UnreadError) else ()
    return [remedy for remedy in found if sure or "scale" not in remedy]


def _merged(changes: Record, remedy: Record, options: ReadOptions) -> Record:
    """Return changes with a remedy; of options with several values all are kept."""
    more = {
        name: (*changes.get(name, getattr(options, name)), *value) if name in ADDED else value
        for name, value in remedy.items()
    }
    return changes | more


def _in_fractions(options: ReadOptions, scores: Scores, read: Read) -> tuple[ReadOptions, Scores]:
    """Return the reading of percentages as fractions."""
    codes = {note.code for note in scale_notes(scores, Rope.of(DEFAULT_ROPE))}
    if "percentages" not in codes or options.lower_is_better:
        return options, scores
    options = replace(options, percent=True)
    return options, read(options)


def _is_plausible(scores: Scores) -> bool:
    """Return whether these may be scores of classifiers: they vary, and are not too many."""
    tables = [dataset.table for dataset in scores.datasets]
    varies = len({float(x) for table in tables for x in (np.nanmin(table), np.nanmax(table))}) > 1
    return varies and len(scores.classifiers) <= FEW and len(tables) <= 50 * FEW


def _signature(scores: Scores) -> object:
    return (
        *(str(scores.unit), scores.classifiers),
        *(
            (d.name, d.rho, d.runs, d.table.shape, float(np.nansum(d.table)))
            for d in scores.datasets
        ),
    )


def advice_on(
    readings: Sequence[Reading],
    miss: Miss | None,
    command: Command,
    columns: Sequence[Column],
    *,
    one: bool,
) -> Iterator[str]:
    """Yield lines with the command of each reading and what it gives; else the nearest miss.

    one : whether the file may be of one classifier.
    """
    lone = lone_scores(columns) if not readings else None
    if len(readings) > 1:
        yield f"It can be read in {len(readings)} ways, the likelier first:"
    elif readings:
        yield "It can be read by:"
    elif miss is not None and miss.likelihood >= LIKELY:
        yield "No reading of it worked. The nearest:"
        yield f"  {command_line(miss.options, command)}"
        yield f"    {miss.why}"
    if lone is not None:
        yield (
            f"It seems to have one row for each classifier in column {quoted(lone)}; a comparison "
            "needs several scores of each: of folds, seeds, test items or data sets."
        )
    elif one and not readings and sum(column.as_score() > 0 for column in columns) == 1:
        yield (
            "If all of it is one classifier, name it, and read it with the file of another: "
            f"{spelled(f'old={command.shell} new=OTHER.csv', 'old=FILE, new=OTHER')}"
        )
    elif columns and not readings and (miss is None or miss.likelihood < LIKELY):
        topic = spelled("bcompare explain layouts", "the topic on layouts")
        yield f"What can be read, and how to say which column is which: {topic}"
    for reading in readings:
        yield f"  {command_line(reading.options, command)}"
        chosen = reading.options.where
        only = f"; only rows with {' and '.join(chosen)}" if chosen else ""
        yield f"    {_content(reading)}{only}; rows are {_assumed(reading)}"
        if not reading.scores.directed:
            lower = arg("lower_is_better", True)
            yield f"    if lower scores are better, add {lower}"


def _assumed(reading: Reading) -> str:
    """Return what a reading takes rows for."""
    unit, options = reading.scores.unit, reading.options
    if unit.has_answers:
        return "test items, one a row" if options.item_col == ROW_NUMBERS else "test items"
    if not unit.has_spread:
        return "one mean per data set"
    if not unit.has_folds:
        return "independent runs on one split (ρ 0)"
    if options.rho is None:
        return "folds of cross-validation (ρ = 1/folds)"
    return f"runs that each split the data anew (ρ {options.rho:g}: the share of test cases)"


def command_line(options: ReadOptions, command: Command) -> str:
    """Return a whole command, or call, that reads with these options."""
    words = [*_words(options)]
    marks = [arg(n, v) for n in ("sep", "decimal") if (v := getattr(options, n)) is not None]
    files = [command.shell] if command.shell else []
    shell = [*map(as_options, marks), "bcompare check", *files, *map(as_options, words)]
    return spelled(" ".join(shell), command.call([*map(as_keywords, [*marks, *words])]))


def _words(options: ReadOptions) -> Iterator[str]:
    preset = PRESETS[options.preset].options if options.preset in PRESETS else {}
    for field in fields(options):
        value, name = getattr(options, field.name), field.name
        if name in INTERNAL or value == field.default or preset.get(name) == value:
            continue
        yield arg(name, list(value) if isinstance(value, tuple) else value)
    yield from (scaled(name, factor) for name, factor in options.scale.items())


def _content(reading: Reading) -> str:
    """Return the size of the results: classifiers, data sets, and folds, seeds or items."""
    scores, unit = reading.scores, reading.scores.unit
    tables = [dataset.table for dataset in scores.datasets]
    parts = [number_of(len(scores.classifiers) - len(scores.extremes), "classifier")]
    parts += [number_of(len(tables), "data set")]
    counts = sorted({dataset.items or len(dataset.table) for dataset in scores.datasets})
    designs = {(dataset.runs, dataset.folds) for dataset in scores.datasets}
    runs, folds = next(iter(designs))
    if unit.has_folds and len(designs) == 1 and runs > 1 and folds:
        parts += [number_of(runs, "run"), number_of(folds, "fold")]
    elif unit.has_spread:
        few = "" if len(counts) == 1 else f"{counts[0]:,} to "
        parts += [f"{few}{number_of(counts[-1], str(unit))}"]
    low, high = (
        float(extreme(np.array([extreme(table) for table in tables])))
        for extreme in (np.nanmin, np.nanmax)
    )
    if scores.lower_is_better:
        low, high = -high, -low
    total = sum(int(np.isfinite(table).sum()) for table in tables)
    span = f"{number_of(total, 'score')} from {low + 0.0:.4g} to {high + 0.0:.4g}"
    failed = ", failed ones at their worst and their best" if scores.extremes else ""
    return f"{' × '.join(parts)}, {span}{failed}"
