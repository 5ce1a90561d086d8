"""Command lines with all that they say: each block of `screens.txt` is run in a folder of its own.

To accept a change, look at it, run with BCOMPARE_UPDATE_GOLDEN=1, and read the diff.
"""

import os
import re
import shlex
import shutil
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from unittest.mock import Mock, patch

import pytest

from tests.cli.files import make_files
from tests.command import run
from tests.golden import golden, printed

SCREENS = Path(__file__).with_name("screens.txt")
SENTENCE = re.compile(r'"(?:[^" ]+ ){4,}[^"]+"')


def blocks() -> dict[str, str]:
    """The blocks by their headings."""
    parts = SCREENS.read_text(encoding="utf-8").removeprefix("## ").rstrip("\n").split("\n## ")
    return dict(part.partition("\n")[::2] for part in parts)


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = tmp_path_factory.mktemp("files")
    make_files(result)
    return result


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def executed(command: str, folder: Path) -> str:
    """A command line followed by what it says; it leaves nothing behind that it was not told to."""
    words = shlex.split(command)
    at = next(k for k, word in enumerate(words) if "=" not in word)
    environment = dict(word.split("=", 1) for word in words[:at])
    program, *words = words[at:]
    if program == "cp":
        shutil.copy(folder / words[0], folder / words[1])
        return f"$ {command}\n"
    if program == "printf":
        (folder / words[-1]).write_text(words[0].replace("\\n", "\n"), encoding="utf-8")
        return f"$ {command}\n"
    before = contents(folder)
    with patch.dict(os.environ, environment):
        outcome = run(*words, folder=folder)
    judges = words[0] in ("gate", "gate-anytime", "check")  # their output says what is wrong, too
    assert judges or not (outcome.out and outcome.code == 2)
    writes = {"-o", "--history"} & set(words) and (outcome.code != 2 or judges)
    assert writes or contents(folder) == before
    code = f"exit code {outcome.code}\n" if outcome.code else ""
    # the sentences of a document are those of the screen
    out = SENTENCE.sub('"…"', outcome.out) if "json" in words else outcome.out
    return f"$ {command}\n{code}{printed(out + outcome.err)}"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute passes from one entry of a history to the next."""
    times = (datetime(2026, 1, 1, 12, minute, tzinfo=UTC) for minute in count())
    stand_in = Mock(now=lambda _zone: next(times))
    monkeypatch.setattr("bcompare.gating.anytime.datetime", stand_in)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("name", blocks())
def test_screens(name: str, files: Path, tmp_path: Path) -> None:
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    commands = re.findall(r"^\$ (.*)$", blocks()[name], re.MULTILINE)
    shown = "".join(executed(command, tmp_path) for command in commands).rstrip("\n")

    def renewed() -> str:
        parts = blocks() | {name: shown}
        return "\n".join(f"## {heading}\n{text}" for heading, text in parts.items()) + "\n"

    golden(SCREENS, renewed)
    assert shown == blocks()[name]
