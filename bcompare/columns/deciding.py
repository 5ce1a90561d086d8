"""Decide which column is what, where names leave one answer; else ask."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from bcompare.basis.messages import Record, spelled
from bcompare.columns.arrangements import OF_CURVES
from bcompare.columns.direction import direction_of, is_share, meaning_of
from bcompare.columns.features import FILE, ColumnTable, FileColumn, shown_names
from bcompare.columns.question import Ask, Choice, Entry, Question
from bcompare.columns.readings import readings_of
from bcompare.columns.roles import LEAST_FILLED, Reading
from bcompare.columns.scored import HOW_MANY, MOST_FOLDS, Scored, is_cost, is_judgement, needs_rope
from bcompare.columns.search import MOST_CLASSIFIERS, Search, are_dates_or_runs
from bcompare.columns.side_by_side import has_series
from bcompare.columns.unpaired import asked_about
from bcompare.columns.vocabulary import (
    ANSWERED,
    OPEN_SCORES,
    core_of,
    is_about,
    plain,
    roles_of,
    sums_up,
    words_of,
)
from bcompare.data.meaning import Direction
from bcompare.data.rope import FloatArray
from bcompare.data.scales import round_tenth
from bcompare.files.cells import DECIMAL_COMMA, SENTINELS
from bcompare.files.options import ROLES, ReadOptions
from bcompare.files.presets import PRESETS, measures_of
from bcompare.files.problems import quoted

FEWEST_ITEMS = 10
# Scores above this, up to 100, may be per cent.
LARGEST_SHARE = 1.5
# Names of repetitions that may number those of a cross-validation.
OF_FOLDS = {"iteration", "iter"}
BOUNDED_ERRORS = {"wer", "cer", "err", "error", "errors", "eer", "ece", "mape", "smape", "wape"}
# What roles are called in the table.
TITLES = {
    "classifier": "the models",
    "dataset": "the data sets",
    "item": "the test cases",
    "fold": "the folds",
    "run": "the runs",
    "seed": "the seeds",
    "epoch": "the answers to a case",
    "cluster": "the clusters",
    "iteration": "the iterations",
    "score": "the scores",
    "successes": "the successes",
    "trials": "the trials",
    "where": "a choice of rows",
}
PLACES = ("dataset", "item", "fold", "run", "seed")
POSSIBLE = {"classifier": "models", "dataset": "data sets", "score": "scores", "where": "one value"}


@dataclass(frozen=True)
class Sure:
    """The options that name the columns, where their names leave one reading."""

    changes: Record


def decide(table: ColumnTable, options: ReadOptions, *, at_once: bool = True) -> Sure | Question:
    """Return the options that give each role its only column, or what has to be asked.

    options : of the user, whose columns keep their roles. at_once : whether names may decide.
    """
    search = Search(table, options)
    readings = asked_about(search, readings_of(search))
    if not readings:
        entries, rest = _possible(search)
        return Question(entries, rest, reasons=(_reason(search),))
    if len(readings) == 1 and at_once:
        (reading,) = readings
        if not any(_doubts(search, reading)):
            changes = _changes(reading)
            return Sure({k: v for k, v in changes.items() if getattr(options, k) != v})
    return _question(search, readings)


# At once


def _changes(reading: Reading) -> Record:
    """Return the options that a reading says, one part after the other."""
    changes = {**reading.rows, **reading.models, **reading.scored.changes, **reading.metric}
    return _ordered(changes)


def _doubts(search: Search, reading: Reading) -> Iterator[bool]:
    """Yield whether each thing that would have to be assumed, is."""
    table = search.table
    options = search.options
    yield not reading.by_names or reading.fill <= LEAST_FILLED
    yield bool(options.wide or options.split or options.preset or options.iteration_col)
    numbers = [n for n in table.header if table[n].is_number or n.isdecimal()]
    yield has_series(numbers)
    yield reading.scored.group is not None
    names = reading.roles.get("classifier", ())
    yield not all(n == FILE or n in search.used or "classifier" in roles_of(n) for n in names)
    yield len(names) != 1
    (score,) = reading.scored.columns[:1]
    yield _direction(search, reading)[0] is None and options.lower_is_better is None
    yield is_cost(score) and any(_is_unknown(search, c) for c in table.columns.values())
    judged = plain(core_of(score)) in ANSWERED or table[score].is_binary
    others = [c for n, c in table.columns.items() if n not in search.used | {score}]
    yield not judged and any(map(is_judgement, others))
    yield {"fold", "item"} <= reading.roles.keys()
    yield from _unusual(search, reading)
    is_counted = options.successes_col is not None or "successes_col" in reading.scored.changes
    yield not is_counted and not are_clear(_scores(search, reading), score, options)


def _is_unknown(search: Search, column: FileColumn) -> bool:
    """Return whether a column has fractional numbers of which its name tells nothing."""
    name = core_of(column.name)
    is_told = bool(roles_of(name)) or is_about(name) or direction_of(name) is not None
    return column.name not in search.used and not is_told and column.is_fractional


def _scores(search: Search, reading: Reading) -> FloatArray:
    """Return the scores of a reading, without those of rows that sum up others."""
    table = search.table
    (score,) = reading.scored.columns[:1]
    column = table[score]
    datasets = [n for n in reading.roles.get("dataset", ()) if n in table]
    names = table[datasets[0]].cells if datasets else ("",) * table.rows
    said = {*search.options.na_values, *search.options.accept}
    rows = zip(column.cells, names, strict=True)
    column = FileColumn(score, tuple(c for c, n in rows if c not in said and not sums_up(n)))
    numbers = column.numbers
    return numbers[~np.isnan(numbers)]  # reading tells what is no number


def _unusual(search: Search, reading: Reading) -> Iterator[bool]:
    """Yield whether the values of each column are unusual for its role."""
    table = search.table
    roles = reading.roles
    wrong: dict[str, Callable[[FileColumn], bool]] = {
        "classifier": are_dates_or_runs,
        "dataset": are_dates_or_runs,
        "item": lambda column: len(column.distinct) < FEWEST_ITEMS,
        "fold": lambda column: search.options.fold_col is None and _are_no_folds(column),
        "run": lambda column: _counts_training(column.name, roles),
        "seed": lambda column: _counts_training(column.name, roles),
    }
    for role, names in roles.items():
        for column in (table[name] for name in names if name in table):
            yield role != "dataset" and any(map(sums_up, column.distinct))
            yield any(cell in ("",) or cell.casefold() in _MARKS for cell in column.cells)
            yield role in wrong and wrong[role](column)
    who = [table[name] for name in roles.get("classifier", ()) if name in table]
    yield any(len(column.distinct) > max(MOST_CLASSIFIERS, table.rows / 3) for column in who)


_MARKS = {"", "-", "--", "?", "na", "n/a", "#n/a", "nan", "null", "none", "missing"}


def _are_no_folds(column: FileColumn) -> bool:
    """Return whether values are no numbers of folds, or too many."""
    return not (column.is_numbered and len(column.distinct) <= MOST_FOLDS)


def _counts_training(name: str, roles: Collection[str]) -> bool:
    """Return whether a column of that name may count a training, or the trials of a search."""
    counted = plain(core_of(name))
    repeats = "item" in roles or ("fold" in roles and counted in OF_FOLDS)
    return counted in OF_CURVES and not repeats


def are_clear(scores: FloatArray, name: str, options: ReadOptions) -> bool:
    """Return whether scores need no assumption: they vary, and are no percentages or codes."""
    if options.failed is not None:  # says what missing ones count as
        scores = scores[~np.isnan(scores)]
    if not (len(scores) > 0 and np.isfinite(scores).all() and np.ptp(scores) > 0):
        return False
    below = {*scores[scores < 0].tolist()}
    rare = len(below) == 1 and 2 * (scores < 0).sum() < len(scores)
    if rare and below <= {*SENTINELS}:
        return False
    if options.percent or options.lower_is_better is not None:
        return True
    words = {*words_of(name)}
    core = core_of(name)
    if "%" in name or {"percent", "pct", "percentage"} & words:
        return False
    open_ended = not OPEN_SCORES.isdisjoint(words_of(core))
    is_error = direction_of(core) == "lower" and not is_share(core)
    open_ended |= is_error and BOUNDED_ERRORS.isdisjoint(words)
    may_be_percent = scores.min() >= 0 and LARGEST_SHARE < scores.max() <= 100
    return open_ended or not may_be_percent


def _direction(search: Search, reading: Reading) -> tuple[Direction | None, bool]:
    """Return which scores are better, and whether the reader knows it by a name, too."""
    table = search.table
    options = search.options
    if options.lower_is_better is not None:
        return ("lower" if options.lower_is_better else "higher"), True
    condition = next(iter(reading.metric.get("where", ())[-1:]), "")
    if condition:
        return _of_both(direction_of(condition.partition("=")[2]), reading.scored)
    scored = reading.scored
    for column in table.columns.values():
        is_metric = "metric" in roles_of(column.name) and len(column.distinct) == 1
        given = {name for names in search.given.values() for name in names}
        if is_metric and column.name not in given | {*scored.columns}:
            named = direction_of(column.distinct[0])
            if named is not None or plain(column.name) != "type":
                return _of_both(named, scored)
    return scored.direction, scored.is_named


def _of_both(named: Direction | None, scored: Scored) -> tuple[Direction | None, bool]:
    """Return the direction of a metric, unless the column of its scores says the other one."""
    meaning = meaning_of(scored.columns[0])
    is_named = meaning is not None and meaning.kind is not None
    is_against = is_named and scored.direction not in (None, named)
    return (None, False) if named is None or is_against else (named, True)


# Asking


def of_program(name: str, table: ColumnTable, options: ReadOptions) -> Question:
    """Return what a program's file does not say: the number of folds in a run, and the score."""
    preset = PRESETS[name]
    changes: Record = {} if options.preset == name else {"preset": name}
    asks: list[Ask] = []
    measures = measures_of(preset, table.header)
    if options.score_col is None and measures:
        choices = [_of_measure(measure) for measure in measures]
        if len(choices) == 1:
            changes |= choices[0].changes
        else:
            asks.append(Ask("WHICH_SCORES", tuple(choices)))
    if options.folds is None:
        asks.append(Ask("WHICH_ROWS", (Choice({"folds": HOW_MANY}),)))
    known = {name for value in preset.options.values() for name in str(value).split(",")}
    wide = re.compile(str(preset.options.get("wide", "(?!)")))
    rest = tuple(n for n in table.header if n not in known and n not in measures)
    scores = tuple(n for n in table.header if wide.fullmatch(n))
    entries = [
        Entry((n,), n, _holds(table[n]), ("read by the preset",), is_sure=True)
        for n in table.header
        if n in known
    ]
    entries += [
        Entry((n,), n, _holds(table[n]), ("scores",), is_sure=len(measures) == 1) for n in measures
    ]
    if scores:
        entries.append(_entry_of_group(table, scores, ", ".join(scores), 1, ()))
    rest = tuple(name for name in rest if name not in scores)
    return Question(tuple(entries), rest, changes, tuple(asks))


