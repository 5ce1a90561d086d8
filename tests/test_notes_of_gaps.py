"""Gaps of several classifiers, and notes on several pairs, take one note of a kind."""

import json
from collections import Counter
from pathlib import Path

import pytest

from bcompare.basis.notes import lacking, likewise
from tests.command import refused, run
from tests.results import small_csv, write_lines

NAMES = {"tree": 0.0, "forest": 0.01, "bayes": 0.02, "knn": 0.03, "svm": 0.04}
SETS = tuple(f"set-{i}" for i in range(12))
HOLES = {("tree", 0), ("tree", 1), ("bayes", 0), ("bayes", 1), ("knn", 5), ("svm", 7)}


def holes(folder: Path) -> Path:
    path = small_csv(folder / "results.csv", NAMES, SETS)
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
