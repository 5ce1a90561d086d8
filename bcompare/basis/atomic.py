"""Atomic file writes and appends."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from bcompare.basis.messages import InputError


def write_atomically(path: str | Path, content: bytes) -> None:
    """Write a file by replacing it; see `atomic_file`."""
    with atomic_file(path) as file:
        file.write(content)


@contextmanager
def atomic_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a new file that replaces the old one once it is complete.

    So nobody sees an incomplete file, even after an interrupted run. Files that are not regular,
    such as pipes or /dev/stdout, cannot be replaced and are written directly.

    Raises
    ------
    InputError : if it cannot be written; an old file is then as it was.
    """
    try:
        target = resolved(path)  # a link stays, and the file behind it is replaced
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                yield file
        else:
            with _replacing(target) as file:
                yield file
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {_reason(error)}") from error


def resolved(path: str | Path) -> Path:
    """Return the file that a path leads to, through all links.

    Raises
    ------
    InputError : the links lead round in a circle.
    """
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise InputError(f"{path}: a link that leads back to itself; name a file")
    return target


@contextmanager
def _replacing(target: Path) -> Iterator[BinaryIO]:
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode(target))
        temporary.replace(target)
    except BaseException:  # also after an interrupt
        with suppress(OSError):
            temporary.unlink()
        raise


def _mode(target: Path) -> int:
    """Return the permissions of the file to replace, or those of a new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def append_atomically(path: str | Path, content: bytes, size: int | None = None) -> None:
    """Append lines to a file by replacing it; see `atomic_file`.

    size : of the file when it was read, if nobody may have added to it since.

    Other processes that append by this function wait meanwhile, so that no line is lost or mixed.
    (A plain append may leave a truncated line if the process is killed.)

    Raises
    ------
    InputError : if it cannot be written, or has grown; the file is then as it was.
    """
    target = resolved(path)
    try:
        with _alone_in(target.parent), atomic_file(path) as file:
            before = target.read_bytes() if target.is_file() else b""
            if size not in (None, len(before)):
                raise InputError(f"{path}: changed by somebody else since it was read; run again")
            between = b"" if before.endswith(b"\n") or not before else b"\n"
            file.write(before + between + content)
    except OSError as error:  # of the folder, or of reading
        raise InputError(f"{path}: cannot be added to: {_reason(error)}") from error


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Lock a folder until the process ends; on Windows by a file in it."""
    if sys.platform == "win32":
        import msvcrt

        with (folder / ".bcompare-lock").open("ab") as file:
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)  # waits ten seconds, then OSError
            try:
                yield
            finally:
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)