def _of_measure(name: str) -> Choice:
    """Return the choice of a column of scores, with its direction where its name says it."""
    direction = direction_of(name)
    changes: Record = {"score_col": name}
    if direction == "lower":
        changes["lower_is_better"] = True
    return Choice(changes, () if direction else ("WHICH_DIRECTION",))


@dataclass(frozen=True)
class _Part:
    """What may be said of one part in a reading, and the words that it leaves open."""

    changes: Record
    needs: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return repr((sorted(self.changes.items(), key=str), self.needs))


Axes = dict[str, _Part]
# Ways to split the parts into words, the finest first: parts that depend on each other share one.
PARTITIONS = (
    (("scored",), ("metric",), ("models",), ("rows",)),
    (("scored",), ("metric",), ("models", "rows")),
    (("scored",), ("models",), ("metric", "rows")),
    (("scored",), ("metric", "models", "rows")),
    (("scored", "rows"), ("metric",), ("models",)),
    (("scored", "metric"), ("models", "rows")),
    (("scored", "metric", "models", "rows"),),
)


def _axes(search: Search, reading: Reading) -> Axes:
    """Return the parts of a reading, with the direction where its names say it."""
    direction, is_named = _direction(search, reading)
    options = search.options
    scored = dict(reading.scored.changes)
    metric = dict(reading.metric)
    needs: list[str] = []
    ropes = _needs_rope(search, reading)
    if direction is None:
        needs.append("WHICH_DIRECTION")
        lacks_rope = bool(ropes) and all(ropes.values())
    else:
        lacks_rope = ropes.get(direction, False)
        if not is_named and options.lower_is_better is None:
            scored["lower_is_better"] = direction == "lower"
    if lacks_rope:
        needs.append("WHICH_ROPE")
    of_metric = bool(metric)
    return {
        "scored": _Part(scored, () if of_metric else tuple(needs)),
        "metric": _Part(metric, tuple(needs) if of_metric else ()),
        "models": _Part(dict(reading.models)),
        "rows": _Part(dict(reading.rows)),
    }


