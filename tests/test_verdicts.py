"""Where there is no verdict: zero spread, pairs that fail, and the notes that say so."""

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import bcompare
from bcompare.basis.messages import PairError, lacking, likewise
from bcompare.comparing.compare import compare
from bcompare.data.rope import Rope
from bcompare.formats import FORMATS, GATE_FORMATS, ITEM_FORMATS
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.methods.hierarchical.model import ModelData
from bcompare.methods.hierarchical.quadrature.integrate import integrate
from bcompare.methods.hierarchical.result import HierarchicalResult
from bcompare.methods.student import NormalGamma
from tests.command import run
from tests.results import HEADER, small_csv, write_lines

pytestmark = pytest.mark.usefixtures("one_population")


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
        *(("ttest", form) for form in FORMATS if form not in (*GATE_FORMATS, *ITEM_FORMATS)),
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


SETS = tuple(f"set-{i}" for i in range(5))


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three classifiers, of which the pair a, c makes the integration fail."""
    scores = bcompare.read_scores(
        path := small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.03, "c": -0.1}, SETS)
    )
    study = bcompare.compare(scores, "sign")
    hard = study.comparisons[1].differences.statistics.mean.tolist()
    assert (study.comparisons[1].left, study.comparisons[1].right) == ("a", "c")

    def failing(data: ModelData, rope: Rope, tol: float, *, keep: bool) -> HierarchicalResult:
        if data.statistics.mean.tolist() == hard:
            raise PairError("the probabilities did not settle")
        return integrate(data, rope, tol, keep=keep)

    monkeypatch.setattr("bcompare.methods.hierarchical.method.integrate", failing)
    return path


def test_the_others_are_given_and_the_exit_code_is_3(results: Path) -> None:
    outcome = run("hier", results)
    assert outcome.code == 3
    assert "a     c" in outcome.out
    assert "failed" in outcome.out
    assert re.search(r"a +b +\w.* \d", outcome.out)
    assert "a – c: not computed: the probabilities did not settle" in outcome.err
    assert "1 of 3 pairs could not be computed; the others are given" in outcome.err
    result = json.loads(run("hier", results, "--format", "json").out)
    assert [(c["left"], c["right"]) for c in result["comparisons"]] == [("a", "b"), ("b", "c")]
    assert result["failed"] == [
        {"left": "a", "right": "c", "reason": "the probabilities did not settle"}
    ]
    alone = run("hier", results, "--left", "a", "--right", "c")
    assert (alone.code, alone.out) == (3, "")


def test_many_gaps_stay_short() -> None:
    words = lacking({f"c{i}": [f"d{k}" for k in range(i, i + 9)] for i in range(40)})
    assert words.startswith("c0 on 9 data sets (d0, d1, d2 and 6 more); c1 on ")
    assert words.endswith("; and 30 more like these")


def test_pairs_with_the_same_note_are_counted() -> None:
    assert likewise("odd", ["a – b"], 1) == "a – b: odd"
    two = ["a – b", "a – c"]
    assert likewise("odd", two, 2) == "2 pairs (a – b, a – c): odd"
    assert likewise("odd", two, 10) == "10 pairs (a – b, a – c, …): odd"
