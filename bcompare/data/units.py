"""The unit of a row of results: a fold, a seed, a test item, a trial, or a data set's mean."""

from typing import Literal

from bcompare.basis.messages import InputError, arg


class Unit(str):
    """What a row is, and all that follows from it.

    A unit is a string, its name, and is written and compared as one. Code that depends on the unit
    asks for a property of it, such as ``unit.has_folds``, and does not compare its name.

    rows : what the rows are, in the plural.
    noun : what is counted on a data set, in the singular.
    more : how to get more of them; "" if that is impossible.
    repetition : what a repetition of the whole test is called; "" if there is none.
    policy, remaining : the value of --missing that leaves out incomplete rows, and what remains.
    duplicates : what to do about two scores where one belongs.
    fewest : the fewest scores on a data set; two leave no degree of freedom.
    has_folds : whether rows are folds within runs of cross-validation.
    has_rho : whether rows are scores of whole test sets, which may be correlated by ρ.
    has_answers : whether rows are answers of a model. They may be right or wrong (1 or 0), repeated
        in epochs and grouped in clusters, and a trial may fail without one.
    has_spread : whether the spread of the rows measures the error of their mean.
    has_column : whether a column of its own names it, instead of columns of runs and folds.
    has_offset : whether all that is measured in one may be off together, on all data sets.
    is_unpaired : whether the rows of two classifiers share nothing, so that none is paired.
    """

    rows: str
    noun: str
    more: str = ""
    repetition: str = ""
    policy: Literal["drop-folds", "drop-items", "drop-datasets"]
    remaining: str
    duplicates: str
    fewest: int = 3
    has_folds: bool = False
    has_rho: bool = False
    has_answers: bool = False
    has_spread: bool = True
    has_column: bool = False
    has_offset: bool = False
    is_unpaired: bool = False

    def __new__(cls, name: str, **properties: str | int) -> "Unit":
        """Return a unit with these properties; the others are as in most units."""
        unit = super().__new__(cls, name)
        vars(unit).update(properties)
        return unit

    def __reduce__(self) -> tuple[object, ...]:
        return unit_named, (str(self),)

    @property
    def may_be_right_or_wrong(self) -> bool:
        """Whether rows are single answers or trials, so that 0 and 1 say right and wrong."""
        return self.has_answers or self.is_unpaired

    @property
    def plural(self) -> str:
        """The name in the plural."""
        return f"{self}s"


FOLD = Unit(
    "fold",
    rows="folds of cross-validation",
    noun="score",
    more="repeat the cross-validation",
    repetition="run",
    policy="drop-folds",
    remaining="folds",
    duplicates=(
        "keep one row for each data set, run, fold and classifier; if a column tells such "
        f"rows apart, name it with {arg('dataset_col')}, {arg('run_col')} or {arg('fold_col')}, or "
        f"choose rows with {arg('where')}"
    ),
    has_folds=True,
    has_rho=True,
)
SEED = Unit(
    "seed",
    rows="seeds on a fixed split",
    noun="seed",
    more="add seeds",
    policy="drop-folds",
    remaining="seeds",
    duplicates=(
        "keep one row for each data set, seed and classifier; if every seed has several "
        f"folds, name the columns with {arg('run_col')} and {arg('fold_col')} instead of "
        f"{arg('seed_col')}, else choose rows with {arg('where')}"
    ),
    has_rho=True,
    has_column=True,
)
ITEM = Unit(
    "item",
    rows="test items",
    noun="item",
    more="add items",
    repetition="epoch",
    policy="drop-items",
    remaining="items",
    duplicates=(
        "keep one row for each data set, item and classifier; if an item was asked several "
        f"times, name the column that counts its epochs with {arg('epoch_col')}, or say "
        f"{arg('epoch_col', '#')} for the order of rows, else choose rows "
        f"with {arg('where')}"
    ),
    has_answers=True,
    has_column=True,
)
MEAN = Unit(
    "mean",
    rows="one mean per data set",
    noun="mean",
    policy="drop-datasets",
    remaining="data sets",
    duplicates=(
        "without a column of folds there can be one score, a mean, for each data set and "
        f"classifier; name the column that tells such rows apart with {arg('fold_col')}, with "
        f"{arg('seed_col')} for seeds on a fixed split or with {arg('item_col')} for test items, "
        f"say {arg('unpaired', True)} if nothing pairs those of two classifiers, or choose rows "
        f"with {arg('where')}"
    ),
    fewest=1,
    has_spread=False,
)
# A summary of all that one run has measured on a data set; it is made, never read.
RUN = Unit(
    "run",
    rows="whole runs of the baseline",
    noun="run",
    more="run the baseline again",
    policy="drop-datasets",
    remaining="data sets",
    duplicates="give each run a file of its own",
    has_offset=True,
)
# Rows of sides that share nothing: rollouts, other seeds, other items, k of n successes.
TRIAL = Unit(
    "trial",
    rows="trials of sides that share nothing",
    noun="trial",
    more="add trials",
    policy="drop-datasets",
    remaining="trials",
    duplicates="give each trial a row",
    fewest=2,
    is_unpaired=True,
)
UNITS: tuple[Unit, ...] = (FOLD, SEED, ITEM, MEAN, RUN, TRIAL)

# Units with several rows in a data set, which are paired.
SEVERAL = tuple(unit for unit in UNITS if unit.has_spread and not unit.is_unpaired)
PAIRED = tuple(unit for unit in UNITS if not unit.is_unpaired)


def unit_named(name: str) -> Unit:
    """Return the unit with this name.

    Raises
    ------
    InputError : there is none.
    """
    for unit in UNITS:
        if unit == name:
            return unit
    raise InputError(f"there is no unit {name!r}: choose from {', '.join(UNITS)}")
