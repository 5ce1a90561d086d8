"""Mangled files: each gives scores that make sense, or says what is wrong; nothing else."""

import random
from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
import pytest

from bcompare.errors import InputError
from bcompare.reading.options import MISSING_POLICIES, ReadOptions
from bcompare.reading.picture import take_picture
from bcompare.reading.presets import PRESETS
from bcompare.reading.read import read_scores
from bcompare.scores import Scores
from tests.reading import written as layouts
from tests.reading.written import Results, as_file

HEADER = "dataset,run,fold,classifier,score"
BATCH = 250
LAYOUTS = (layouts.canonical, *layouts.EQUAL, *layouts.PRESETS)
Mangler = Callable[[bytes, random.Random], bytes]
JUNK = [
    "",
    " ",
    "NaN",
    "inf",
    "-",
    '"',
    '"x',
    'a"b',
    "0,5",
    "1e999",
    "\0",
    "\ufeff",
    "é",
    "1" * 400,
]


def regular(random: random.Random) -> bytes:
    """A small file that can be read."""
    sep = random.choice([",", ",", ";", "\t", "|"])
    end = random.choice(["\n", "\n", "\r\n", "\r"])
    rows = [HEADER.replace(",", sep)]
    for d in range(random.randint(1, 3)):
        for run in range(1, random.randint(1, 3) + 1):
            for fold in range(1, random.randint(1, 4) + 1):
                for name in random.sample(["nbc", "aode", "j48"], random.randint(2, 3)):
                    score = f"{random.random():.{random.randint(1, 17)}f}"
                    rows.append(sep.join([f"d{d}", str(run), str(fold), name, score]))
    return (end.join(rows) + end).encode()


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
        cells = lines[line].split(",")
        cells[random.randrange(len(cells))] = random.choice(JUNK)
        lines[line] = ",".join(cells)
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
    lines = content.split(b"\n")
    random.shuffle(lines)
    return b"\n".join(lines)


def rows_doubled(content: bytes, random: random.Random) -> bytes:
    lines = content.split(b"\n")
    return b"\n".join(lines + random.choices(lines, k=random.randint(1, 3)))


def quotes_inserted(content: bytes, random: random.Random) -> bytes:
    mangled = bytearray(content)
    for _ in range(random.randint(1, 6)):
        mangled.insert(random.randrange(len(mangled)), ord('"'))
    return bytes(mangled)


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
        [b"", b"\x1f\x8b\x08", b"PK\x03\x04", b"\xff\xfe", b"PAR1", b"\x89PNG\r\n"]
    )
    return magic + random.randbytes(random.randrange(300))


def untouched(content: bytes, random: random.Random) -> bytes:
    return content


MANGLERS: list[Mangler] = [
    truncated,
    bits_flipped,
    bytes_inserted,
    cells_replaced,
    ragged,
    rows_shuffled,
    rows_doubled,
    quotes_inserted,
    encoded_otherwise,
    field_made_huge,
    binary,
    untouched,
]


def read(content: bytes, options: ReadOptions) -> Scores | tuple[str, ...]:
    """Scores, or problems."""
    try:
        return read_scores(BytesIO(content), options=options)
    except InputError as error:
        return error.problems


def check(scores: Scores) -> None:
    """What `Scores` promises."""
    assert len(scores.classifiers) >= 2
    assert scores.rows == sum(d.present.sum() * len(d.table) for d in scores.datasets)
    for dataset in scores.datasets:
        assert np.isfinite(dataset.table[:, dataset.present]).all()
        assert np.isnan(dataset.table[:, ~dataset.present]).all()
        assert len(dataset.table) >= 3
        assert 0 <= dataset.rho < 1


def another_layout(random: random.Random) -> tuple[bytes, dict[str, Any]]:
    """A small file in some other layout and dialect, and options that read it, or nearly."""
    runs, folds = random.randint(1, 2), random.randint(2, 4)
    count = 2 * runs * folds * 3
    scores = [round(random.random(), 3) for _ in range(count)]
    names = ("nbc", 'j48 -C "0,25"', "a'b")
    written = random.choice(LAYOUTS)(Results(("iris", "wine"), runs, folds, names, scores))
    sep = random.choice([",", ";", "\t", "|"])
    quoting, quote = random.choice([0, 1, 2]), random.choice(["'", '"'])
    file = as_file(written.table, delimiter=sep, quoting=quoting, quotechar=quote)
    options = written.options | {"missing": random.choice(MISSING_POLICIES)}
    changes: list[dict[str, Any]] = [
        {"sep": random.choice([",", ";", "tab"])},
        {"na": ("", "NaN")},
        {"where": ("fold!=2",)},
        {"where": ("score~0",)},
        {"classifier_col": "framework,fold"},
        {"split": "dataset=(?P<dataset>.)(?P<fold>.*)"},
        {"wide": "(?P<classifier>s.*)"},
        {"folds": 2},
        {"iteration_col": "fold", "folds": 2},
        {"preset": random.choice([*PRESETS, "none"])},
        {"percent": True, "rho": 0.2},
        {"decimal": ","},
    ]
    for change in random.sample(changes, random.choice([0, 0, 0, 1, 2])):
        options |= change
    return file.read(), options


@pytest.mark.parametrize("mangle", MANGLERS)
def test_other_layouts_and_options_that_do_not_fit(mangle: Mangler) -> None:
    generator = random.Random(f"layouts {mangle.__name__}")
    for _ in range(BATCH):
        content, given = another_layout(generator)
        if generator.random() < 0.8:
            content = mangle(content, generator)
        try:
            options = ReadOptions(**given)
        except InputError:
            continue
        outcome = read(content, options)
        if isinstance(outcome, Scores):
            check(outcome)
        else:
            assert outcome
            assert all(problem.strip() and problem.isprintable() for problem in outcome)


@pytest.mark.parametrize("mangle", MANGLERS)
def test_a_picture_of_a_mangled_file(mangle: Mangler) -> None:
    generator = random.Random(f"picture {mangle.__name__}")
    for _ in range(BATCH // 5):
        content = mangle(regular(generator), generator)
        try:
            picture = take_picture(BytesIO(content))
        except InputError:
            continue
        assert picture.counts.sum() == picture.rows - picture.duplicates
        outcome = read(content, ReadOptions())
        assert picture.problems == (() if isinstance(outcome, Scores) else outcome)


@pytest.mark.parametrize("mangle", MANGLERS)
def test_a_mangled_file_gives_scores_or_says_what_is_wrong(mangle: Mangler) -> None:
    generator = random.Random(mangle.__name__)
    for _ in range(BATCH):
        content = mangle(regular(generator), generator)
        options = ReadOptions(
            rho=generator.choice([None, 0.1]),
            missing=generator.choice(["refuse", "drop-folds", "drop-datasets"]),
        )
        outcome = read(content, options)
        if isinstance(outcome, Scores):
            check(outcome)
        else:
            assert outcome
            assert all(problem.strip() and problem.isprintable() for problem in outcome)


def test_the_fuzzer_reaches_both_ends() -> None:
    generator = random.Random(1)
    options = ReadOptions(rho=0.1, missing="drop-folds")
    outcomes = {
        type(read(mangle(regular(generator), generator), options))
        for mangle in (untouched, binary)
        for _ in range(50)
    }
    assert outcomes == {Scores, tuple}
