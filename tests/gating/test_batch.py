"""Suites judged all at once are judged as each of them is."""

from dataclasses import replace

import numpy as np
import pytest

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import FOLD, SEED
from bcompare.gating.batch import DRAWS, FEWER_DRAWS, SimulatedSuites, mixing_variables, outcomes
from bcompare.gating.claims import suite_claims
from bcompare.gating.rule import WORST_FIRST, Claim, FailIf, GateRule, judge
from bcompare.methods.correlated_t import CorrelatedT

ROPE = Rope.of(0.01)
METHOD = CorrelatedT(interval_levels=())
COUNT = 12


def drawn(q: int, n: int, shape: str, seed: int) -> FloatArray:
    """(COUNT, q, n) differences around means from surely worse to surely not."""
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((COUNT, q, n))
    if shape == "skewed":
        noise = np.exp(noise) - np.exp(0.5)
    if shape == "collapsed":
        noise[:, 0, 0] = -40
    shift = np.linspace(-4, 4, COUNT) / np.sqrt(q * n)
    return np.asarray(-0.01 + 0.02 * (noise + shift[:, None, None]))


def claims_of(differences: list[FloatArray], rho: float, rule: GateRule) -> list[Claim]:
    statistics = SufficientStatistics.from_differences(differences, rho)
    statistics = replace(statistics, unit=FOLD if rho else SEED)
    result = METHOD.test(statistics, ROPE)
    return suite_claims(statistics, result, ROPE, METHOD.name, rule)


@pytest.mark.parametrize("shape", ["normal", "skewed", "collapsed"])
@pytest.mark.parametrize("rho", [0.0, 0.2])
@pytest.mark.parametrize(("q", "n"), [(1, 3), (1, 10), (2, 5), (6, 10), (3, 16)])
def test_claims_are_those_of_each_suite(shape: str, rho: float, q: int, n: int) -> None:
    """Exactly on each data set; on average with the error of the mixing variables' mean."""
    rule = GateRule(fail_if="not-better")
    x = drawn(q, n, shape, seed=q * n)
    suites = SimulatedSuites((x,), (np.full(q, rho),), FOLD if rho else SEED)
    batch = suites.claims(ROPE, rule)
    for r in range(COUNT):
        own = claims_of(list(x[r]), rho, rule)
        each = slice(0, None) if q == 1 else slice(1, None)
        worse = np.array([claim.p.left for claim in own])
        better = np.array([claim.p.right for claim in own])
        assert batch.worse[r, each] == pytest.approx(worse[each], abs=1e-9)
        assert batch.better[r, each] == pytest.approx(better[each], abs=1e-9)
        assert batch.suspect[r].tolist() == [claim.suspect for claim in own]
        assert batch.main.tolist() == [claim.main for claim in own]
        # a probability's standard deviation over the variables is at most a tenth
        error = 0.1 / np.sqrt(DRAWS if n < 16 else FEWER_DRAWS)
        assert batch.worse[r] == pytest.approx(worse, abs=4 * error)
        assert batch.better[r] == pytest.approx(better, abs=4 * error)


def test_data_sets_of_different_sizes_are_those_of_each_suite() -> None:
    first = drawn(2, 5, "normal", seed=1)
    second = drawn(3, 12, "skewed", seed=2)
    rule = GateRule()
    suites = SimulatedSuites((first, second), (np.zeros(2), np.zeros(3)), SEED)
    batch = suites.claims(ROPE, rule)
    for r in range(COUNT):
        own = claims_of([*first[r], *second[r]], 0.0, rule)
        worse = [claim.p.left for claim in own]
        assert batch.worse[r] == pytest.approx(worse, abs=0.4 / np.sqrt(DRAWS))


@pytest.mark.parametrize("fail_if", ["worse", "not-better", "not-better-or-equivalent"])
@pytest.mark.parametrize("aim", [False, True])
def test_outcomes_are_those_of_the_rule(fail_if: FailIf, aim: bool) -> None:
    """Of two metrics, one of which may have to be better; but for probabilities near a level."""
    rule = GateRule(fail_if=fail_if, alpha=0.1)
    first = drawn(3, 8, "normal", seed=3)
    if fail_if == "not-better":
        first = first + 0.02
    second = drawn(3, 8, "normal", seed=4)[::-1] + 0.03
    batches = []
    for x, is_aim in ((first, False), (second, aim)):
        suites = SimulatedSuites((x,), (np.zeros(3),), SEED)
        batches.append(suites.claims(ROPE, rule, aim=is_aim))
    found = [WORST_FIRST[position] for position in outcomes(rule, batches).tolist()]
    expected = []
    for r in range(COUNT):
        of_first = claims_of(list(first[r]), 0.0, rule)
        of_second = [replace(c, aim=aim) for c in claims_of(list(second[r]), 0.0, rule)]
        judged = judge(rule, [*of_first, *of_second])
        expected.append(min(judged, key=WORST_FIRST.index))
    assert found == expected
    assert len(set(found)) > 1


def test_advisory_metrics_and_all_but_the_average_of_a_bar_do_not_count() -> None:
    x = drawn(3, 8, "normal", seed=3)
    rule = GateRule()
    claims = SimulatedSuites((x,), (np.zeros(3),), SEED).claims(ROPE, rule)
    bad = replace(claims, worse=np.ones_like(claims.worse), advisory=True)
    alone = outcomes(rule, [claims])
    assert (outcomes(rule, [claims, bad]) == alone).all()
    assert (outcomes(rule, [claims, replace(bad, advisory=False)]) == 0).all()
    one_bad = claims.worse.copy()
    one_bad[:, 1] = 1.0
    failed = replace(claims, worse=one_bad)
    assert (outcomes(rule, [failed]) == 0).all()
    assert failed.first().worse.shape == (COUNT, 1)
    assert (outcomes(rule, [failed.first()]) != 0).any()


def test_mixing_variables_are_those_of_students_distribution() -> None:
    """Their mean is ν/(ν - 2); strata leave hardly any error, but in the tail."""
    values = mixing_variables((9, 30))
    assert values.shape == (2, DRAWS)
    assert mixing_variables((15, 30)).shape == (2, FEWER_DRAWS)
    assert values.mean(axis=1) == pytest.approx([9 / 7, 30 / 28], rel=0.005)
    correlation = np.asarray(np.corrcoef(values))[0, 1]
    assert abs(correlation) < 4 / np.sqrt(DRAWS)
