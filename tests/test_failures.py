"""Notes and failures of pairs: one of a kind, and none takes the others with it."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import bcompare
from bcompare.basis.errors import PairError
from bcompare.basis.notes import lacking, likewise
from bcompare.data.rope import Rope
from bcompare.methods.hierarchical.model import HierarchicalResult, ModelData
from bcompare.methods.hierarchical.quadrature.integrate import integrate
from tests.command import refused, run
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


NAMES = {"tree": 0.0, "forest": 0.01, "bayes": 0.02, "knn": 0.03, "svm": 0.04}
TWELVE = tuple(f"set-{i}" for i in range(12))
HOLES = {("tree", 0), ("tree", 1), ("bayes", 0), ("bayes", 1), ("knn", 5), ("svm", 7)}


def holes(folder: Path) -> Path:
    path = small_csv(folder / "results.csv", NAMES, TWELVE)
    lines = path.read_text(encoding="utf-8").splitlines()
    gone = {(f"set-{i}", name) for name, i in HOLES}
    kept = [line for line in lines if (line.split(",")[0], line.split(",")[3]) not in gone]
    return write_lines(path, *kept)


@pytest.mark.parametrize(
    "command", ["ttest", "hier", "signrank", "sign", "poisson", "rank", "check"]
)
def test_one_note_of_a_kind(command: str, tmp_path: Path) -> None:
    path = holes(tmp_path)
    outcome = run(command, path, "--format", "json")
    assert outcome.code == 0, outcome.err
    notes = json.loads(outcome.out)["notes"]
    assert max(Counter(note["code"] for note in notes).values()) == 1
    (absent,) = [note["message"] for note in notes if note["code"] == "absent"]
    for part in ("tree, bayes on 2 data sets (set-0, set-1)", "knn on data set set-5",
                 "svm on data set set-7"):  # fmt: skip
        assert part in absent


def test_a_gate_names_all_gaps_in_one_error(tmp_path: Path) -> None:
    error = refused(run("gate", holes(tmp_path), "--baseline", "tree"))
    (gaps,) = [line for line in error.splitlines() if "where tree has scores" in line]
    assert "knn on data set set-5; svm on data set set-7" in gaps


def test_many_gaps_stay_short() -> None:
    words = lacking({f"c{i}": [f"d{k}" for k in range(i, i + 9)] for i in range(40)})
    assert words.startswith("c0 on 9 data sets (d0, d1, d2 and 6 more); c1 on ")
    assert words.endswith("; and 30 more like these")


def test_pairs_with_the_same_note_are_counted() -> None:
    assert likewise("odd", ["a – b"], 1) == "a – b: odd"
    assert likewise("odd", ["a – b", "a – c"], 2).startswith(
        "a – b: odd. Likewise for 1 more pair (a – c);"
    )
    assert "9 more pairs (a – c, …)" in likewise("odd", ["a – b", "a – c"], 10)
