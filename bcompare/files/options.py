"""The options of reading. Imports nothing heavy."""

import re
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from math import isfinite
from shlex import quote
from string import punctuation
from typing import Any, Literal, NamedTuple, get_args

from bcompare.basis.messages import InputError, Record, arg, listed, nearest, spelled


def compiled(text: str, option: str) -> re.Pattern[str]:
    """Return the expression that an option gives.

    Raises
    ------
    InputError : it is not a regular expression.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on syntax that may change
            return re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise InputError(f"{arg(option, text)}: not a regular expression ({error})") from None


Missing = Literal["refuse", "drop-folds", "drop-items", "drop-datasets"]
MISSING_POLICIES: tuple[str, ...] = get_args(Missing)

FAILED_POLICIES = ("refuse", "drop", "zero", "bounds", "worst", "best")

# The column of metrics; not called metric, since it may differ between data sets.
MEASURE = "metric of the score"
OTHERS = "other metrics"

# Roles of columns that are recognised by name, besides score.
KEYS = ("dataset", "run", "fold", "classifier")
# Roles that groups of an expression may have.
GROUPS = (*KEYS, "iteration", "seed", "item")
# Stands for the numbers of the rows, in place of a column of test items, folds or seeds.
ROW_NUMBERS = "#"
# Roles that may be given to several columns, whose names an option joins by commas.
JOINED = ("dataset", "classifier", "item")
# The roles of columns.
ROLES = (
    "dataset",
    "run",
    "fold",
    "classifier",
    "score",
    "iteration",
    "item",
    "epoch",
    "cluster",
    "seed",
    "weight",
    "successes",
    "trials",
)
# Roles of columns by which the rows of classifiers are paired.
PAIRING = ("run", "fold", "iteration", "item", "epoch", "cluster", "seed")
# The most trials of a side, as counts are taken apart.
MOST_TRIALS = 20_000_000

SEPARATOR_NAMES = {"tab": "\t", "\\t": "\t"}
MAY_SEPARATE = {" ", "\t", *punctuation} - {*"\"'\\.+-_"}
DECIMAL_MARKS = (".", ",")
_CONDITION = re.compile(r"(.+?)(!=|~|=)(.*)", re.DOTALL)


def parts_of(role: str, name: str, header: Collection[str]) -> list[str]:
    """Return the columns that an option names for a role."""
    joined = role in JOINED and name not in header
    return [part.strip() for part in name.split(",")] if joined else [name]


class Condition(NamedTuple):
    """A condition on rows. operator : ``=``, ``!=``, or ``~`` for an expression as the value."""

    column: str
    operator: str
    value: str

    @classmethod
    def parse(cls, text: str) -> "Condition":
        """Parse a text such as ``metric=auc``.

        Raises
        ------
        InputError : it is no condition.
        """
        parts = _CONDITION.fullmatch(text)
        if parts is None:
            raise InputError(
                f"{arg('where', [text])}: write COLUMN=VALUE, COLUMN!=VALUE or COLUMN~REGEX"
            )
        return cls(parts[1].strip(), parts[2], parts[3].strip())

    def test(self) -> Callable[[str], bool]:
        """Return what tells whether the condition holds for a cell.

        Raises
        ------
        InputError : its value is no regular expression.
        """
        if self.operator == "~":
            expression = compiled(self.value, "where")
            return lambda cell: expression.search(cell) is not None
        return lambda cell: (cell == self.value) == (self.operator == "=")


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadOptions:
    r"""How to read results; the defaults read the canonical columns.

    Attributes
    ----------
    preset : name of a set of these options for the files of a known program; see `presets`.
    dataset_col, run_col, fold_col, classifier_col, score_col : names of the columns where they
        are not dataset, run, fold, classifier and score. Several columns joined by commas make
        the name of a classifier, a data set or an item.
    iteration_col : a column that counts the folds of all runs on, instead of run and fold.
    folds : how many folds a run has, to take iterations apart.
    item_col : rows are test items, named in this column. epoch_col : which of several answers to
        the same item a row is. cluster_col : what items belong to, such as passages or users.
    seed_col : rows are seeds on one fixed split.
    weight_col : a column of numbers that weigh test items in every mean, the same for all
        classifiers, such as the words of a reference: the mean is then a rate of sums.
    unpaired : the rows of two classifiers share nothing, such as rollouts of two policies; a column
        that no option names pairs nothing.
    successes_col, trials_col : rows are counts, k successes in n trials, which share nothing.
    wide : regular expression over the headers, for one column per fold or classifier. Its named
        groups dataset, run, fold, iteration and classifier say what a column is about.
    split : ``COLUMN=REGEX``: the groups of the expression, named as above, are taken from the
        column's cells.
    cost_col : a column of numbers of which each classifier's mean is kept, such as its size or
        the time it takes; less is better.
    where : conditions on rows, all of which must hold: ``COLUMN=VALUE``, ``COLUMN!=VALUE``,
        ``COLUMN~REGEX``.
    sep, decimal : separator and decimal mark; detected by default. "tab" is a tab.
    na_values : texts that stand for a missing score.
    grades : numbers for scores that are letters, such as {"C": 1.0, "I": 0.0}.
    percent : the scores are percentages: they are divided by 100.
    scale : factors by which the scores of some classifiers are multiplied, such as {"new": 0.01}
        for percentages beside fractions; a factor of 1 says that the unit is the same.
    lower_is_better : whether the scores are errors or losses: they are then negated on entry. By
        default the name of the scores tells, if it is known.
    rho : correlation between the folds' differences, in [0, 1); None takes it from the columns
        n_train and n_test where there are any, else 1/folds.
    missing : what to do with rows without a score, and with folds, items or data sets that one
        classifier has and another lacks. By default these are refused, except for data sets that
        a classifier lacks as a whole, of which its pairs do without; "refuse" refuses these too.
    failed : what to do with trials without a score: ``refuse`` (the default), ``drop`` their items
        or folds for all classifiers, count them as ``zero``, as the ``worst`` or ``best`` possible
        score, or as a number; ``bounds`` lists each such classifier twice, at its worst and best.
    epochs : how to combine an item's answers: by their ``mean``, or, if they are 0 or 1, by
        ``pass@k`` (at least one of k is right) or ``pass^k`` (all k are).
    by : a column of slices; see `bcompare.reading.read.read_slices`.
    classifiers, datasets : read only these; all by default.
    fewest : the number of classifiers that there must be; 1 if each is judged by a bar.
    baseline : the classifier by which a gate judges, or its whole runs: the others are read on its
        terms, see `bcompare.reading.baseline`.
    lone : read one classifier alone, the first of them; each epoch of its answers to test items
        then stands as a classifier of its own.
    suspects : these are items that are run again for a gate, of which there may be few.
    strict : refuse files whose columns are not named as above, instead of deciding by their names.
    bounded : whether `failed` may be bounds, and so whether that is advised.
    accept : what is refused unless it is named here: a column in which classifiers were measured
        differently, a score that may stand for a missing one, a row that may sum up others.

    Raises
    ------
    InputError : a value outside its range, or a condition or an expression that is none.
    """

    preset: str | None = None
    dataset_col: str | None = None
    run_col: str | None = None
    fold_col: str | None = None
    classifier_col: str | None = None
    score_col: str | None = None
    iteration_col: str | None = None
    folds: int | None = None
    item_col: str | None = None
    epoch_col: str | None = None
    cluster_col: str | None = None
    seed_col: str | None = None
    weight_col: str | None = None
    unpaired: bool = False
    successes_col: str | None = None
    trials_col: str | None = None
    wide: str | None = None
    split: str | None = None
    cost_col: str | None = None
    where: tuple[str, ...] = ()
    sep: str | None = None
    decimal: str | None = None
    na_values: tuple[str, ...] = ()
    grades: Mapping[str, float] | None = None
    percent: bool = False
    scale: Mapping[str, float] = field(default_factory=dict)
    lower_is_better: bool | None = None
    rho: float | None = None
    missing: Missing | None = None
    failed: str | float | None = None
    epochs: str = "mean"
    by: str | None = None
    classifiers: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    fewest: int = 2
    baseline: tuple[str, ...] = ()
    lone: bool = False
    suspects: bool = False
    strict: bool = False
    bounded: bool = True
    accept: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("where", "na_values", "classifiers", "datasets", "baseline", "accept"):
            value = getattr(self, name)  # a text stands for a list of one
            object.__setattr__(self, name, (value,) if isinstance(value, str) else tuple(value))
        for message in (*self._wrong_values(), *self._wrong_marks()):
            raise InputError(message)
        self._check_pairing()
        self._check_texts()

    def _wrong_values(self) -> Iterator[str]:
        """Yield what is wrong with numbers, and with words of which some are known."""
        if self.rho is not None and not 0 <= self.rho < 1:
            yield (
                f"{arg('rho', self.rho)} is outside [0, 1): give the share of test cases in a "
                "fold, such as 0.1 for 10-fold cross-validation, or 0 for independent scores"
            )
        if self.missing not in (None, *MISSING_POLICIES):
            yield f"missing {self.missing!r}: choose from {', '.join(MISSING_POLICIES)}"
        if isinstance(self.failed, str) and self.failed not in FAILED_POLICIES:
            words = ", ".join(FAILED_POLICIES)
            yield f"{arg('failed', self.failed)}: choose from {words}, or a score"
        if isinstance(self.failed, float) and not isfinite(self.failed):
            yield f"{arg('failed', self.failed)}: give a finite score"
        if self.item_col is not None and self.seed_col is not None:
            yield f"rows are test items or seeds: give {arg('item_col')} or {arg('seed_col')}"
        if self.folds is not None and self.folds < 2:
            yield f"folds {self.folds}: a run of cross-validation has at least 2"

    def _wrong_marks(self) -> Iterator[str]:
        """Yield what is wrong with the separator and the decimal mark."""
        if self.separator not in (None, *MAY_SEPARATE):
            yield (
                f"sep {self.sep!r}: give one character that no name or number has, such as ; or tab"
            )
        if self.decimal not in (None, *DECIMAL_MARKS):
            yield f"decimal {self.decimal!r}: choose from {' '.join(DECIMAL_MARKS)}"
        if self.decimal is not None and self.decimal == self.sep:
            yield (
                f"{self.sep!r} cannot both separate columns and be the decimal mark; name the "
                f"right one with {arg('sep')}"
            )

    def _check_pairing(self) -> None:
        """Check that what shares nothing is not paired, and that counts are complete."""
        counts = [name for name in ("successes_col", "trials_col") if getattr(self, name)]
        if len(counts) == 1:
            raise InputError(
                f"{arg(counts[0])}: counts have two columns: say {arg('successes_col')} and "
                f"{arg('trials_col')}"
            )
        if counts and self.score_col is not None:
            raise InputError(
                f"{arg('successes_col')} gives the scores of counts: leave out {arg('score_col')}"
            )
        if not self.shares_nothing:
            return
        why = arg("successes_col") if counts else arg("unpaired", True)
        said = [arg(f"{role}_col", self.columns[role]) for role in PAIRING if role in self.columns]
        groups = {name for pattern in self.expressions.values() for name in pattern.groupindex}
        said += [f"the group {role} of an expression" for role in PAIRING if role in groups]
        for name in ("rho", "weight_col"):
            if getattr(self, name) is not None:
                said.append(arg(name, getattr(self, name)))
        if said:
            raise InputError(
                f"{why} says that the two sides share nothing, and {listed(said)} how their rows "
                "belong together: leave one of the two out"
            )

    def _check_texts(self) -> None:
        """Check conditions, expressions and factors."""
        for condition in self.conditions:
            condition.test()
        for name, expression in self.expressions.items():
            wrong = sorted(expression.groupindex.keys() - {*GROUPS})
            if wrong or not expression.groupindex:
                what = (
                    f"there is no part called {listed(wrong)}" if wrong else "it has no named group"
                )
                raise InputError(
                    f"{arg(name, expression.pattern)}: {what}; name groups after what they are, "
                    f"such as (?P<fold>\\d+): {', '.join(GROUPS)}"
                )
        for name, factor in self.scale.items():
            if not (factor > 0 and isfinite(factor)):
                given = spelled(
                    f"--scale {quote(f'{name}={factor:g}')}", f"scale={ {name: factor} }"
                )
                raise InputError(f"{given}: give a factor above 0, such as 0.01")

    def but(self, **options: Any) -> "ReadOptions":
        """Return these options with others in place of some of them.

        Raises
        ------
        InputError : an option that is none.
        """
        names = [option.name for option in fields(self)]
        for name in options:
            if name not in names:
                near = nearest(name, names)
                advice = f"did you mean {near[0]}?" if near else "see help(bcompare.ReadOptions)"
                raise InputError(f"{name}= is no option of reading: {advice}")
        return replace(self, **options)

    @property
    def changed(self) -> Record:
        """The options that differ from the defaults."""
        values = {
            option.name: (getattr(self, option.name), option.default) for option in fields(self)
        }
        return {
            name: value for name, (value, default) in values.items() if value not in (default, {})
        }

    @property
    def columns(self) -> dict[str, str]:
        """The columns that options name, by their roles; several joined by commas are one name."""
        names = {role: getattr(self, f"{role}_col") for role in ROLES}
        return {role: name for role, name in names.items() if name is not None}

    @property
    def shares_nothing(self) -> bool:
        """Whether the rows of two classifiers share nothing."""
        return self.unpaired or self.successes_col is not None

    @property
    def judges(self) -> bool:
        """Whether a gate judges the results, by a baseline or a bar."""
        return bool(self.baseline) or self.fewest < 2

    @property
    def takes_one(self) -> bool:
        """Whether the results of one classifier are enough."""
        return self.lone or self.fewest < 2

    @property
    def is_explicit(self) -> bool:
        """Whether nothing is decided by the names of columns, as in a gate."""
        return self.strict or self.judges or self.lone

    @property
    def conditions(self) -> list[Condition]:
        """The conditions on rows."""
        return [*map(Condition.parse, self.where)]

    @property
    def expressions(self) -> dict[str, re.Pattern[str]]:
        """The expressions over headers and cells, by the option that gives them."""
        texts = {"wide": self.wide, "split": self.split and self.split_parts[1]}
        return {name: compiled(text, name) for name, text in texts.items() if text is not None}

    @property
    def split_parts(self) -> tuple[str, str]:
        """The column whose cells are taken apart, and the expression; "" if there is none."""
        column, _, expression = (self.split or "").partition("=")
        return column, expression

    @property
    def separator(self) -> str | None:
        """The separator as a single character."""
        return None if self.sep is None else SEPARATOR_NAMES.get(self.sep, self.sep)
