"""Golden files: looked at once, and compared with ever after."""

import os
import re
from collections.abc import Callable
from pathlib import Path

from bcompare import __version__

LONG_NUMBER = re.compile(r"-?\d+\.\d{10,}(?:e-?\d+)?")


def golden(path: Path, text: str | Callable[[], str]) -> str:
    """Return what a golden file holds, once it is renewed if BCOMPARE_UPDATE_GOLDEN=1.

    text : what it should hold; called, where tests that run at once renew parts of one file.
    """
    if os.environ.get("BCOMPARE_UPDATE_GOLDEN") == "1":
        import fcntl  # not on Windows

        folder = os.open(path.parent, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            new = path.with_suffix(".new")
            new.write_text(text if isinstance(text, str) else text(), encoding="utf-8")
            new.replace(path)
        finally:
            os.close(folder)
    return path.read_text(encoding="utf-8")


def printed(text: str) -> str:
    """Return an output as it is on every machine and in every version.

    Full precision differs in its last digits between machines, a small probability in more.
    """
    text = LONG_NUMBER.sub(lambda number: f"{round(float(number[0]), 12):.9g}", text)
    return text.replace(f"bcompare {__version__}", "bcompare VERSION")
