"""The tests, one file each: arrays in, a frozen result out.

`METHODS` is the registry: the name of a command, the location of its class, and a one-line summary.
Classes are loaded on demand, so that nothing heavy is imported early. To add a test, write its file
and one line here; its command, tables, JSON and conformance tests follow.
"""

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from bcompare.basis.messages import InputError
from bcompare.data.defaults import LEAST_DATASETS
from bcompare.data.units import PAIRED, SEVERAL, TRIAL, Unit

if TYPE_CHECKING:
    from bcompare.methods.interface import Method


class Registered(NamedTuple):
    """A test: ``module:Class``, and what is known of it before it is loaded.

    summary : of its command.
    over : whether it has one answer for several data sets.
    units : the possible units of the scores.
    to_run, to_decide : the least data sets, and for a verdict.
    """

    target: str
    summary: str
    over: bool = True
    units: tuple[Unit, ...] = SEVERAL
    to_run: int = 1
    to_decide: int = 1


METHODS = {
    "ttest": Registered(
        "bcompare.methods.correlated_t:CorrelatedT",
        "Compare on each data set: Bayesian correlated t-test.",
        over=False,
        units=(*SEVERAL, TRIAL),
    ),
    "hier": Registered(
        "bcompare.methods.hierarchical.method:Hierarchical",
        "Compare over several data sets: Bayesian hierarchical model.",
        to_run=2,
        to_decide=2,
    ),
    "sign": Registered(
        "bcompare.methods.sign:Sign",
        "Compare over several data sets: Bayesian sign test.",
        units=PAIRED,
        to_decide=LEAST_DATASETS,
    ),
    "signrank": Registered(
        "bcompare.methods.signed_rank:SignedRank",
        "Compare over several data sets: Bayesian signed-rank test.",
        units=PAIRED,
        to_decide=LEAST_DATASETS,
    ),
    "poisson": Registered(
        "bcompare.methods.poisson_binomial:PoissonBinomial",
        "Compare over several data sets: Poisson-binomial test.",
    ),
}


def load_method(name: str) -> "type[Method]":
    """Return the class of a registered test.

    Raises
    ------
    InputError : if there is no test of that name.
    """
    if name not in METHODS:
        raise InputError(f"there is no test called {name!r}; choose from {', '.join(METHODS)}")
    module, _, attribute = METHODS[name].target.partition(":")
    method: type[Method] = getattr(import_module(module), attribute)
    return method


def others(method: "Method", seed: int | None, unit: Unit) -> "list[Method]":
    """Return the other tests over several data sets for such rows, with default options."""
    fit = {name for name, test in METHODS.items() if test.over and unit in test.units}
    names = [name for name in METHODS if name in fit - {method.name}]
    return [load_method(name)().seeded(seed) for name in names]


def check_over(method: "Method", what: str, *, one: bool) -> None:
    """Refuse a test that answers for data sets together, or for each, where the other is needed.

    what : the subject, such as "test items on one data set". one : whether each is needed.

    Raises
    ------
    InputError : names the tests that can.
    """
    if method.by_dataset == one:
        return
    able = [name for name, test in METHODS.items() if test.over != one]
    raise InputError(f"{method.name} is not for {what}: choose {' or '.join(able)}")


def check_unit(method: "Method", unit: Unit) -> None:
    """Refuse rows of a unit that a test cannot use.

    Raises
    ------
    InputError : names the tests that take such rows.
    """
    if method.name not in METHODS or unit in METHODS[method.name].units:
        return
    able = [name for name, test in METHODS.items() if unit in test.units]
    if unit.is_unpaired:
        raise InputError(
            f"{method.name} compares pairs of scores, and these sides share nothing: their tests "
            f"are {', '.join(able)} and gate"
        )
    raise InputError(
        f"{method.name} needs several scores of each classifier on a data set, such as folds, "
        f"seeds or test items, and these results have {unit.rows}: their tests are "
        f"{', '.join(able)} and rank"
    )


def usual_method(unit: Unit, datasets: int) -> "type[Method]":
    """Return the default test: for one data set or several, for scores or means."""
    if not unit.has_spread:
        return load_method("signrank")
    if unit.is_unpaired:
        return load_method("ttest")
    return load_method("ttest" if datasets == 1 else "hier")