def _needs_rope(search: Search, reading: Reading) -> Mapping[Direction, bool]:
    """Return whether a rope must be said, by direction."""
    condition = next(iter(reading.metric.get("where", ())[-1:]), "")
    if not condition:
        return reading.scored.needs_rope
    name, _, value = condition.partition("=")
    rows = zip(search.table[reading.scored.columns[0]].cells, search.table[name].cells, strict=True)
    of_value = FileColumn("", tuple(cell for cell, metric in rows if metric == value))
    meaning = meaning_of(value)
    sides: tuple[Direction, ...] = ("higher", "lower") if meaning is None else (meaning.direction,)
    return {side: needs_rope(of_value.numbers, meaning, side) for side in sides}


def _question(search: Search, readings: Sequence[Reading]) -> Question:
    """Return what is sure, and a word with its choices for what is not."""
    axes = [_axes(search, reading) for reading in readings]
    partition = next((p for p in PARTITIONS if _is_product(axes, p)), PARTITIONS[-1])
    changes: Record = {}
    asks: list[Ask] = []
    needs: list[str] = []
    for parts in partition:
        choices = _distinct([_joined(axis, parts) for axis in axes])
        common = _common(choices)
        is_sure = len(choices) == 1
        if is_sure and "where" in common and common["where"] != search.options.where:
            conditions = {"where": common.pop("where")}
            asks.append(Ask("WHICH_REST", (Choice(conditions),)))
        changes = _merged(changes, common)
        shared = _shared_needs(choices)
        needs += [word for word in shared if word not in needs]
        if is_sure:
            continue
        left = []
        for choice in choices:
            further = tuple(word for word in choice.needs if word not in shared)
            left.append(Choice(_without(choice.changes, common), further))
        asks.append(Ask(_word(parts, left), tuple(left)))
    remarks: tuple[str, ...] = ()
    if changes.get("unpaired") and not search.options.unpaired:
        changes = {name: value for name, value in changes.items() if name != "unpaired"}
        asks.append(Ask("WHICH_PAIRING", (Choice({"unpaired": True}),)))
        remarks = (f"{_reason(search)}. Or say that they share nothing:",)
    changes = _ordered(changes)
    within = {word for ask in asks for choice in ask.choices for word in choice.needs}
    asks += [_closing(search, readings, word) for word in ("WHICH_DIRECTION", "WHICH_ROPE")
             if word in {*needs, *within}]  # fmt: skip
    asks = _with_rope_of_direction(search, readings, asks, {*needs, *within})
    entries, rest = _lines(search, readings)
    sure = {}
    for role, names in readings[0].roles.items():
        is_same = all(reading.roles.get(role) == names for reading in readings)
        if is_same and names and names != (FILE,):
            sure[role] = ",".join(names)
    if len({r.scored.columns for r in readings}) == 1:
        sure["score"] = ",".join(readings[0].scored.columns)
        direction = _direction(search, readings[0])[0]
        if direction and len({str(r.metric) for r in readings}) == 1:
            sure["direction"] = direction
    return Question(entries, rest, changes, tuple(asks), sure=sure, remarks=remarks)


