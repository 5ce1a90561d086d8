"""Bayesian comparison of classifiers from cross-validation results.

From Python::

    import bcompare

    scores = bcompare.read_scores("results.csv")
    study = bcompare.compare(scores, "ttest")
    print(bcompare.as_text(study))
    result = bcompare.correlated_t_test(differences, rho=0.1, rope=0.01)

The flow of data; each package imports only those above it::

    basis/         messages, errors and notes, atomic file writes, threads
    data/          scores, units, pairs, the rope; scores and pairs → differences
    files/         files and frames → tables of cells; the options of reading, presets
    columns/       which column is what: by names, by kinds, or asked
    reading/       tables of cells → checked Scores
    methods/       SufficientStatistics and a Rope → a result, one file a test
    comparing/     a method over pairs: tasks of pairs, a set of answers, workers
    report/        comparisons → tables, sentences, rows, the JSON document
    render/        a report → text, one file a format
    ranking/, planning/, gating/   one feature each, from its computation to its command
    formats        the formats by name; plots/: results → pictures
    baycomp        the calls of that package, answered by the tests here
    show           kind of result → report, document, picture: the only table
    pages/         the HTML report; cli/: calls all of them in this order

Names are loaded on first use, so that importing bcompare is cheap.
"""

import re
from functools import cache
from importlib import import_module
from pathlib import Path

from bcompare.basis.showable import Showable
from bcompare.version import __version__ as __version__

# what shows results loads much, and a result needs it only when it is looked at
Showable.implementation = staticmethod(lambda: import_module("bcompare.show"))


@cache
def _modules() -> dict[str, str]:
    """Return the module of each name, as the stub for type checkers has it."""
    stub = Path(__file__).with_suffix(".pyi").read_text("utf-8")
    return {name: module for module, name in re.findall(r"from (\S+) import (\w+) as", stub)}


def __getattr__(name: str) -> object:
    if name.startswith("_") or name not in _modules():
        raise AttributeError(f"module 'bcompare' has no attribute {name!r}")
    return getattr(import_module(_modules()[name]), name)


def __dir__() -> list[str]:
    return sorted(_modules())
