"""What the tests refuse, called from Python: data, options and priors that cannot be."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from bcompare.basis.messages import InputError
from bcompare.comparing.compare import compare
from bcompare.comparing.decision import ExpectedLoss, Threshold
from bcompare.data.pairs import choose_pairs
from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.gating.anytime import Bets
from bcompare.gating.judge import gate
from bcompare.methods.correlated_t import CorrelatedT, correlated_t_test
from bcompare.methods.hierarchical.method import Hierarchical, hierarchical_test
from bcompare.methods.hierarchical.sampling.cmdstan import Sampling
from bcompare.methods.paired_binary import PairedBinary
from bcompare.methods.poisson_binomial import PoissonBinomial
from bcompare.methods.sign import Sign, sign_test
from bcompare.methods.signed_rank import signed_rank_test
from bcompare.methods.student import NormalGamma
from bcompare.methods.wilcoxon import wilcoxon
from bcompare.ranking.best import Best, best_of
from bcompare.ranking.ranks import rank_family
from tests.examples import scores_from
from tests.methods.hierarchical.examples import simulated, statistics_of
from tests.methods.test_best import NAMES, family, folds, posteriors

ROPE = Rope.symmetric(0.01)
EMPTY = np.empty(0)
NO_DATA_SET = SufficientStatistics((), EMPTY.astype(np.int64), EMPTY, EMPTY, EMPTY)
ITEMS = SufficientStatistics.from_differences([[0.1, 0.2, 0.4]], 0.0)
FOLDS = SufficientStatistics.from_differences([0.1, 0.2, 0.3], 0.1)
THREE = [0.1, 0.2, 0.3]
nan = math.nan
NO_PLACE: Any = "middle"
ONE: Any = 1
SCORES = scores_from({"x": np.random.default_rng(1).normal(0.7, 0.1, (9, 2))})
# What is no list of numbers, though Python could take numbers from it.
KEYED: Any = {1: 0.1, 2: 0.2, 3: 0.4}
NAMED: Any = {"a": THREE}
LETTERS: Any = "abc"
MASKED = np.ma.masked_array(np.array(THREE), mask=np.array([True, False, False]))


def hier(**options: Any) -> Callable[[], object]:
    return lambda: Hierarchical(**options).test(simulated(5), ROPE)


def of_folds(
    classifiers: int = 3, lacking: int | None = None, **options: Any
) -> Callable[[], object]:
    """The best of classifiers, of which one may lack every data set."""
    tables = [table[:, :classifiers] for table in folds(2, 3)]
    for table in tables:
        table[:, [] if lacking is None else [lacking]] = nan
    return lambda: best_of(posteriors(tables), NAMES[:classifiers], **options)


REFUSED: list[tuple[Callable[[], object], str]] = [
    (partial(Rope, -0.01, math.inf), "numbers below"),
    (partial(Rope, nan, 0.01), "numbers below"),
    (partial(Rope, 0.02, -0.02), "above the upper"),
    (partial(Rope, 0.01, 0.02), "does not contain 0"),
    (partial(Rope.of, -0.01), "negative"),
    *((partial(Threshold, alpha), "alpha") for alpha in (0.0, -0.1, 0.6, 1.0, nan)),
    (partial(Bets, budget=0), "budget=0: give"),
    (lambda: ExpectedLoss(np.zeros((3, 3))), "loss matrix"),
    (lambda: ExpectedLoss(np.full((3, 4), nan)), "loss matrix"),
    # pairs and words
    (partial(choose_pairs, ("a", "b"), left="x"), "no classifier 'x'; .*have a, b"),
    (partial(choose_pairs, ("a", "b"), left="a", right="x"), "no classifier 'x'"),
    (partial(choose_pairs, ("1", "2"), left=ONE), "no classifier 1"),
    (lambda: compare(SCORES, "sign", alpha=7, rule=ExpectedLoss.simple()), "alpha"),
    (lambda: gate(SCORES, baseline="a", over=NO_PLACE), "choose from these, each, average, next"),
    # the correlated t-test
    (lambda: correlated_t_test([1e308, -1e308, 1.5e308], rho=0.1), "too large to compute with"),
    (lambda: correlated_t_test(THREE, rho=1.0), "rho outside"),
    (lambda: correlated_t_test(THREE, rho=-0.1), "rho outside"),
    (lambda: correlated_t_test(THREE, rho=0.1, interval_levels=[1.0]), "between 0 and 1"),
    (lambda: correlated_t_test([0.1, 0.2], rho=0.1), "fewer than 3"),
    (lambda: correlated_t_test([0.1, 0.2, nan], rho=0.1), "not finite"),
    (lambda: correlated_t_test([], rho=0.1), "no differences"),
    (partial(NormalGamma, k0=0.0), "prior"),
    (partial(NormalGamma, a=-1.0), "prior"),
    (partial(NormalGamma, a=1e308), "prior"),
    (partial(NormalGamma, b=-0.1), "prior"),
    (partial(NormalGamma, mean=math.inf), "prior"),
    (lambda: CorrelatedT(sensitivity=True).test(ITEMS, ROPE), "these rows have none"),
    (lambda: CorrelatedT(binary=PairedBinary(strength=2.0)).test(FOLDS, ROPE), "scored 0 or 1"),
    *((partial(PairedBinary, strength=s), "prior strength") for s in (0.0, -1.0, 1e7, nan)),
    # the tests of mean differences
    (partial(sign_test, []), "no data set"),
    (partial(sign_test, [0.1, nan]), "mean difference 2 is nan"),
    (partial(sign_test, [[0.1]]), "one number a data set"),
    *((partial(Sign, prior_strength=s), "from 0 to") for s in (-1.0, math.inf, nan)),
    (partial(Sign, prior_place=NO_PLACE), "choose from rope, left, right, split"),
    (partial(signed_rank_test, [0.1], draws=0), "0 draws"),
    (partial(signed_rank_test, [0.1], draws=9, seed=-1), "seed -1"),
    (partial(signed_rank_test, [0.1], prior_strength=-0.5), "prior strength -0.5"),
    (lambda: PoissonBinomial().test(NO_DATA_SET, ROPE), "no data set"),
    (lambda: wilcoxon(np.arange(1.0, 1002.0), exact=True), "at most 1000 data sets"),
    # the hierarchical test
    (hier(engine="jags"), "no engine called 'jags'; choose quadrature or stan"),
    (hier(prior="jeffreys"), "no prior called 'jeffreys'; choose from corani, tutorial"),
    (hier(alpha_bounds=(2.0, 1.0)), r"alpha bounds \(2, 1\)"),
    (hier(beta_bounds=(0.0, 1.0)), r"beta bounds \(0, 1\)"),
    (hier(prior="gaussian", alpha_bounds=(1.0, 2.0)), "gaussian prior has no α and β"),
    (hier(tol=0.0), "tolerance 0"),
    (hier(tol=1.0), "tolerance 1"),
    (hier(delta0_bounds=(0.1, 0.1)), "δ0 bounds"),
    (hier(delta0_bounds=(-math.inf, 0.1)), "δ0 bounds"),
    (hier(sigma0_bound=0.0), "σ0 bound"),
    # beyond double precision: an error, and no warning
    (hier(alpha_bounds=(1e308, 1e308)), "two numbers from 1e-05 to 100,000"),
    (hier(beta_bounds=(1e-308, 1e-308)), "two numbers from 1e-05 to 100,000"),
    (hier(sigma0_bound=1e308), "out of proportion"),
    (hier(sigma0_bound=1e-308), "out of proportion"),
    (hier(delta0_bounds=(1e-308, 2e-308)), "too close together"),
    (hier(delta0_bounds=(1e300, 1e308)), "too far from the data"),
    (
        lambda: Hierarchical().test(statistics_of([0.01], 0.05), ROPE),
        r"at least 2 data sets, but there is 1.*use ttest",
    ),
    (
        lambda: Hierarchical().test(statistics_of(np.zeros(5), 0.0), Rope(0.0, 0.0)),
        "equal on every data set, and there is no rope",
    ),
    (
        lambda: hierarchical_test([THREE, [0.1, 0.2]], rho=0.5, names=["a", "b"]),
        "data set b: fewer than 3",
    ),
    (partial(Sampling, chains=0), "0 chains"),
    (partial(Sampling, draws=99), "99 draws a chain: give at least 100"),
    (partial(Sampling, warmup=0), "0 warm-up iterations a chain"),
    (partial(Sampling, seed=-1), "seed -1"),
    (partial(Sampling, seed=2**32), "seed 4294967296"),
    # ranks, and the best
    (partial(rank_family, [0.1, 0.2], ["a", "b"]), "data sets in rows"),
    (partial(rank_family, [[0.1], [0.2]], ["a", "b"]), "2 names"),
    (partial(rank_family, [[0.1], [0.2]], ["a"]), "at least two"),
    (partial(rank_family, [[0.1, 0.2]], ["a", "b"]), "the classifiers share 1"),
    (partial(rank_family, [[0.1, 0.2], [0.1, nan]], ["a", "b"]), "not finite"),
    (partial(rank_family, [[0.1, 0.2], [0.1, 0.3]], ["a", "b"], alpha=1.0), "alpha 1"),
    (of_folds(rope=Rope(-0.01, 0.02)), "no left and no right"),
    (of_folds(classifiers=1), "at least two"),
    (of_folds(lacking=1), "no data set to judge b"),
    (partial(best_of, [], NAMES[:2]), "nothing to rank"),
    (partial(Best, draws=10), "at least 100"),
    (partial(Best, level=1.0), "probability"),
    (lambda: family(folds(5, 4), draws=10**9), "GB; give at most"),  # before the work
    (partial(correlated_t_test, KEYED, rho=0.1), "without names or"),
    (partial(correlated_t_test, LETTERS, rho=0.1), "without names or masks"),
    (partial(correlated_t_test, [["d", "e", "f"]], rho=0.1), "arrays of numbers, without"),
    (partial(hierarchical_test, NAMED, rho=0.1), "of numbers, without names"),
    (partial(sign_test, MASKED), "numbers, without names or masks"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_cannot_be_is_refused(call: Callable[[], object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()
