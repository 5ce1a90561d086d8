"""Find how a file can be read: candidate readings, each tried by reading the whole file.

A candidate is a change of the options of reading. A header and a sample of the rows suggest them,
the likeliest first: by names, kinds of cells, and whether the sample would have one score for each
key.

What is shown has been read and checked, by the code that reads every file.
"""

import re
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from bcompare.advice.by_column import (
    MOST_SPELLED,
    NUMBERED,
    by_classifier,
    by_number,
    lone_scores,
    means,
)
from bcompare.advice.features import FEW, TESTED, Column
from bcompare.advice.sample import MOST_OF_A_ROLE, Candidate, Sample, likely_folds
from bcompare.basis.messages import (
    InputError,
    Record,
    arg,
    as_keywords,
    as_options,
    number_of,
    spelled,
)
from bcompare.data.direction import is_loss
from bcompare.data.rope import DEFAULT_ROPE, Rope
from bcompare.data.scales import are_ranks, scale_notes, scaled
from bcompare.data.scores import Scores
from bcompare.data.vocabulary import ANSWERED, METRICS, TRAINING, plain, roles_of, usual_name
from bcompare.files.options import ROLES, ROW_NUMBERS, ReadOptions
from bcompare.files.presets import PRESETS, lower_of, measures_of, recognised
from bcompare.files.problems import UnreadError, quoted


def candidates(
    columns: Sequence[Column], options: ReadOptions, *, several: bool
) -> list[Candidate]:
    """Return the readings to try, the likeliest first.

    options : as the user gave them, which all readings keep. several : whether there are several
    files, whose names may be those of the classifiers.
    """
    sample = Sample(columns, options, several)
    found = by_row(sample)
    if not sample.has_scores:
        numbered = [*by_number(sample)]
        found += [*by_classifier(sample), *means(sample)]
        if numbered:  # other readings would take each number for a thing of its own
            found = [*numbered, *(other.likelier(-NUMBERED) for other in found)]
    reset = Candidate(sample.reset, 0.0)
    found = [reset + candidate for candidate in (*of_program(sample), *found)]
    found = [candidate for candidate in found if _tells_rows_apart(sample, candidate.changes)]
    return sorted(found, key=lambda candidate: -candidate.likelihood)


def _tells_rows_apart(sample: Sample, changes: Record) -> bool:
    """Return whether no role is given to a mere property of classifiers, such as who made them.

    Such a column has one value for each classifier, but not one for all.
    """
    who = sample.with_role("classifier", changes)
    if not who or not sample.columns.keys() >= {*who}:
        return True
    classifiers = [*zip(*(sample.columns[name].cells for name in who), strict=True)]
    count = len({*classifiers})
    others = {r for r in ROLES if f"{r}_col" in changes} - {"classifier", "score"}
    names = {name for role in others for name in sample.with_role(role, changes)}
    columns = [sample.columns[name] for name in names & sample.columns.keys()]
    return count == 1 or not any(
        len(column.distinct) > 1 and len({*zip(classifiers, column.cells, strict=True)}) == count
        for column in columns
    )


def of_program(sample: Sample) -> Iterator[Candidate]:
    """Yield the reading of a known program whose number of folds only the user knows."""
    name = recognised(sample.header)
    if name is None or sample.options.preset is not None or not PRESETS[name].also:
        return
    preset, changes = PRESETS[name], {"preset": name}
    wide, counter = preset.options.get("wide"), preset.options.get("iteration_col")
    splits = [c for c in sample.header if wide and re.fullmatch(str(wide), c)]
    count = len(splits) or len(sample.columns[str(counter)].distinct)
    measure = next(iter(measures_of(preset, sample.header)), None)
    if measure is not None and sample.options.score_col is None:
        changes |= {"score_col": measure} | lower_of(measure)
    for i, folds in enumerate(likely_folds(count) if sample.options.folds is None else [0]):
        more = {"folds": folds} if folds else {}
        yield Candidate(changes | more, 20.0 - i)


