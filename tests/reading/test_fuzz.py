"""Mangled files: every reader gives the same scores or problems, and nothing else."""

import random
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bcompare.basis.messages import InputError
from bcompare.data.scores import Scores
from bcompare.files import text
from bcompare.reading.profile import profile_results
from tests.reading.fuzz import (
    MANGLERS,
    TIMES,
    Mangler,
    a_case,
    check_readers,
    forced,
    read,
    regular,
)
from tests.reading.written import Results, as_file, canonical

# One a line: blanks at the ends are meant.
NUMBERS = """0.5\n1\n-2.5e-3\n+.5\n5.\n0\n-0\nTrue\nfalse\nnan\nNA\n\n 0.5 \n0,5\n1e400\n1e-400\ninf
0x1\n1_0\n٣\n1 2\n"0.5"\n"0.5\n0.5"\n5e-324\né\n1.7976931348623159e308""".splitlines()
NAMES = """a\nNA\n1\n01\n1.0\n1e5\n\n a\na \n"a"\n"a,b"\n"a""b"\n""x""\na"b\n"a"b\n\ta\nTrue\ninf
'a'\nNone\na\0b\né\n" a"\n'\n#a\n\\""".splitlines()
CELLS = st.sampled_from(NUMBERS) | st.floats(allow_nan=False, allow_infinity=False).map(repr)
TEXTS = st.sampled_from(NAMES)


@given(rows=st.lists(st.tuples(TEXTS, TEXTS, CELLS), min_size=1, max_size=8), na=st.booleans())
@settings(max_examples=150)
def test_any_cells(rows: list[tuple[str, str, str]], na: bool) -> None:
    content = "\n".join(["fold,classifier,score", *(",".join(row) for row in rows), ""])
    check_readers(content.encode(), {"na_values": ("", "NA") if na else (), "sep": ","})


@pytest.mark.parametrize("piece", [20, 1000])
@pytest.mark.parametrize("dialect", [{}, {"delimiter": ";"}, {"quoting": 1}])
def test_usual_files_are_read_by_pandas(
    piece: int, dialect: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    results = Results(("NA", "31"), 2, 3, ("01", "1", "a b"), [i / 7 for i in range(36)])
    content = as_file(canonical(results).table, **dialect).read()
    for options in ({}, {"where": ("fold!=2",), "na_values": ("?",), "rho": 0.1}):
        check_readers(content, options)
        monkeypatch.setattr(text, "PIECE_BYTES", piece)
        with forced("pandas"), monkeypatch.context() as patched:
            patched.setattr(text, "by_csv", None)  # which reads what pandas cannot
            assert isinstance(read(content, options), Scores)


BATCH = 10 * TIMES


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
