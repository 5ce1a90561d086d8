"""Bayesian comparison of classifiers from cross-validation results.

From Python::

    import bcompare

    scores = bcompare.read_scores("results.csv")
    study = bcompare.compare(scores, "ttest")
    print(bcompare.as_text(study))
    result = bcompare.correlated_t_test(differences, rho=0.1, rope=0.01)

How data flows, each room knowing only those before it::

    reading/       files or frames → Scores
    differences    Scores and pairs → SufficientStatistics of right - left
    methods/       SufficientStatistics and a Rope → a result, one file a test
    decision       probabilities → left, rope, right or none
    answers        a chunk of pairs → comparisons; workers: in this process, others, or a cluster
    summary        what stays of very many pairs; comparison: a set of them, with its settings
    candidates     who is judged in a family; family: all classifiers at once
    planning/      what more data would do, by simulation; gating/: a rule over the answers
    report/        comparisons → tables, sentences, rows, the JSON document
    spool, stream  rows of any number of pairs, by way of the disk
    render/        a report → text, one file a format
    plots/         arrays → pictures
    show           kind of result → report, document, picture: the one table
    cli/           calls them in this order

Names are loaded when first used, so that importing bcompare costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bcompare.version import __version__ as __version__

_WHERE = {
    "BcompareError": "bcompare.errors",
    "Best": "bcompare.methods.best",
    "ComparisonSet": "bcompare.comparison",
    "ComputationError": "bcompare.errors",
    "ExpectedLoss": "bcompare.decision",
    "Family": "bcompare.family",
    "Gate": "bcompare.gating.verdict",
    "InputError": "bcompare.errors",
    "NormalGamma": "bcompare.methods.correlated_t",
    "Note": "bcompare.notes",
    "Plan": "bcompare.planning.outlook",
    "Power": "bcompare.planning.power",
    "Rope": "bcompare.rope",
    "Scores": "bcompare.scores",
    "SufficientStatistics": "bcompare.sufficient",
    "Threshold": "bcompare.decision",
    "as_text": "bcompare.show",
    "compare": "bcompare.comparison",
    "compare_family": "bcompare.family",
    "correlated_t_test": "bcompare.methods.correlated_t",
    "document": "bcompare.show",
    "hierarchical_test": "bcompare.methods.hierarchical.method",
    "plan": "bcompare.planning.outlook",
    "power": "bcompare.planning.power",
    "poisson_binomial_test": "bcompare.methods.poisson_binomial",
    "rank": "bcompare.family",
    "rank_family": "bcompare.methods.ranks",
    "sign_test": "bcompare.methods.sign",
    "signed_rank_test": "bcompare.methods.signed_rank",
    "from_cross_validate": "bcompare.reading.searches",
    "from_cv_results": "bcompare.reading.searches",
    "from_frame": "bcompare.reading.read",
    "from_items": "bcompare.reading.read",
    "from_means": "bcompare.reading.read",
    "gate": "bcompare.gating.verdict",
    "join": "bcompare.scores",
    "paired_differences": "bcompare.differences",
    "read_scores": "bcompare.reading.read",
}

if TYPE_CHECKING:  # the same for type checkers, which cannot follow __getattr__
    from bcompare.comparison import ComparisonSet as ComparisonSet
    from bcompare.comparison import compare as compare
    from bcompare.decision import ExpectedLoss as ExpectedLoss
    from bcompare.decision import Threshold as Threshold
    from bcompare.differences import paired_differences as paired_differences
    from bcompare.errors import BcompareError as BcompareError
    from bcompare.errors import ComputationError as ComputationError
    from bcompare.errors import InputError as InputError
    from bcompare.family import Family as Family
    from bcompare.family import compare_family as compare_family
    from bcompare.family import rank as rank
    from bcompare.gating.verdict import Gate as Gate
    from bcompare.gating.verdict import gate as gate
    from bcompare.methods.best import Best as Best
    from bcompare.methods.correlated_t import NormalGamma as NormalGamma
    from bcompare.methods.correlated_t import correlated_t_test as correlated_t_test
    from bcompare.methods.hierarchical.method import hierarchical_test as hierarchical_test
    from bcompare.methods.poisson_binomial import poisson_binomial_test as poisson_binomial_test
    from bcompare.methods.ranks import rank_family as rank_family
    from bcompare.methods.sign import sign_test as sign_test
    from bcompare.methods.signed_rank import signed_rank_test as signed_rank_test
    from bcompare.notes import Note as Note
    from bcompare.planning.outlook import Plan as Plan
    from bcompare.planning.outlook import plan as plan
    from bcompare.planning.power import Power as Power
    from bcompare.planning.power import power as power
    from bcompare.reading.read import from_frame as from_frame
    from bcompare.reading.read import from_items as from_items
    from bcompare.reading.read import from_means as from_means
    from bcompare.reading.read import read_scores as read_scores
    from bcompare.reading.searches import from_cross_validate as from_cross_validate
    from bcompare.reading.searches import from_cv_results as from_cv_results
    from bcompare.rope import Rope as Rope
    from bcompare.scores import Scores as Scores
    from bcompare.scores import join as join
    from bcompare.show import as_text as as_text
    from bcompare.show import document as document
    from bcompare.sufficient import SufficientStatistics as SufficientStatistics


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        import_module("bcompare.show")  # results get their views
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'bcompare' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_WHERE])
