"""Decide which column is what, where names, values and counts leave one answer.

Reading wrongly and silently is worse than asking, so that whatever would have to be assumed leaves
the question open: a direction, per cent, a choice of rows, one of two scores.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import product

import numpy as np

from bcompare.advice.features import Column, find_numbered
from bcompare.advice.sample import Sample
from bcompare.basis.errors import InputError
from bcompare.basis.records import Record
from bcompare.data.direction import COSTS, TIMES, Direction, direction_of, is_share
from bcompare.data.rope import FloatArray
from bcompare.data.vocabulary import (
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
from bcompare.files.options import ROLES, ReadOptions
from bcompare.files.presets import MEANS

FEWEST_ITEMS = 10
MOST_FOLDS = 20
MOST_METRICS = 12
MOST_CLASSIFIERS = 30
LEAST_FILLED = 0.5
"""The share of pairs of a classifier and a place that have a score."""
LARGEST_SHARE = 1.5
"""Scores above this, up to 100, may be per cent."""

OF_CURVES = {*TRAINING, "iteration", "iter", "trial", "trialid", "trialindex", "attempt", "try"}
"""Names of repetitions that, alone, count a training, or the trials of a search."""
OF_FOLDS = {"iteration", "iter"}
"""Those of them that may number the repetitions of a cross-validation."""
BOUNDED_ERRORS = {"wer", "cer", "err", "error", "errors", "eer", "ece", "mape", "smape", "wape"}
SENTINELS = {-1.0, -9.0, -99.0, -999.0, -9999.0}
"""Numbers that may stand for a missing score."""
FILE = "\0file"
"""Stands for the files in place of a column of classifiers."""

_RUN_IDS = {"run", "runid", "experiment", "trial"}
_NUMBERED = re.compile(r".*(?:seed|run|fold|rep|trial|cv|split|resample)[-_ ]?\d+", re.IGNORECASE)

Roles = dict[str, str]
"""Role → the name of its column."""


class UndecidedError(InputError):
    """Columns that have several readings, or none without an assumption."""


def decide(columns: Sequence[Column], options: ReadOptions) -> Record:
    """Return the options that give each role the only column that can have it.

    columns : of a sample of the rows; one may be called `FILE`. options : as the user gave them,
    whose columns keep their roles.

    Raises
    ------
    UndecidedError : there is more than one reading, or it would assume something.
    """
    if len({column.name for column in columns}) < len(columns):
        raise UndecidedError("two columns have one name")
    if options.wide or options.split or options.preset or options.iteration_col:
        raise UndecidedError("options describe another layout")
    if find_numbered([c.name for c in columns if c.is_number or c.name.isdecimal()], named=True):
        raise UndecidedError("columns that differ in a number")
    return _Decision(columns, options).decide()


class _Decision:
    """The columns of one sample, by name, with those that have a role already."""

    def __init__(self, columns: Sequence[Column], options: ReadOptions) -> None:
        self.sample = Sample(columns, options, several=False)
        self.columns, self.options = self.sample.columns, options
        self.given = {
            "run" if role in ("epoch", "seed") else role: name
            for role, name in self.sample.given.items()
        }
        if self.sample.reset or not self.columns.keys() >= {*self.given.values()}:
            raise UndecidedError("an option names another column, or several")
        run = self.given.get("run")
        if run and not self.columns[run].is_whole:  # words may be names of systems
            del self.given["run"]
        self.used = {*self.given.values(), *(c.column for c in options.conditions)}
        self.rows = len(columns[0].cells) if columns else 0

    def decide(self) -> Record:
        """Return the changes of the options."""
        score = self._score()
        self._check_judgements(score)
        roles = self._roles(score)
        if "fold" in roles and "item" in roles:
            raise UndecidedError("rows are folds or items")
        if "cluster" in roles and "item" not in roles:
            raise UndecidedError("clusters without items")
        for role in ("run", "fold"):  # one in every cell: it numbers nothing
            if role in roles and role not in self.given and self._is_alone(roles, role):
                del roles[role]
        summaries = self._summaries(roles)
        self._check_names(roles)
        scores = self.columns[score].numbers
        if summaries:
            cells = self.columns[roles["dataset"]].cells
            scores = scores[[cell not in summaries for cell in cells]]
        scores = scores[~np.isnan(scores)]  # reading tells what is no number
        check_values(scores, self.columns[score].name, self.options)
        return self._changes(roles | {"score": score}, summaries)

    def _score(self) -> str:
        """Return the only column of scores."""
        if "score" in self.given and self.options.score_col:
            name = self.given["score"]
        else:
            found = [c.name for c in self.columns.values() if self._may_be_score(c)]
            qualities = [name for name in found if not _is_cost(name)]
            found = qualities if len(qualities) == 1 else found
            if len(found) != 1:
                raise UndecidedError(f"{len(found)} scores: {', '.join(found)}")
            (name,) = found
            if not qualities and any(map(self._is_unknown, self.columns.values())):
                raise UndecidedError(f"{name} is next to numbers of an unknown kind")
        if self._direction(name) is None and self.options.lower_is_better is None:
            raise UndecidedError(f"the direction of {name}")
        return name

    def _direction(self, score: str) -> Direction | None:
        """Return which scores are better, by the name of the metric; else by that of the column."""
        direction = direction_of(core_of(score))
        for column in self.columns.values():
            is_metric = "metric" in roles_of(column.name) and len(column.distinct) <= MOST_METRICS
            if not is_metric or column.name in {score, *self.given.values()}:
                continue
            if len(column.distinct) > 1:
                raise UndecidedError(f"several metrics in {column.name}")
            own = direction_of(next(iter(column.distinct), ""))
            direction = own or (direction if plain(column.name) == "type" else None)
        return direction

    def _is_unknown(self, column: Column) -> bool:
        """Return whether a column has fractional numbers of which its name tells nothing."""
        name = core_of(column.name)
        told = roles_of(name) or is_about(name) or direction_of(name)
        return column.name not in self.used and not told and column.is_fractional

    def _may_be_score(self, column: Column) -> bool:
        name = core_of(column.name)
        if column.name in self.used - {self.given.get("score", "")}:
            return False
        if not column.filled or np.isfinite(column.numbers).mean() < 0.8 or column.is_date:
            return False
        words = words_of(name)
        if roles_of(name) - {"metric"} or not NO_QUALITY.isdisjoint(words):
            return False
        return direction_of(name) is not None or plain(name) in (*USUAL_NAMES["score"], "score")

    def _check_judgements(self, score: str) -> None:
        """Ask where a truth, prediction or confidence stands next to a score of another kind."""
        is_judged = plain(core_of(score)) in ANSWERED
        is_judged |= {*self.columns[score].numbers.tolist()} <= {0.0, 1.0}
        for column in self.columns.values():
            words = {plain(column.name), *words_of(column.name)[-1:]}
            other = column.name not in self.used | {score} and len(column.distinct) > 1
            if other and not is_judged and not JUDGEMENTS.isdisjoint(words):
                raise UndecidedError(f"{column.name} is next to {score}")

    def _roles(self, score: str) -> Roles:
        """Return the column of each role: the only choice that tells rows apart and pairs them."""
        roles = {role: name for role, name in self.given.items() if role != "score"}
        several: dict[str, set[str]] = {}
        for column in self.columns.values():
            known = self._known(column) if column.name not in self.used | {score} else set()
            if not known:
                continue
            if len(known) > 1:
                several[column.name] = known
                continue
            (role,) = known
            if role in roles:
                if role in self.given and getattr(self.options, f"{role}_col", None):
                    continue  # the user has chosen
                raise UndecidedError(f"{roles[role]} and {column.name} are both a {role}")
            roles[role] = column.name
        choices = [sorted(known - roles.keys()) or [""] for known in several.values()]
        found = []
        for choice in product(*choices):
            more = {role: name for role, name in zip(choice, several, strict=True) if role}
            if len(more) == len([*filter(None, choice)]) and self._pairs(roles | more):
                found.append(roles | more)
        found = [self._with_files(each) for each in found if self._suits(each, several)]
        if len(found) != 1:
            raise UndecidedError(
                f"{len(found)} readings by names: {', '.join([*roles.values(), *several])}"
            )
        return found[0]

    def _known(self, column: Column) -> set[str]:
        """Return the roles that a column's name is known for, unless it tells no rows apart."""
        alike = len(column.distinct) in (0, 1, self.rows)  # one for all rows, or an ID of each
        counts = plain(core_of(column.name)) in ("params", "config") and column.is_number
        return set() if alike or counts else roles_of(column.name) - {"metric"}

    def _with_files(self, roles: Roles) -> Roles:
        """Return the roles with that of the files' names: classifiers, or else data sets."""
        role = "dataset" if "classifier" in roles else "classifier"
        return {role: FILE} | roles if FILE in self.columns else roles

    def _pairs(self, roles: Roles) -> bool:
        """Return whether these keys tell rows apart, and scores of classifiers can be paired."""
        roles = self._with_files(roles)
        places = [name for role, name in roles.items() if role not in ("classifier", "cluster")]
        if "classifier" not in roles or not places:
            return False
        dataset = self.columns[roles["dataset"]].cells if "dataset" in roles else ()
        rows = [i for i in range(self.rows) if not dataset or not sums_up(dataset[i])]
        who = roles["classifier"]
        several = [name for name in (who, *places) if len(self.columns[name].distinct) > 1]
        is_filled = self.sample.filled([who], places, rows) > LEAST_FILLED
        return is_filled and who in several and len(several) > 1

    def _suits(self, roles: Mapping[str, str], several: Iterable[str]) -> bool:
        """Return whether values allow these roles of columns whose names are known for several.

        Numbers are no systems, and words no repetitions.
        """
        for role, name in roles.items():
            column = self.columns[name]
            numbered = column.is_whole and (len(column.distinct) > 1 or role == "run")
            if name in several and role == "classifier" and numbered:
                return False
            if name in several and role == "run" and plain(name) in _RUN_IDS and not numbered:
                return False
        return True

    def _is_alone(self, roles: Mapping[str, str], role: str) -> bool:
        """Return whether each classifier has one value of a role on each data set, or item."""
        others = [roles[r] for r in ("classifier", "dataset", "item") if r in roles]
        if not {"dataset", "item"} & roles.keys():
            return False
        cells = [self.columns[name].cells for name in others]
        values: dict[tuple[str, ...], set[str]] = {}
        for value, *key in zip(self.columns[roles[role]].cells, *cells, strict=True):
            values.setdefault(tuple(key), set()).add(value)
        return all(len(own) == 1 for own in values.values())

    def _summaries(self, roles: Mapping[str, str]) -> list[str]:
        """Return the data sets that sum up others; ask where another role has such names."""
        found: list[str] = []
        for role, name in roles.items():
            summed = [cell for cell in self.columns[name].distinct if sums_up(cell)]
            if summed and role != "dataset":
                raise UndecidedError(f"{name} has rows that sum up others: {summed[0]}")
            found += summed
        return found

    def _check_names(self, roles: Mapping[str, str]) -> None:
        """Check that the values of each column suit its role."""
        wrong: dict[str, Callable[[Column], bool]] = {
            "classifier": _are_dates_or_runs,
            "dataset": _are_dates_or_runs,
            "item": lambda column: len(column.distinct) < FEWEST_ITEMS,
            "fold": self._are_no_folds,
            "run": lambda column: _counts_training(column.name, roles),
        }
        for role, name in roles.items():
            column = self.columns[name]
            if column.markers or (role in wrong and wrong[role](column)):
                raise UndecidedError(f"the values of {name} are unusual for a {role}")
        who = self.columns[roles["classifier"]].distinct
        if len(who) > max(MOST_CLASSIFIERS, self.rows / 3):
            raise UndecidedError("too many classifiers")

    def _are_no_folds(self, column: Column) -> bool:
        """Return whether values are no numbers of folds, or too many, unless the user says so."""
        numbered = all(re.search(r"\d", cell) for cell in column.distinct)
        few = len(column.distinct) <= MOST_FOLDS
        return self.options.fold_col is None and not (numbered and few)

    def _changes(self, roles: Roles, summaries: Sequence[str]) -> Record:
        """Return the options that name these columns."""
        changes: Record = {}
        unit = "epoch" if "item" in roles else "run" if "fold" in roles else "seed"
        for role in filter(roles.__contains__, ROLES):
            name, option = roles[role], f"{unit if role == 'run' else role}_col"
            is_canonical = role in self.given and getattr(self.options, option) is None
            if name != FILE and (not is_canonical or (role == "run" and unit != "run")):
                changes[option] = name
        units = {"run", "fold", "item"}
        counts = any(roles_of(name) & units for name in self.columns)
        if counts and not units & roles.keys():
            changes["preset"] = MEANS  # or their column would be missed
            changes["dataset_col"] = roles["dataset"]
        if summaries:
            where = [f"{roles['dataset']}!={name}" for name in summaries]
            changes["where"] = (*self.options.where, *where)
        return {k: v for k, v in changes.items() if getattr(self.options, k) != v}


def _are_dates_or_runs(column: Column) -> bool:
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
    if not len(scores) or not np.isfinite(scores).all() or np.ptp(scores) == 0:
        raise UndecidedError("scores that do not vary, or are no numbers")
    below = np.unique(scores[scores < 0])
    if len(below) == 1 and float(below[0]) in SENTINELS and 2 * (scores < 0).sum() < len(scores):
        raise UndecidedError(f"is {below[0]:g} a score?")
    words = {*words_of(name)}
    if options.percent or options.lower_is_better is not None:
        return
    if "%" in name or {"percent", "pct", "percentage"} & words:
        raise UndecidedError("per cent")
    core = core_of(name)
    open_ended = not OPEN_SCORES.isdisjoint(words_of(core))
    is_error = direction_of(core) == "lower" and not is_share(core)
    open_ended |= is_error and BOUNDED_ERRORS.isdisjoint(words)
    if not open_ended and scores.min() >= 0 and LARGEST_SHARE < scores.max() <= 100:
        raise UndecidedError("per cent?")
