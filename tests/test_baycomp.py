"""The calls of baycomp: the same answers, but for its sampling, and what differs."""

from collections.abc import Callable
from typing import Any

import baycomp as theirs
import baycomp.multiple
import numpy as np
import pytest

import bcompare
import bcompare.baycomp.multiple
from bcompare import baycomp as ours
from bcompare.basis.messages import InputError

DRAW = np.random.default_rng(11)
X = DRAW.uniform(0.6, 0.9, 24)
Y = X + DRAW.normal(0.008, 0.03, 24)
Y[3] = X[3]  # a tie
MANY_X = DRAW.uniform(0.6, 0.9, (9, 20))
MANY_Y = MANY_X + DRAW.normal(0.015, 0.03, (9, 20))
# Four standard errors, at most, of their share of 50,000 draws.
SAMPLED = 4 * 0.5 / np.sqrt(50_000)

Call = Callable[[Any], Any]


def facts(p: Any) -> list[float]:
    """What a posterior on one data set has."""
    names = ("mean", "var", "df", "rope", "meanx", "meany", "nsamples")
    return [*(getattr(p, name) for name in names), len(p.sample)]


def spread(sample: Any) -> list[float]:
    return [*sample.mean(axis=0), *sample.std(axis=0)]


@pytest.mark.parametrize(
    "call",
    [
        lambda b: b.two_on_single(X, Y),
        lambda b: b.two_on_single(X, Y, 0.01),
        lambda b: b.two_on_single(X, Y, rope=0.01, runs=3),
        lambda b: b.two_on_single(X[:2], Y[:2], rope=0.01),
        lambda b: b.two_on_single(X, X + 0.25, rope=0.01),
        lambda b: b.two_on_single(X, X),
        lambda b: b.CorrelatedTTest.probs(X, Y, rope=0.02, runs=2),
        lambda b: b.CorrelatedTTest(X, Y, rope=0.02).probs(),
        lambda b: b.CorrelatedTTest(X, Y).probs(),
        lambda b: b.CorrelatedTTest.compute_statistics(X, Y, runs=4),
        lambda b: facts(b.CorrelatedTTest(X, Y, rope=0.02, runs=2)),
    ],
)
def test_one_data_set_is_the_same_to_all_digits(call: Call) -> None:
    assert call(ours) == pytest.approx(call(theirs), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda b: b.two_on_multiple(X, Y),
        lambda b: b.two_on_multiple(X, Y, rope=0.01, random_state=2, nsamples=50_000),
        lambda b: b.SignTest.probs(X, Y, 0.01, prior=3),
        lambda b: b.SignTest.probs(X, Y, 0.01, prior=(2.5, b.SignTest.LEFT)),
        lambda b: b.SignTest.probs(X, Y, 0.01, prior=(2.5, b.SignTest.RIGHT)),
        lambda b: b.SignTest(X, Y, rope=0.01).probs(),
        lambda b: b.SignTest(X, Y).probs(with_rope=False),
        lambda b: b.SignedRankTest.probs(X, Y, rope=0.01, prior=2),
        lambda b: b.SignTest.sample(X, Y, 0.01).mean(axis=0),
        lambda b: spread(b.SignedRankTest.sample(X, Y, 0.01)),
    ],
)
def test_several_data_sets_are_the_same_but_for_sampling(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = np.random.RandomState
    with monkeypatch.context() as patch:  # without a seed, theirs takes one by chance
        patch.setattr(np.random, "RandomState", lambda seed: state(8 if seed is None else seed))
        expected = call(theirs)
    answer = call(ours)
    assert answer == pytest.approx(expected, abs=SAMPLED)
    assert tuple(answer) == tuple(call(ours))


def test_the_examples_of_its_documentation() -> None:
    """Shortcuts, tests with a prior, and posteriors that are kept and asked again."""
    nbc, j48 = 100 * X, 100 * Y
    for b in (theirs, ours):
        assert (len(b.two_on_multiple(nbc, j48, rope=1)), len(b.SignTest.probs(nbc, j48))) == (3, 2)
        posterior = b.SignedRankTest(nbc, j48, rope=1)
        assert (len(posterior.probs()), posterior.sample.shape[1]) == (3, 3)
        p, figure = b.two_on_single(nbc, j48, rope=1, plot=True, names=("nbc", "j48"))
        assert len(p) == 3
        assert figure.axes
        assert posterior.plot(names=("nbc", "j48")).axes
        assert b.SignTest.plot(nbc, j48, rope=1).axes


def test_the_hierarchical_test_is_ours_with_its_priors() -> None:
    p = ours.two_on_multiple(MANY_X, MANY_Y, rope=0.01, runs=2, chains=2, random_state=5)
    largest = float(np.abs(MANY_Y - MANY_X).max())
    own = bcompare.hierarchical_test(
        MANY_Y - MANY_X,
        rho=0.1,
        rope=0.01,
        alpha_bounds=(1, 2),
        beta_bounds=(0.01, 0.1),
        delta0_bounds=(-largest, largest),
    ).probabilities
    assert p == pytest.approx((own.left, own.rope, own.right), abs=1e-9)
    assert ours.HierarchicalTest.probs(MANY_X, MANY_Y, 0.01, runs=2) == p
    assert len(ours.HierarchicalTest.probs(MANY_X, MANY_Y)) == 2
    other = ours.HierarchicalTest.probs(
        MANY_X, MANY_Y, 0.01, runs=2, upper_sigma=0.5, lower_alpha=5, upper_alpha=9
    )
    assert other != p


def test_orange_asks_like_this_and_expects_nan_for_a_single_score() -> None:
    p0, rope, p1 = ours.two_on_single(np.array([0.8]), np.array([0.9]), 0.1)
    assert np.isnan([p0, rope, p1]).all()
    left, right = ours.two_on_single(X, Y)
    assert left + right == pytest.approx(1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ours.two_on_single(X, Y[1:]), "the same shape, with 1 dimension$"),
        (lambda: ours.two_on_single(MANY_X, MANY_Y), "with 1 dimension$"),
        (lambda: ours.SignTest.probs(X, Y, rope=-1), "cannot be negative"),
        (lambda: ours.two_on_single(X, Y, runs=5), "24 scores are not 5 runs"),
        (lambda: ours.two_on_single(X, Y, runs=0), "give a positive whole number"),
        (lambda: ours.two_on_multiple(MANY_X, MANY_Y, runs=0), "give a positive whole number"),
    ],
)
def test_what_it_refuses_is_a_value_error_here_too(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


A, B = [0.70, 0.72, 0.71, 0.69, 0.73, 0.70], [0.75, 0.74, 0.76, 0.75, 0.77, 0.71]


def test_arrays_are_compared_as_their_rows_are() -> None:
    arrays: Any = bcompare.compare_arrays
    difference = np.subtract(B, A)
    for rows, options, rho in (
        ("folds", {}, 1 / 6),
        ("folds", {"runs": 2}, 1 / 3),
        ("folds", {"rho": 0.3}, 0.3),
        ("items", {}, 0.0),
        ("seeds", {}, 0.0),
    ):
        (pair,) = arrays(A, B, rows, **options).comparisons
        own = bcompare.correlated_t_test(difference, rho=rho, rope=0.01).datasets.probabilities
        assert pair.probabilities.right == pytest.approx(float(own.right[0]), abs=1e-12)
        assert (pair.left, pair.right) == ("left", "right")
    (pair,) = arrays(A, B, "datasets", "sign", names=("old", "new")).comparisons
    own_sign = bcompare.sign_test(difference, rope=0.01).probabilities
    assert pair.probabilities.right == pytest.approx(own_sign.right)
    assert (pair.left, pair.right) == ("old", "new")
    several = bcompare.compare_arrays(MANY_X, MANY_Y, "folds", "hier", runs=2)
    rows_of = several.comparisons[0].differences.statistics
    assert rows_of.n.tolist() == [20] * 9
    assert rows_of.rho == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((A, B, "fold"), "rows 'fold': say what the values are: folds, items, seeds, datasets"),
        ((A, B[1:], "folds"), r"arrays of shapes \(6,\) and \(5,\)"),
        ((A, [*B[:5], np.nan], "folds"), r"right\[5\]: not a finite number"),
        ((MANY_X, MANY_Y, "datasets"), "one mean for each data set"),
        (([], [], "folds"), r"left: an array of shape \(0,\): give scores"),
        ((A, B, "items", {"rho": 0.2}), "leave it out for items"),
        ((A, B, "folds", {"runs": 4}), "6 folds are not 4 runs"),
        ((A, B, "folds", {"names": ("a", "a")}), "two different names"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(arguments: Any, message: str) -> None:
    left, right, rows, *options = arguments
    with pytest.raises(InputError, match=message):
        bcompare.compare_arrays(left, right, rows, **dict(*options))


def test_what_its_own_calls_accept_is_accepted() -> None:
    z = np.array([0.0, 0.0, 0.0, 0.02, 0.03])
    sampled = ours.SignTest.sample(0 * z, z)
    shares = np.bincount(sampled.argmax(axis=1), minlength=3) / len(sampled)
    own = ours.SignTest(0 * z, z).probs()
    assert shares == pytest.approx(own, abs=SAMPLED)  # also with ties, and without a rope
    assert len(ours.SignedRankTest.sample(X, Y, 0.01, nsamples=1000)) == 1000
    assert len(ours.HierarchicalTest.sample(MANY_X, MANY_Y, 0.01, nsamples=700)) == 700
    for b in (theirs, ours):
        posterior = b.multiple.Posterior(np.array([[0.2, 0.3, 0.5], [0.6, 0.1, 0.3]]))
        assert posterior.probs() == (0.5, 0, 0.5)
        assert posterior.plot().axes
        assert b.SignTest(X, Y, 0.01).plot(names=("A", "A")).axes


@pytest.mark.parametrize("b", [theirs, ours])
def test_many_folds_and_answers_have_pictures_as_they_have_answers(b: Any) -> None:
    many = DRAW.uniform(0.6, 0.9, (2, 80))
    answers = (many > 0.7).astype(float)
    for x, y in (many, answers):
        p, figure = b.two_on_single(x, y, rope=0.01, plot=True, names=("A", "A"))
        assert len(p) == 3
        assert figure.axes
    p, figure = b.two_on_multiple(*answers[:, :12], rope=0.1, plot=True)
    assert figure.axes


@pytest.mark.parametrize("test", ["SignTest", "SignedRankTest"])
def test_equal_scores_speak_for_neither(test: str) -> None:
    same = np.full(30, 0.5)
    assert getattr(ours, test).probs(same, same) == (0.5, 0.5)


def test_sixty_folds_of_several_data_sets_have_an_answer() -> None:
    x = DRAW.uniform(0.6, 0.9, (5, 60))
    p = ours.two_on_multiple(x, x + DRAW.normal(0, 0.05, (5, 60)), rope=0.01)
    assert sum(p) == pytest.approx(1)
