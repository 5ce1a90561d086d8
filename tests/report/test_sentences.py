"""The numbers in a verdict's sentence are those of the answer, and the words fit what they are."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bcompare
from bcompare.comparing.decision import ExpectedLoss
from bcompare.data.scores import Scores
from bcompare.report.number import probability
from tests.results import small_csv

SETS = tuple(f"set-{i}" for i in range(12))
REGIONS = {"left": "p_left", "rope": "p_rope", "right": "p_right"}


@pytest.fixture
def scores(tmp_path: Path) -> Scores:
    path = small_csv(tmp_path / "r.csv", {"a": 0.0, "b": 0.04, "c": 0.041}, SETS, noise=0.01)
    return bcompare.read_scores(path)


def pairs(scores: Scores, test: str, **options: Any) -> list[dict[str, Any]]:
    study = bcompare.compare(scores, test, **options)
    found: list[dict[str, Any]] = bcompare.document(study)["comparisons"]
    return found


@pytest.mark.parametrize("test", ["hier", "sign"])
def test_certainty_and_chance_are_the_answers_own(test: str, scores: Scores) -> None:
    decided = [pair for pair in pairs(scores, test) if pair["decision"] != "none"]
    assert len(decided) > 1
    for pair in decided:
        said = re.search(r"certainty ([^,;]+), chance ([^,;]+)", pair["verdict"])
        assert said is not None
        assert "most likely" in pair["verdict"]
        region = pair["decision"]
        assert said[1] == probability(pair[REGIONS[region]])
        assert said[2] == probability(pair["theta_mean"][region])


def test_poisson_counts_and_calls_nothing_likely(scores: Scores) -> None:
    for pair in pairs(scores, "poisson"):
        assert "certainty" not in pair["verdict"]
        assert "most likely" not in pair["verdict"]


def test_of_the_average_there_is_no_certainty(scores: Scores) -> None:
    for pair in pairs(scores, "hier"):
        _, found, average = pair["verdict"].partition("; on average")
        assert found
        assert "certainty" not in average


@pytest.mark.parametrize("test", ["hier", "sign", "signrank"])
def test_a_decision_by_loss_is_not_called_likely(test: str, scores: Scores) -> None:
    """Equivalence that costs nothing is decided for, however improbable it is."""
    losses = np.array([[9.0, 0.0, 9.0, 9.0]] * 3)
    for pair in pairs(scores, test, rule=ExpectedLoss(losses)):
        assert pair["decision"] == "rope"
        assert "by expected loss equivalent" in pair["verdict"]
        assert "most likely" not in pair["verdict"]
