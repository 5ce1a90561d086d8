"""Every option that a command shows does something there, or is refused by name."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from bcompare.cli.main import COMMANDS, build_app
from tests.cli.fuzz_options import prepared, try_one
from tests.command import Outcome, run
from tests.results import small_csv, write_lines

SETS = tuple(f"set-{i}" for i in range(6))

# What each option is given, so that the outcome differs from the one without it.
GIVEN: dict[str, list[str]] = {
    "--rho": ["0.4"],
    "--lower-is-better": [],
    "--dataset": ["set-1"],
    "--missing": ["drop-folds"],
    "--failed": ["anything"],  # what it does stands in tests/reading/test_programs.py
    "--by": ["fold"],
    "--preset": ["weka"],
    "--col": ["classifier=dataset"],
    "--folds": ["5"],
    "--sheet": ["scores"],
    "--wide": ["score"],
    "--split": ["dataset=set-(?P<fold>.)"],
    "--where": ["fold!=1"],
    "--percent": [],
    "--na-values": ["0.751"],
    "--rope": ["0.1"],
    "--alpha": ["0.4"],
    "--loss": ["3,1"],
    "--alternative": ["left"],
    "--left": ["b"],
    "--right": ["b"],
    "--baseline": ["b"],
    "--classifier": ["a", "--classifier", "b"],
    "--seed": ["7"],
    "--format": ["json"],
    "--output": ["out.html"],
    "--plot": ["out.svg"],
    "--print": ["column"],
    "--details": [],
    "--quiet": [],
    "--top": ["1"],
    "--top-k": ["2"],
    "--resume": [],
    "--interval": ["0.8"],
    "--draws": ["1000"],
    "--prior": ["strength=3"],
    "hier --prior": ["gaussian"],
    "ttest --prior": ["mean=0.1, k0=1"],
    "--over": ["average"],
    "gate --over": ["next"],
    "--each": [],
    "--metric": ["score: better"],
    "--history": ["history.jsonl"],
    "--look": ["3"],
    "--looks": ["9"],
    "--anytime": [],
    "--budget": ["90"],
    "--range": ["0,3"],
    "--of": ["90"],
    "gate --plot": ["out.svg"],
    "--sensitivity": [],
    "--also": [],
    "--test": ["signrank"],
    "--prefer": ["fold"],
    "--candidate": ["c"],
    "--fail-if": ["not-better"],
    "--undecided": ["fail"],
    "--require": ["any"],
    "--name": ["accuracy"],
    "--self-check": [],
    "--effect": ["0.02", "--sd", "0.1", "--datasets", "5"],
    "--sd": ["0.1", "--effect", "0.02", "--datasets", "5"],
    "--datasets": ["5", "--effect", "0.02", "--sd", "0.1"],
    "--items": ["50", "--effect", "0.02", "--sd", "0.1"],
    "--epochs": ["1,3"],
    "--answers": ["100"],
    "--noise": ["0.3"],
    "--runs": ["3"],
    "--replicates": ["21"],
}
BETS = ["--candidate", "b", "--dataset", "set-1", "--col", "item=fold", "--anytime"]
POWER = ["--effect", "0.02", "--sd", "0.1", "--datasets", "5", "--test", "sign",
         "--replicates", "20"]  # fmt: skip
FEW = ["--test", "sign", "--candidate", "b", "--replicates", "20"]
# What must stand next to an option for it to mean anything.
BESIDE: dict[tuple[str, str], list[str]] = {
    ("hier", "--seed"): ["--also"],
    ("sign", "--seed"): ["--also"],
    ("poisson", "--seed"): ["--also"],
    ("report", "--seed"): ["--test", "signrank"],
    **{("report", name): [] for name in ("--classifier", "--missing", "--na-values", "--right")},
    ("rank", "--also"): ["--test", "sign"],
    ("rank", "--alternative"): ["--details"],
    ("rank", "--details"): ["--dataset", "set-1"],
    ("ttest", "--plot"): ["--dataset", "set-1"],
    ("ttest", "--print"): ["--dataset", "set-1", "--plot", "out.svg"],
    ("gate", "--seed"): ["--test", "signrank"],
    **{("gate", name): ["--candidate", "b"] for name in ("--each", "--metric")},
    ("gate", "--over"): ["--candidate", "b", "--rope", "0.2"],
    ("gate", "--look"): ["--candidate", "b"],
    ("gate", "--looks"): ["--candidate", "b", "--look", "3"],
    ("gate", "--anytime"): BETS[:-1],
    **{("gate", name): BETS for name in ("--budget", "--range", "--of", "--plot")},
    ("gate", "--print"): [*BETS, "--plot", "out.svg"],
    ("gate", "--require"): ["--test", "ttest", "--alpha", "0.4"],
    ("plan", "--anytime"): ["--effect", "0.02", "--sd", "0.1", "--items", "50"],
    **{("plan", name): POWER for name in ("--folds", "--noise", "--runs")},
}
# The same for every command.
BESIDE_ANYWHERE = {"--print": ["--plot", "out.svg"]}


# Of these commands every option, unless it has something of its own: they would take long.
BESIDE_COMMAND = {
    "gate": ["--test", "sign", "--candidate", "b"],
    "plan": FEW,
    "report": ["--classifier", "a", "--classifier", "b"],
}

# Promised to change no byte: that it works in processes is shown in tests/test_scale.py.
NEVER_SEEN = {"--jobs"}


def shown(command: str) -> list[str]:
    """The long names of the options that a command shows."""
    app: Any = typer.main.get_command(build_app([command]))
    parameters = app.commands[command].params
    return [
        max(parameter.opts, key=len)
        for parameter in parameters
        if parameter.param_type_name == "option" and "--help" not in parameter.opts
        if not NEVER_SEEN & set(parameter.opts)
    ]


def outcome(command: str, options: list[str], folder: Path) -> tuple[Outcome, set[str], str]:
    small_csv(folder / "results.csv", {"a": 0.0, "b": 0.02, "c": -0.03}, SETS, runs=1, folds=9)
    text = (folder / "results.csv").read_text(encoding="utf-8").splitlines()
    gap = [line for line in text if line != text[-1]]  # one classifier lacks one fold
    lines = gap if "--missing" in options else text
    write_lines(folder / "results.csv", *lines)
    ties = ["dataset,a,b", *(f"d{i},0.5,0.{6 + i % 2}" for i in range(6))]
    write_lines(folder / "ties.csv", *ties)
    result = run(command, *options, folder=folder)
    page = folder / "report.html"
    drawn = page.read_text(encoding="utf-8") if page.exists() else ""
    drawn = re.sub(r"<pre.*?</pre>", "", drawn, flags=re.DOTALL)  # the command itself
    picture = folder / "out.svg"
    drawn += picture.read_text(encoding="utf-8") if picture.exists() else ""
    return result, {path.name for path in folder.iterdir()}, drawn


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "explain"])
def test_every_option_makes_a_difference(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CMDSTAN", "/nowhere")  # the other engine says at once what it needs
    idle = []
    known: dict[tuple[str, ...], tuple[Outcome, set[str], str]] = {}
    for name in shown(command):
        usual = [*BESIDE_COMMAND.get(command, []), *BESIDE_ANYWHERE.get(name, [])]
        own = BESIDE.get((command, name), usual)
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


@pytest.mark.slow
def test_random_options_end_in_an_answer_or_an_error(tmp_path: Path) -> None:
    """A few of the random sets of options; `fuzz_options` tries any number."""
    known = prepared(tmp_path)
    codes = [try_one(number, 1, tmp_path, known).code for number in range(60)]
    assert {0, 2} <= set(codes)
