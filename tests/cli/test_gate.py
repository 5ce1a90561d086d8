"""`bcompare gate`: exit codes, formats, and what continuous integration reads of it."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import bcompare
from bcompare.basis.messages import ComputationError
from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.sign import Sign
from bcompare.show import as_text
from tests.command import Outcome, refused, run
from tests.results import small_csv, write_lines

SETS = tuple(f"set-{i}" for i in range(8))


def gains(folder: Path, *means: float) -> Path:
    """Classifiers main, pr-1, pr-2, …, each better than main by its mean."""
    names = {"main": 0.0} | {f"pr-{i}": mean for i, mean in enumerate(means, 1)}
    return small_csv(folder / "results.csv", names, SETS, noise=0.001)


def gate(folder: Path, *options: str, baseline: str = "main") -> Outcome:
    return run("gate", "results.csv", "--baseline", baseline, *options, folder=folder)


@pytest.mark.parametrize("form", ["table", "json", "github", "junit"])
def test_what_cannot_be_computed_is_code_3(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Sign.test_all

    def failing(self: Sign, pairs: list[SufficientStatistics], rope: Rope, *_: Any) -> list[Any]:
        return [*whole(self, pairs[:-1], rope), ComputationError("no luck")]

    monkeypatch.setattr(Sign, "test_all", failing)
    scores = bcompare.read_scores(gains(tmp_path, 0.05, 0.05))
    result = bcompare.gate(scores, baseline="main", test="sign")
    assert (result.exit_code, result.passed) == (3, False)
    text = as_text(result, form)
    assert "passed: " not in text.split("pr-1")[0]
    if form == "json":
        document = json.loads(text)
        assert document["passed"] is False
        assert [failure["right"] for failure in document["failed"]] == ["pr-2"]


def test_junit_is_xml_whatever_the_names_are(tmp_path: Path) -> None:
    rows = [
        f"{k},{name},{score + k / 100}"
        for k in range(1, 9)
        for name, score in (("<a&\"'>", 0.5), ("b\x07", 0.3 + k * k / 900))
    ]
    write_lines(tmp_path / "results.csv", "fold,classifier,score", *rows)
    result = gate(tmp_path, "-o", "out.xml", "--name", 'x "<&', baseline="<a&\"'>")
    assert result.code == 4
    root = ET.fromstring((tmp_path / "out.xml").read_text(encoding="utf-8"))
    assert root.attrib == {"tests": "1", "failures": "1", "errors": "0", "skipped": "0"}
    assert root.find(".//testcase/failure") is not None
    assert root[0].attrib["name"] == 'x "<&'


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full: run on Linux")
def test_a_summary_that_cannot_be_written_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "/dev/full")
    gains(tmp_path, 0.05)
    assert "No space left on device" in refused(gate(tmp_path, "--format", "github"))
