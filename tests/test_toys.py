"""One file and one line are enough: a toy is found everywhere without another change."""

import sys
from pathlib import Path

import pytest

import bcompare
from bcompare.render import FORMATS
from tests.command import run
from tests.results import small_csv

TOY_FORMAT = """
def render(report):
    return f"toy: {len(report.tables)} tables\\n"
"""


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.03}, ("one", "two", "three"))


def test_a_format(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy_format.py").write_text(TOY_FORMAT, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(FORMATS, "toy", "toy_format:render")
    study = bcompare.compare(bcompare.read_scores(results), "sign")
    assert bcompare.as_text(study, "toy").startswith("toy: ")
    for module in [name for name in sys.modules if name.startswith("bcompare.cli")]:
        monkeypatch.delitem(sys.modules, module)
    from bcompare.cli import main as fresh

    monkeypatch.setattr("tests.command.main", fresh.main)
    assert run("sign", results, "--format", "toy", "-q").out.startswith("toy: ")
    assert run("gate", results, "--test", "sign", "--format", "toy", "-q").out.startswith("toy: ")
    assert "csv-raw, jsonl, parquet, markdown, latex, html, toy" in " ".join(
        run("sign", "--help-all").out.replace("│", " ").split()
    )
