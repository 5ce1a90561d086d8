"""Which columns may hold the scores, what is known of them, and what is not."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from bcompare.basis.messages import Record
from bcompare.columns.direction import COSTS, TIMES, meaning_of
from bcompare.columns.features import ColumnTable, FileColumn
from bcompare.columns.side_by_side import ITEM_WORDS, SideBySide, side_by_side
from bcompare.columns.vocabulary import (
    JUDGEMENTS,
    NO_QUALITY,
    SUMMARY_WORDS,
    TRAINED,
    USUAL_NAMES,
    core_of,
    is_about,
    is_summary,
    likeness,
    plain,
    roles_of,
    words_of,
)
from bcompare.data.meaning import Direction, Meaning
from bcompare.data.rope import DEFAULT_ROPE, FloatArray

# Stand in a choice for a number that only the user knows.
HOW_MANY, SHARE_OF_TEST = "HOW_MANY", "SHARE_OF_TEST"
# A single cross-validation has no more.
MOST_FOLDS = 20
# The share of numbers in a column of scores.
LEAST_NUMBERS = 0.8
# A rope is assumed if it is less than this share of the mean score.
LARGEST_SHARE = 0.5


@dataclass(frozen=True)
class Scored:
    """Columns that may hold the scores.

    columns : their names.
    changes : the options that say so.
    direction : which scores are better; None if the name does not say.
    is_named : whether the reader knows that by the name.
    needs_rope : by direction, whether a rope must be said.
    roles : those that an expression takes from the header.
    is_binary : whether all are 0 or 1.
    group : the columns, if there are several side by side.
    """

    columns: tuple[str, ...]
    changes: Record
    direction: Direction | None
    is_named: bool
    needs_rope: Mapping[Direction, bool]
    roles: frozenset[str] = frozenset()
    is_binary: bool = False
    group: SideBySide | None = field(default=None, compare=False)


def scored_column(column: FileColumn, metric: str = "") -> Scored:
    """Return a column as the scores. metric : its name, if another column says it."""
    meaning = meaning_of(core_of(metric or column.name))
    direction = None if meaning is None else meaning.direction
    needs = {side: needs_rope(column.numbers, meaning, side) for side in _sides(meaning)}
    changes = {} if column.name.casefold() == "score" else {"score_col": column.name}
    return Scored(
        (column.name,), changes, direction, direction is not None, needs, is_binary=column.is_binary
    )


def scored_group(table: ColumnTable, group: SideBySide, role: str, more: Record) -> Scored:
    """Return columns side by side as the scores; role : of what differs in their names.

    more : options that go with it.
    """
    meaning = meaning_of(group.metric) if group.metric else None
    values = np.concatenate([table[name].numbers for name in group.columns])
    needs = {side: needs_rope(values, meaning, side) for side in _sides(meaning)}
    roles = {role} | ({"classifier"} if group.names_classifiers else set())
    return Scored(
        group.columns,
        {"wide": group.expression(role), **more},
        None if meaning is None else meaning.direction,
        is_named=False,
        needs_rope=needs,
        roles=frozenset(roles),
        is_binary=all(table[name].is_binary for name in group.columns),
        group=group,
    )


def _sides(meaning: Meaning | None) -> tuple[Direction, ...]:
    """Return the directions that scores may have."""
    return ("higher", "lower") if meaning is None else (meaning.direction,)


def needs_rope(values: FloatArray, meaning: Meaning | None, direction: Direction) -> bool:
    """Return whether a rope must be said, as `bcompare.data.assumed_rope` asks for it."""
    values = values[np.isfinite(values)]
    if not len(values):
        return False
    low = float(values.min())
    high = float(values.max())
    kind = None if meaning is None else meaning.kind
    if kind is None:
        is_bounded = direction == "higher" and low >= 0 and high <= 1
    else:
        fits_low = meaning is None or meaning.low is None or low >= meaning.low
        fits_high = meaning is None or meaning.high is None or high <= meaning.high
        is_bounded = kind == "bounded" and fits_low and fits_high
    return not (is_bounded and LARGEST_SHARE * float(values.mean()) > DEFAULT_ROPE)


def is_cost(name: str) -> bool:
    """Return whether a score is a time, or what a model needs, rather than its quality."""
    words = words_of(core_of(name))
    is_known = not (COSTS | TIMES | {"usd", "eur"}).isdisjoint(words)
    return is_known or bool(words and words[-1].endswith("time"))


def is_known_score(column: FileColumn, metrics: frozenset[str] = frozenset({"metric"})) -> bool:
    """Return whether a column has the name of a score, and numbers."""
    name = core_of(column.name)
    is_other = roles_of(name) - metrics or not NO_QUALITY.isdisjoint(words_of(name))
    if column.is_date or is_other or not column.filled:
        return False
    is_known = meaning_of(name) is not None or plain(name) in (*USUAL_NAMES["score"], "score")
    return is_known and bool(np.isfinite(column.numbers).mean() >= LEAST_NUMBERS)


def is_unknown_score(column: FileColumn) -> bool:
    """Return whether a column may hold scores, of which its name tells nothing."""
    name = core_of(column.name)
    is_other = roles_of(name) or is_about(name) or not NO_QUALITY.isdisjoint(words_of(name))
    is_number_of = column.is_numbering or column.is_counter
    return bool(name) and not is_other and column.may_be_scores and not is_number_of


def is_judgement(column: FileColumn) -> bool:
    """Return whether a column has the name of a truth, a prediction or a confidence."""
    words = {plain(column.name), *words_of(column.name)[-1:]}
    return not JUDGEMENTS.isdisjoint(words) and len(column.distinct) > 1


def is_spread(name: str) -> bool:
    """Return whether a column's name is that of a deviation, a count or a bound."""
    words = words_of(core_of(name))
    return not NO_QUALITY.isdisjoint(words) or plain(name) in ("id", "index", "idx", "")