def by_row(sample: Sample) -> list[Candidate]:
    """Return readings of a row for each score."""
    base = [scored + metric for scored in _scores(sample) for metric in _metrics(sample, scored)]
    found = [each for scored in base for each in _keyed(sample, scored)]
    roles = ("dataset", "classifier")
    found = found or [e for scored, r in product(base, roles) for e in _keyed(sample, scored, r)]
    chosen = [] if found else [*_conditions(sample)]
    found += [e for scored, one in product(base, chosen) for e in _keyed(sample, scored + one)]
    return found


def _conditions(sample: Sample) -> Iterator[Candidate]:
    """Yield choices of one value of a column, whose rows may have one score for each key."""
    for column in (column for column in sample.free if column.name):
        is_training = plain(column.name) in TRAINING  # of which the last step counts
        if len(column.distinct) > 1 and (is_training or len(column.distinct) <= MOST_SPELLED):
            tested = [value for value in column.distinct if plain(value) in TESTED]
            value = tested[0] if tested else column.distinct[-1 if is_training else 0]
            where = (*sample.options.where, f"{column.name}={value}")
            yield Candidate({"where": where}, -1.0, (column.name,))


def _keyed(sample: Sample, scored: Candidate, joined: str = "") -> Iterator[Candidate]:
    """Yield a reading of scores with each possible key that is unique in the sample.

    joined : the role of two columns that are joined.
    """
    rows, of_answers = _rows_where(sample, scored.changes), _is_of_answers(sample, scored.changes)
    for who, data in product(
        sample.names("classifier", of_answers=of_answers, joined=joined == "classifier"),
        sample.names("dataset", of_answers=of_answers, joined=joined == "dataset"),
    ):
        both = who + data
        taken = {*both.columns, *scored.columns}
        shared = len(taken) < len(both.columns) + len({*scored.columns})
        if shared or {"split"} <= who.changes.keys() & data.changes.keys():
            continue
        each_of: Iterable[Candidate] = [Candidate({}, 2.0)]
        if "split" not in both.changes:  # which tells folds or seeds, too
            has_dataset = sample.has(data)
            each_of = sample.repetitions(taken, has_dataset=has_dataset, of_answers=of_answers)
        for each in each_of:
            keyed = both + each
            even = _evenness(sample, who, [*keyed.columns, *sample.known_keys()], rows)
            if even:
                yield scored + keyed.likelier(even)


def _is_of_answers(sample: Sample, changes: Record) -> bool:
    """Return whether the column of scores has those of single answers."""
    score = str(changes.get("score_col")) if "score" not in sample.given else sample.given["score"]
    binary = score in sample.columns and {*sample.columns[score].numbers.tolist()} <= {0.0, 1.0}
    return plain(score) in ANSWERED or binary


def _scores(sample: Sample) -> list[Candidate]:
    """Return the columns that may hold the scores."""
    if sample.has_scores:
        return [Candidate({}, 4.0)]
    wanted, found = sample.wanted.get("score"), []
    for column in sample.free:
        value = column.as_score()
        if value > 0:
            changes = {"score_col": column.name} | lower_of(column.name)
            likelihood = value + sample.near("score", column.name)
            found.append(Candidate(changes | sample.markers([column]), likelihood, (column.name,)))
    best = sorted(found, key=lambda part: -part.likelihood)[:MOST_OF_A_ROLE]
    best = [part.likelier(-1.2 * i) for i, part in enumerate(best)]
    if wanted is not None:  # perhaps a value in a column of metrics
        for part, column in product(best, sample.free):
            if wanted in column.distinct and column.name not in part.columns:
                chosen = {"where": (*sample.options.where, f"{column.name}={wanted}")}
                changes = part.changes | chosen | lower_of(wanted)
                best.append(Candidate(changes, part.likelihood + 4, (*part.columns, column.name)))
    return [part for part in best if part.likelihood > best[0].likelihood / 4]


