"""The tests, one file each: numpy in, a frozen result out.

`METHODS` is the registry: a command's name, and where its class is. A class is loaded only
when asked for, so that nothing heavy is imported before it is needed. Add a test by writing
its file and one line here; tables, JSON and the conformance suite follow.
"""

from importlib import import_module

from bcompare.basis.errors import InputError
from bcompare.data.units import ROWS, Unit
from bcompare.methods.base import Method

METHODS = {
    "ttest": "bcompare.methods.correlated_t:CorrelatedT",
    "hier": "bcompare.methods.hierarchical.method:Hierarchical",
    "sign": "bcompare.methods.sign:Sign",
    "signrank": "bcompare.methods.signed_rank:SignedRank",
    "poisson": "bcompare.methods.poisson_binomial:PoissonBinomial",
}

OVER_DATASETS = tuple(name for name in METHODS if name != "ttest")
"""The tests that answer for several data sets at once."""


def load_method(name: str) -> type[Method]:
    """The class of a registered test.

    Raises
    ------
    InputError : if there is no test of that name.
    """
    if name not in METHODS:
        raise InputError(f"there is no test called {name!r}; choose from {', '.join(METHODS)}")
    module, _, attribute = METHODS[name].partition(":")
    method: type[Method] = getattr(import_module(module), attribute)
    return method


def check_unit(method: Method, unit: Unit) -> None:
    """Refuse rows that a test can make nothing of.

    Raises
    ------
    InputError : names the tests that take such rows.
    """
    if unit in method.units:
        return
    able = [name for name in METHODS if unit in load_method(name).units]
    raise InputError(
        f"{method.name} needs several scores of each classifier on a data set, such as folds, "
        f"seeds or test items, and these results have {ROWS[unit]}: their tests are "
        f"{', '.join(able)} and rank"
    )


def usual_method(unit: Unit, datasets: int) -> type[Method]:
    """The test that fits what there is: one data set or several, scores or means only."""
    if unit == "mean":
        return load_method("signrank")
    return load_method("ttest" if datasets == 1 else "hier")
