"""Mangled files for every reader, and of every format: text, JSON, workbooks, Parquet, ARFF.

All readers of text give the same scores or the same problems; each format gives scores that make
sense, or says what is wrong; nothing else, and no warning. BCOMPARE_FUZZ=100 tries a hundred times
as many as the suite.
"""

import io
import json
import os
import random
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from io import BytesIO
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest

from bcompare.basis.messages import InputError
from bcompare.data.scores import Scores
from bcompare.files import text
from bcompare.files.options import MISSING_POLICIES, ReadOptions
from bcompare.files.presets import PRESETS
from bcompare.reading.read import read_scores
from tests.reading import written as layouts
from tests.reading.written import Results, as_file
from tests.results import HEADER

TIMES = int(os.environ.get("BCOMPARE_FUZZ", "1"))
LAYOUTS = (layouts.canonical, *layouts.EQUAL, *layouts.PRESETS)
Mangler = Callable[[bytes, random.Random], bytes]
Outcome = Scores | tuple[str, ...]
JUNK = [
    "", " ", "NaN", "inf", "-", '"', '"x', 'a"b', '""x""', '"a""b"', '"a"b', "'a''b'", "'a\\'b'",
    "0,5", "1e999", "-0", "0x10", "1_000", "５", "\0", "\ufeff", "é", "1" * 400, "1" * 5000,
    "x" + "7" * 5000 + "y",
]  # fmt: skip
NAMES = ("nbc", "aode", "j48")
QUOTED_NAMES = ("nbc", 'j48 -C "0,25"', "a'b")

READERS: dict[str, dict[str, int]] = {
    "csv": {"small": 1 << 40},
    "pandas": {"small": -1},
    "pieces": {"small": -1, "piece": 99},
}
"""The readers of text: up to how many bytes csv reads a file, and how many a piece has."""