def _metrics(sample: Sample, scored: Candidate) -> list[Candidate]:
    """Return the choice of one metric, where a column names several."""
    none = Candidate({}, 0.0)
    name = usual_name("metric", [c.name for c in sample.free if c.name not in scored.columns])
    score = str(scored.changes.get("score_col", ""))
    if name is None or "where" in scored.changes or plain(score) in METRICS:
        return [none]
    values = sample.columns[name].distinct
    is_task = plain(name) == "type" and METRICS.isdisjoint(map(plain, values))
    if is_task or not 2 <= len(values) <= MOST_SPELLED * 4:
        return [none]
    chosen = [
        Candidate(
            {"where": (*sample.options.where, f"{name}={value}")} | lower_of(value),
            1.0 - 0.1 * i,
            (name,),
        )
        for i, value in enumerate(sorted(values, key=is_loss)[:MOST_SHOWN])
    ]
    return [*chosen, none]


def _rows_where(sample: Sample, changes: Record) -> list[int]:
    """Return the rows of the sample that meet the conditions on equality."""
    count = len(next(iter(sample.columns.values())).cells) if sample.columns else 0
    rows = [*range(count)]
    chosen = replace(sample.options, where=changes.get("where", sample.options.where))
    for column, operator, value in chosen.conditions:
        if operator == "=" and column in sample.columns:
            cells = sample.columns[column].cells
            rows = [i for i in rows if cells[i] == value]
    return rows


def _evenness(sample: Sample, who: Candidate, key: Sequence[str], rows: Sequence[int]) -> float:
    """Return how evenly the sample fills its keys, up to 1.5; 0 if a key has two scores."""
    names = who.columns or sample.with_role("classifier")
    if not names or not sample.columns.keys() >= {*names}:
        return 1.0 * (sample.options.wide is not None or sample.filled([], key, rows) > 0)
    filled = sample.filled(names, key, rows)
    return 1.5 * filled if filled > 0.02 else 0.0


MOST_SHOWN = 3
MOST_TRIED = 40
MOST_TRIED_ON_MUCH = 6
# So many bytes take long to read.
MUCH = 1 << 24
# Readings that are this much less likely than the likeliest are not shown.
MUCH_LESS_LIKELY = 2.6
# Less likely candidates are not tried.
LEAST = 2.0
# Readings that fail are shown only if they seemed as likely as this.
LIKELY = 7.0
# Options of several values, which a remedy adds to.
ADDED = ("where", "na_values")
# Options that `bcompare check` lacks, or that are spelled in their own way.
INTERNAL = {"grades", "by", "fewest", "lone", "baseline", "cost_col", "scale", "sep", "decimal",
            "strict"}  # fmt: skip

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
    decided: Record,
) -> tuple[list[Reading], Miss | None]:
    """Return up to three readings that work, the likeliest first; else the nearest miss.

    options : as the user gave them. read : the files with other options. several : whether there
    are several files. size : in bytes, of all. remedies : what may help, besides the candidates.
    decided : the only reading that names leave, if there is one.
    """
    waiting = [Candidate(_merged({}, r, options), -0.3 * i) for i, r in enumerate(remedies)]
    waiting = waiting or candidates(columns, options, several=several)  # the likeliest first
    if decided:
        best = max([LEAST, *(candidate.likelihood for candidate in waiting[:1])])
        waiting.insert(0, Candidate(decided, best))
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
            chosen, scores = _tried(chosen, read)
        except InputError as error:
            miss = miss or Miss(chosen, error.messages[0], candidate.likelihood)
            remedies = error.remedies if isinstance(error, UnreadError) else ()
            # another unit only if the columns are sure
            remedies = [remedy for remedy in remedies if not columns or "scale" not in remedy]
            for i, remedy in enumerate(remedies):
                changes = _merged(candidate.changes, remedy, options)
                more = replace(candidate, changes=changes).likelier(-0.4 - 0.3 * i)
                insort(waiting, more, key=lambda other: -other.likelihood)
            continue
        if _is_plausible(scores) and _signature(scores) not in seen:
            seen.add(_signature(scores))
            found.append(Reading(chosen, scores, candidate.likelihood))
    return found, miss


def _merged(changes: Record, remedy: Record, options: ReadOptions) -> Record:
    """Return changes with a remedy; of options with several values all are kept."""
    more = {
        name: (*changes.get(name, getattr(options, name)), *value) if name in ADDED else value
        for name, value in remedy.items()
    }
    return changes | more


