"""Decide which column is what, where names, values and counts leave one answer.

Reading wrongly and silently is worse than asking, so that whatever would have to be assumed leaves
the question open: a direction, per cent, a choice of rows, one of two scores.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product

import numpy as np

from bcompare.advice.features import FileColumn, find_numbered
from bcompare.advice.sample import Sample
from bcompare.advice.suits import is_numbered
from bcompare.basis.messages import InputError, Record
from bcompare.columns.direction import COSTS, TIMES, Direction, direction_of, is_share
from bcompare.columns.vocabulary import (
    ANSWERED,
    JUDGEMENTS,
    NO_QUALITY,
    OPEN_SCORES,
    TRAINING,
    USUAL_NAMES,
    core_of,
    is_about,
    plain,
    roles_of,
    sums_up,
    words_of,
)
from bcompare.data.rope import FloatArray
from bcompare.files.cells import SENTINELS
from bcompare.files.options import KEYS, ROLES, ReadOptions
from bcompare.files.presets import MEANS

FEWEST_ITEMS = 10
MOST_FOLDS = 20
MOST_METRICS = 12
MOST_CLASSIFIERS = 30
# The share of numbers in a column of scores.
LEAST_NUMBERS = 0.8
# The share of pairs of a classifier and a place that have a score.
LEAST_FILLED = 0.5
# Scores above this, up to 100, may be per cent.
LARGEST_SHARE = 1.5

# Names of repetitions that, alone, count a training, or the trials of a search.
OF_CURVES = {*TRAINING, "iteration", "iter", "trial", "trialid", "trialindex", "attempt", "try"}
# Those of them that may number the repetitions of a cross-validation.
OF_FOLDS = {"iteration", "iter"}
BOUNDED_ERRORS = {"wer", "cer", "err", "error", "errors", "eer", "ece", "mape", "smape", "wape"}
# Stands for the files in place of a column of classifiers.
FILE = "\0file"

_RUN_IDS = {"run", "runid", "experiment", "trial"}
_NUMBERED = re.compile(r".*(?:seed|run|fold|rep|trial|cv|split|resample)[-_ ]?\d+", re.IGNORECASE)

# Role → the name of its column.
Chosen = dict[str, str]


class UndecidedError(InputError):
    """Columns that have several readings, or none without an assumption."""


def ask_if(doubtful: object, why: str) -> None:
    """Leave the question of what the columns are to the user where something is doubtful.

    Raises
    ------
    UndecidedError : it is.
    """
    if doubtful:
        raise UndecidedError(why)


def decide(columns: Sequence[FileColumn], options: ReadOptions) -> Record:
    """Return the options that give each role the only column that can have it.

    columns : of a sample of the rows; one may be called `FILE`. options : as the user gave them,
    whose columns keep their roles.

    Raises
    ------
    UndecidedError : there is more than one reading, or it would assume something.
    """
    ask_if(len({column.name for column in columns}) < len(columns), "two columns have one name")
    other = options.wide or options.split or options.preset or options.iteration_col
    ask_if(other, "options describe another layout")
    numbers = [c.name for c in columns if c.is_number or c.name.isdecimal()]
    ask_if(find_numbered(numbers, named=True), "columns that differ in a number")
    return _Decision(columns, options).decide()


class _Decision:
    """The columns of one sample, by name, with those that have a role already."""

    def __init__(self, columns: Sequence[FileColumn], options: ReadOptions) -> None:
        self.sample = Sample(columns, options, several=False)
        self.columns, self.options = self.sample.columns, options
        self.given = {
            "run" if role in ("epoch", "seed") else role: name
            for role, name in self.sample.given.items()
        }
        elsewhere = self.sample.reset or not self.columns.keys() >= {*self.given.values()}
        ask_if(elsewhere, "an option names another column, or several")
        self.used = self.sample.used
        self.rows = len(columns[0].cells) if columns else 0

    def decide(self) -> Record:
        """Return the changes of the options."""
        score = self._score()
        self._check_judgements(score)
        roles = self._roles(score)
        ask_if({"fold", "item"} <= roles.keys(), "rows are folds or items")
        ask_if("cluster" in roles and "item" not in roles, "clusters without items")
        for role in ("run", "fold"):  # one in every cell: it numbers nothing
            if role in roles and role not in self.given and self._is_alone(roles, role):
                del roles[role]
        self._check_names(roles)
        scored = self.columns[score]
        if "dataset" in roles:
            datasets = self.columns[roles["dataset"]]
            rows = zip(scored.cells, datasets.cells, strict=True)
            scored = FileColumn(score, tuple(own for own, dataset in rows if not sums_up(dataset)))
        scores = scored.numbers[~np.isnan(scored.numbers)]  # reading tells what is no number
        check_values(scores, score, self.options)
        return self._changes(roles | {"score": score})

    def _score(self) -> str:
        """Return the only column of scores."""
        name: str = self.given.get("score", "") if self.options.score_col else ""
        if not name:
            found = [c.name for c in self.columns.values() if self._may_be_score(c)]
            qualities = [name for name in found if not _is_cost(name)]
            found = qualities if len(qualities) == 1 else found
            ask_if(len(found) != 1, f"{len(found)} scores: {', '.join(found)}")
            (name,) = found
            unknown = not qualities and any(map(self._is_unknown, self.columns.values()))
            ask_if(unknown, f"{name} is next to numbers of an unknown kind")
        is_open = self._direction(name) is None and self.options.lower_is_better is None
        ask_if(is_open, f"the direction of {name}")
        return name

    def _direction(self, score: str) -> Direction | None:
        """Return which scores are better, by the name of the metric; else by that of the column."""
        direction = direction_of(core_of(score))
        for column in self.columns.values():
            is_metric = "metric" in roles_of(column.name) and len(column.distinct) <= MOST_METRICS
            if is_metric and column.name not in {score, *self.given.values()}:
                ask_if(len(column.distinct) > 1, f"several metrics in {column.name}")
                own = direction_of(next(iter(column.distinct), ""))
                direction = own or (direction if plain(column.name) == "type" else None)
        return direction

    def _is_unknown(self, column: FileColumn) -> bool:
        """Return whether a column has fractional numbers of which its name tells nothing."""
        name = core_of(column.name)
        told = roles_of(name) or is_about(name) or direction_of(name)
        return column.name not in self.used and not told and column.is_fractional

    def _may_be_score(self, column: FileColumn) -> bool:
        name, used = core_of(column.name), self.used - {self.given.get("score", "")}
        is_other = roles_of(name) - {"metric"} or not NO_QUALITY.isdisjoint(words_of(name))
        if column.name in used or column.is_date or is_other or not column.filled:
            return False
        is_known = direction_of(name) or plain(name) in (*USUAL_NAMES["score"], "score")
        return bool(is_known) and bool(np.isfinite(column.numbers).mean() >= LEAST_NUMBERS)

    def _check_judgements(self, score: str) -> None:
        """Ask where a truth, prediction or confidence stands next to a score of another kind."""
        is_judged = plain(core_of(score)) in ANSWERED
        is_judged |= {*self.columns[score].numbers.tolist()} <= {0.0, 1.0}
        for column in self.columns.values():
            words = {plain(column.name), *words_of(column.name)[-1:]}
            other = column.name not in self.used | {score} and len(column.distinct) > 1
            is_truth = other and not is_judged and not JUDGEMENTS.isdisjoint(words)
            ask_if(is_truth, f"{column.name} is next to {score}")

    def _roles(self, score: str) -> Chosen:
        """Return the column of each role: the only choice that tells rows apart and pairs them."""
        given = {role: name for role, name in self.given.items() if role != "score"}
        known = {
            column.name: own
            for column in self.columns.values()
            if column.name not in self.used | {score} and (own := self._known(column))
        }
        several = {name for name, own in known.items() if len(own) > 1}
        sure = {role for name in known.keys() - several for role in known[name]}
        # where the user has chosen, others are left
        chosen = {role for role in given if getattr(self.options, f"{role}_col", None)}
        taken = {name: given.keys() | sure if name in several else chosen for name in known}
        found = []
        for choice in product(*(sorted(known[name] - taken[name]) or [""] for name in known)):
            roles = [*given, *filter(None, choice)]
            each = given | dict(zip(choice, known, strict=True))
            each.pop("", None)
            if FILE in self.columns:  # files are called after classifiers, or else data sets
                each = {"dataset" if "classifier" in each else "classifier": FILE} | each
            if len({*roles}) == len(roles) and self._pairs(each) and self._suits(each, several):
                found.append(each)
        ask_if(len(found) != 1, f"{len(found)} readings by names: {', '.join(known)}")
        return found[0]

    def _known(self, column: FileColumn) -> set[str]:
        """Return the roles that a column's name is known for, unless it tells no rows apart."""
        alike = len(column.distinct) in (0, 1, self.rows)  # one for all rows, or an ID of each
        counts = plain(core_of(column.name)) in ("params", "config") and column.is_number
        return set() if alike or counts else roles_of(column.name) - {"metric"}

    def _pairs(self, roles: Chosen) -> bool:
        """Return whether these keys tell rows apart, and scores of classifiers can be paired."""
        places = [name for role, name in roles.items() if role not in ("classifier", "cluster")]
        if "classifier" not in roles or not places:
            return False
        dataset = self.columns[roles["dataset"]].cells if "dataset" in roles else ()
        rows = [i for i in range(self.rows) if not dataset or not sums_up(dataset[i])]
        who = roles["classifier"]
        several = [name for name in (who, *places) if len(self.columns[name].distinct) > 1]
        is_filled = self.sample.filled([who], places, rows) > LEAST_FILLED
        return is_filled and who in several and len(several) > 1

    def _suits(self, roles: Mapping[str, str], several: Collection[str]) -> bool:
        """Return whether values allow these roles of columns whose names are known for several.

        Numbers are no systems, and words no repetitions.
        """
        for role, name in roles.items():
            column = self.columns[name]
            numbered = column.is_whole and (len(column.distinct) > 1 or role == "run")
            is_run = role == "run" and plain(name) in _RUN_IDS
            if name in several and (numbered if role == "classifier" else is_run and not numbered):
                return False
        return True

    def _is_alone(self, roles: Mapping[str, str], role: str) -> bool:
        """Return whether each classifier has one value of a role on each data set, or item."""
        if not {"dataset", "item"} & roles.keys():
            return False
        others = [roles[r] for r in ("classifier", "dataset", "item") if r in roles]
        return self.sample.follows(roles[role], others)

    def _check_names(self, roles: Mapping[str, str]) -> None:
        """Check that the values of each column suit its role."""
        wrong: dict[str, Callable[[FileColumn], bool]] = {
            "classifier": _are_dates_or_runs,
            "dataset": _are_dates_or_runs,
            "item": lambda column: len(column.distinct) < FEWEST_ITEMS,
            "fold": self._are_no_folds,
            "run": lambda column: _counts_training(column.name, roles),
        }
        for role, name in roles.items():
            column = self.columns[name]
            summed = role != "dataset" and any(map(sums_up, column.distinct))
            ask_if(summed, f"{name} has rows that sum up others")
            unusual = column.markers or (role in wrong and wrong[role](column))
            ask_if(unusual, f"the values of {name} are unusual for a {role}")
        who = self.columns[roles["classifier"]].distinct
        ask_if(len(who) > max(MOST_CLASSIFIERS, self.rows / 3), "too many classifiers")

    def _are_no_folds(self, column: FileColumn) -> bool:
        """Return whether values are no numbers of folds, or too many, unless the user says so."""
        few = len(column.distinct) <= MOST_FOLDS
        return self.options.fold_col is None and not (is_numbered(column) and few)

    def _changes(self, roles: Chosen) -> Record:
        """Return the options that name these columns."""
        unit = "epoch" if "item" in roles else "run" if "fold" in roles else "seed"
        named = {unit if role == "run" else role: name for role, name in roles.items()}
        changes: Record = {
            f"{role}_col": named[role]
            for role in filter(named.__contains__, ROLES)
            if named[role] != FILE
            and not (role in (*KEYS, "score") and role == named[role].casefold())  # by itself
        }
        units = {"run", "fold", "item"}
        counts = any(roles_of(name) & units for name in self.columns)
        if counts and not units & roles.keys():  # or their column would be missed
            changes |= {"preset": MEANS, "dataset_col": roles["dataset"]}
        return {k: v for k, v in changes.items() if getattr(self.options, k) != v}


