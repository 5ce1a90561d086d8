"""The fast parsers and the exact reader agree, or the fast one leaves the file to the other."""

import io
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bcompare.basis.errors import InputError
from bcompare.reading import parse_pandas, table
from bcompare.reading.block import Block
from bcompare.reading.dialect import sniff
from bcompare.reading.exact import read_exactly
from bcompare.reading.layout import find_layout
from bcompare.reading.options import ReadOptions
from bcompare.reading.parts import Names
from bcompare.reading.presets import with_preset
from bcompare.reading.read import read_scores
from bcompare.reading.sources import find_sources
from tests.reading.fuzz import MANGLERS, Mangler, another_layout, regular
from tests.reading.written import Results, as_file, canonical, facts


def parsers() -> Iterator[Any]:
    yield pytest.param(parse_pandas.parse, id="pandas")
    try:
        from bcompare.reading import parse_arrow
    except ImportError:
        reason = "needs pyarrow: pip install 'bcompare[parquet]'"
        yield pytest.param(None, id="pyarrow", marks=pytest.mark.skip(reason=reason))
    else:
        yield pytest.param(parse_arrow.parse, id="pyarrow")


PARSERS = list(parsers())


def columns(block: Block) -> dict[Any, Any]:
    """What a block holds, whatever the order of its names and whichever rows were blank."""
    names = {
        key: [column.names[code] for code in column.codes] for key, column in block.keys.items()
    }
    values = {key: numbers.tobytes() for key, numbers in block.values.items()}
    return names | {("value", key): value for key, value in values.items()}


def agree(content: bytes, options: ReadOptions, parse: table.Parser) -> bool:
    """Whether the fast reader read the file, which must then be as the exact reader read it."""
    (source,) = find_sources([io.BytesIO(content)])
    dialect = sniff(source, options)
    wanted = find_layout(dialect.header, Names("r.csv", "r", "c"), options).wanted
    if dialect.escape or set(wanted.names) & set(wanted.values):
        return False
    fast = table._read_fast(source, dialect, wanted, parse)
    if fast is None:
        return False
    exact = read_exactly(source, dialect, wanted)
    assert exact.problems == ()
    assert columns(fast) == columns(exact)
    assert (fast.rows, fast.seen, fast.filtered) == (exact.rows, exact.seen, exact.filtered)
    assert all(column.names == exact.keys[key].names for key, column in fast.keys.items())
    if fast.row is not None and exact.row is not None:
        assert fast.row.tolist() == exact.row.tolist()
    return True


@pytest.mark.parametrize("parse", PARSERS)
@pytest.mark.parametrize("mangle", MANGLERS)
def test_mangled_files(mangle: Mangler, parse: table.Parser) -> None:
    generator = random.Random(f"parsers {mangle.__name__}")
    for number in range(120):
        content, chosen = another_layout(generator)
        if number % 2:
            content, chosen = regular(generator), {}
        if generator.random() < 0.8:
            content = mangle(content, generator)
        try:
            agree(content, with_preset(ReadOptions(**chosen)), parse)
        except InputError:
            continue  # the header says so


# One a line: blanks at the ends are meant.
NUMBERS = """0.5\n1\n-2.5e-3\n+.5\n5.\n0\n-0\nTrue\nfalse\nnan\nNA\n\n 0.5 \n0,5\n1e400\n1e-400\ninf
0x1\n1_0\n٣\n1 2\n"0.5"\n"0.5\n0.5"\n5e-324\né\n1.7976931348623159e308""".splitlines()
NAMES = """a\nNA\n1\n01\n1.0\n1e5\n\n a\na \n"a"\n"a,b"\n"a""b"\n""x""\na"b\n"a"b\n\ta\nTrue\ninf
'a'\nNone\na\0b\né\n" a"\n'\n#a\n\\""".splitlines()
CELLS = st.sampled_from(NUMBERS) | st.floats(allow_nan=False, allow_infinity=False).map(repr)
TEXTS = st.sampled_from(NAMES)


@pytest.mark.parametrize("parse", PARSERS)
@given(rows=st.lists(st.tuples(TEXTS, TEXTS, CELLS), min_size=1, max_size=8), na=st.booleans())
@settings(max_examples=300)
def test_any_cells(rows: list[tuple[str, str, str]], na: bool, parse: table.Parser) -> None:
    content = "\n".join(["fold,classifier,score", *(",".join(row) for row in rows), ""])
    options = ReadOptions(na=("", "NA") if na else (), sep=",", decimal=".")
    agree(content.encode(), options, parse)


@pytest.mark.parametrize("parse", PARSERS)
@pytest.mark.parametrize("piece_bytes", [1, 60, 1000])
def test_usual_files_are_read_fast(
    parse: table.Parser, piece_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "PIECE_BYTES", piece_bytes)
    results = Results(("NA", "31"), 2, 3, ("01", "1", "a b"), [i / 7 for i in range(36)])
    for dialect in ({}, {"delimiter": ";"}, {"quoting": 1}, {"lineterminator": "\r\n"}):
        content = as_file(canonical(results).table, **dialect).read()
        assert agree(content, ReadOptions(), parse)
        assert agree(content, ReadOptions(where=("fold!=2",), na=("?",)), parse)


@pytest.mark.parametrize("size", [0, 1 << 21])
def test_without_pyarrow(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    results = Results(("iris",), 2, 3, ("a", "b"), [i / 7 for i in range(12)])
    expected = facts(read_scores(as_file(canonical(results).table)))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "bcompare.reading.parse_arrow", raising=False)
    monkeypatch.delattr("bcompare.reading.parse_arrow", raising=False)
    monkeypatch.setattr(table, "SMALL_BYTES", size)
    assert facts(read_scores(as_file(canonical(results).table))) == expected


def test_reading_a_file_does_not_import_pandas(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    results = Results(("iris",), 2, 3, ("a", "b"), [i / 7 for i in range(12)])
    path.write_bytes(as_file(canonical(results).table).read())
    code = (
        "import sys; from bcompare.reading.read import read_scores;"
        f"read_scores({str(path)!r}, na=('?',)); print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
