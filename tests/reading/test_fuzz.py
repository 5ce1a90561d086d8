"""Mangled files: each gives scores that make sense, or says what is wrong; nothing else."""

import random
from collections.abc import Callable
from io import BytesIO

import numpy as np
import pytest

from bcompare.errors import InputError
from bcompare.reading.options import ReadOptions
from bcompare.reading.read import read_scores
from bcompare.scores import Scores

HEADER = "dataset,run,fold,classifier,score"
BATCH = 250
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
