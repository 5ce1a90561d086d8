"""Users of the Stan engine: without CmdStan, with a stand-in for it, and with the real one."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.methods.hierarchical import stand_in as stand_in_for_cmdstan

# As it is before a test changes it.
NAMED = os.environ.get("CMDSTAN")


@pytest.fixture
def no_cmdstan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without CmdStan and with an empty home, in an empty working directory."""
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a cache"))
    monkeypatch.setenv("CMDSTAN", "")
    return tmp_path


@pytest.fixture
def stand_in(no_cmdstan: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same user with the stand-in for CmdStan."""
    folder = no_cmdstan / "cmdstan"
    for name, value in stand_in_for_cmdstan.install(folder).items():
        monkeypatch.setenv(name, value)
    return folder


@pytest.fixture
def leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[None]:
    """What a test computes prints nothing, and leaves no file here or in the temporary folder."""
    pytest.importorskip("cmdstanpy")  # makes a folder of its own when it is first imported
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    yield
    assert capfd.readouterr() == ("", "")
    assert [*temporary.iterdir(), *(tmp_path / "here").iterdir()] == []


@pytest.fixture(scope="session")
def installed_cmdstan() -> Path:
    """The folder of a real CmdStan."""
    import cmdstanpy

    with cmdstanpy.disable_logging(), pytest.MonkeyPatch.context() as patch:
        patch.setenv("CMDSTAN", NAMED or "")
        try:
            return Path(cmdstanpy.cmdstan_path())
        except ValueError:
            if NAMED:
                raise
            pytest.skip("needs CmdStan: make stan-test")


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that is empty at first: the program is compiled once in every run of the tests."""
    return tmp_path_factory.mktemp("a cache")


@pytest.fixture
def cmdstan(
    installed_cmdstan: Path, cache: Path, no_cmdstan: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A user with a real CmdStan, and a cache that he shares with the others of these."""
    monkeypatch.setenv("CMDSTAN", str(installed_cmdstan))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return installed_cmdstan
