"""Mangled JSON, workbooks, Parquet and ARFF.

Each gives scores that make sense, or says what is wrong; nothing else, and no warning.
"""

import io
import json
import random
import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import openpyxl
import pandas as pd

from bcompare.reading.options import MISSING_POLICIES
from bcompare.reading.presets import PRESETS
from tests.reading import fuzz
from tests.reading import written as layouts
from tests.reading.fuzz import CHANGES, JUNK, NAMES, check, read
from tests.reading.written import Results

Case = tuple[bytes, dict[str, Any]]
Format = Callable[[random.Random], Case]

LAYOUTS = (layouts.canonical, *layouts.EQUAL)
BYTES = (fuzz.truncated, fuzz.bits_flipped, fuzz.bytes_inserted, fuzz.untouched, fuzz.untouched)
WEIRD_JSON: list[Any] = [
    None, True, False, [], {}, [1, [2]], {"a": {"b": 1}}, "", " ", "NaN", float("nan"),
    float("inf"), 10**400, -(10**400), 1e308, -1e-308, 0, "x" * 5000, "\0", "\ud800", "\x1b[31m",
    {"results": [1]},
]  # fmt: skip
WEIRD_CELLS: list[Any] = [
    None, True, "", " ", "#N/A", "=1/0", "NaN", 1e308, 10**15, date(2020, 1, 2),
    datetime(2020, 1, 2), timedelta(1), "a\nb", "x" * 5000, "0,5", "é",
]  # fmt: skip
MARKERS = ("", "NaN", "None", "nan")


def table_of(random: random.Random) -> tuple[list[str], list[list[str]], dict[str, Any]]:
    """Header and rows of a small file in some layout, and the options that read it."""
    runs, folds = random.randint(1, 2), random.randint(3, 4)
    scores = [round(random.random(), 3) for _ in range(2 * runs * folds * 3)]
    written = random.choice(LAYOUTS)(Results(("iris", "wine"), runs, folds, NAMES, scores))
    header, *rows = written.table
    if random.random() < 0.2:
        del rows[random.randrange(len(rows))]
    return header, rows, written.options


def typed(cell: str) -> Any:
    """A cell as a number where it is one."""
    try:
        return float(cell)
    except ValueError:
        return cell


def weird(rows: list[list[Any]], values: list[Any], random: random.Random) -> None:
    """Replace a few cells."""
    for _ in range(random.choice([0, 0, 1, 3])):
        if rows:
            row = random.choice(rows)
            row[random.randrange(len(row))] = random.choice(values)


def mangled(content: bytes, random: random.Random) -> bytes:
    """The bytes, damaged or not."""
    return random.choice(BYTES)(content or b" ", random)


def document(random: random.Random) -> Case:
    """JSON: lines, a list, or the results of promptfoo."""
    header, rows, options = table_of(random)
    cells: list[list[Any]] = [[typed(cell) for cell in row] for row in rows]
    weird(cells, WEIRD_JSON, random)
    objects: list[Any] = [dict(zip(header, row, strict=True)) for row in cells]
    for _ in range(random.choice([0, 0, 1])):
        objects.insert(random.randrange(len(objects) + 1), random.choice(WEIRD_JSON))
    how = random.randrange(4)
    if how == 0:
        text = json.dumps(objects)
    elif how == 1:
        text = json.dumps({"results": {"results": objects}})
    else:
        text = "\n".join(map(json.dumps, objects))
    if random.random() < 0.1:
        deep = random.choice([5, 900, 5000])
        text = text.replace("1", '{"a":' * deep + "1" + "}" * deep, 1)
    return mangled(text.encode("utf-8", "surrogatepass"), random), options