def _ordered(changes: Record) -> Record:
    """Return options in the order of a command: columns first, by their roles."""
    names = [f"{role}_col" for role in ROLES]
    return dict(sorted(changes.items(), key=lambda pair: _place(names, pair[0])))


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else len(names)


def _merged(one: Record, other: Record) -> Record:
    """Return the options of both; of conditions all."""
    merged = {**one, **other}
    if "where" in one and "where" in other:
        merged["where"] = tuple(dict.fromkeys((*one["where"], *other["where"])))
    return merged


def _joined(axes: Axes, parts: Iterable[str]) -> _Part:
    """Return several parts as one."""
    changes: Record = {}
    needs: list[str] = []
    for part in parts:
        changes = _merged(changes, axes[part].changes)
        needs += axes[part].needs
    return _Part(_ordered(changes), tuple(dict.fromkeys(needs)))


def _distinct(parts: Iterable[_Part]) -> list[_Part]:
    return [*{part.key: part for part in parts}.values()]


def _common(choices: Sequence[_Part]) -> Record:
    """Return the options that all choices say."""
    common = dict(choices[0].changes)
    for choice in choices[1:]:
        common = {k: v for k, v in common.items() if choice.changes.get(k) == v}
    return common


def _shared_needs(choices: Sequence[_Part]) -> list[str]:
    """Return the words that every choice needs."""
    shared = [*choices[0].needs]
    for choice in choices[1:]:
        shared = [word for word in shared if word in choice.needs]
    return shared


