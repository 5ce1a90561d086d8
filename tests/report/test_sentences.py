"""The sentences of a verdict and for a paper hold the numbers of the answer."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import bcompare
from bcompare.comparing.decision import ExpectedLoss
from bcompare.data.scores import Scores
from bcompare.report.number import decimals_for, difference, probability
from bcompare.report.words import percent
from tests.results import small_csv


@pytest.mark.parametrize(
    ("p", "written"),
    [
        (0.0, "0.000"), (1e-300, "<0.001"), (0.0004, "<0.001"), (0.0006, "0.001"),
        (0.5, "0.500"), (0.9994, "0.999"), (0.9996, ">0.999"), (1 - 1e-16, ">0.999"),
        (1.0, "1.000"),
    ],
)  # fmt: skip
def test_probability(p: float, written: str) -> None:
    assert probability(p) == written


@pytest.mark.parametrize(
    ("value", "decimals", "written"),
    [
        (0.01234, 4, "+0.0123"), (-0.01234, 4, "-0.0123"), (-0.00001, 4, "0.0000"),
        (0.0, 4, "0.0000"), (123456.0, 2, "+1.235e+05"), (1.5e-9, 11, "+1.500e-09"),
        (float("inf"), 3, "∞"), (float("-inf"), 3, "-∞"),
    ],
)  # fmt: skip
def test_difference(value: float, decimals: int, written: str) -> None:
    assert difference(value, decimals) == written


@pytest.mark.parametrize(
    ("scale", "decimals"), [(0.01, 4), (1.0, 2), (100.0, 0), (0.0, 4), (2e-6, 8)]
)
def test_decimals_follow_the_scale(scale: float, decimals: int) -> None:
    assert decimals_for(scale) == decimals


SETS = tuple(f"set-{i}" for i in range(12))
REGIONS = {"left": "p_left", "rope": "p_rope", "right": "p_right"}


@pytest.fixture
def scores(tmp_path: Path) -> Scores:
    path = small_csv(tmp_path / "r.csv", {"a": 0.0, "b": 0.04, "c": 0.041}, SETS, noise=0.01)
    return bcompare.read_scores(path)


def pairs(scores: Scores, test: str, **options: Any) -> list[dict[str, Any]]:
    study = bcompare.compare(scores, test, **options)
    result: list[dict[str, Any]] = bcompare.document(study)["comparisons"]
    return result


@pytest.mark.parametrize("test", ["hier", "sign"])
def test_the_numbers_of_a_verdict_are_the_answers_own(test: str, scores: Scores) -> None:
    decided = [pair for pair in pairs(scores, test) if pair["decision"] != "none"]
    assert len(decided) > 1
    for pair in decided:
        result = re.search(r"\((\S+); chance there (\S+) %\)", pair["verdict"])
        assert result is not None
        assert "most likely" in pair["verdict"]
        assert result[1] == probability(pair[REGIONS[pair["decision"]]])
        assert result[2] == f"{100 * pair['theta_mean'][pair['decision']]:.0f}"


def test_poisson_counts_and_calls_nothing_likely(scores: Scores) -> None:
    for pair in pairs(scores, "poisson"):
        assert "most likely" not in pair["verdict"]
        assert "chance" not in pair["verdict"]


def test_the_average_is_that_of_the_model_and_speaks_for_the_better_one(scores: Scores) -> None:
    swapped = pairs(scores, "hier", pairs=[("b", "a")])
    for pair, sign in ((pairs(scores, "hier")[0], 1), (swapped[0], -1)):
        average = pair["parameters"]["delta0"]
        result = re.search(
            r"scores (\S+) higher on average \(95 % credible interval (\S+) to (\S+); beyond 0.01: "
            r"(\S+)\)",
            pair["verdict"],
        )
        assert result is not None
        assert float(result[1]) == pytest.approx(sign * average["mean"], abs=5e-4)
        level = next(i for i in average["intervals"] if i["level"] == 0.95)
        ends = sorted((sign * level["low"], sign * level["high"]))
        assert [float(result[2]), float(result[3])] == pytest.approx(ends, abs=5e-4)
        beyond = average["probabilities"]["right" if sign > 0 else "left"]
        assert result[4] == probability(min(beyond, 1 - 1e-16))


def test_means_give_a_student_interval(scores: Scores) -> None:
    study = bcompare.compare(scores, "sign")
    comparison = study.comparisons[0]
    z = comparison.differences.statistics.mean
    low, high = stats.ttest_1samp(z, 0).confidence_interval(0.95)
    average = comparison.average
    assert average is not None
    assert [average.mean, average.low, average.high] == pytest.approx([z.mean(), low, high])


@pytest.mark.parametrize(("p", "written"), [
    (0.0, "0 %"), (1e-9, "less than 1 %"), (0.004, "less than 1 %"), (0.006, "1 %"), (0.5, "50 %"),
    (0.996, "more than 99 %"), (1.0, "100 %"),
])  # fmt: skip
def test_percent(p: float, written: str) -> None:
    assert percent(p) == written


@pytest.mark.parametrize("test", ["hier", "sign", "signrank"])
def test_a_decision_by_loss_is_not_called_likely(test: str, scores: Scores) -> None:
    """Equivalence that costs nothing is decided for, however improbable it is."""
    losses = np.array([[9.0, 0.0, 9.0, 9.0]] * 3)
    for pair in pairs(scores, test, rule=ExpectedLoss(losses)):
        assert pair["decision"] == "rope"
        assert "by expected loss equivalent" in pair["verdict"]
        assert "most likely" not in pair["verdict"]


SAMPLE = Path(__file__).parents[2] / "sample_data"
