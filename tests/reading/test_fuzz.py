"""Mangled files: every reader gives the same scores or problems, and nothing else."""

import io
import random
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bcompare.basis.errors import InputError
from bcompare.data.scores import Scores
from bcompare.reading import fast
from bcompare.reading.columns import Block
from bcompare.reading.dialect import sniff
from bcompare.reading.exact import read_exactly
from bcompare.reading.header import find_layout
from bcompare.reading.layout import Names
from bcompare.reading.options import ReadOptions
from bcompare.reading.profile import profile_results
from bcompare.reading.sources import find_sources
from tests.reading.fuzz import MANGLERS, TIMES, Mangler, a_case, check_readers, read, regular
from tests.reading.written import Results, as_file, canonical


def columns(block: Block) -> dict[Any, Any]:
    """What a block holds, whatever the order of its names and whichever rows were blank."""
    names = {
        key: [column.names[code] for code in column.codes] for key, column in block.keys.items()
    }
    values = {key: numbers.tobytes() for key, numbers in block.values.items()}
    return names | {("value", key): value for key, value in values.items()}


def agree(content: bytes, options: ReadOptions) -> bool:
    """Whether the fast reader read the file, which must then be as the exact reader read it."""
    (source,) = find_sources([io.BytesIO(content)])
    file = sniff(source, options)
    layout = find_layout(file.header, Names("r.csv", "r", "c"), options)
    if file.escape or set(layout.names) & set(layout.values):
        return False
    quick = fast.read_fast(file, layout)
    if quick is None:
        return False
    exact = read_exactly(file, layout)
    assert exact.problems.messages() == ()
    assert columns(quick) == columns(exact)
    assert (quick.rows, quick.seen, quick.filtered) == (exact.rows, exact.seen, exact.filtered)
    assert all(column.names == exact.keys[key].names for key, column in quick.keys.items())
    if quick.row is not None and exact.row is not None:
        assert quick.row.tolist() == exact.row.tolist()
    return True


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
    options = ReadOptions(na_values=("", "NA") if na else (), sep=",", decimal=".")
    agree(content.encode(), options)


@pytest.mark.parametrize("piece_bytes", [1, 60, 1000])
def test_usual_files_are_read_fast(piece_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "PIECE_BYTES", piece_bytes)
    results = Results(("NA", "31"), 2, 3, ("01", "1", "a b"), [i / 7 for i in range(36)])
    for dialect in ({}, {"delimiter": ";"}, {"quoting": 1}, {"lineterminator": "\r\n"}):
        content = as_file(canonical(results).table, **dialect).read()
        assert agree(content, ReadOptions())
        assert agree(content, ReadOptions(where=("fold!=2",), na_values=("?",)))


BATCH = 24 * TIMES


@pytest.mark.slow
@pytest.mark.parametrize("mangle", MANGLERS)
def test_a_mangled_file_gives_the_same_by_every_reader(mangle: Mangler) -> None:
    generator = random.Random(mangle.__name__)
    for _ in range(BATCH):
        check_readers(*a_case(generator, mangle))


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("cell", ['""x""', '"a"b', 'a"b', '"a""b"', '"a', 'a"', '"""a"', '""'])
@pytest.mark.parametrize("column", range(6))
def test_a_quote_anywhere(cell: str, column: int) -> None:
    rows = [["i", str(fold), name, "0.5", "x", "y"] for fold in range(3) for name in "ab"]
    rows[3][column] = cell
    header = "dataset,fold,classifier,score,more,and more"
    content = "\n".join([header, *map(",".join, rows), ""]).encode()
    check_readers(content, {"sep": ","})
