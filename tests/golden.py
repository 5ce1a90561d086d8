"""Golden files: looked at once, and compared with ever after."""

import os
from pathlib import Path


def golden(path: Path, text: str) -> str:
    """Return what a golden file holds, once it is renewed if BCOMPARE_UPDATE_GOLDEN=1."""
    if os.environ.get("BCOMPARE_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    return path.read_text(encoding="utf-8")
