"""Files are added to whole or not at all: by several at once, on a full disk, under kill."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from bcompare.basis.atomic import append_atomically
from bcompare.basis.messages import InputError

ADD = """
import sys
from pathlib import Path
from types import ModuleType
from bcompare.basis.atomic import append_atomically
path, letter, times, size = sys.argv[1:]
for _ in range(int(times)):
    append_atomically(path, (letter * int(size) + "\\n").encode())
"""


def adding(path: Path, letter: str, times: int, size: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", ADD, str(path), letter, str(times), str(size)])


def test_several_at_once_do_not_mix(tmp_path: Path) -> None:
    path, size = tmp_path / "summary.md", 200_000
    writers = [adding(path, letter, 10, size) for letter in "abcd"]
    assert [writer.wait() for writer in writers] == [0] * 4
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 40
    assert all(len(line) == size and len(set(line)) == 1 for line in lines)


FULL = """
import resource, sys
from bcompare.basis.messages import InputError
from bcompare.basis.atomic import append_atomically
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
try:
    append_atomically(sys.argv[1], b"x" * 20_000)
except InputError as error:
    print(error)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs a limit on files: run on a POSIX system")
def test_where_there_is_no_room_the_file_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("before\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{path}: cannot be written: File too large\n"
    assert path.read_text(encoding="utf-8") == "before\n"
    assert [result.name for result in tmp_path.iterdir()] == ["summary.md"]
    append_atomically(path, b"further\n")
    assert path.read_text(encoding="utf-8") == "before\nfurther\n"


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be added to: No such file or directory"):
        append_atomically(tmp_path / "nowhere" / "summary.md", b"x")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill: run on a POSIX system")
def test_killed_in_between_it_leaves_whole_pieces_and_no_lock(tmp_path: Path) -> None:
    path, size = tmp_path / "summary.md", 3000
    for _ in range(4):
        writer = adding(path, "a", 10**6, size)
        deadline = time.monotonic() + 20
        before = path.stat().st_size if path.exists() else 0
        while time.monotonic() < deadline and (
            not path.exists() or path.stat().st_size < before + 30_000
        ):
            time.sleep(0.005)
        writer.kill()
        writer.wait()
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines
        assert {len(line) for line in lines} == {size}
    append_atomically(path, b"alone again\n")
    assert path.read_text(encoding="utf-8").endswith("alone again\n")


def test_on_windows_a_file_of_ours_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a stand-in for what only Windows has."""
    asked: list[int] = []
    windows = ModuleType("msvcrt")
    vars(windows).update(LK_LOCK=1, LK_UNLCK=0, locking=lambda _handle, how, _n: asked.append(how))
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(sys, "platform", "win32")
    append_atomically(tmp_path / "history.jsonl", b"one\n")
    append_atomically(tmp_path / "history.jsonl", b"two\n")
    assert (asked, (tmp_path / "history.jsonl").read_bytes()) == ([1, 0, 1, 0], b"one\ntwo\n")
    vars(windows)["locking"] = _busy
    with pytest.raises(InputError, match="cannot be added to: Resource deadlock avoided"):
        append_atomically(tmp_path / "history.jsonl", b"three\n")


def _busy(*_: int) -> None:
    """What `msvcrt.locking` does when somebody else has had the file for ten seconds."""
    raise OSError(errno.EDEADLK, "Resource deadlock avoided")
