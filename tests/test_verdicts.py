"""No verdict is read off zero spread in one data set, whatever asks for it and however it looks."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import bcompare
from bcompare.comparing.compare import compare
from bcompare.methods.correlated_t import CorrelatedT, NormalGamma
from bcompare.render import DRAWS_FORMATS, FORMATS, GATE_FORMATS
from tests.command import run
from tests.results import HEADER, write_lines


def written(path: Path, difference: float, folds: int, scores: Sequence[float] = ()) -> Path:
    """Two classifiers on one data set that differ by the same on every fold."""
    values = scores or [0.6 + fold / 1000 for fold in range(folds)]
    rows = [
        f"iris,1,{fold},{name},{value + gain:.6g}"
        for fold, value in enumerate(values)
        for name, gain in (("a", 0.0), ("b", difference))
    ]
    return write_lines(path, HEADER, *rows)


@pytest.fixture
def tied(tmp_path: Path) -> Path:
    return written(tmp_path / "results.csv", 0.02, 3)


@pytest.mark.parametrize(
    ("command", "form"),
    [
        *(("ttest", form) for form in FORMATS if form not in (*GATE_FORMATS, *DRAWS_FORMATS)),
        *((command, "json") for command in ("poisson", "sign", "signrank")),
    ],
)
def test_every_format_says_withheld_also_quietly(command: str, form: str, tied: Path) -> None:
    outcome = run(command, tied, "--format", form, "--quiet")
    assert outcome.code == 0
    if form == "json":
        (comparison,) = json.loads(outcome.out)["comparisons"]
        assert comparison["decision"] == "none"
        assert comparison["withheld"]
    elif form == "csv":
        (row,) = csv.DictReader(io.StringIO(outcome.out))
        assert row["decision"] == "none"
        assert row["withheld"]
    else:
        assert ("no verdict" if form == "sentence" else "withheld") in outcome.out
        decided = "b is practically better"
        assert decided not in outcome.out


def test_also_and_loss_do_not_bring_the_verdict_back(tied: Path) -> None:
    result = json.loads(run("sign", tied, "--also", "--format", "json").out)["comparisons"][0]
    assert [other["decision"] for other in result["also"]] == ["none", "none"]
    result = json.loads(run("ttest", tied, "--loss", "20,1", "--format", "json").out)
    assert result["comparisons"][0]["decision"] == "none"
    assert result["comparisons"][0]["expected_loss"]["right"] == 0  # the numbers are shown


@pytest.mark.parametrize(
    ("difference", "folds", "decided"),
    [(0.0, 30, "rope"), (0.0, 29, "none"), (0.02, 30, "none"), (0.02, 50, "none")],
)
def test_only_many_scores_that_never_differ_prove_equality(
    difference: float, folds: int, decided: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "results.csv", difference, folds)
    (comparison,) = compare(bcompare.read_scores(path, rho=0.1), "ttest").comparisons
    assert comparison.decision == decided


def test_many_answers_of_0_or_1_that_agree_prove_nothing(tmp_path: Path) -> None:
    answers = [float(fold % 3 > 0) for fold in range(60)]
    path = written(tmp_path / "results.csv", 0.0, 60, answers)
    (comparison,) = compare(bcompare.read_scores(path, rho=0.0), "ttest").comparisons
    assert comparison.decision == "none"


def test_a_prior_that_declares_a_spread_decides(tied: Path) -> None:
    scores = bcompare.read_scores(tied)
    flat = CorrelatedT(NormalGamma(k0=1e6))  # firm about nothing: the spread is still the data's
    assert compare(scores, flat).comparisons[0].decision == "none"
    firm = CorrelatedT(NormalGamma(k0=1e6, a=10.0, b=1e-5))
    assert compare(scores, firm).comparisons[0].decision == "right"


def test_constant_data_sets_among_many_stay_as_they_are(tmp_path: Path) -> None:
    """Over several data sets they are ordinary: the means are what they are."""
    draw = np.random.default_rng(4)
    rows = [
        f"d{d},1,{fold},{name},{0.7 + (name == 'b') * (0.03 + (d > 2) * draw.normal(0, 0.01)):.5f}"
        for d in range(12)
        for fold in range(5)
        for name in "ab"
    ]
    path = write_lines(tmp_path / "results.csv", HEADER, *rows)
    scores = bcompare.read_scores(path)
    for name in ("hier", "sign", "signrank", "poisson"):
        (comparison,) = compare(scores, name).comparisons
        assert comparison.withheld is None
    by_dataset = compare(scores, "ttest").comparisons[0].dataset_decisions
    assert by_dataset[:3] == ("none",) * 3


@pytest.mark.parametrize("command", ["sign", "signrank"])
@pytest.mark.parametrize(("sets", "withheld"), [(1, True), (2, True), (3, False)])
def test_two_data_sets_cannot_speak_of_others(
    command: str, sets: int, withheld: bool, tmp_path: Path
) -> None:
    rows = [
        f"d{d},1,{fold},{name},{0.7 + fold / 100 + (name == 'b') * 0.001 * fold}"
        for d in range(sets)
        for fold in range(5)
        for name in "ab"
    ]
    path = write_lines(tmp_path / "results.csv", HEADER, *rows)
    result = json.loads(run(command, path, "--format", "json").out)["comparisons"][0]
    assert (result["withheld"] is not None) == withheld
    tests = json.loads(run("check", path, "--format", "json").out)["tests"]
    assert {t["test"]: t["can_decide"] for t in tests}[command] == (not withheld)
