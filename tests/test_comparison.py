"""A method over all pairs: differences, pairs, families of p-values, decisions, ropes, notes."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcompare.basis.messages import InputError
from bcompare.comparing.compare import compare
from bcompare.comparing.decision import ExpectedLoss, Threshold, decide_one
from bcompare.data.differences import paired_differences
from bcompare.data.pairs import choose_pairs
from bcompare.data.rope import RegionProbabilities
from bcompare.data.scores import Scores
from bcompare.methods.correction import bonferroni, holm
from tests.command import run
from tests.examples import scores_from

NAMES = ("a", "b", "c", "d")


@pytest.fixture
def scores() -> Scores:
    """Four classifiers on three data sets; d lacks one of them."""
    rng = np.random.default_rng(3)
    tables = {f"set-{i}": rng.normal([0.7, 0.71, 0.73, 0.76], 0.03, (10, 4)) for i in range(3)}
    tables["set-2"][:, 3] = np.nan
    return scores_from(tables, NAMES)


def test_pairs() -> None:
    assert list(choose_pairs(("a", "b", "c"))) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert choose_pairs(("a", "b", "c"), left="b") == [("b", "a"), ("b", "c")]
    assert choose_pairs(("a", "b", "c"), right="b") == [("a", "b"), ("c", "b")]
    assert choose_pairs(("a", "b", "c"), left="c", right="a") == [("c", "a")]


def test_p_values_of_a_data_set_are_corrected_for_the_pairs_on_that_data_set(
    scores: Scores,
) -> None:
    comparisons = compare(scores, "ttest").comparisons
    for i in range(3):
        name = f"set-{i}"
        result = [
            (c.p_values[at], c.bonferroni[at], c.holm[at])
            for c in comparisons
            for at, own in enumerate(c.differences.statistics.names)
            if own == name
        ]
        assert len(result) == (3 if name == "set-2" else 6)
        p_values, by_bonferroni, by_holm = np.array(result, dtype=float).T
        np.testing.assert_array_equal(by_bonferroni, bonferroni(p_values))
        np.testing.assert_array_equal(by_holm, holm(p_values))


@pytest.mark.parametrize("test", ["ttest", "hier"])
@pytest.mark.parametrize(
    ("folds", "other", "known"), [(14, 0.5, False), (15, 0.5, True), (15, 0.52, False)]
)
def test_an_average_of_scores_that_never_differ_is_known_from_30_on(
    test: str, folds: int, other: float, known: bool
) -> None:
    scores = scores_from({name: np.tile([0.5, other], (folds, 1)) for name in "xy"}, ("a", "b"))
    comparison = compare(scores, test).comparisons[0]
    assert (comparison.over_these is not None, comparison.observed is not None) == (known, known)


def test_positive_means_that_right_scores_higher() -> None:
    scores = scores_from({"d": [[0.5, 0.7], [0.6, 0.7], [0.5, 0.6]]})
    statistics = paired_differences(scores, [("a", "b")])[0].statistics
    assert statistics.mean[0] == pytest.approx(0.4 / 3)


@given(st.integers(0, 2**32 - 1), st.integers(3, 40), st.integers(2, 6))
def test_all_pairs_from_one_covariance_matrix_as_from_each_pairs_columns(
    seed: int, n: int, c: int
) -> None:
    table = np.random.default_rng(seed).normal(0.7, 0.1, (n, c))
    names = tuple("abcdef"[:c])
    pairs = [(left, right) for left in names for right in names if left != right]
    scores = scores_from({"d": table}, names)
    for result in paired_differences(scores, pairs):
        x = table[:, names.index(result.right)] - table[:, names.index(result.left)]
        assert result.statistics.mean[0] == pytest.approx(x.mean(), abs=1e-12)
        assert result.statistics.ss[0] == pytest.approx(((x - x.mean()) ** 2).sum(), rel=1e-8)


@given(st.integers(0, 2**32 - 1), st.floats(1e-9, 1e-3))
def test_nearly_equal_classifiers_keep_their_digits(seed: int, spread: float) -> None:
    """The covariance form alone would lose them all."""
    rng = np.random.default_rng(seed)
    left = rng.uniform(0.2, 0.9, 50)
    x = rng.normal(0, spread, 50)
    scores = scores_from({"d": np.stack([left, left + x], axis=1)})
    ss = paired_differences(scores, [("a", "b")])[0].statistics.ss[0]
    exact = (left + x) - left
    assert ss == pytest.approx(((exact - exact.mean()) ** 2).sum(), rel=1e-6)


@given(st.integers(0, 100), st.integers(1, 99), st.integers(1, 5))
def test_decimal_scores_with_a_constant_difference_are_constant(
    base: int, difference: int, decimals: int
) -> None:
    """0.1 + 0.2 is not 0.3 in binary, yet the difference is 0.2 on every fold."""
    unit = 10**decimals
    left = (base + np.arange(60)) / unit
    right = (base + np.arange(60) + difference) / unit
    scores = scores_from({"d": np.stack([left, right], axis=1)})
    statistics = paired_differences(scores, [("a", "b")])[0].statistics
    assert statistics.is_constant.all()
    assert statistics.mean[0] == difference / unit


def test_a_difference_as_wide_as_the_rope_in_decimals_is_inside_it() -> None:
    """0.85 - 0.84 exceeds 0.01 in binary."""
    assert 0.85 - 0.84 > 0.01
    scores = scores_from({"d": np.tile([0.84, 0.85], (10, 1))})
    result = compare(scores, "ttest", rope=0.01).comparisons[0].result
    assert float(result.datasets.probabilities.rope[0]) == 1.0


def test_pairs_without_a_common_data_set_are_named() -> None:
    table = np.random.default_rng(0).normal(0.7, 0.1, (10, 3))
    first, second = table.copy(), table.copy()
    first[:, 2] = np.nan
    second[:, 0] = np.nan
    scores = scores_from({"x": first, "y": second}, ("a", "b", "c"))
    study = compare(scores, "ttest")
    assert len(study.comparisons) == 2
    (note,) = [note for note in study.notes if note.code == "no-common-dataset"]
    assert "a and c" in note.message
    with pytest.raises(InputError):
        compare(scores, "ttest", pairs=[("a", "c")])


@pytest.mark.parametrize("wild", [1e9, -1e20, 1e100])
def test_a_further_classifier_changes_no_pair(wild: float) -> None:
    """Not even one that diverged: every number of a pair comes from its own two columns."""
    rng = np.random.default_rng(1)
    tables = {f"set-{i}": rng.normal([0.7, 0.75], 0.02, (10, 2)) for i in range(6)}
    third = {name: np.column_stack([table, np.full(10, wild)]) for name, table in tables.items()}
    pair = [("a", "b")]
    alone = paired_differences(scores_from(tables), pair)[0].statistics
    among = paired_differences(scores_from(third, ("a", "b", "c")), pair)[0].statistics
    np.testing.assert_array_equal(among.mean, alone.mean)
    np.testing.assert_allclose(among.ss, alone.ss, rtol=1e-8)


@pytest.mark.parametrize("factor", [1e-130, 1e130])
def test_extreme_units_change_nothing(factor: float) -> None:
    table = np.random.default_rng(2).normal([0.7, 0.75], 0.02, (10, 2))
    statistics = paired_differences(scores_from({"d": table}), [("a", "b")])[0].statistics
    scaled = paired_differences(scores_from({"d": table * factor}), [("a", "b")])[0].statistics
    assert scaled.mean[0] / factor == pytest.approx(statistics.mean[0], rel=1e-10)
    assert scaled.ss[0] / factor / factor == pytest.approx(statistics.ss[0], rel=1e-8)


@pytest.mark.parametrize(("factor", "word"), [(1e200, "large"), (1e-200, "small")])
def test_scores_whose_squares_overflow_are_refused_by_name(factor: float, word: str) -> None:
    table = np.random.default_rng(2).normal([0.7, 0.75], 0.02, (10, 2)) * factor
    with pytest.raises(InputError, match=f"data set d: the scores of a .* too {word}"):
        paired_differences(scores_from({"d": table}), [("a", "b")])


def probabilities(left: float, rope: float) -> RegionProbabilities[float]:
    return RegionProbabilities(left, rope, 1 - left - rope)


@pytest.mark.parametrize(
    ("left", "rope", "expected"),
    [(0.96, 0.02, "left"), (0.02, 0.96, "rope"), (0.01, 0.01, "right"), (0.95, 0.05, "none")],
)
def test_threshold(left: float, rope: float, expected: str) -> None:
    assert decide_one(Threshold(0.05), probabilities(left, rope)) == expected


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_default_loss_is_the_default_threshold(u: float, v: float) -> None:
    """Tutorial §3.2: 0.05 x 20 = 1, so that the loss 0/20/1 is the rule of 0.95."""
    p = probabilities(min(u, v), max(u, v) - min(u, v))
    if min(abs(x - 0.95) for x in (p.left, p.rope, p.right)) > 1e-9:
        assert decide_one(ExpectedLoss.simple(), p) == decide_one(Threshold(0.05), p)


def test_an_asymmetric_loss_prefers_the_cheap_mistake() -> None:
    """Wrongly choosing the right classifier costs a hundredfold: left is decided at 0.6."""
    losses = np.array([[0, 1, 100, 50], [1, 0, 100, 50], [1, 1, 0, 50]], dtype=float)
    assert decide_one(ExpectedLoss(losses), probabilities(0.6, 0.1)) == "left"


def test_equal_losses_decide_nothing() -> None:
    assert decide_one(ExpectedLoss.simple(1, 1), probabilities(0.5, 0.0)) == "none"


SAMPLE = Path(__file__).parents[1] / "sample_data" / "results.csv"
THREE = [f"--classifier={name}" for name in ("knn", "tree", "forest")]


@pytest.mark.usefixtures("one_population")
@pytest.mark.parametrize(
    ("test", "ropes"),
    [
        ("sign", ("0.01", "0.02")),  # only with the second is there room for an interval
        ("hier", ("0", "0.01", "0.03")),  # only with the second any chance of a verdict is known
    ],
)
def test_each_row_is_that_of_its_rope_alone(test: str, ropes: tuple[str, ...]) -> None:
    def rows(*widths: str) -> list[dict[str, str]]:
        given = [part for width in widths for part in ("--rope", width)]
        result = run(test, SAMPLE, *THREE, *given, "--format", "markdown").out
        table = [line.strip("| ").split(" | ") for line in result.splitlines() if "|" in line]
        header, _, *body = ([cell.strip() for cell in cells] for cells in table)
        return [dict(zip(header, cells, strict=True)) for cells in body]

    same = ("left", "right", "verdict", "p(left)", "p(rope)", "p(right)", "Holm p", "chance")
    together = rows(*ropes)
    assert len(together) == 3 * len(ropes)
    for width in ropes:
        of_rope = [row for row in together if row["rope"] == width]
        for alone, row in zip(rows(width), of_rope, strict=True):
            for name in same:  # of differences the rope says how many decimals are written
                assert row.get(name, "–") == alone.get(name, "–")
