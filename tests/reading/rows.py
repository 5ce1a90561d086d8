"""Canonical rows, made for the tests."""

import io
from collections.abc import Sequence
from typing import BinaryIO

from tests.results import HEADER


def make_rows(
    datasets: int = 2, runs: int = 2, folds: int = 5, classifiers: Sequence[str] = ("nbc", "aode")
) -> list[str]:
    """Canonical rows, each score different from all others."""
    return [
        f"d{d},{r},{f},{name},0.{500 + d * 100 + r * 20 + f * 3 + k}"
        for d in range(datasets)
        for r in range(1, runs + 1)
        for f in range(1, folds + 1)
        for k, name in enumerate(classifiers)
    ]


def as_file(rows: list[str] | bytes, header: str = HEADER, name: str = "r.csv") -> BinaryIO:
    """Rows as an open file."""
    content = rows if isinstance(rows, bytes) else "\n".join([header, *rows, ""]).encode()
    file = io.BytesIO(content)
    file.name = name
    return file