def _without(changes: Record, common: Record) -> Record:
    return {k: v for k, v in changes.items() if k not in common}


def _is_product(axes: Sequence[Axes], partition: Sequence[Sequence[str]]) -> bool:
    """Return whether the choices of each group of parts go with all those of the others."""
    keys = set()
    for axis in axes:
        keys.add(tuple(_joined(axis, parts).key for parts in partition))
    keys_of_groups = [set(keys_of_group) for keys_of_group in zip(*keys, strict=True)]
    return keys == set(product(*keys_of_groups))


def _joins_columns(choice: Choice) -> bool:
    """Return whether an option of a choice names several columns."""
    return any("," in str(value) for name, value in choice.changes.items() if name != "where")


def _word(parts: Sequence[str], choices: Sequence[Choice]) -> str:
    """Return the word for choices of these parts."""
    names = {name for choice in choices for name in choice.changes}
    if "unpaired" in names:
        return "WHICH_PAIRING"
    if names & {"score_col", "wide"} and "scored" in parts:
        is_wide = all("wide" in c.changes for c in choices)
        if is_wide and any("classifier_col" in c.changes for c in choices):
            return "WHICH_MODELS"
        return "WHICH_SCORES"
    if parts == ("metric",):
        return "WHICH_METRIC"
    if "where" in names or any(map(_joins_columns, choices)):
        return "WHICH_REST"
    if "classifier_col" in names:
        return "WHICH_MODELS"
    return "WHICH_ROWS"