def candidates(
    table: ColumnTable,
    free: list[str],
    header_role: list[str],
    *,
    has_models: bool,
    has_places: bool,
    may_have_models: bool,
) -> list[Scored]:
    """Return what may be the scores: by known names, else what kinds of columns leave.

    free : columns without a role. header_role : roles that the columns of a set may name.
    has_models : whether another column, or files, name the classifiers. has_places : whether others
    name data sets, items or folds. may_have_models : whether names of another column may be those
    of classifiers.
    """
    numbers = [n for n in free if table[n].may_be_scores or is_known_score(table[n])]
    groups = side_by_side(table, numbers, has_models=has_models, has_places=has_places)
    grouped = {name for group in groups for name in group.columns}
    single = [table[name] for name in numbers if name not in grouped]
    known = [column for column in single if is_known_score(column)]
    if groups:  # which a mean sums up
        known = [c for c in known if words_of(c.name)[-1] not in SUMMARY_WORDS]
    known = [c for c in known if TRAINED.isdisjoint(words_of(c.name))] or known
    qualities = [column for column in known if not is_cost(column.name)]
    unknown = [c for c in single if c not in known and is_unknown_score(c)]
    fractional = [column for column in unknown if column.is_fractional]
    chosen = known if qualities or groups else [*known, *fractional] or unknown
    if may_have_models and not has_models:  # of which each has a score of every metric
        chosen += [table[name] for group in groups if group.metric for name in group.columns]
    if not (chosen or groups):  # whatever holds numbers that differ
        chosen = [c for c in single if not roles_of(c.name) and not is_spread(c.name)]
    scored = [scored_column(column) for column in chosen]
    has_mean = any(map(is_summary, table.header))
    for group in groups:
        for role, more in counted_by(group, header_role, has_mean=has_mean):
            scored.append(scored_group(table, group, role, more))
    return scored


def counted_by(
    group: SideBySide, header_role: list[str], *, has_mean: bool
) -> list[tuple[str, Record]]:
    """Return what may differ in the names of columns side by side, with further options.

    has_mean : whether a column sums them up, as in a leaderboard of tasks.
    """
    if not group.is_numbered:
        return [(role, {}) for role in header_role]
    is_task = likeness("dataset", group.before) > 0 or (has_mean and not group.word)
    if is_task and "dataset" in header_role:
        return [("dataset", {})]
    if plain(group.before) in ITEM_WORDS:
        return [("item", {})]
    many = group.count > MOST_FOLDS
    folds: tuple[str, Record] = ("fold", {})
    anew: tuple[str, Record] = ("fold", {"rho": SHARE_OF_TEST})
    seeds: tuple[str, Record] = ("seed", {})
    through: tuple[str, Record] = ("iteration", {"folds": HOW_MANY})
    if group.word in ("cv", "fold", "folds", "split", "splits"):
        return [through, anew] if many else [folds]
    if group.word in ("seed", "run", "rep", "trial", "exp"):
        return [seeds]
    if group.word:  # of iterations, or of samples
        return [anew, seeds] if group.word == "resample" else [through, anew, seeds]
    return [through, anew, seeds] if many else [folds, seeds, anew]
