"""Mangled files for every reader, which must give the same scores or the same problems.

BCOMPARE_FUZZ=100 tries a hundred times as many as the suite.
"""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import numpy as np
import pytest

from bcompare.basis.errors import InputError
from bcompare.data.scores import Scores
from bcompare.reading import fast
from bcompare.reading import read as read_module
from bcompare.reading.options import MISSING_POLICIES, ReadOptions
from bcompare.reading.presets import PRESETS
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
    "0,5", "1e999", "\0", "\ufeff", "é", "1" * 400, "1" * 5000, "x" + "7" * 5000 + "y",
]  # fmt: skip
NAMES = ("nbc", "aode", "j48")
QUOTED_NAMES = ("nbc", 'j48 -C "0,25"', "a'b")


READERS: dict[str, dict[str, int]] = {
    "exact": {"small": 1 << 40},
    "fast": {"small": -1},
    "pieces": {"small": -1, "piece": 99},
}
"""The readers of text: up to how many bytes a file is read exactly, and how many a piece has."""


@contextmanager
def forced(reader: str) -> Iterator[None]:
    """Let one reader read, whatever the size of the file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(read_module, "SMALL_BYTES", READERS[reader]["small"])
        patch.setattr(fast, "PIECE_BYTES", READERS[reader].get("piece", fast.PIECE_BYTES))
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
    {"seed_col": "fold"}, {"preset": "means"}, {"sheet": "x"}, {"percent": True, "rho": 0.2},
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


def bytes_inserted(content: bytes, random: random.Random) -> bytes:
    mangled = bytearray(content)
    for _ in range(random.randint(1, 5)):
        place = random.randrange(len(mangled))
        mangled[place:place] = random.randbytes(random.randint(1, 8))
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


def quotes_inserted(content: bytes, random: random.Random) -> bytes:
    mangled = bytearray(content)
    for _ in range(random.randint(1, 6)):
        mangled.insert(random.randrange(len(mangled)), ord(random.choice('""\'\\')))
    return bytes(mangled)


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


def field_made_huge(content: bytes, random: random.Random) -> bytes:
    place = random.randrange(len(content))
    return content[:place] + b"x" * random.choice([1_000, 200_000]) + content[place:]


def binary(content: bytes, random: random.Random) -> bytes:
    magic = random.choice(
        [b"", b"\x1f\x8b\x08", b"PK\x03\x04", b"\xff\xfe", b"PAR1", b"\x89PNG\r\n", b"{", b"[{"]
    )
    return magic + random.randbytes(random.randrange(300))


def untouched(content: bytes, random: random.Random) -> bytes:
    return content


MANGLERS: list[Mangler] = [
    truncated, bits_flipped, bytes_inserted, cells_replaced, ragged, rows_shuffled,
    quotes_inserted, names_quoted, digits_repeated, encoded_otherwise, field_made_huge, binary,
    untouched,
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
    cells = sum(int(d.present.sum()) * len(d.table) for d in outcome.datasets)
    # an item may have several answers, and a cluster several items
    assert outcome.rows >= cells if outcome.unit == "item" else outcome.rows == cells
    for dataset in outcome.datasets:
        assert np.isfinite(dataset.table[:, dataset.present]).all()
        assert np.isnan(dataset.table[:, ~dataset.present]).all()
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
    exact = outcomes["exact"]
    check(exact)
    for reader, outcome in outcomes.items():
        assert told(outcome) == told(exact), (reader, content, options)
    return exact