def _tried(options: ReadOptions, read: Read) -> tuple[ReadOptions, Scores]:
    """Return scores and the options that read them; percentages become fractions.

    Raises
    ------
    InputError : these options do not read the file, or its rows are ranks.
    """
    scores = read(options)
    codes = {note.code for note in scale_notes(scores, Rope.of(DEFAULT_ROPE))}
    if "percentages" in codes and not options.lower_is_better:
        options = replace(options, percent=True)
        scores = read(options)
    if are_ranks(scores):
        raise InputError("each row has ranks, not scores")
    return options, scores


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
    lone = lone_scores(columns) or ""
    named = any("classifier" in roles_of(c.name) and len(c.distinct) > 1 for c in columns)
    one_score = sum(column.as_score() > 0 for column in columns) == 1
    near = miss if miss is not None and miss.likelihood >= LIKELY else None
    if len(readings) > 1:
        yield f"It can be read in {len(readings)} ways, the likelier first:"
    elif readings:
        yield "It can be read by:"
    elif near is not None:
        yield "No reading of it worked. The nearest:"
        yield f"  {command_line(near.options, command)}"
        yield f"    {near.why}"
    causes = (
        (
            lone,
            (
                f"It seems to have one row for each classifier in column {quoted(lone)}; a "
                "comparison needs several scores of each: of folds, seeds, test items or data sets."
            ),
        ),
        (
            one and one_score and not named,
            (
                "If all of it is one classifier, name it, and read it with the file of another: "
                f"{spelled(f'old={command.shell} new=OTHER.csv', 'old=FILE, new=OTHER')}"
            ),
        ),
        (
            named and _repeats(columns),
            "Rows repeat, and no column numbers them: add one, such as fold or seed",
        ),
        (
            columns and near is None,
            (
                "What can be read, and how to say which column is which: "
                f"{spelled('bcompare explain layouts', 'the topic on layouts')}"
            ),
        ),
    )
    yield from [cause for holds, cause in causes if holds and not readings][:1]
    for reading in readings:
        yield f"  {command_line(reading.options, command)}"
        chosen = reading.options.where
        only = f"; only rows with {' and '.join(chosen)}" if chosen else ""
        taken_for = _assumed(reading.scores, reading.options)
        yield f"    {_content(reading.scores)}{only}; rows are {taken_for}"
        if not reading.scores.directed:
            lower = arg("lower_is_better", True)
            yield f"    if lower scores are better, add {lower}"


def as_read(files: str, assumed: Record, scores: Scores, options: ReadOptions) -> str:
    """Return what files were taken for, and the options that say so.

    assumed : these options.
    """
    better = "lower" if scores.lower_is_better else "higher"
    words = " ".join(arg(k, list(v) if isinstance(v, tuple) else v) for k, v in assumed.items())
    return (
        f"{files}: read by the names of its columns, as {_content(scores)}, {better} is better; "
        f"rows are {_assumed(scores, options)}. To say so: {words}"
    )


def _repeats(columns: Sequence[Column]) -> bool:
    """Return whether rows have the same cells in all columns that may be keys."""
    keys = [column.cells for column in columns if not column.is_fractional]
    rows = [*zip(*keys, strict=True)]
    return len({*rows}) < len(rows)


def _assumed(scores: Scores, options: ReadOptions) -> str:
    """Return what a reading takes rows for."""
    unit = scores.unit
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
    own = PRESETS[options.preset].options.items() if options.preset in PRESETS else ()
    for name, value in options.changed.items():
        if name not in INTERNAL and (name, value) not in own:
            yield arg(name, list(value) if isinstance(value, tuple) else value)
    yield from (scaled(name, factor) for name, factor in options.scale.items())


def _content(scores: Scores) -> str:
    """Return the size of the results: classifiers, data sets, and folds, seeds or items."""
    unit, tables = scores.unit, [dataset.table for dataset in scores.datasets]
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
    own = np.concatenate([table[np.isfinite(table)] for table in tables])
    own = -own if scores.lower_is_better else own
    span = f"{number_of(len(own), 'score')} from {own.min() + 0.0:.4g} to {own.max() + 0.0:.4g}"
    failed = ", failed ones at their worst and their best" if scores.extremes else ""
    return f"{' × '.join(parts)}, {span}{failed}"
