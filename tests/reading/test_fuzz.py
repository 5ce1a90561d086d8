"""Mangled files: each gives scores that make sense, or says what is wrong; nothing else.

Whichever reader is at hand: see `fuzz.py`.
"""

import random
from io import BytesIO

import pytest

from bcompare.basis.errors import InputError
from bcompare.data.scores import Scores
from bcompare.reading.profile import profile_results
from tests.reading.fuzz import MANGLERS, TIMES, Mangler, a_case, check_readers, read, regular

pytestmark = pytest.mark.slow

BATCH = 24 * TIMES


@pytest.mark.parametrize("mangle", MANGLERS)
def test_a_mangled_file_gives_the_same_by_every_reader(mangle: Mangler) -> None:
    generator = random.Random(mangle.__name__)
    for _ in range(BATCH):
        check_readers(*a_case(generator, mangle))


@pytest.mark.parametrize("mangle", MANGLERS)
def test_a_profile_of_a_mangled_file(mangle: Mangler) -> None:
    generator = random.Random(f"profile {mangle.__name__}")
    for _ in range(BATCH // 2):
        content = mangle(regular(generator), generator)
        try:
            profile = profile_results(BytesIO(content))
        except InputError:
            continue
        assert profile.counts.sum() == profile.rows - profile.duplicates
        outcome = read(content, {})
        assert profile.problems == (() if isinstance(outcome, Scores) else outcome)


@pytest.mark.parametrize("cell", ['""x""', '"a"b', 'a"b', '"a""b"', '"a', 'a"', '"""a"', '""'])
@pytest.mark.parametrize("column", range(6))
def test_a_quote_anywhere(cell: str, column: int) -> None:
    rows = [["i", str(fold), name, "0.5", "x", "y"] for fold in range(3) for name in "ab"]
    rows[3][column] = cell
    header = "dataset,fold,classifier,score,more,and more"
    content = "\n".join([header, *map(",".join, rows), ""]).encode()
    check_readers(content, {"sep": ","})