@contextmanager
def forced(reader: str) -> Iterator[None]:
    """Let one reader read, whatever the size of the file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "SMALL_BYTES", READERS[reader]["small"])
        patch.setattr(text, "PIECE_BYTES", READERS[reader].get("piece", text.PIECE_BYTES))
        yield


def regular(random: random.Random) -> bytes:
    """A small file that can be read."""
    sep = random.choice([",", ",", ";", "\t", "|"])
    end = random.choice(["\n", "\n", "\r\n", "\r"])
    rows = [HEADER.replace(",", sep)]
    for d in range(random.randint(1, 3)):
        for run in range(1, random.randint(1, 3) + 1):
            for fold in range(1, random.randint(1, 4) + 1):
                for name in random.sample(NAMES, random.randint(2, 3)):
                    score = f"{random.random():.{random.randint(1, 17)}f}"
                    rows.append(sep.join([f"d{d}", str(run), str(fold), name, score]))
    return (end.join(rows) + end).encode()


def another_layout(random: random.Random) -> tuple[bytes, dict[str, Any]]:
    """A small file in some other layout and dialect, and options that read it, or nearly."""
    runs, folds = random.randint(1, 2), random.randint(2, 4)
    count = 2 * runs * folds * 3
    scores = [round(random.random(), 3) for _ in range(count)]
    results = Results(("iris", "wine"), runs, folds, QUOTED_NAMES, scores)
    written = random.choice(LAYOUTS)(results)
    dialect: dict[str, Any] = {
        "delimiter": random.choice([",", ";", "\t", "|"]),
        "quoting": random.choice([0, 1, 2]),
        "quotechar": random.choice(["'", '"']),
    }
    if random.random() < 0.2:
        dialect |= {"doublequote": False, "escapechar": "\\"}
    file = as_file(written.table, **dialect)
    options = written.options | {"missing": random.choice([None, *MISSING_POLICIES])}
    for change in random.sample(CHANGES, random.choice([0, 0, 0, 1, 2])):
        options |= change
    if random.random() < 0.1:
        options["preset"] = random.choice([*PRESETS, "none"])
    return file.read(), options


CHANGES: list[dict[str, Any]] = [
    {"sep": ","}, {"sep": ";"}, {"sep": "tab"}, {"sep": "a"}, {"na_values": ("", "NaN")},
    {"na_values": ("1" * 5000, '"')}, {"where": ("fold!=2",)}, {"where": ("score~0",)},
    {"where": ("=",)}, {"where": ("classifier~(",)}, {"classifier_col": "framework,fold"},
    {"classifier_col": "," * 50}, {"split": "dataset=(?P<dataset>.)(?P<fold>.*)"}, {"split": "="},
    {"wide": "(?P<classifier>s.*)"}, {"wide": "(?P<fold>"}, {"folds": 2}, {"folds": 10**400},
    {"folds": -1}, {"iteration_col": "fold", "folds": 2},
    {"iteration_col": "fold", "folds": 10**400}, {"item_col": "fold", "missing": "drop-items"},
    {"item_col": "fold", "epoch_col": "run", "missing": "drop-items"},
    {"item_col": "fold", "epoch_col": "run", "cluster_col": "score", "missing": "refuse"},
    {"seed_col": "fold"}, {"preset": "means"}, {"percent": True, "rho": 0.2},
    {"rho": 1 - 2**-53}, {"rho": 5e-324}, {"rho": float("nan")}, {"rho": float("inf")},
    {"decimal": ","}, {"classifiers": ("nbc", "1" * 5000)}, {"datasets": ("",)},
]  # fmt: skip
"""Options that do not fit, and values that nobody would choose."""


def truncated(content: bytes, random: random.Random) -> bytes:
    return content[: random.randrange(len(content))]


def bits_flipped(content: bytes, random: random.Random) -> bytes:
    mangled = bytearray(content)
    for _ in range(random.randint(1, 20)):
        mangled[random.randrange(len(mangled))] ^= 1 << random.randrange(8)
    return bytes(mangled)


def inserted(content: bytes, random: random.Random) -> bytes:
    """Random bytes, quotes, or a field beyond measure, anywhere."""
    mangled = bytearray(content)
    for _ in range(random.randint(1, 6)):
        place = random.randrange(len(mangled))
        huge = b"x" * random.choice([1_000, 200_000])
        few = random.randbytes(random.randint(1, 8))
        mangled[place:place] = random.choice([few, few, b'"', b'"', b"'", b"\\", huge])
    return bytes(mangled)


def cells_replaced(content: bytes, random: random.Random) -> bytes:
    lines = content.decode().splitlines()
    for _ in range(random.randint(1, 4)):
        line = random.randrange(len(lines))
        sep = next((sep for sep in ",;\t|" if sep in lines[line]), ",")
        cells = lines[line].split(sep)
        cells[random.randrange(len(cells))] = random.choice(JUNK)
        lines[line] = sep.join(cells)
    return "\n".join(lines).encode()


def ragged(content: bytes, random: random.Random) -> bytes:
    lines = content.split(b"\n")
    for _ in range(random.randint(1, 4)):
        line = random.randrange(len(lines))
        lines[line] = random.choice(
            [lines[line][:-6], lines[line] + b",x", b",,,,", b",", lines[0]]
        )
    return b"\n".join(lines)


def rows_shuffled(content: bytes, random: random.Random) -> bytes:
    """In another order, or some of them twice."""
    lines = content.split(b"\n")
    if random.random() < 0.5:
        return b"\n".join(lines + random.choices(lines, k=random.randint(1, 3)))
    random.shuffle(lines)
    return b"\n".join(lines)


def names_quoted(content: bytes, random: random.Random) -> bytes:
    """A name in quotes that hold quotes, wherever it stands or in some of the places."""
    quote = random.choice(['"', "'"])
    inside = random.choice(["{q}{q}", "{q}", "\\{q}", '"', '""', "'", "\\"]).format(q=quote)
    name = f"{quote}{random.choice(['a', ''])}{inside}b{quote}".encode()
    return content.replace(b"nbc", name, random.choice([1, 2, -1]))


def digits_repeated(content: bytes, random: random.Random) -> bytes:
    """Numbers, alone or inside names, with thousands of digits."""
    digit = random.choice("0123456789").encode()
    return content.replace(digit, digit * random.choice([400, 5000]), random.choice([1, 3]))


def encoded_otherwise(content: bytes, random: random.Random) -> bytes:
    text = content.decode().replace("nbc", "naïve")
    return text.encode(
        random.choice(["latin1", "cp1252", "utf-16", "utf-16-le", "utf-32", "utf-8-sig"])
    )


def binary(content: bytes, random: random.Random) -> bytes:
    magic = random.choice(
        [b"", b"\x1f\x8b\x08", b"PK\x03\x04", b"\xff\xfe", b"PAR1", b"\x89PNG\r\n", b"{", b"[{"]
    )
    return magic + random.randbytes(random.randrange(300))


def untouched(content: bytes, random: random.Random) -> bytes:
    return content


MANGLERS: list[Mangler] = [
    truncated, bits_flipped, inserted, cells_replaced, ragged, rows_shuffled, names_quoted,
    digits_repeated, encoded_otherwise, binary, untouched,
]  # fmt: skip


def a_case(random: random.Random, mangle: Mangler) -> tuple[bytes, dict[str, Any]]:
    """A file, most often mangled, and options to read it with."""
    if random.random() < 0.5:
        content, options = another_layout(random)
    else:
        content = regular(random)
        options = {
            "rho": random.choice([None, 0.1]),
            "missing": random.choice([None, *MISSING_POLICIES]),
        }
    return (mangle(content, random) if random.random() < 0.8 else content), options


def read(content: bytes, options: dict[str, Any]) -> Outcome:
    """Scores, or problems."""
    try:
        return read_scores(BytesIO(content), options=ReadOptions(**options))
    except InputError as error:
        return error.problems


def check(outcome: Outcome) -> None:
    """What `Scores` promises; problems say something, and can be printed."""
    if not isinstance(outcome, Scores):
        assert outcome
        assert all(problem.strip() and problem.isprintable() for problem in outcome)
        return
    assert len(outcome.classifiers) >= 2
    left_out = sum(part.rows for part in outcome.account.left_out)
    assert outcome.account.read == outcome.account.used + left_out
    cells = sum(dataset.cells for dataset in outcome.datasets)
    # an item may have several answers, and a cluster several items
    assert outcome.rows >= cells if outcome.unit == "item" else outcome.rows == cells
    for dataset in outcome.datasets:
        known = np.isfinite(dataset.table)
        assert (known.any(axis=0) == dataset.present).all()
        assert (known.sum(axis=1) >= min(2, dataset.present.sum())).all()
        assert known[:, dataset.present].all() or outcome.account.lacking
        assert len(dataset.table) >= (1 if outcome.unit == "mean" else 3)
        assert 0 <= dataset.rho < 1


def told(outcome: Outcome) -> Any:
    """All that an outcome tells, to be compared."""
    if not isinstance(outcome, Scores):
        return outcome
    tables = [
        (d.name, d.table.tobytes(), d.present.tobytes(), d.runs, d.folds, d.rho)
        for d in outcome.datasets
    ]
    return outcome.classifiers, tables, outcome.rows, outcome.account, outcome.notes


def check_readers(content: bytes, options: dict[str, Any]) -> Outcome:
    """What all readers make of a file, which must be the same."""
    outcomes = {}
    for reader in READERS:
        with forced(reader):
            outcomes[reader] = read(content, options)
    by_csv = outcomes["csv"]
    check(by_csv)
    for reader, outcome in outcomes.items():
        assert told(outcome) == told(by_csv), (reader, content, options)
    return by_csv


Case = tuple[bytes, dict[str, Any]]
Format = Callable[[random.Random], Case]
PLAIN_LAYOUTS = (layouts.canonical, *layouts.EQUAL)
BYTES = (truncated, bits_flipped, inserted, untouched, untouched)
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
    written = random.choice(PLAIN_LAYOUTS)(Results(("iris", "wine"), runs, folds, NAMES, scores))
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


def try_one(name: str, random: random.Random) -> Outcome:
    """Read one file of a format, and check what comes of it."""
    content, fitting = FORMATS[name](random)
    outcome = read(content, options_of(fitting, random))
    check(outcome)
    return outcome
