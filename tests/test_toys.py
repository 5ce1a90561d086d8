"""A toy test, format, picture, preset and topic, each in one file, is found everywhere."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import jsonschema
import pytest

import bcompare
import bcompare.cli
from bcompare import explain
from bcompare.basis.messages import InputError
from bcompare.files.presets import PRESETS, Preset
from bcompare.formats import FORMATS
from bcompare.methods import METHODS, Registered
from bcompare.plots import PICTURES, Picture
from tests.command import Outcome, refused, run
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
    """Return whether a module holds options, or imports such a module."""
    return re.fullmatch(r"bcompare\.(cli|cli\..+|\w+\.(command|delivery))", module) is not None


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
    assert run(
        "gate", results, "--baseline", "a", "--test", "sign", "--format", "toy", "-q"
    ).out.startswith("toy: ")
    assert "csv, parquet, markdown, latex, sentence, changed, toy" in " ".join(
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
    columns = {
        "dataset": "toy_data",
        "fold": "toy_fold",
        "classifier": "toy_model",
        "score": "toy_score",
    }
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


@dataclass(frozen=True)
class ToyTest:
    """A toy test, and what is said of it.

    kind : the module in tests/toys. contrast : the name of its frequentist test.
    by_dataset : whether each data set has an answer. detail : a heading under ``--details``.
    """

    kind: str
    contrast: str
    by_dataset: bool
    detail: str


TOYS = [
    ToyTest("each", "toy z-test", True, "toy no."),
    ToyTest("differences", "toy fold count", True, "toy wins"),
    ToyTest("population", "toy wager", False, "toy fact"),
]
# The names of the frequentist tests of others.
OTHER_LABELS = ("t-test", "McNemar", "Wilcoxon", "sign test")


@pytest.fixture(params=TOYS, ids=lambda toy: toy.kind)
def toy(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    start_anew: Callable[[], None],
) -> ToyTest:
    """Register a toy test; its command exists."""
    chosen: ToyTest = request.param
    entry = Registered(
        f"tests.toys.{chosen.kind}:Toy", "Compare by a toy.", over=not chosen.by_dataset
    )
    monkeypatch.setitem(METHODS, "toy", entry)
    start_anew()
    return chosen


def shown(outcome: Outcome) -> str:
    """The output of a command that worked, and speaks of no other test."""
    assert outcome.code == 0, outcome.err
    assert not [label for label in OTHER_LABELS if label in outcome.out]
    return outcome.out


def test_a_test_has_its_tables(toy: ToyTest, results: Path) -> None:
    table = shown(run("toy", results))
    assert "Toy test" in table
    assert f"p-value: {toy.contrast}" in table or toy.by_dataset
    details = shown(run("toy", results, "--details"))
    assert f"p-value by {toy.contrast}" in details
    assert "bcompare explain toy" in details
    assert toy.detail in details
    one = shown(run("toy", results, "--dataset", "one", "--dataset", "two", "--details"))
    assert toy.contrast in one
    short = run("toy", results, "--format", "sentence").out
    where = "Verdicts by data set" if toy.by_dataset else "on the next data set"
    assert where in short


def test_a_test_on_one_data_set_has_its_details(toy: ToyTest, results: Path) -> None:
    details = shown(run("toy", results, "--dataset", "one", "--details"))
    assert "tests, for contrast" in details
    assert f" {toy.contrast} " in details
    assert toy.kind == "differences" or toy.detail in details


def test_a_test_has_its_machine_formats(toy: ToyTest, results: Path) -> None:
    record = json.loads(shown(run("toy", results, "--format", "json")))
    jsonschema.validate(record, json.loads(run("schema").out))
    (pair,) = record["comparisons"]
    answers = pair["datasets"] if toy.by_dataset else [pair]
    assert all(isinstance(answer["toy_number"], int | float) for answer in answers)
    assert {"p_bonferroni", "p_holm"} <= answers[0]["nhst"].keys()
    assert (pair["over_these"] is None) == (toy.kind == "each")
    header, *rows = shown(run("toy", results, "--format", "csv")).splitlines()
    assert "toy_number" in header.split(",")
    assert len(rows) == (3 if toy.by_dataset else 1)


def test_a_test_is_found(toy: ToyTest, results: Path, tmp_path: Path) -> None:
    assert "Compare by a toy" in run("--help").out
    assert run("toy", "--help-all").code == 0
    assert "toy       yes      yes" in run("check", results, "--details").out
    assert "Compare by a toy" in run("explain", "toy").out
    also = run("sign", results, "--also", "tests")
    assert (" toy " in also.out) != toy.by_dataset
    by_rank = run("rank", results, "--test", "toy")
    assert by_rank.code == (2 if toy.by_dataset else 0)
    page = tmp_path / "page.html"
    assert run("report", results, "--test", "toy", "-o", page, "-q").code == 0
    assert "Toy test" in page.read_text(encoding="utf-8")


def test_a_test_judges_a_gate(toy: ToyTest, results: Path) -> None:
    judged = run("gate", results, "--baseline", "a", "--test", "toy", "--format", "json")
    if toy.kind == "each":
        assert "no average over these data sets" in refused(judged)
        judged = run(
            "gate",
            results,
            "--baseline",
            "a",
            "--test",
            "toy",
            "--over",
            "each",
            "--format",
            "json",
        )
    record = json.loads(judged.out)
    assert judged.code == record["exit_code"]
    assert record["settings"]["test"] == "toy"
    average = [v for v in record["verdicts"] if v["dataset"] is None]
    assert len(average) == (0 if toy.kind == "each" else 1)
    assert len(record["verdicts"]) - len(average) == (3 if toy.by_dataset else 0)
    if toy.kind == "differences":
        pair = json.loads(run("toy", results, "--format", "json").out)["comparisons"][0]
        assert average[0]["p_worse"] == pytest.approx(pair["over_these"]["p_left"])


def test_a_test_plans_or_says_why_not(toy: ToyTest, results: Path) -> None:
    plan = run("plan", results, "--test", "toy", "--replicates", "20")
    if toy.kind == "differences":
        assert "toy needs every difference" in refused(plan)
    else:
        assert "20 " in shown(plan)
    scores = bcompare.read_scores(results)
    if toy.kind == "each":
        with pytest.raises(InputError, match="no average"):
            bcompare.self_check(scores, test="toy")
    check = bcompare.self_check(scores, test="toy", over="each" if toy.by_dataset else None)
    assert 0 <= check.worse <= 1
    assert check.method.name == "toy"


def test_a_toy_can_be_computed_elsewhere(toy: ToyTest, results: Path) -> None:
    scores = bcompare.read_scores(results)
    here, there = (bcompare.compare(scores, "toy", jobs=jobs) for jobs in (1, 2))
    assert bcompare.document(here) == bcompare.document(there)
    (pair,) = there.comparisons
    folds = pair.differences.statistics.differences(0)
    assert folds.mean() == pytest.approx(pair.differences.statistics.mean[0])
    assert toy.kind in pair.result.__class__.__module__


def test_a_topic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for entry in (Path(bcompare.__file__).parent / "explain").iterdir():
        if entry.name.endswith(".md"):
            (tmp_path / entry.name).write_text(entry.read_text("utf-8"), encoding="utf-8")
    words = "# A toy topic\n\nNothing.\n\n## toy-note; toy code\n\nA note.\n"
    (tmp_path / "toys.md").write_text(words, encoding="utf-8")
    monkeypatch.setattr("bcompare.explain.files", lambda _: tmp_path)
    for cached in (explain.topics, explain.sections):
        cached.cache_clear()
    try:
        assert "A toy topic" in run("explain").out
        assert "Nothing." in run("explain", "toys").out
        assert "A note." in run("explain", "toy-note").out
    finally:
        for cached in (explain.topics, explain.sections):
            cached.cache_clear()
