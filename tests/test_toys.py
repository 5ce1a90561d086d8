"""One file and one line are enough: a toy is found everywhere without another change."""

import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import jsonschema
import pytest

import bcompare
import bcompare.cli
from bcompare.methods import METHODS, Registered
from bcompare.plots.registry import PICTURES, Picture
from bcompare.reading.presets import PRESETS, Preset
from bcompare.render import FORMATS
from tests.command import run
from tests.results import small_csv, write_lines

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

TOY_METHOD = """
from dataclasses import dataclass, field
from typing import ClassVar

from bcompare.data.rope import RegionProbabilities
from bcompare.methods.base import Method, PopulationResult, option
from bcompare.methods.wilcoxon import binomial_sign_test
from bcompare.methods.mean_differences import MeanRegions


@dataclass(frozen=True, eq=False, kw_only=True)
class ToyResult(PopulationResult):
    toy_number: float


@dataclass(frozen=True)
class Toy(Method):
    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy test"
    about: ClassVar[str] = "Takes the belief for the probability."
    fewest: ClassVar[int] = 2

    belief: float = field(default=0.96, metadata=option("The belief."))

    def test(self, statistics, rope):
        rest = (1 - self.belief) / 2
        return ToyResult(
            probabilities=RegionProbabilities(rest, rest, self.belief),
            error=None,
            nhst=binomial_sign_test(statistics.mean),
            datasets=MeanRegions(probabilities=rope.shares(statistics.mean)),
            toy_number=42.0,
        )
"""


@pytest.fixture
def start_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Imports the command line again, as a new process does; afterwards all is as it was."""
    before = {name: module for name, module in sys.modules.items() if is_cli(name)}

    def start() -> None:
        monkeypatch.setattr(bcompare, "cli", bcompare.cli)
        for name in before:
            del sys.modules[name]
        monkeypatch.setattr("tests.command.main", import_module("bcompare.cli.main").main)

    yield start
    for name in filter(is_cli, list(sys.modules)):
        del sys.modules[name]
    sys.modules.update(before)


def is_cli(module: str) -> bool:
    return f"{module}.".startswith("bcompare.cli.")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.03}, ("one", "two", "three"))


def test_a_format(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start_anew: Callable[[], None]
) -> None:
    (tmp_path / "toy_format.py").write_text(TOY_FORMAT, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(FORMATS, "toy", "toy_format:render")
    study = bcompare.compare(bcompare.read_scores(results), "sign")
    assert bcompare.as_text(study, "toy").startswith("toy: ")
    start_anew()
    assert run("sign", results, "--format", "toy", "-q").out.startswith("toy: ")
    assert run("gate", results, "--test", "sign", "--format", "toy", "-q").out.startswith("toy: ")
    assert "csv-raw, jsonl, parquet, markdown, latex, html, sentence, toy" in " ".join(
        run("sign", "--help-all").out.replace("│", " ").split()
    )


def test_a_picture(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy_picture.py").write_text(TOY_PICTURE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    toy = Picture(
        "a toy", "sign, one pair", "toy_picture:draw_toy", lambda shape: shape.test == "sign"
    )
    monkeypatch.setitem(PICTURES, "toy", toy)
    drawn = tmp_path / "toy.svg"
    assert run("sign", results, "--plot", f"toy={drawn}", "-q").code == 0
    assert "toy: sign" in drawn.read_text(encoding="utf-8")
    refused = run("hier", results, "--plot", f"toy={drawn}")
    assert "shows a toy; it needs sign, one pair" in refused.err
    assert "toy (sign, one pair)" in run("sign", results, "--plot", f"x={drawn}").err
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
    write_lines(tmp_path / "toy.csv", ",".join(header), *lines)
    recognised = run("sign", tmp_path / "toy.csv")
    assert recognised.code == 0
    assert "read as results of Toy: --preset toy" in recognised.err
    assert run("sign", tmp_path / "toy.csv", "--preset", "toy").code == 0
    assert bcompare.read_scores(tmp_path / "toy.csv", preset="toy").classifiers == ("a", "b")


def test_a_test(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start_anew: Callable[[], None]
) -> None:
    (tmp_path / "toy_method.py").write_text(TOY_METHOD, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(METHODS, "toy", Registered("toy_method:Toy", "Compare by a toy."))
    start_anew()
    table = run("toy", results, "--belief", "0.97").out
    assert "Toy test" in table
    assert "b is most likely practically better than a on the next data set" in table
    assert "belief 0.97" in table
    assert "How to read it: Takes the belief for the probability (bcompare explain toy)" in table
    record = json.loads(run("toy", results, "--format", "json").out)
    assert record["comparisons"][0]["toy_number"] == 42
    assert record["settings"]["belief"] == 0.96
    jsonschema.validate(record, json.loads(run("schema").out))
    assert "Compare by a toy" in run("--help").out
    assert "The belief. [default: 0.96]" in run("toy", "--help-all").out
    assert "toy       yes      yes" in run("check", results).out
    assert "Takes the belief" in run("explain", "toy").out
    assert " toy " in run("sign", results, "--also").out
    assert "passed" in run("gate", results, "--test", "toy").out
    page = tmp_path / "page.html"
    assert run("report", results, "--test", "toy", "-o", page, "-q").code == 0
    assert "Toy test" in page.read_text(encoding="utf-8")
