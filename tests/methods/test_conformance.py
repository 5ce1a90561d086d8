"""What must hold for every registered test; a new line in the registry is enough to be here."""

from collections.abc import Callable
from dataclasses import fields, replace
from inspect import signature
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import bcompare
from bcompare.comparing.compare import compare
from bcompare.data.differences import paired_differences
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods import METHODS, load_method
from bcompare.methods.hierarchical.method import TOLERANCE, Hierarchical
from bcompare.methods.interface import PopulationResult, Result
from bcompare.methods.mean_differences import PRIOR_PLACES, PriorPlace, mirrored_place
from bcompare.methods.sign import Sign
from bcompare.methods.signed_rank import SignedRank
from tests.examples import score_sets, scores_from

pytestmark = pytest.mark.usefixtures("one_population")

every_method = pytest.mark.parametrize("name", METHODS)
ropes = st.sampled_from([Rope(-0.01, 0.01), Rope(0, 0), Rope(-0.02, 0.005), Rope(-0.1, 0.1)])
few = settings(max_examples=4)


def stacked(p: RegionProbabilities[float] | RegionProbabilities[FloatArray]) -> FloatArray:
    return np.stack([np.atleast_1d(part) for part in p], axis=1)


def triples(result: Result) -> FloatArray:
    """All triples of probabilities of a result, one a row; the overall one first."""
    rows = [stacked(result.datasets.probabilities)]
    if isinstance(result, PopulationResult):
        rows.insert(0, stacked(result.probabilities))
    return np.concatenate(rows)


def answer(scores: Scores, name: str, rope: Rope) -> FloatArray:
    return answer_and_error(scores, name, rope)[0]


def answer_and_error(scores: Scores, name: str, rope: Rope) -> tuple[FloatArray, float]:
    """With the error that the test itself reports, numerical only: draws are shared, so cancel."""
    result = compare(scores, name, rope=rope).comparisons[0].result
    error = result.error if isinstance(result, PopulationResult) else None
    if error is None or error.kind != "numerical":
        return triples(result), 0.0
    return triples(result), error.value


def changed(scores: Scores, change: Callable[[FloatArray], FloatArray]) -> Scores:
    """The scores with each data set's table changed."""
    datasets = tuple(replace(d, table=change(d.table)) for d in scores.datasets)
    return replace(scores, datasets=datasets)


@every_method
@given(score_sets(), ropes)
@few
def test_probabilities_are_probabilities_and_the_same_again(
    name: str, scores: Scores, rope: Rope
) -> None:
    p = answer(scores, name, rope)
    assert p.tobytes() == answer(scores, name, rope).tobytes()
    assert ((p >= 0) & (p <= 1)).all()
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=0, atol=1e-12)
    if rope.is_empty:
        assert (p[:, 1] == 0).all()


@every_method
@given(score_sets(), ropes)
@few
def test_swapping_left_and_right_swaps_the_probabilities_exactly(
    name: str, scores: Scores, rope: Rope
) -> None:
    swapped = compare(scores, name, rope=rope.mirrored(), pairs=[("b", "a")]).comparisons[0]
    np.testing.assert_array_equal(triples(swapped.result)[:, ::-1], answer(scores, name, rope))


@pytest.mark.parametrize("name", ["sign", "signrank"])
@given(score_sets(), ropes, st.sampled_from(PRIOR_PLACES))
@few
def test_swapping_mirrors_the_place_of_the_prior_too(
    name: str, scores: Scores, rope: Rope, place: PriorPlace
) -> None:
    method = {"sign": Sign, "signrank": SignedRank}[name]
    pair = paired_differences(scores, [("a", "b")])[0].statistics
    one, other = (
        method(prior_place=p).test(pair_of, r)
        for p, pair_of, r in (
            (place, pair, rope),
            (mirrored_place(place), pair.mirrored(), rope.mirrored()),
        )
    )
    np.testing.assert_array_equal(triples(other)[:, ::-1], triples(one))


@every_method
@given(score_sets(), ropes, st.sampled_from([-3.0, 0.25, 100.0]))
@few
def test_adding_a_constant_to_all_scores_changes_nothing(
    name: str, scores: Scores, rope: Rope, constant: float
) -> None:
    shifted = answer(changed(scores, lambda table: table + constant), name, rope)
    expected, error = answer_and_error(scores, name, rope)
    np.testing.assert_allclose(shifted, expected, rtol=0, atol=1e-6 + 2 * error)


@every_method
@given(score_sets(), ropes, st.sampled_from([100.0, 1e-6, 1e6]))
@few
def test_scaling_scores_and_rope_together_changes_nothing(
    name: str, scores: Scores, rope: Rope, factor: float
) -> None:
    wide = Rope(rope.low * factor, rope.high * factor)
    scaled = answer(changed(scores, lambda table: table * factor), name, wide)
    expected, error = answer_and_error(scores, name, rope)
    np.testing.assert_allclose(scaled, expected, rtol=0, atol=1e-6 + 2 * error)


def spread_out(table: FloatArray) -> FloatArray:
    """The table, with a little added to the differences where they are all equal."""
    if np.ptp(table[:, 1] - table[:, 0]) > 1e-12:
        return table
    return table + 1e-3 * np.outer(np.arange(len(table)) % 2, [0, 1])


@every_method
@given(score_sets(), st.floats(0.001, 0.1), st.floats(1, 5))
@few
def test_a_wider_rope_never_lowers_its_probability(
    name: str, scores: Scores, half_width: float, factor: float
) -> None:
    assume(factor > 1)
    # Of hier, differences without spread get one from the rope: with another rope another model.
    scores = changed(scores, spread_out)
    (narrow, error), (wide, more) = (
        answer_and_error(scores, name, Rope.symmetric(width))
        for width in (half_width, half_width * factor)
    )
    assert (wide[:, 1] >= narrow[:, 1] - (1e-12 + error + more)).all()


