"""How well a column suits each role, by its name and its values: the only place that weighs them.

A role's own name counts 4, a usual one about 3, one with a usual word about 2.5. Values alone count
up to 2. 0 rules a role out. The sums of these numbers order the readings of a file: what a change
of one does can be read from the table `SUITS` for its columns.
"""

import re
from collections.abc import Callable
from functools import partial

from bcompare.advice.features import FileColumn
from bcompare.columns.direction import direction_of
from bcompare.columns.vocabulary import (
    METRICS,
    SECOND_NAMES,
    TASKS,
    TRAINING,
    is_about,
    is_counter,
    likeness,
    plain,
    roles_of,
    words_of,
)

# The most classifiers, and data sets, to look for in one column.
FEW = 400
MOST_COUNTED = 20
# The most values of a setting, such as the horizon of a forecast.
MOST_SETTINGS = 8
# Roles of names; a column that has the name of one has no other, unless it has that name, too.
NAMING = ("dataset", "classifier", "fold", "item", "metric")
TESTED, _TRAINED = {"test", "testing", "eval"}, {"train", "training"}
SPLITS = TESTED | _TRAINED | {"val", "valid", "validation", "dev"}
_FOLD = re.compile(r"(?:fold|cv)[-_ ]?\d+", re.IGNORECASE)
_RUN = re.compile(r"(?:seed|run|rep(?:eat)?|trial)[-_ ]?\d+", re.IGNORECASE)


def as_score(column: FileColumn) -> float:
    """Return how likely a column holds the scores; 0 if it cannot."""
    if not column.may_be_scores:
        return 0.0
    name = column.name
    words, direction = {*words_of(name)}, direction_of(name)
    is_metric = direction == "higher" or not METRICS.isdisjoint(words)
    known = likeness("score", name) or 2.6 * is_metric or 1.6 * (direction == "lower")
    if not known:
        fractions = column.numbers.min() >= 0 and column.numbers.max() <= 1
        known = 1.2 if fractions else 1.0 if not column.is_whole else 0.4
        known = 0.1 if is_about(name) or is_key(name) else known
    tested = 0.4 * (not TESTED.isdisjoint(words)) + 0.3 * ("val" in words)
    return max(known + tested - 1.5 * (not _TRAINED.isdisjoint(words)), 0.05)


def _as_names(role: str, column: FileColumn, of_answers: bool) -> float:
    """Return how likely a column names classifiers or data sets."""
    known = likeness(role, column.name)
    are_splits = {*map(plain, column.distinct)} <= SPLITS  # of data for training and testing
    are_runs = role == "classifier" and column.is_whole and plain(column.name) == "run"
    if column.is_date or len(column.distinct) > FEW or are_splits or are_runs:
        return 0.0
    if known:
        are_items = role == "dataset" and of_answers and plain(column.name) in TASKS
        return known - 3.0 * are_items
    # a fold has a number; two or three words are parts of the data
    of_words = role == "dataset" and not is_numbered(column) and len(column.distinct) > 3
    others = {*NAMING} - {role, *["fold"] * of_words}
    may_be = role == "classifier" and plain(column.name) in SECOND_NAMES[role]  # such as version
    is_other = not may_be and is_about(column.name)
    is_other |= any(likeness(other, column.name) for other in others)
    return 0.6 * (column.is_name and len(column.distinct) > 1 and not is_other)


def _as_fold(column: FileColumn, of_answers: bool) -> float:
    if fold := _named_fold(column):
        # two or three words are parts of the data, such as train and test
        return fold + 0.2 if is_numbered(column) or len(column.distinct) > 3 else 0.0
    if _counts(column):
        return 2.0 * (not of_answers)
    return 2.0 * _numbers_runs(column)


def _as_resample(column: FileColumn, of_answers: bool) -> float:
    """Return how likely a column numbers splits that were each drawn anew."""
    return 1.9 if _as_seed(column) else max(_as_fold(column, of_answers) - 1.6, 0.0)


def _as_seed(column: FileColumn) -> float:
    is_seed = "seed" in f"{column.name} {column.distinct[0]}".casefold()
    return (2.6 + 0.3 * is_seed) * (_numbers_runs(column) and not _named_fold(column))


def _as_run(column: FileColumn) -> float:
    """Return how likely a column numbers the runs of folds: by its name, or as it counts."""
    known = likeness("run", column.name) or _counts(column)
    return 0.5 * bool(known or all(map(_RUN.fullmatch, column.distinct)))


def _as_item(column: FileColumn, of_answers: bool) -> float:
    name = column.name
    if plain(name) in TRAINING or column.is_fractional or _named_fold(column):
        return 0.0
    if is_counter(name):
        return 1.2
    known = likeness("item", name) or 0.8 * likeness("key", name)
    named = any(likeness(role, name) for role in ("dataset", "classifier", "metric"))
    others = named or as_score(column) > 1 or is_about(name) or is_setting(column)
    many = not column.is_number and len(column.distinct) > 10
    return known if known or others else 0.3 + (0.9 if of_answers else 0.2) * many


# Role → how well a column suits it, where scores are of single answers or not.
SUITS: dict[str, Callable[[FileColumn, bool], float]] = {
    "score": lambda column, _: as_score(column),
    "classifier": partial(_as_names, "classifier"),
    "dataset": partial(_as_names, "dataset"),
    "fold": _as_fold,
    "resample": _as_resample,
    "seed": lambda column, _: _as_seed(column),
    "run": lambda column, _: _as_run(column),
    "item": _as_item,
    # of answers to one item, of which it need not tell
    "epoch": lambda column, _: -0.1 * (likeness("epoch", column.name) > 0),
}


def is_key(name: str) -> bool:
    """Return whether a column has the usual name of what tells scores apart."""
    return any(likeness(role, name) > 2 for role in ("dataset", "fold", "item", "key", "epoch"))


def is_numbered(column: FileColumn) -> bool:
    """Return whether all cells have a number."""
    return all(re.search(r"\d", cell) for cell in column.distinct)


def is_setting(column: FileColumn) -> bool:
    """Return whether a column holds a few numbers that count nothing."""
    few = 1 < len(column.distinct) <= MOST_SETTINGS
    return few and column.is_whole and not roles_of(column.name)


def _named_fold(column: FileColumn) -> float:
    cells = all(map(_FOLD.fullmatch, column.distinct))
    return likeness("fold", column.name) or 2.5 * cells


def _numbers_runs(column: FileColumn) -> bool:
    return is_counter(column.name) or all(map(_RUN.fullmatch, column.distinct))


def _counts(column: FileColumn) -> bool:
    """Return whether a column of unknown name counts from 0 or 1, to 20 at most; no flag does."""
    if not 1 < len(column.distinct) <= MOST_COUNTED or not column.is_whole or roles_of(column.name):
        return False
    values, count = {*column.numbers.tolist()}, len(column.distinct)
    return values == {*range(1, count + 1)} or (count > 2 and values == {*range(count)})