def workbook(random: random.Random) -> Case:
    """A workbook, of which single parts or all bytes may be damaged."""
    header, rows, options = table_of(random)
    cells: list[list[Any]] = [[typed(cell) for cell in row] for row in rows]
    weird(cells, WEIRD_CELLS, random)
    book = openpyxl.Workbook()
    assert book.active is not None
    blank = [None] * random.choice([0, 0, 0, 1])
    for row in [*[[]] * random.choice([0, 0, 3]), header, *cells]:
        book.active.append([*blank, *row])
    if random.random() < 0.1:
        book.create_sheet(random.choice(["x", "scores"]))
    saved = io.BytesIO()
    book.save(saved)
    if random.random() < 0.7:
        return mangled(saved.getvalue(), random), options
    damaged = io.BytesIO()
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(damaged, "w") as new:
        target = random.choice(old.namelist())
        for name in old.namelist():
            content = old.read(name)
            if name != target:
                new.writestr(name, content)
            elif random.random() < 0.9:
                new.writestr(name, random.choice(BYTES[:3])(content, random))
    return damaged.getvalue(), options


def parquet(random: random.Random) -> Case:
    """A Parquet file with columns of any type, which may be damaged."""
    header, rows, options = table_of(random)
    frame = pd.DataFrame(rows, columns=list(dict.fromkeys(header)))
    for column in frame.columns:
        cells = [typed(cell) for cell in frame[column]]
        if all(isinstance(cell, float) for cell in cells):
            frame[column] = cells
    n = len(frame)
    types: list[Callable[[], Any]] = [
        lambda: pd.date_range("2020-01-01", periods=n),
        lambda: pd.date_range("2020-01-01", periods=n, tz=UTC),
        lambda: pd.to_timedelta(np.arange(n), unit="s"),
        lambda: [date(2020, 1, 1 + i % 28) for i in range(n)],
        lambda: [i % 2 == 0 for i in range(n)],
        lambda: [Decimal(i) / 7 for i in range(n)],
        lambda: [b"x%d" % i for i in range(n)],
        lambda: [[i] for i in range(n)],
        lambda: [{"a": i} for i in range(n)],
        lambda: pd.Categorical([f"c{i % 2}" for i in range(n)]),
        lambda: pd.array([None if i % 3 == 0 else i for i in range(n)], dtype="Int64"),
        lambda: [None] * n,
        lambda: np.full(n, 1e308),
        lambda: np.arange(n).astype("uint8"),
        lambda: np.linspace(0, 1, n).astype("float16"),
    ]
    for _ in range(random.choice([0, 1, 1, 2])):
        frame[random.choice(list(frame.columns))] = random.choice(types)()
    frame = frame.rename(columns={frame.columns[0]: random.choice([frame.columns[0], "", "\0"])})
    saved = io.BytesIO()
    frame.to_parquet(saved, compression=random.choice(["snappy", None]))
    return mangled(saved.getvalue(), random), options


def arff(random: random.Random) -> Case:
    """A file of WEKA, which may be damaged."""
    header, rows, options = table_of(random)
    lines = [
        "% a comment",
        "@relation results",
        *(f"@attribute {name!r} string" for name in header),
    ]
    for _ in range(random.choice([0, 1, 2])):
        if rows:
            random.choice(rows)[0] = random.choice(JUNK)
    quoted = [[cell if cell.isalnum() else repr(cell) for cell in row] for row in rows]
    lines += ["@data", *(",".join(row) for row in quoted)]
    return mangled("\n".join(lines).encode(), random), options


FORMATS: dict[str, Format] = {f.__name__: f for f in (document, workbook, parquet, arff)}


def options_of(fitting: dict[str, Any], random: random.Random) -> dict[str, Any]:
    """Options that read the file, or nearly, or not at all."""
    options = fitting | {"missing": random.choice([None, "drop-folds", *MISSING_POLICIES])}
    if random.random() < 0.3:
        options["na_values"] = MARKERS
    for change in random.sample(CHANGES, random.choice([0, 0, 0, 1, 2])):
        options |= change
    if random.random() < 0.05:
        options["preset"] = random.choice([*PRESETS])
    return options


def try_one(name: str, random: random.Random) -> fuzz.Outcome:
    """Read one file of a format, and check what comes of it."""
    content, fitting = FORMATS[name](random)
    outcome = read(content, options_of(fitting, random))
    check(outcome)
    return outcome
