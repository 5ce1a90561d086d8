"""A gate's history: what is appended, what it warns of, what it shows."""

import json
import os
from pathlib import Path

import pytest

import bcompare
from bcompare.gating.history import Entry, History
from tests.command import Outcome, run
from tests.results import small_csv, write_lines


def one_file(path: Path, gain: float) -> Path:
    """Results of one classifier, which the file's name tells."""
    small_csv(path, {"x": gain}, ("iris", "wine"), runs=2, folds=5, noise=0.01, seed=len(path.stem))
    lines = path.read_text(encoding="utf-8").splitlines()
    at = lines[0].split(",").index("classifier")
    cut = [",".join(cell for k, cell in enumerate(line.split(",")) if k != at) for line in lines]
    return write_lines(path, *cut)


def judge(folder: Path, *options: str) -> Outcome:
    return run("gate", "main.csv", "pr.csv", "--history", "h.jsonl", *options, folder=folder)


@pytest.fixture(name="folder")
def a_folder(tmp_path: Path) -> Path:
    one_file(tmp_path / "main.csv", 0.0)
    one_file(tmp_path / "pr.csv", 0.3)
    return tmp_path


def test_each_run_appends_a_line_and_the_last_ones_are_shown(folder: Path) -> None:
    assert judge(folder).code == 0
    one_file(folder / "pr.csv", -0.3)
    assert judge(folder).code == 4
    lines = (folder / "h.jsonl").read_text(encoding="utf-8").splitlines()
    outcomes = [json.loads(line)["outcome"] for line in lines]
    assert outcomes == ["pass", "fail"]
    shown = run("gate", "--history", "h.jsonl", folder=folder).out
    assert "2 verdicts: 1 passed, 1 failed, 0 undecided; 50 % failed" in shown
    assert "judged against 2 times" in shown
    document = json.loads(
        run("gate", "--history", "h.jsonl", "--format", "json", folder=folder).out
    )
    assert [entry["outcome"] for entry in document["history"]] == outcomes


def test_a_baseline_that_is_used_again_is_warned_of_and_a_new_one_is_not(folder: Path) -> None:
    assert "was used" not in judge(folder).err
    assert "this run of main was used once before" in judge(folder).err
    one_file(folder / "main.csv", 0.001)
    assert "was used" not in judge(folder).err
    shown = run("gate", "--history", "h.jsonl", folder=folder).out
    assert "The baseline's own runs" in shown


def test_an_old_file_of_the_baseline_is_warned_of(folder: Path) -> None:
    now = (folder / "pr.csv").stat().st_mtime
    os.utime(folder / "main.csv", (now, now - 3.5 * 86_400))
    assert "main.csv is 3 days older" in run("gate", "main.csv", "pr.csv", folder=folder).err
    os.utime(folder / "main.csv", (now, now + 9 * 86_400))
    assert "older" not in run("gate", "main.csv", "pr.csv", folder=folder).err


def test_an_entry_survives_the_file(folder: Path) -> None:
    scores = bcompare.read_scores(folder / "main.csv", folder / "pr.csv")
    entry = Entry.of(bcompare.gate(scores), "nightly", "fine")
    path = str(folder / "api.jsonl")
    History.read(path).append(entry)
    assert History.read(path).entries == (entry,)
    assert "1 verdicts" in bcompare.as_text(History.read(path))


def test_a_stream_that_grows_is_one_run_of_the_baseline(tmp_path: Path) -> None:
    rows = [
        f"q{i},{model},{(i * k) % 3 % 2}" for i in range(60) for k, model in ((1, "a"), (2, "b"))
    ]
    for count in (80, 120):
        text = "\n".join(["item,classifier,score", *rows[:count]])
        (tmp_path / "r.csv").write_text(text, encoding="utf-8")
        how = ("--col", "item=item", "--anytime", "--history", "h.jsonl")
        assert run("gate", "r.csv", *how, folder=tmp_path).code == 0
    shown = run("gate", "--history", "h.jsonl", folder=tmp_path).out
    assert "2 verdicts: " in shown
    assert "judged against once" in shown
    assert "drifts" not in shown
