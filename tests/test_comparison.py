"""A method over all pairs: which pairs, which family of p-values, which notes."""

from typing import Any

import numpy as np
import pytest

from bcompare import as_text, gate
from bcompare.basis.errors import InputError
from bcompare.comparing.compare import compare
from bcompare.data.pairs import choose_pairs
from bcompare.data.scores import Scores
from bcompare.methods.correction import bonferroni, holm
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


@pytest.mark.parametrize("options", [{"left": "aa"}, {"left": "a", "right": "x"}])
def test_an_unknown_classifier_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(InputError, match="there is no classifier"):
        choose_pairs(("a", "b", "c"), **options)


def test_a_number_is_no_name() -> None:
    number: Any = 1
    with pytest.raises(InputError, match="there is no classifier 1; did you mean '1'"):
        choose_pairs(("1", "2"), left=number)


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


def test_a_data_set_that_no_pair_rests_on_is_named(scores: Scores) -> None:
    study = compare(scores, "ttest", pairs=[("a", "d")])
    (note,) = [note for note in study.notes if note.code == "unused"]
    assert "set-2" in note.message


def test_alpha_is_checked_also_beside_another_rule(scores: Scores) -> None:
    from bcompare.comparing.decision import ExpectedLoss

    with pytest.raises(InputError, match="alpha"):
        compare(scores, "ttest", alpha=7, rule=ExpectedLoss.simple())


@pytest.mark.parametrize("test", ["ttest", "hier"])
@pytest.mark.parametrize(("folds", "known"), [(3, False), (14, False), (15, True)])
def test_an_average_of_equal_differences_is_known_from_30_scores_on(
    test: str, folds: int, known: bool
) -> None:
    scores = scores_from({name: np.tile([0.5, 0.52], (folds, 1)) for name in "xy"}, ("a", "b"))
    comparison = compare(scores, test).comparisons[0]
    assert (comparison.over_these is not None) == known
    sentences = as_text(compare(scores, test))
    assert ("on average over these 2 data sets (>0.999)" in sentences) == known


def test_a_word_that_is_none_is_refused(scores: Scores) -> None:
    rigth: Any = "rigth"
    nxt: Any = "nxt"
    with pytest.raises(InputError, match="choose from two-sided, left, right"):
        compare(scores, "sign", alternative=rigth)
    with pytest.raises(InputError, match="choose from these, average, next"):
        gate(scores, over=nxt)