def _closing(search: Search, readings: Sequence[Reading], word: str) -> Ask:
    """Return the word for a direction, or for a rope."""
    if word == "WHICH_DIRECTION":
        sides = (Choice({"lower_is_better": False}), Choice({"lower_is_better": True}))
        return Ask(word, sides)
    names = [name for r in readings for name in r.scored.columns if name in search.table]
    values = np.concatenate([search.table[name].numbers for name in dict.fromkeys(names)])
    values = np.abs(values[np.isfinite(values)])
    typical = float(np.median(values)) if len(values) else 0.0
    choices: list[Choice] = []
    kinds = {None if meaning is None else meaning.kind for meaning in map(meaning_of, names)}
    if kinds <= {None, "bounded"} and 10 < values.max(initial=0) <= 100 and typical > 2:
        choices.append(Choice({"percent": True}))
    example = round_tenth(typical) if typical else 0.01
    return Ask(word, (*choices, Choice({"rope": example}), Choice({"rope": 0})))


def _with_rope_of_direction(
    search: Search, readings: Sequence[Reading], asks: list[Ask], needed: Collection[str]
) -> list[Ask]:
    """Return the words; if lower scores were better, a rope may have to be said only then."""
    if "WHICH_DIRECTION" not in needed or "WHICH_ROPE" in needed:
        return asks
    unknown = [r for r in readings if _direction(search, r)[0] is None]
    only_lower = any(_needs_rope(search, r).get("lower") for r in unknown)
    if not only_lower:
        return asks
    sides = (
        Choice({"lower_is_better": False}),
        Choice({"lower_is_better": True}, ("WHICH_ROPE",)),
    )
    kept = [Ask(ask.word, sides) if ask.word == "WHICH_DIRECTION" else ask for ask in asks]
    return [*kept, _closing(search, unknown, "WHICH_ROPE")]


# The table of columns


def _lines(
    search: Search, readings: Sequence[Reading]
) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Return a line for each column, or set of like-named ones, that could be something."""
    table = search.table
    roles: dict[str, list[str]] = {}
    groups: dict[tuple[str, ...], str] = {}
    counts: dict[str, int] = {}
    for reading in readings:
        pairs = [(n, role) for role, names in reading.roles.items() for n in names]
        if reading.scored.group is not None:
            groups[reading.scored.columns] = reading.scored.group.pattern
        else:
            pairs += [(name, "score") for name in reading.scored.columns]
        for condition in (*reading.metric.get("where", ()), *reading.rows.get("where", ())):
            pairs.append((condition.partition("=")[0], "where"))
        for name, role in dict.fromkeys(pairs):
            counts[name] = counts.get(name, 0) + 1
            roles.setdefault(name, [])
            if role not in roles[name]:
                roles[name].append(role)
    in_groups = {name for columns in groups for name in columns}
    entries: list[Entry] = []
    rest: list[str] = []
    for name in table.header:
        if name in in_groups:
            columns = next(c for c in groups if name in c)
            if columns[0] == name:
                entries.append(
                    _entry_of_group(table, columns, groups[columns], len(groups), readings)
                )
            continue
        if name not in roles:
            rest.append(name)
            continue
        own_roles = roles[name]
        is_sure = len(own_roles) == 1 and counts[name] == len(readings)
        is_sure &= own_roles != ["where"]
        entries.append(
            Entry(
                (name,),
                name,
                _holds(table[name]),
                _titles(search, readings, own_roles, is_sure),
                is_sure,
            )
        )
    return tuple(entries), tuple(rest)


def _possible(search: Search) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Return the lines of a file without a reading: the models and scores that it may have."""
    scores = search.scores()
    roles = {name: "score" for scored in scores for name in scored.columns}
    roles |= dict.fromkeys(_model_columns(search, scores), "classifier")
    given = {name: role for role, names in search.given.items() for name in names}
    roles |= given
    entries = []
    for name in (name for name in search.table.header if name in roles):
        role = roles[name]
        is_sure = name in given
        titles = (TITLES.get(role, role) if is_sure else POSSIBLE.get(role, role),)
        entries.append(Entry((name,), name, _holds(search.table[name]), titles, is_sure=is_sure))
    rest = tuple(name for name in search.table.header if name not in roles)
    return tuple(entries), rest


