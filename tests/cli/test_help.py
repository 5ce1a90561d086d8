"""Help, completion and the man page: what people use first, everything on request."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bcompare.cli.completion import INSTALLATION
from bcompare.cli.main import COMMANDS
from bcompare.cli.man import man_page
from bcompare.version import __version__
from tests.command import run
from tests.results import small_csv

TESTS = ("ttest", "hier", "signrank", "sign", "poisson", "rank", "check", "report")


@pytest.mark.parametrize("command", TESTS)
def test_help_shows_what_people_use_and_help_all_the_rest(command: str, tmp_path: Path) -> None:
    short = run(command, "--help", folder=tmp_path).out
    whole = run(command, "--help-all", folder=tmp_path).out
    result = [set(re.findall(r"^│ (--[a-z0-9-]+)", text, re.MULTILINE)) for text in (short, whole)]
    assert result[0] < result[1]
    assert len(result[0]) <= 22
    (count,) = re.findall(r"(\d+) more options: bcompare (?:\w+) --help-all", short)
    assert int(count) == len(result[1] - result[0])
    assert "more options" not in whole


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_on_a_screen(command: str, tmp_path: Path) -> None:
    text = run(command, "--help", folder=tmp_path).out
    assert len(text.splitlines()) <= 60
    assert "<bool>" not in text


def test_a_rare_option_works_though_help_does_not_show_it(tmp_path: Path) -> None:
    small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.02})
    assert "--rho " not in run("ttest", "--help", folder=tmp_path).out
    assert "ρ 0.3" in run("ttest", "--rho", "0.3", folder=tmp_path).out


def test_cite_names_this_version_and_the_papers(tmp_path: Path) -> None:
    result = run("cite", folder=tmp_path).out
    assert f"version = {{{__version__}}}" in result
    assert result.count("{") == result.count("}")
    assert len(re.findall(r"^@", result, re.MULTILINE)) == 4


def test_the_man_page_holds_every_command_and_is_clean_roff(tmp_path: Path) -> None:
    page = man_page()
    for name in COMMANDS:
        assert f".SS {name}" in page
    assert page.count("\\-\\-rope") >= 6
    assert all(ord(character) < 128 for character in page)
    if shutil.which("groff") is not None:
        path = tmp_path / "bcompare.1"
        path.write_text(page, encoding="ascii")
        done = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww", str(path)], capture_output=True, check=True
        )
        assert not done.stderr


@pytest.mark.parametrize("shell", INSTALLATION)
def test_completion_is_written_for_every_shell(shell: str, tmp_path: Path) -> None:
    result = run("completion", shell, folder=tmp_path)
    assert result.code == 0
    assert "_BCOMPARE_COMPLETE" in result.out
    if shutil.which(shell) is not None:
        subprocess.run([shell, "-n"], input=result.out.encode(), check=True)


def completed(folder: Path, *words: str) -> list[str]:
    """What bash is offered for the last of these words."""
    asked = {
        "COMP_WORDS": " ".join(("bcompare", *words)),
        "COMP_CWORD": str(len(" ".join(words).split(" "))),
        "_BCOMPARE_COMPLETE": "complete_bash",
    }
    done = subprocess.run(
        [sys.executable, "-m", "bcompare"],
        cwd=folder, env={**os.environ, **asked}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("hi",), {"hier"}),
        (("hier", "--prio"), {"--prior"}),
        (("ttest", "results.csv", "--left", ""), {"tree", "forest"}),
        (("sign", "results.csv", "--dataset", "o"), {"one", "other"}),
        (("sign", "--dataset", "ot"), {"other"}),
        (("ttest", "model.csv", "--col", "classifier=model", "--left", "x"), {"xgb"}),
        (("gate", "new = gate.csv", "old=gate.csv", "--baseline", ""), {"new", "old"}),
        (("rank", "model.csv", "--prefer", "m"), {"model"}),
        (("explain", "few"), {"few-apart", "few-datasets", "few-draws", "few-folds"}),
        (("explain", "rop"), {"rope"}),
        (("hier", "--plot", "s"), {"shrinkage=", "simplex="}),
        (("hier", "--print", ""), {"column", "page"}),
        (("ttest", "missing.csv", "--left", ""), set()),
        (("ttest", "broken.csv", "--left", ""), set()),
    ],
)
def test_tab_offers_options_values_and_the_names_in_the_file(
    tmp_path: Path, words: tuple[str, ...], offered: set[str]
) -> None:
    odd = {"tree": 0.0, "forest": 0.02, "two words": 0.0, "*": 0.0, "x;rm -rf $(y)": 0.0}
    small_csv(tmp_path / "results.csv", odd, ("one", "other"))
    (tmp_path / "model.csv").write_text("model;score\nxgb;1\nknn;2\n", encoding="utf-8")
    (tmp_path / "gate.csv").write_text("fold,score\n1,1\n", encoding="utf-8")
    (tmp_path / "broken.csv").write_bytes(b"\xff\xfe\x00classifier\n")
    assert set(completed(tmp_path, *words)) == offered


def test_completion_loads_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom bcompare.cli.main import main\ntry:\n    main()\nexcept SystemExit:\n"
        "    pass\nprint([n for n in ('pandas', 'scipy.stats', 'matplotlib', 'rich.markdown')"
        " if n in sys.modules])"
    )
    asked = {"COMP_WORDS": "bcompare ttest --le", "COMP_CWORD": "2",
             "_BCOMPARE_COMPLETE": "complete_bash"}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env={**os.environ, **asked}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "[]"
