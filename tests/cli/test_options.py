"""Options: what help shows of them, and that each does something or is refused by name."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from bcompare.cli.main import COMMANDS, build_app, panels
from bcompare.version import __version__
from tests.cli.fuzz_options import prepared, try_one
from tests.command import Outcome, run
from tests.reading.fuzz import TIMES
from tests.results import small_csv, write_lines

SETS = tuple(f"set-{i}" for i in range(6))

# What each option is given, so that the outcome differs from the one without it.
GIVEN: dict[str, list[str]] = {
    "--rho": ["0.4"],
    "--lower-is-better": [],
    "--sep": [";"],
    "--decimal": [","],
    "--engine": ["stan"],
    "--tol": ["0.0001"],
    "--empirical-bayes": [],
    "--chains": ["2"],
    "--dataset": ["set-1"],
    "--missing": ["drop-folds"],
    "--bar": ["0.5"],
    "--worse": ["0.2"],
    "--failed": ["anything"],  # what it does stands in tests/reading/test_trials.py
    "--by": ["fold"],
    "--preset": ["weka"],
    "--col": ["classifier=dataset"],
    "--folds": ["5"],
    "--wide": ["score"],
    "--split": ["dataset=set-(?P<fold>.)"],
    "--where": ["fold!=1"],
    "--na-values": ["0.751"],
    "--accept": ["split"],
    "--config": ["absent.toml"],
    "--scheduler": ["nowhere"],  # what it does stands in tests/test_executors.py
    "--rope": ["0.1"],
    "--alpha": ["0.4"],
    "--loss": ["3,1"],
    "--left": ["b"],
    "--right": ["b"],
    "--baseline": ["b"],
    "--classifier": ["a", "--classifier", "b"],
    "--seed": ["7"],
    "--format": ["json"],
    "--output": ["out.html"],
    "--plot": ["out.svg"],
    "--details": [],
    "--scores": [],
    "--quiet": [],
    "--top": ["1"],
    "--top-k": ["2"],
    "--interval": ["0.8"],
    "--draws": ["1000"],
    "--prior": ["strength=3"],
    "hier --prior": ["gaussian"],
    "ttest --prior": ["mean=0.1, k0=1"],
    "--over": ["average"],
    "--population": ["averaged"],
    "gate --over": ["next"],
    "--metric": ["score: better"],
    "--history": ["history.jsonl"],
    "--anytime": ["50"],
    "--scale": ["b=0.5"],
    "--budget": ["90"],
    "--largest": ["3"],
    "--range": ["0,3"],
    "--of": ["90"],
    "gate-anytime --plot": ["out.svg"],
    "--also": ["tests"],
    "ttest --also": ["sensitivity"],
    "--test": ["signrank"],
    "--prefer": ["fold"],
    "--candidate": ["c"],
    "--fail-if": ["not-better"],
    "--require": ["any"],
    "--name": ["accuracy"],
    "--effect": ["0.05"],
    "--sd": ["0.3"],
    "--datasets": ["5"],
    "--items": ["50"],
    "--epochs": ["1,3"],
    "--answers": ["100"],
    "--noise": ["0.3"],
    "--runs": ["3"],
    "--replicates": ["21"],
    "--unpaired": [],
    "--broken": [],
    "gate --items": [],
    "--again": ["results.csv"],
    "--trials": ["50"],
    "--rate": ["0.6"],
}
PAIR = ["--baseline", "a", "--candidate", "b"]
BETS = [*PAIR, "--dataset", "set-1", "--col", "item=fold"]
TRUTH = ["--effect", "0.02", "--sd", "0.1"]
POWER = [*TRUTH, "--datasets", "5", "--test", "sign", "--replicates", "20"]
FEW = ["--test", "sign", *PAIR, "--replicates", "20"]
FEW_OF_C = [*FEW, "--candidate", "c"]
# What must stand next to an option for it to mean anything.
BESIDE: dict[tuple[str, str], list[str]] = {
    ("check", "--rho"): ["--details"],
    ("hier", "--seed"): ["--also", "tests"],
    ("sign", "--seed"): ["--also", "tests"],
    ("poisson", "--seed"): ["--also", "tests"],
    ("report", "--seed"): ["--test", "signrank"],
    **{("report", name): [] for name in ("--classifier", "--missing", "--na-values", "--right")},
    ("rank", "--details"): ["--dataset", "set-1"],
    ("ttest", "--plot"): ["--dataset", "set-1"],
    ("gate", "--metric"): PAIR,
    ("plan-gate", "--replicates"): PAIR,
    ("gate", "--over"): [*PAIR, "--rope", "0.2"],
    ("gate", "--require"): ["--baseline", "a", "--test", "ttest", "--alpha", "0.4"],
    ("gate", "--seed"): ["--baseline", "a", "--test", "signrank"],
    ("gate", "--na-values"): ["--test", "sign", "--baseline", "a"],
    **{("plan", name): FEW_OF_C for name in ("--missing", "--na-values")},
    ("hier", "--tol"): ["--format", "json"],
    ("gate", "--baseline"): ["--candidate", "c"],
    ("plan-gate", "--baseline"): ["--candidate", "c", "--replicates", "25"],
    ("plan", "--baseline"): ["--candidate", "c", "--test", "sign", "--replicates", "20"],
    **{("power", name): TRUTH for name in ("--datasets", "--items", "--anytime")},
}


# Of these commands every option, unless it has something of its own: they would take long.
BESIDE_COMMAND = {
    "gate": ["--test", "sign", *PAIR],
    "gate-anytime": BETS,
    "plan": FEW,
    "plan-gate": [*PAIR, "--replicates", "25"],
    "power": POWER,
    "report": ["--classifier", "a", "--classifier", "b"],
}

# Commands whose other options are those of another one.
LIKE = {"gate-anytime": "gate", "plan-gate": "gate"}
AS_GATE = ("explain", "self-check")  # whose options are those of gate
# Promised to change no byte: that it works in processes is shown in tests/test_scale.py; and what
# matters to files with other columns only, shown in tests/reading/test_names.py.
NEVER_SEEN = {"--jobs", "--strict"}
ELSEWHERE = {"--higher-is-better": "check", "--exact": "signrank"}
"""What only other results show, and a command that has it."""


def shown(command: str) -> list[str]:
    """The long names of the options that a command shows."""
    app: Any = typer.main.get_command(build_app([command]))
    parameters = app.commands[command].params
    return [
        max(parameter.opts, key=len)
        for parameter in parameters
        if parameter.param_type_name == "option" and "--help" not in parameter.opts
        if not {*NEVER_SEEN, *ELSEWHERE} & set(parameter.opts)
    ]


def outcome(command: str, options: list[str], folder: Path) -> tuple[Outcome, set[str], str]:
    small_csv(folder / "results.csv", {"a": 0.0, "b": 0.02, "c": -0.03}, SETS, runs=1, folds=9)
    text = (folder / "results.csv").read_text(encoding="utf-8").splitlines()
    gap = [line for line in text if line != text[-4]]  # one classifier lacks one fold
    lines = gap if "--missing" in options else text
    write_lines(folder / "results.csv", *lines)
    result = run(command, *options, folder=folder)
    page = folder / "report.html"
    drawn = page.read_text(encoding="utf-8") if page.exists() else ""
    drawn = re.sub(r"<pre.*?</pre>", "", drawn, flags=re.DOTALL)  # the command itself
    picture = folder / "out.svg"
    drawn += picture.read_text(encoding="utf-8") if picture.exists() else ""
    return result, {path.name for path in folder.iterdir()}, drawn


@pytest.mark.long
@pytest.mark.usefixtures("one_population")
@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in AS_GATE])
def test_every_option_makes_a_difference(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CMDSTAN", "/nowhere")  # the other engine says at once what it needs
    idle = []
    known: dict[tuple[str, ...], tuple[Outcome, set[str], str]] = {}
    rest = {name for name in shown(LIKE.get(command, "check")) if command in LIKE}
    rest |= {"--quiet"} if command == "power" else set()  # it has no notes
    for name in (name for name in shown(command) if name not in rest):
        own = BESIDE.get((command, name), BESIDE_COMMAND.get(command, []))
        others = [*own, "--missing", "refuse"] if name == "--missing" else own
        folders = [tmp_path / f"{name}-{side}" for side in ("without", "with")]
        for folder in folders:
            folder.mkdir()
        if tuple(others) not in known:
            known[tuple(others)] = outcome(command, others, folders[0])
        given = GIVEN.get(f"{command} {name}", GIVEN[name])
        if outcome(command, [*own, name, *given], folders[1]) == known[tuple(others)]:
            idle.append(name)
    assert not idle


@pytest.mark.parametrize(("option", "command"), ELSEWHERE.items())
def test_errors_and_ties_show_what_other_options_do(
    option: str, command: str, tmp_path: Path
) -> None:
    rows = [
        f"d{i},1,{fold},{name},{score + fold}"
        for i in range(30)
        for fold in range(3)
        for name, score in (("a", 1), ("b", 2 if i % 3 else 0))
    ]
    write_lines(tmp_path / "results.csv", "dataset,run,fold,classifier,error", *rows)
    rope = [] if command == "check" else ["--rope", "0.01"]
    outcomes = [
        run(command, "--col", "score=error", *rope, *options, folder=tmp_path)
        for options in ([], [option])
    ]
    assert outcomes[0].code == outcomes[1].code == 0
    assert outcomes[0] != outcomes[1]


def test_random_options_end_in_an_answer_or_an_error(tmp_path: Path) -> None:
    """BCOMPARE_FUZZ=100 tries a hundred times as many."""
    known = prepared(tmp_path)
    codes = [try_one(number, 2, tmp_path, known).code for number in range(8 * TIMES)]
    assert {0, 2} <= set(codes)


TESTS = ("ttest", "hier", "signrank", "sign", "poisson", "rank", "check", "report")


@pytest.mark.parametrize("command", TESTS)
def test_help_shows_what_people_use_and_help_all_the_rest(command: str, tmp_path: Path) -> None:
    short = run(command, "--help", folder=tmp_path).out
    whole = run(command, "--help-all", folder=tmp_path).out
    result = [set(re.findall(r"^│ (--[a-z0-9-]+)", text, re.MULTILINE)) for text in (short, whole)]
    assert result[0] < result[1]
    assert len(result[0] - {"--config", "--help", "--help-all"}) <= 12
    (count,) = re.findall(r"(\d+) more options: bcompare (?:[a-z-]+) --help-all", short)
    assert int(count) == len(result[1] - result[0])
    assert "more options" not in whole


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_on_a_screen(command: str, tmp_path: Path) -> None:
    text = run(command, "--help", folder=tmp_path).out
    assert len(text.splitlines()) <= 60
    assert "<bool>" not in text


def test_cite_names_this_version_and_the_papers(tmp_path: Path) -> None:
    result = run("cite", folder=tmp_path).out
    assert f"version = {{{__version__}}}" in result
    assert result.count("{") == result.count("}")
    assert len(re.findall(r"^@", result, re.MULTILINE)) == 4


def test_completion_is_typers_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))
    result = run("--show-completion", "bash", folder=tmp_path)
    assert result.code == 0
    assert "_BCOMPARE_COMPLETE" in result.out


def test_the_registry_says_what_each_command_says_of_itself() -> None:
    for names in panels().values():
        for name, about in names.items():
            first = (COMMANDS[name].__doc__ or about).strip().splitlines()[0]
            assert first == about


def completed(folder: Path, *words: str) -> list[str]:
    """What bash is offered for the last of these words."""
    asked = {
        "COMP_WORDS": " ".join(("bcompare", *words)),
        "COMP_CWORD": str(len(" ".join(words).split(" "))),
        "_BCOMPARE_COMPLETE": "complete_bash",
    }
    done = subprocess.run(
        [sys.executable, "-m", "bcompare"],
        cwd=folder,
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("hi",), {"hier"}),
        (("hier", "--prio"), {"--prior"}),
        (("explain", "rop"), {"rope"}),
        (("hier", "--plot", "s"), {"shrinkage=", "simplex="}),
    ],
)
def test_tab_offers_commands_options_and_their_values(
    tmp_path: Path, words: tuple[str, ...], offered: set[str]
) -> None:
    assert set(completed(tmp_path, *words)) == offered


def test_completion_loads_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom bcompare.cli.main import main\ntry:\n    main()\nexcept SystemExit:\n"
        "    pass\nprint([n for n in ('pandas', 'scipy.stats', 'matplotlib', 'rich.markdown')"
        " if n in sys.modules])"
    )
    asked = {
        "COMP_WORDS": "bcompare ttest --le",
        "COMP_CWORD": "2",
        "_BCOMPARE_COMPLETE": "complete_bash",
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
