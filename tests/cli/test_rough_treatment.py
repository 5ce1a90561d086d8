"""What a careless or hostile shell may do: a message and an exit code, never a traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import run
from tests.results import HEADER, small_csv

PROJECT = Path(__file__).parents[2]
BCOMPARE = f"{sys.executable} -m bcompare"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return small_csv(tmp_path / "results.csv", {"tree": 0.0, "forest": 0.04}, ("iris", "wine"))


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT), **environment},
        check=False,
    )


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ttest {file} > /dev/full", 2),
        ("ttest {file} >&-", 0),
        ("ttest {file} -o {folder}/answer.json >&-", 0),
        ("ttest - <&-", 2),
        ("poisson {file} 2>&- >/dev/null", 0),
        ("ttest {file} --details | true; exit ${{PIPESTATUS[0]}}", 0),
        ("ttest --help | true; exit ${{PIPESTATUS[0]}}", 0),
    ],
)
def test_streams(results: Path, line: str, code: int) -> None:
    command = line.format(file=results, folder=results.parent)
    done = shell(f"{BCOMPARE} {command}")
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_pipe_gets_utf_8_whatever_the_locale(results: Path, encoding: str) -> None:
    done = shell(f"{BCOMPARE} ttest {results}", PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert "ρ" in done.stdout.decode("utf-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("-o", "results.csv"), "that file is read"),
        (("--plot", "x.svg", "-o", "x.svg", "--format", "html"), "name two files"),
        (("-o", "no/x.json"), "there is no folder no"),
        (("--plot", "no/x.svg"), "there is no folder no"),
        (("-o", "x.xlsx"), "stands for no format"),
        (("-o", "."), "is a folder"),
    ],
)
def test_destinations_are_checked_before_the_work(
    results: Path, options: tuple[str, ...], words: str
) -> None:
    before = results.read_bytes()
    outcome = run("ttest", *options, folder=results.parent)
    assert outcome.code == 2
    assert words in outcome.err
    assert results.read_bytes() == before
    assert {path.name for path in results.parent.iterdir()} == {"results.csv"}


def test_a_dash_is_standard_output(results: Path) -> None:
    assert run("ttest", results, "-o", "-").out == run("ttest", results).out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--baseline", "trees"), "did you mean 'tree'"),
        (("--classifier", "tree"), "choose one classifier"),
        (("--prior-mean", "5"), "--prior-k0"),
        (("--prior-mean", "1e300", "--prior-k0", "1"), "too far from the data"),
        (("--prior-k0", "1e-320"), "positive"),
        (("--alpha", "7", "--loss", "20,1"), "alpha"),
        (("--loss=-5,1",), "at least 0"),
        (("--rope", "0_1"), "half-width"),
        (("--seed", "-3"), "--seed"),
    ],
)
def test_options_that_cannot_be(results: Path, options: tuple[str, ...], words: str) -> None:
    outcome = run("ttest", results, *options)
    assert outcome.code == 2
    assert words in outcome.err
    assert outcome.out == ""


@pytest.mark.parametrize("truth", ["left", "foo"])
def test_a_loss_matrix_with_a_truth_too_many_is_refused(results: Path, truth: str) -> None:
    matrix = results.with_name("loss.csv")
    rows = ["truth,left,rope,right,none", f"{truth},1,1,1,1"]
    rows += ["left,0,1,1,1", "rope,1,0,1,1", "right,1,1,0,1"]
    matrix.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert run("ttest", results, "--loss", matrix).code == 2


def test_what_was_dropped_is_said(results: Path) -> None:
    lines = results.read_text(encoding="utf-8").splitlines()
    gap = results.with_name("gap.csv")
    gap.write_text("\n".join([*lines[:3], *lines[4:]]) + "\n", encoding="utf-8")
    outcome = run("ttest", gap, "--missing", "drop-folds")
    assert outcome.code == 0
    assert "fold iris run 1 fold 2" in outcome.err
    assert "data set iris" in run("ttest", gap, "--missing", "drop-datasets").err
    found = json.loads(run("ttest", gap, "--missing", "drop-folds", "--format", "json").out)
    assert found["input"]["dropped"]["folds"] == [["iris", "1", "2"]]


def test_control_characters_in_names_never_reach_the_page(tmp_path: Path) -> None:
    rows = [
        f'"bad\x1b[31mset",1,{fold},{name},0.{5 + fold}{k}'
        for fold in range(1, 5)
        for k, name in enumerate(("a", '"b\nc"'))
    ]
    path = tmp_path / "names.csv"
    path.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    for form in ("table", "markdown", "latex", "html"):
        outcome = run("ttest", path, "--format", form)
        assert outcome.code == 0
        assert "\x1b" not in outcome.out
        assert "b\nc" not in outcome.out
    assert json.loads(run("ttest", path, "--format", "json").out)["comparisons"][0]["right"]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_no_terminal_is_too_narrow_for_the_numbers(results: Path, width: int) -> None:
    """Every cell of the table is on the screen, whatever is wrapped."""
    import io

    from rich.console import Console

    import bcompare
    from bcompare.render.terminal import print_report
    from bcompare.report.build import build_report

    report = build_report(bcompare.compare(bcompare.read_scores(results), "sign"))
    out = io.StringIO()
    print_report(report, Console(file=out, width=width, force_terminal=True, color_system=None))
    shown = "".join(out.getvalue().split())
    plain = bcompare.as_text(bcompare.compare(bcompare.read_scores(results), "sign"))
    for word in plain.split():
        if word[0].isdigit() or word[0] in "+-<>":
            assert word in shown