@every_method
@given(score_sets(), ropes, st.randoms(use_true_random=False))
@few
def test_order_of_data_sets_and_folds_changes_nothing(
    name: str, scores: Scores, rope: Rope, random: Random
) -> None:
    order = list(range(len(scores.datasets)))
    random.shuffle(order)

    def turned(dataset: DatasetScores) -> DatasetScores:
        return replace(dataset, table=dataset.table[::-1])

    shuffled = replace(scores, datasets=tuple(turned(scores.datasets[i]) for i in order))
    before = answer(scores, name, rope)
    overall = len(before) - len(order)
    expected = np.concatenate([before[:overall], before[overall:][order]])
    np.testing.assert_allclose(answer(shuffled, name, rope), expected, rtol=0, atol=1e-9)


@every_method
def test_many_pairs_at_once_give_the_answers_of_each(name: str) -> None:
    rng, rope, method = np.random.default_rng(7), Rope(-0.01, 0.01), load_method(name)()
    pairs = [
        SufficientStatistics.from_differences(rng.normal(0.005, 0.02, (q, 10)), 0.1)
        for q in (30, 3, 30, 7)
    ]
    calls: list[tuple[int, int]] = []
    together = method.test_all(pairs, rope, lambda done, total: calls.append((done, total)))
    assert calls == sorted(calls)
    assert calls[-1] == (4, 4)
    for pair, outcome in zip(pairs, together, strict=True):
        alone = method.test(pair, rope)
        assert isinstance(outcome, Result)
        np.testing.assert_array_equal(triples(outcome), triples(alone))
        np.testing.assert_array_equal(outcome.p_values, alone.p_values)
        assert outcome.notes == alone.notes


@every_method
def test_all_tied_is_equivalent(name: str) -> None:
    """The hierarchical model gives constant data sets a spread, so that 1 is not quite reached."""
    table = np.repeat(np.linspace(0.5, 0.9, 10)[:, None], 2, axis=1)
    tied = scores_from({f"set-{i}": table for i in range(6)})
    result = answer(tied, name, Rope(-0.01, 0.01))
    assert (result[:, 1] > 0.999).all()
    np.testing.assert_array_equal(result[:, 0], result[:, 2])


@pytest.mark.parametrize("q", [1, 2, 9])
@pytest.mark.parametrize("name", ["sign", "signrank", "poisson"])
def test_no_difference_at_all(name: str, q: int) -> None:
    """In the rope; without one half to the left and half to the right; also under one side of 0."""
    pair = SufficientStatistics.from_differences(np.zeros((q, 5)), 0.2)
    method = load_method(name)()
    for rope, expected in (
        (Rope(-0.01, 0.01), [0, 1, 0]),
        (Rope(0, 0), [0.5, 0, 0.5]),
        (Rope(0, 0.02), [0, 1, 0]),
    ):
        result = method.test(pair, rope)
        assert isinstance(result, PopulationResult)
        np.testing.assert_array_equal(triples(result)[0], expected)
        assert "zero-variance" in {note.code for note in result.notes}
        assert result.nhst.p_value == 1


@pytest.mark.parametrize("rope", [Rope.of(0.01), Rope(-0.005, 0.02), Rope.of(0.0)], ids=str)
@pytest.mark.parametrize(
    "method",
    [
        *(method for name in METHODS if hasattr(method := load_method(name)(), "draw_theta")),
        Hierarchical(prior="gaussian"),
    ],
    ids=lambda method: f"{method.name}-{getattr(method, 'prior', '')}",
)
def test_draws_of_theta_have_the_shares_and_means_of_the_answer(method: Any, rope: Rope) -> None:
    """Within five standard errors, and what a quadrature may be off."""
    rng = np.random.default_rng(3)
    folds = [rng.normal(rng.normal(0.005, 0.01), 0.03, 20) for _ in range(9)]
    pair = SufficientStatistics.from_differences(folds, 0.1)
    theta, result = method.draw_theta(pair, rope), method.test(pair, rope)
    np.testing.assert_allclose(theta.sum(axis=1), 1, rtol=1e-12)
    shares = np.bincount(theta.argmax(axis=1), minlength=3) / len(theta)
    drawn = [(shares, result.probabilities)]
    if hasattr(result, "theta_mean"):
        drawn.append((theta.mean(axis=0), result.theta_mean))
    for ours, regions in drawn:
        p = np.array([*regions])
        error = np.sqrt(np.maximum(p * (1 - p), 1e-5) / len(theta))
        assert (np.abs(ours - p) <= 5 * error + TOLERANCE).all()


@every_method
def test_the_registry_and_the_class_agree_on_the_name(name: str) -> None:
    method = load_method(name)()
    assert method.name == name
    assert method.title
    assert method.describe()


@every_method
def test_the_function_for_arrays_takes_the_options_of_its_class(name: str) -> None:
    functions: dict[str, Callable[..., object]] = {
        "ttest": bcompare.correlated_t_test,
        "hier": bcompare.hierarchical_test,
        "sign": bcompare.sign_test,
        "signrank": bcompare.signed_rank_test,
        "poisson": bcompare.poisson_binomial_test,
    }
    options = {field.name: field.default for field in fields(load_method(name))}
    shown = signature(functions[name]).parameters
    assert {option: shown[option].default for option in options} == options
