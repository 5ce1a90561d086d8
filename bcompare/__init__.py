"""Bayesian comparison of classifiers from cross-validation results.

From Python::

    import bcompare

    scores = bcompare.read_scores("results.csv")
    study = bcompare.compare(scores, "ttest")
    print(bcompare.as_text(study))
    result = bcompare.correlated_t_test(differences, rho=0.1, rope=0.01)

The flow of data; each package imports only those above it::

    basis/         errors, notes and messages, atomic file writes, threads
    data/          scores, units, pairs, the rope; scores and pairs → differences
    files/         files and frames → tables of cells; the options of reading, presets
    advice/        options that would read a file, each tried on all of it
    reading/       tables of cells → checked Scores
    methods/       SufficientStatistics and a Rope → a result, one file a test
    comparing/     a method over pairs: tasks of pairs, a set of answers, families, workers
    planning/      what more data would do, by simulation; gating/: verdicts over the answers
    report/        comparisons → tables, sentences, rows, the JSON document
    streaming/     rows of any number of pairs, in temporary files until all are known
    render/        a report → text, one file a format; plots/: results → pictures
    baycomp        the calls of that package, answered by the tests here
    show           kind of result → report, document, picture: the only table
    pages/         the HTML report; cli/: calls all of them in this order

Names are loaded on first use, so that importing bcompare is cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from bcompare.version import __version__ as __version__

_WHERE = {
    "BcompareError": "bcompare.basis.errors",
    "AnytimeGate": "bcompare.gating.anytime",
    "Bets": "bcompare.gating.anytime",
    "Best": "bcompare.methods.best",
    "ComparisonSet": "bcompare.comparing.comparison",
    "ComputationError": "bcompare.basis.errors",
    "ExpectedLoss": "bcompare.comparing.decision",
    "Family": "bcompare.comparing.family",
    "Gate": "bcompare.gating.verdict",
    "InputError": "bcompare.basis.errors",
    "NormalGamma": "bcompare.methods.student",
    "Note": "bcompare.basis.notes",
    "Plan": "bcompare.planning.outlook",
    "Profile": "bcompare.reading.profile",
    "Power": "bcompare.planning.power",
    "Rope": "bcompare.data.rope",
    "Scores": "bcompare.data.scores",
    "Slices": "bcompare.comparing.compare",
    "Sweep": "bcompare.comparing.compare",
    "SufficientStatistics": "bcompare.data.sufficient",
    "Threshold": "bcompare.comparing.decision",
    "anytime": "bcompare.gating.anytime",
    "as_text": "bcompare.show",
    "compare": "bcompare.comparing.compare",
    "compare_arrays": "bcompare.comparing.arrays",
    "compare_family": "bcompare.comparing.family",
    "correlated_t_test": "bcompare.methods.correlated_t",
    "document": "bcompare.show",
    "hierarchical_test": "bcompare.methods.hierarchical.method",
    "plan": "bcompare.planning.outlook",
    "plan_anytime": "bcompare.planning.anytime",
    "plan_epochs": "bcompare.planning.epochs",
    "plan_gate": "bcompare.gating.plan",
    "power": "bcompare.planning.power",
    "poisson_binomial_test": "bcompare.methods.poisson_binomial",
    "profile_results": "bcompare.reading.profile",
    "rank": "bcompare.comparing.family",
    "rank_family": "bcompare.methods.ranks",
    "self_check": "bcompare.gating.self_check",
    "slices": "bcompare.comparing.compare",
    "sign_test": "bcompare.methods.sign",
    "sweep": "bcompare.comparing.compare",
    "signed_rank_test": "bcompare.methods.signed_rank",
    "from_cross_validate": "bcompare.reading.searches",
    "from_cv_results": "bcompare.reading.searches",
    "from_frame": "bcompare.reading.read",
    "from_items": "bcompare.reading.read",
    "from_means": "bcompare.reading.read",
    "gate": "bcompare.gating.verdict",
    "join": "bcompare.data.scores",
    "paired_differences": "bcompare.data.differences",
    "read_repeated": "bcompare.planning.epochs",
    "read_scores": "bcompare.reading.read",
    "read_slices": "bcompare.reading.read",
}

if TYPE_CHECKING:  # the same for type checkers, which cannot follow __getattr__
    from bcompare.basis.errors import BcompareError as BcompareError
    from bcompare.basis.errors import ComputationError as ComputationError
    from bcompare.basis.errors import InputError as InputError
    from bcompare.basis.notes import Note as Note
    from bcompare.comparing.arrays import compare_arrays as compare_arrays
    from bcompare.comparing.compare import Slices as Slices
    from bcompare.comparing.compare import Sweep as Sweep
    from bcompare.comparing.compare import compare as compare
    from bcompare.comparing.compare import slices as slices
    from bcompare.comparing.compare import sweep as sweep
    from bcompare.comparing.comparison import ComparisonSet as ComparisonSet
    from bcompare.comparing.decision import ExpectedLoss as ExpectedLoss
    from bcompare.comparing.decision import Threshold as Threshold
    from bcompare.comparing.family import Family as Family
    from bcompare.comparing.family import compare_family as compare_family
    from bcompare.comparing.family import rank as rank
    from bcompare.data.differences import paired_differences as paired_differences
    from bcompare.data.rope import Rope as Rope
    from bcompare.data.scores import Scores as Scores
    from bcompare.data.scores import join as join
    from bcompare.data.sufficient import SufficientStatistics as SufficientStatistics
    from bcompare.gating.anytime import AnytimeGate as AnytimeGate
    from bcompare.gating.anytime import Bets as Bets
    from bcompare.gating.anytime import anytime as anytime
    from bcompare.gating.plan import plan_gate as plan_gate
    from bcompare.gating.self_check import self_check as self_check
    from bcompare.gating.verdict import Gate as Gate
    from bcompare.gating.verdict import gate as gate
    from bcompare.methods.best import Best as Best
    from bcompare.methods.correlated_t import correlated_t_test as correlated_t_test
    from bcompare.methods.hierarchical.method import hierarchical_test as hierarchical_test
    from bcompare.methods.poisson_binomial import poisson_binomial_test as poisson_binomial_test
    from bcompare.methods.ranks import rank_family as rank_family
    from bcompare.methods.sign import sign_test as sign_test
    from bcompare.methods.signed_rank import signed_rank_test as signed_rank_test
    from bcompare.methods.student import NormalGamma as NormalGamma
    from bcompare.planning.anytime import plan_anytime as plan_anytime
    from bcompare.planning.epochs import plan_epochs as plan_epochs
    from bcompare.planning.epochs import read_repeated as read_repeated
    from bcompare.planning.outlook import Plan as Plan
    from bcompare.planning.outlook import plan as plan
    from bcompare.planning.power import Power as Power
    from bcompare.planning.power import power as power
    from bcompare.reading.profile import Profile as Profile
    from bcompare.reading.profile import profile_results as profile_results
    from bcompare.reading.read import from_frame as from_frame
    from bcompare.reading.read import from_items as from_items
    from bcompare.reading.read import from_means as from_means
    from bcompare.reading.read import read_scores as read_scores
    from bcompare.reading.read import read_slices as read_slices
    from bcompare.reading.searches import from_cross_validate as from_cross_validate
    from bcompare.reading.searches import from_cv_results as from_cv_results
    from bcompare.show import as_text as as_text
    from bcompare.show import document as document


def __getattr__(name: str) -> object:
    if name in _WHERE:
        import_module("bcompare.show")  # implements the methods of results
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'bcompare' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_WHERE])
