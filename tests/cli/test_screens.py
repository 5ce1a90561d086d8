"""Command lines with all that they say: `screens.txt`, and `shell.txt` of files that it makes."""

import os
import shutil
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.cli.files import make_files
from tests.screens import blocks, check

SCREENS, SHELL = (Path(__file__).with_name(name) for name in ("screens.txt", "shell.txt"))


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = tmp_path_factory.mktemp("files")
    make_files(result)
    return result


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute passes from one entry of a history to the next."""
    times = (datetime(2026, 1, 1, 12, minute, tzinfo=UTC) for minute in count())
    stand_in = Mock(now=lambda _zone: next(times))
    monkeypatch.setattr("bcompare.gating.history.datetime", stand_in)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("name", blocks(SCREENS))
def test_screens(name: str, files: Path, tmp_path: Path) -> None:
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    check(SCREENS, name, tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="needs a shell: run it on Linux or macOS")
@pytest.mark.parametrize("name", blocks(SHELL))
def test_screens_of_files_that_a_shell_makes(name: str, tmp_path: Path) -> None:
    check(SHELL, name, tmp_path)
