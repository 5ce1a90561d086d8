"""A pair that cannot be computed does not take the others with it, and says so everywhere."""

import json
import re
from pathlib import Path

import pytest

import bcompare
from bcompare.basis.errors import PairError
from bcompare.data.rope import Rope
from bcompare.methods.hierarchical.model import HierarchicalResult, ModelData
from bcompare.methods.hierarchical.quadrature.integrate import integrate
from tests.command import run
from tests.results import small_csv, write_lines

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
    assert "did not settle" in alone.err


def test_a_pair_with_one_data_set_in_common_does_not_stop_the_others(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.03, "c": -0.1}, SETS)
    lines = path.read_text().splitlines()
    kept = [line for line in lines if ",c," not in line or line.startswith("set-0,")]
    write_lines(path, *kept)
    outcome = run("hier", path, "--format", "json")
    assert outcome.code == 3
    result = json.loads(outcome.out)
    assert [(c["left"], c["right"]) for c in result["comparisons"]] == [("a", "b")]
    assert {f["reason"][:47] for f in result["failed"]} == {
        "the hierarchical test needs at least 2 data set"
    }
