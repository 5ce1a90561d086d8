"""What a shell sees, also a careless or hostile one: a message and a code, never a traceback."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
import typer
from rich.console import Console

import bcompare
from bcompare.basis.atomic import write_atomically
from bcompare.basis.messages import InputError, printable
from bcompare.basis.threads import THREAD_LIMITS
from bcompare.cli.main import COMMANDS, build_app
from bcompare.cli.options import Output
from bcompare.cli.writing import progress_bar
from bcompare.render.plain import print_report
from bcompare.report.pair_report import build_report
from tests.command import refused, run
from tests.results import small_csv

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
        ("ttest {file} >&-", 2),
        ("ttest {file} >&- 2>&-", 2),
        ("ttest {file} -o {folder}/answer.json >&-", 0),
        ("ttest {file} --rope 0.95 -o {folder}/answer.json 2>/dev/full", 0),
        ("ttest {folder}/none.csv 2>/dev/full", 2),
        ("ttest - <&-", 2),
        ("poisson {file} 2>&- >/dev/null", 0),
        ("ttest --help | true; exit ${{PIPESTATUS[0]}}", 0),
        ("ttest {file} --format json | head -c 10; exit ${{PIPESTATUS[0]}}", 0),
    ],
)
def test_streams(results: Path, line: str, code: int) -> None:
    command = line.format(file=results, folder=results.parent)
    done = shell(f"{BCOMPARE} {command}")
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert not done.stderr or "|" not in line
    if "answer.json" in line:  # a message that nobody hears does not cost the result
        assert json.loads((results.parent / "answer.json").read_bytes())["command"] == "ttest"


def test_a_pipe_gets_utf_8_whatever_the_locale(results: Path) -> None:
    done = shell(f"{BCOMPARE} ttest {results}", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "·" in done.stdout.decode("utf-8")


@pytest.mark.parametrize("option", ["-o", "--plot"])
def test_links_that_lead_back_to_themselves_are_no_place(results: Path, option: str) -> None:
    one, two = results.with_name("one.svg"), results.with_name("two.svg")
    one.symlink_to(two)
    two.symlink_to(one)
    assert "leads back to itself" in refused(run("ttest", results, "--format", "json", option, one))
    with pytest.raises(InputError, match="leads back to itself"):
        write_atomically(one, b"")
    assert one.is_symlink()
    assert two.is_symlink()


def test_several_pictures_of_one_answer(results: Path) -> None:
    files = [results.with_name(name) for name in ("a.svg", "b.png")]
    assert (
        run("ttest", results, "--dataset", "iris", "--plot", files[0], "--plot", files[1]).code == 0
    )
    assert files[0].read_bytes().startswith(b"<?xml")
    assert files[1].read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_an_option_of_one_value_is_given_once(command: str, results: Path) -> None:
    group: Any = typer.main.get_command(build_app([command]))
    single = [
        max(parameter.opts, key=len)
        for parameter in group.commands[command].params
        if parameter.param_type_name == "option"
        and not parameter.multiple
        and not parameter.is_flag
    ]
    for option in single:
        outcome = run(command, f"{option}=1", f"{option}=1", folder=results.parent)
        assert outcome.code == 2
        assert outcome.err.startswith(f"error: {option} ")


FORMULAS = ('=HYPERLINK("x")', "+1", "-1", "@SUM(A1)", "＝1")
TERMINAL = "\x1b]0;x\x07\x9b31mred\x7f"


def test_names_cannot_act_in_a_spreadsheet_or_a_terminal(tmp_path: Path) -> None:
    names = (*FORMULAS, TERMINAL)
    frame = pd.DataFrame(
        [
            {"dataset": "d", "run": 1, "fold": fold, "classifier": name, "score": 0.5 + fold / 100}
            for fold in range(1, 6)
            for name in names
        ]
    )
    path = tmp_path / "names.csv"
    frame.to_csv(path, index=False)
    result = pd.read_csv(io.StringIO(run("ttest", path, "--format", "csv").out))
    assert set(result["left"]) | set(result["right"]) == {
        *(f"'{name}" for name in FORMULAS),
        printable(TERMINAL),
    }
    text = run("ttest", path, "--format", "json").out
    assert not set(text) & {*map(chr, range(127, 160)), "\x1b", "\x07"}
    assert json.loads(text)["comparisons"][-1]["right"] == TERMINAL  # the value is as it was
    assert "\x1b" not in refused(run("ttest", path, "--left", "x\x1b[2J", "--right", FORMULAS[0]))


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_no_terminal_is_too_narrow_for_the_numbers(results: Path, width: int) -> None:
    """Every cell of the table is on the screen, whatever is wrapped."""
    study = bcompare.compare(bcompare.read_scores(results), "sign")
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None)
    print_report(build_report(study), console)
    shown = "".join(out.getvalue().split())
    for word in bcompare.as_text(study).split():
        if word[0].isdigit() or word[0] in "+-<>":
            assert word in shown


LONG = "a-classifier-with-a-name-of-more-than-eighty-letters-that-no-table-in-a-pipe-may-ever-cut"


def test_a_dash_reads_standard_input(results: Path) -> None:
    piped = run("ttest", "-", "--format", "csv", stdin=results.read_bytes())
    assert piped.code == 0
    assert piped.out == run("ttest", results, "--format", "csv").out


@pytest.mark.parametrize(
    ("suffix", "options", "form"),
    [
        (".txt", (), "table"),
        (".json", (), "json"),
        (".csv", (), "csv"),
        (".md", (), "markdown"),
        (".tex", (), "latex"),
        (".txt", ("--format", "json"), "json"),
    ],
)
def test_the_suffix_chooses_the_format_unless_one_is_named(
    results: Path, suffix: str, options: tuple[str, ...], form: str
) -> None:
    written = results.with_name(f"answer{suffix}")
    assert run("ttest", results, "--output", written, *options).out == ""
    assert written.read_text(encoding="utf-8") == run("ttest", results, "--format", form).out


def test_a_pipe_loses_no_letter_of_a_long_name(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "results.csv", {LONG: 0.1, "short": 0.0})
    for form in ("table", "json", "csv", "markdown", "latex"):
        assert LONG in run("ttest", path, "--format", form).out


def test_a_pipe_has_no_colour_unless_asked(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in run("ttest", results).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    forced = run("hier", results)
    assert "\x1b[1m" in forced.out
    assert "\x1b[33mwarning" in forced.err


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals: run it on Linux or macOS")
def test_an_interrupt_exits_130_without_a_traceback() -> None:
    with subprocess.Popen(
        [*BCOMPARE.split(), "ttest", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    ) as process:
        time.sleep(2)  # by then it waits for standard input
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in err


def seen_after(imported: str, **given: str) -> list[str]:
    """The limits that NumPy would find."""
    env = {name: value for name, value in os.environ.items() if name not in THREAD_LIMITS}
    shown = f"import os, {imported}; print(*(os.environ.get(n, '-') for n in {THREAD_LIMITS}))"
    command = [sys.executable, "-c", shown]
    return subprocess.run(
        command, env=env | given, capture_output=True, text=True, check=True
    ).stdout.split()


def test_the_number_of_threads_changes_no_byte(tmp_path: Path) -> None:
    assert seen_after("bcompare.cli.main", OPENBLAS_NUM_THREADS="2")[0] == "1"
    gains = {f"m{i}": 0.01 * i for i in range(2)}
    path = small_csv(tmp_path / "results.csv", gains, tuple(f"d{i}" for i in range(40)))
    line = f"{BCOMPARE} hier {path} --format json"
    one, two = (shell(line, OPENBLAS_NUM_THREADS=n).stdout for n in "12")
    assert one == two != b""


@pytest.mark.parametrize(
    ("imported", "limit"),
    [("bcompare.cli.main", "1"), ("bcompare", "-"), ("bcompare.comparing.compare", "-")],
)
def test_the_command_takes_one_thread_and_leaves_other_programs_theirs(
    imported: str, limit: str
) -> None:
    assert seen_after(imported) == [limit] * len(THREAD_LIMITS)


def test_a_log_is_told_that_the_work_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = iter([0.0, 5.0, 21.0, 30.0, 43.0])
    clock = SimpleNamespace(monotonic=lambda: next(seconds))
    monkeypatch.setattr("bcompare.cli.writing.time", clock)
    with progress_bar(Output(), "simulating") as progress:
        for done in range(4):
            progress(done, 4)
    assert capsys.readouterr().err == ("simulating: 25 % after 21 s\nsimulating: 75 % after 43 s\n")