def _are_dates_or_runs(column: FileColumn) -> bool:
    """Return whether names are dates, or most of them end in the number of a run, fold or seed."""
    numbered = sum(map(bool, map(_NUMBERED.fullmatch, column.distinct)))
    return column.is_date or 2 * numbered > len(column.distinct)


def _counts_training(name: str, roles: Collection[str]) -> bool:
    """Return whether a column of that name may count a training, or the trials of a search."""
    counted = plain(core_of(name))
    repeats = "item" in roles or ("fold" in roles and counted in OF_FOLDS)
    return counted in OF_CURVES and not repeats


def _is_cost(name: str) -> bool:
    """Return whether a score is a time, or what a model needs, rather than its quality."""
    words = words_of(core_of(name))
    return not (COSTS | TIMES | {"usd", "eur"}).isdisjoint(words) or words[-1].endswith("time")


def check_values(scores: FloatArray, name: str, options: ReadOptions) -> None:
    """Check that scores need no assumption: they vary, and are no percentages or codes.

    Raises
    ------
    UndecidedError : it is not clear what they are.
    """
    if options.failed is not None:  # says what missing ones count as
        scores = scores[~np.isnan(scores)]
    varies = len(scores) > 0 and np.isfinite(scores).all() and np.ptp(scores) > 0
    ask_if(not varies, "scores that do not vary, or are no numbers")
    below = {*scores[scores < 0].tolist()}
    rare = len(below) == 1 and 2 * (scores < 0).sum() < len(scores)
    ask_if(rare and below <= {*SENTINELS}, "a number that may stand for a missing score")
    if options.percent or options.lower_is_better is not None:
        return
    words, core = {*words_of(name)}, core_of(name)
    ask_if("%" in name or {"percent", "pct", "percentage"} & words, "per cent")
    open_ended = not OPEN_SCORES.isdisjoint(words_of(core))
    is_error = direction_of(core) == "lower" and not is_share(core)
    open_ended |= is_error and BOUNDED_ERRORS.isdisjoint(words)
    may_be_percent = scores.min() >= 0 and LARGEST_SHARE < scores.max() <= 100
    ask_if(not open_ended and may_be_percent, "per cent?")
