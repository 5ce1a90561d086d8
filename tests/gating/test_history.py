"""A gate's history: what is appended, what it warns of, what it shows."""

import os
from pathlib import Path

import pytest

import bcompare
from bcompare.gating.history import Entry, History
from tests.command import run
from tests.results import small_csv, write_lines


def one_file(path: Path, gain: float) -> Path:
    """Results of one classifier, which the file's name tells."""
    small_csv(path, {"x": gain}, ("iris", "wine"), runs=2, folds=5, noise=0.01, seed=len(path.stem))
    lines = path.read_text(encoding="utf-8").splitlines()
    at = lines[0].split(",").index("classifier")
    cut = [",".join(cell for k, cell in enumerate(line.split(",")) if k != at) for line in lines]
    return write_lines(path, *cut)


@pytest.fixture(name="folder")
def a_folder(tmp_path: Path) -> Path:
    one_file(tmp_path / "main.csv", 0.0)
    one_file(tmp_path / "pr.csv", 0.3)
    return tmp_path


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
