"""A family: its short text, correlations, and the tests of pairs on one data set."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bcompare.data.rope import FloatArray
from bcompare.data.units import ITEM
from bcompare.ranking.family import Family, correlations
from tests.examples import scores_from
from tests.ranking.families import NAMES, family_on, rank_once


@pytest.mark.parametrize(("q", "expected"), [(1, "1 data set"), (2, "2 data sets")])
def test_the_short_text_counts_data_sets(q: int, expected: str) -> None:
    assert repr(family_on(q)) == f"<Family: 3 classifiers, {expected}>"


@pytest.mark.parametrize("constant", [0.1, 0.7, 0.83])
@pytest.mark.parametrize("n", [3, 7, 10])
def test_scores_that_never_vary_have_no_correlation(constant: float, n: int) -> None:
    varying = np.random.default_rng(0).normal(0.7, 0.02, n)
    table = np.column_stack([varying, np.full(n, constant)])
    (dataset,) = scores_from({"x": table}).datasets
    result = correlations(dataset)
    assert result[0, 0] == pytest.approx(1)
    assert np.isnan(result[[0, 1, 1], [1, 0, 1]]).all()


def test_no_correlation_is_beyond_one_by_rounding() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        column = rng.normal(0.7, 0.02, 10)
        (dataset,) = scores_from({"x": np.column_stack([column, 1 - column])}).datasets
        result = correlations(dataset)
        assert np.abs(result).max() <= 1
        np.testing.assert_allclose(result, [[1, -1], [-1, 1]])


def on_items(answers: FloatArray) -> Family:
    """Rank two models by their answers to the same items."""
    scores = scores_from({"x": answers}, NAMES[:2], rho=0.0)
    return rank_once(replace(scores, unit=ITEM))


def test_right_and_wrong_answers_are_tested_by_mcnemar() -> None:
    answers = (np.random.default_rng(0).random((40, 2)) < [0.5, 0.7]).astype(np.float64)
    family = on_items(answers)
    (test,) = family.pairwise.tests
    only_first = int((answers[:, 0] > answers[:, 1]).sum())
    only_second = int((answers[:, 1] > answers[:, 0]).sum())
    expected = stats.binomtest(only_first, only_first + only_second).pvalue
    assert (test.test, test.title) == ("mcnemar", "McNemar (exact)")
    assert test.p_value == pytest.approx(expected)


def test_graded_answers_are_tested_by_the_paired_t_test() -> None:
    answers = np.random.default_rng(0).uniform(0, 1, (40, 2)).round(3)
    family = on_items(answers)
    (test,) = family.pairwise.tests
    assert test.title == "paired t-test"
    expected = stats.ttest_rel(answers[:, 1], answers[:, 0])
    assert test.statistic == pytest.approx(expected.statistic)
    assert test.p_value == pytest.approx(expected.pvalue)
    alone = stats.ttest_rel(answers[:, 1], answers[:, 0], alternative="greater")
    assert test.p_right_better == pytest.approx(alone.pvalue)


def test_folds_are_tested_by_the_corrected_t_test() -> None:
    tests = family_on(1).pairwise.tests
    assert {test.title for test in tests} == {"corrected t-test"}
