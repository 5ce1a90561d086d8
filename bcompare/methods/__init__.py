"""The tests, one file each: arrays in, a frozen result out.

`METHODS` is the registry: the name of a command, the location of its class, and a one-line summary.
Classes are loaded on demand, so that nothing heavy is imported early. To add a test, write its file
and one line here; its command, tables, JSON and conformance tests follow.
"""

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from bcompare.basis.errors import InputError
from bcompare.data.units import Unit

if TYPE_CHECKING:
    from bcompare.methods.base import Method


class Registered(NamedTuple):
    """A test: ``module:Class``, and a summary of its command."""

    target: str
    summary: str


METHODS = {
    "ttest": Registered(
        "bcompare.methods.correlated_t:CorrelatedT",
        "Compare on each data set by itself: Bayesian correlated t-test.",
    ),
    "hier": Registered(
        "bcompare.methods.hierarchical.method:Hierarchical",
        "Compare over several data sets: Bayesian hierarchical model.",
    ),
    "sign": Registered(
        "bcompare.methods.sign:Sign", "Compare over several data sets: Bayesian sign test."
    ),
    "signrank": Registered(
        "bcompare.methods.signed_rank:SignedRank",
        "Compare over several data sets: Bayesian signed-rank test.",
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


def is_over_datasets(name: str) -> bool:
    """Return whether a registered test has one answer for several data sets."""
    return not load_method(name).by_dataset


def others(method: "Method", seed: int | None) -> "list[Method]":
    """Return the other tests over several data sets, with default options but for the seed."""
    names = [name for name in METHODS if name != method.name and is_over_datasets(name)]
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
    able = [name for name in METHODS if is_over_datasets(name) != one]
    raise InputError(f"{method.name} is not for {what}: choose {' or '.join(able)}")


def check_unit(method: "Method", unit: Unit) -> None:
    """Refuse rows of a unit that a test cannot use.

    Raises
    ------
    InputError : names the tests that take such rows.
    """
    if unit in method.units:
        return
    able = [name for name in METHODS if unit in load_method(name).units]
    raise InputError(
        f"{method.name} needs several scores of each classifier on a data set, such as folds, "
        f"seeds or test items, and these results have {unit.rows}: their tests are "
        f"{', '.join(able)} and rank"
    )


def usual_method(unit: Unit, datasets: int) -> "type[Method]":
    """Return the default test: for one data set or several, for scores or means."""
    if not unit.has_spread:
        return load_method("signrank")
    return load_method("ttest" if datasets == 1 else "hier")
