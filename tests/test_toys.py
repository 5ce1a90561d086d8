"""One file and one line are enough: a toy is found everywhere without another change."""

import sys
from pathlib import Path

import pytest

import bcompare
from bcompare.plots.registry import PICTURES, Picture
from bcompare.reading.presets import PRESETS, Preset
from bcompare.render import FORMATS
from tests.command import run
from tests.results import small_csv

TOY_FORMAT = """
def render(report):
    return f"toy: {len(report.tables)} tables\\n"
"""

TOY_PICTURE = """
from matplotlib.figure import Figure


def draw_toy(result, sheet):
    figure = Figure()
    figure.text(0.5, 0.5, f"toy: {result.method.name}")
    return figure
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


def test_a_picture(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy_picture.py").write_text(TOY_PICTURE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    toy = Picture("a toy", "sign, one pair", "toy_picture:draw_toy", tests=("sign",))
    monkeypatch.setitem(PICTURES, "toy", toy)
    drawn = tmp_path / "toy.svg"
    assert run("sign", results, "--plot", drawn, "--picture", "toy", "-q").code == 0
    assert "toy: sign" in drawn.read_text(encoding="utf-8")
    refused = run("hier", results, "--plot", drawn, "--picture", "toy")
    assert "shows a toy; it needs sign, one pair" in refused.err
    assert "toy (sign, one pair)" in run("sign", results, "--plot", drawn, "--picture", "x").err
    study = bcompare.compare(bcompare.read_scores(results), "sign")
    assert study.plot("toy").texts[0].get_text() == "toy: sign"


def test_a_preset(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {"dataset": "toy_data", "fold": "toy_fold", "classifier": "toy_model",
               "score": "toy_score"}  # fmt: skip
    options = {f"{role}_col": name for role, name in columns.items()}
    header = tuple(columns.values())
    toy = Preset(program="Toy", summary="its results", options=options, header=header)
    monkeypatch.setitem(PRESETS, "toy", toy)
    rows = [line.split(",") for line in results.read_text(encoding="utf-8").splitlines()[1:]]
    lines = [f"{d},{5 * int(run) + int(fold)},{c},{s}" for d, run, fold, c, s in rows]
    (tmp_path / "toy.csv").write_text(
        "\n".join([",".join(header), *lines]) + "\n", encoding="utf-8"
    )
    advice = run("sign", tmp_path / "toy.csv")
    assert advice.code == 2
    assert "It looks like a file of Toy: say --preset toy" in advice.err
    assert run("sign", tmp_path / "toy.csv", "--preset", "toy").code == 0
    assert bcompare.read_scores(tmp_path / "toy.csv", preset="toy").classifiers == ("a", "b")
