"""What reading says of rows that are made here, for the cases of `messages.txt`."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from bcompare.basis.messages import InputError, Note, as_keywords
from bcompare.data.rope import Rope
from bcompare.data.scales import scale_notes
from bcompare.data.scores import Scores
from bcompare.reading.arrays import from_cv_results
from bcompare.reading.profile import profile_results
from bcompare.reading.read import from_frame, read_scores, read_slices
from tests.reading.rows import as_file, make_rows
from tests.results import HEADER

ITEM: dict[str, Any] = {"item_col": "item", "na_values": ("",)}


def made(datasets: int = 1, runs: int = 1, folds: int = 3, names: str = "nbc aode") -> list[str]:
    """Canonical rows; the first is on line 2 of a file."""
    return make_rows(datasets, runs, folds, names.split())


def changed(rows: list[str], *changes: tuple[int, str]) -> list[str]:
    """The rows with some lines replaced."""
    rows = list(rows)
    for line, row in changes:
        rows[line - 2] = row
    return rows


def listed(notes: Iterable[Note]) -> str:
    return "\n".join(f"({note.code}) {note.message}" for note in notes)


def told(read: Callable[..., Scores], *inputs: Any, **options: Any) -> str:
    """The problems that reading raises, or its notes."""
    try:
        return listed(read(*inputs, **options).notes)
    except InputError as error:
        return "\n".join([*error.problems, *map(as_keywords, error.advice)])


def of(rows: list[str] | str | bytes, header: str = HEADER, **options: Any) -> str:
    """What reading the rows as r.csv tells."""
    content = rows.encode() if isinstance(rows, str) else rows
    return told(read_scores, as_file(content, header), **options)


def profiled(rows: list[str], header: str = HEADER, **options: Any) -> str:
    """The notes on a profile of the rows."""
    return listed(profile_results(as_file(rows, header), **options).notes)


def framed(rows: pd.DataFrame, **options: Any) -> str:
    return told(from_frame, rows, **ITEM | options)


def searched(results: Any, **options: Any) -> str:
    return told(from_cv_results, results, **options)


def sliced(rows: pd.DataFrame, **options: Any) -> str:
    """What reading the slices of items by topic tells."""
    path = Path("slices.csv")
    rows.to_csv(path, index=False)
    given = {"by": "topic", **ITEM, **options}
    return told(lambda: read_slices(path, **given)[1])


def noted(*factors: float, rope: float = 0.01) -> str:
    """What is said of a rope for scores in such units, a data set each."""
    rows = [
        f"d{i},1,{f},{name},{factor * (0.8 + f / 100 + k / 50):.4f}"
        for i, factor in enumerate(factors)
        for f in range(10)
        for k, name in enumerate(("nbc", "aode"))
    ]
    return listed(scale_notes(read_scores(as_file(rows)), Rope.of(rope)))


def write_json(name: str, rows: list[dict[str, Any]]) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def answers() -> pd.DataFrame:
    """Right and wrong answers of two models; the first item of b lacks its score."""
    rows = [
        (f"q{i}", name, 0, None if (i, k) == (0, 1) else (i + k) % 2, "xyz"[min(i, 2)])
        for i in range(12)
        for k, name in enumerate("ab")
    ]
    return pd.DataFrame(rows, columns=["item", "classifier", "epoch", "score", "topic"])