def _titles(
    search: Search, readings: Sequence[Reading], roles: Sequence[str], is_sure: bool
) -> tuple[str, ...]:
    """Return what a column is, or could be."""
    if not is_sure:
        return tuple(POSSIBLE.get(role, role) for role in roles)
    title = TITLES.get(roles[0], roles[0])
    if roles == ["score"]:
        direction = _direction(search, readings[0])[0]
        if direction and len({str(r.metric) for r in readings}) == 1:
            title = f"{title}, {direction} is better"
    return (title,)


def _entry_of_group(
    table: ColumnTable,
    columns: tuple[str, ...],
    pattern: str,
    groups: int,
    readings: Sequence[Reading],
) -> Entry:
    """Return the line of columns side by side."""
    values = np.concatenate([table[name].numbers for name in columns])
    values = values[np.isfinite(values)]
    span = f": {values.min():.4g} to {values.max():.4g}" if len(values) else ""
    is_sure = groups == 1 and all(r.scored.columns == columns for r in readings)
    title = "the scores side by side" if is_sure else "scores side by side"
    return Entry(columns, pattern, f"{len(columns)} columns{span}", (title,), is_sure)


def _holds(column: FileColumn) -> str:
    """Return what a column holds: names, whole numbers or a range, and the share of empty cells."""
    count = len(column.distinct)
    if count == 1:
        text = f"{shown_names(column.distinct)} in every row"
    elif column.is_number:
        low = column.numbers.min()
        high = column.numbers.max()
        text = f"{low:.4g} to {high:.4g}"
        if column.is_whole:
            span = f"whole numbers {low:.0f} to {high:.0f}"
            text = span if count == high - low + 1 else f"{count:,} {span}"
    else:
        text = f"{count:,} names: {shown_names(column.distinct)}"
    empty = round(100 * column.empty)
    return f"{text}, {empty} % empty" if empty else text


# Nothing to compare


def _reason(search: Search) -> str:
    """Return why nothing can be compared."""
    table = search.table
    judged = [n for n, c in table.columns.items() if is_judgement(c)]
    scores = search.scores()
    if judged and not any(s.direction for s in scores):
        return (
            f"If {quoted(judged[0])} is the truth, and what other columns hold are predictions, "
            "write scores instead: 1 where a prediction is right and 0 where it is wrong, or its "
            "error"
        )
    if not scores:
        for name, column in table.columns.items():
            if column.distinct and all(map(DECIMAL_COMMA.fullmatch, column.distinct)):
                say = spelled("--decimal ,", "decimal=','")
                return f"The numbers in column {quoted(name)} have decimal commas: say {say}"
        return "No column can hold the scores: each needs a number of what is better or worse"
    models = _model_columns(search, scores)
    if not models:
        return (
            "No column names the models. If all of it is one model, name it, and give the file of "
            f"another: {spelled('old=FILE new=OTHER', 'old=FILE, new=OTHER')}"
        )
    for name in models:
        if table.count([name]) == table.rows:
            return (
                f"It has one row for each model in column {quoted(name)}; a comparison needs "
                "several scores of each: of folds, seeds, test items or data sets"
            )
    places = [n for n in search.free if search.known[n] - {"classifier", "metric"}]
    places += [n for role, names in search.given.items() if role in PLACES for n in names]
    if places and table.count([models[0], *places]) == table.rows:
        return (
            f"No two models in column {quoted(models[0])} share what they were tested on, by "
            f"{', '.join(map(quoted, places))}: test all on the same, under the same names"
        )
    return (
        f"Rows of one model in column {quoted(models[0])} repeat, and no column tells them apart: "
        "add one that numbers them alike for each model, such as fold, seed or item"
    )


def _model_columns(search: Search, scores: Sequence[Scored]) -> list[str]:
    """Return the columns that may name the classifiers."""
    columns: list[str] = []
    for scored in scores:
        for names in search.model_columns(scored):
            columns += [name for names_there in names for name in names_there if name != FILE]
    return [*dict.fromkeys(columns)]
