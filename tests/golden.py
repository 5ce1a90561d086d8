"""Golden files: looked at once, and compared with ever after."""

import os
import re
from pathlib import Path

from bcompare import __version__

LONG_NUMBER = re.compile(r"-?\d+\.\d{10,}(?:e-?\d+)?")


def golden(path: Path, text: str) -> str:
    """Return what a golden file holds, once it is renewed if BCOMPARE_UPDATE_GOLDEN=1."""
    if os.environ.get("BCOMPARE_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    return path.read_text(encoding="utf-8")


def printed(text: str) -> str:
    """Return an output as it is on every machine and in every version.

    Full precision differs in its last digits between machines, a small probability in more.
    """
    text = LONG_NUMBER.sub(lambda number: f"{round(float(number[0]), 12):.9g}", text)
    return text.replace(f"bcompare {__version__}", "bcompare VERSION")
