"""Files are written whole or not at all: also when the disk is full or the run is interrupted."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from bcompare.errors import InputError
from bcompare.whole import write_whole
from tests.command import run
from tests.results import small_csv


def test_a_new_file_has_the_permissions_of_any_other(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("x")
    write_whole(tmp_path / "new", b"content")
    assert (tmp_path / "new").read_bytes() == b"content"
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_an_old_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text("before")
    old.chmod(0o640)
    write_whole(old, b"after")
    assert old.read_bytes() == b"after"
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [old]


def test_a_link_goes_on_pointing_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("before")
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "file")
    write_whole(tmp_path / "link", b"after")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "folder" / "file").read_bytes() == b"after"


def test_what_is_no_regular_file_is_written_to() -> None:
    write_whole("/dev/null", b"content")
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("at", ["fsync", "replace"])
def test_an_interrupted_run_leaves_the_old_file_and_nothing_else(
    error: BaseException, at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old"
    old.write_text("before")

    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr({"fsync": "os.fsync", "replace": "pathlib.Path.replace"}[at], fail)
    expected = InputError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected):
        write_whole(old, b"after")
    assert old.read_text() == "before"
    assert list(tmp_path.iterdir()) == [old]


def test_a_full_disk_is_a_message_and_exit_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.05})

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    outcome = run("ttest", "-o", "out.json", folder=tmp_path)
    assert outcome.code == 2
    assert "out.json: cannot be written: No space left on device" in outcome.err
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]


def test_several_outputs_of_one_run_are_all_written(tmp_path: Path) -> None:
    small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.05})
    outcome = run("ttest", "-o", "a.json", "-o", "b.md", "-o", "-", folder=tmp_path)
    assert outcome.code == 0
    assert (tmp_path / "a.json").read_text().startswith('{"schema_version"')
    assert (tmp_path / "b.md").read_text().startswith("**Bayesian")
    assert outcome.out.startswith("Bayesian correlated t-test: iris\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "a.json", "-o", "a.json"], "that file is written already"),
        (["-o", "a.json", "-o", "b.md", "--format", "csv"], "each file's suffix says its format"),
        (["-o", "a.svg", "--plot", "a.svg"], "a.svg: the suffix .svg stands for no format"),
    ],
)
def test_outputs_that_cannot_all_be(options: list[str], message: str, tmp_path: Path) -> None:
    small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.05})
    outcome = run("ttest", *options, folder=tmp_path)
    assert outcome.code == 2
    assert message in outcome.err
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]
