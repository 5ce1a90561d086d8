"""Mangled files: every reader gives the same scores or problems, and nothing else."""

import io
import random
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bcompare.basis.messages import InputError
from bcompare.data.scores import Scores
from bcompare.files import text
from bcompare.files.options import ReadOptions
from bcompare.files.sources import find_sources
from bcompare.files.tables import Cells
from bcompare.reading.header import find_layout
from bcompare.reading.layout import Names
from bcompare.reading.long import Long, to_long
from bcompare.reading.profile import profile_results
from tests.reading.fuzz import MANGLERS, TIMES, Mangler, a_case, check_readers, read, regular
from tests.reading.written import Results, as_file, canonical


def columns(long: Long) -> dict[Any, Any]:
    """What a table holds, whatever the order of its names and whichever rows were blank."""
    names = {role: [own.names[code] for code in own.codes] for role, own in long.keys.items()}
    return names | {("value", role): own.tobytes() for role, own in long.numbers.items()}


class Given(text.Text):
    """A file whose cells were read already."""

    def __init__(self, file: text.Text, cells: Cells) -> None:
        super().__init__(**vars(file))
        object.__setattr__(self, "given", cells)

    def cells(self, *_: Sequence[Any]) -> Cells:
        given: Cells = self.__dict__["given"]
        return given


def agree(content: bytes, options: ReadOptions) -> bool:
    """Whether pandas read the file, which must then be as the csv module reads it."""
    (source,) = find_sources([io.BytesIO(content)])
    file = text.open_text(source, options)
    layout = find_layout(file.header, Names("r.csv", "r", "c"), options)
    texts, numbers = layout.texts, layout.numbers
    by_csv = to_long(Given(file, text.by_csv(file, [*texts, *numbers])), layout, options)
    if file.escape:
        return False
    for plain in (numbers, ()):
        cells = text.by_pandas(file, [*texts, *(numbers if not plain else ())], plain, layout.na)
        if cells is None:
            return False
        long = to_long(Given(file, cells), layout, options)
        assert long.problems.messages() == by_csv.problems.messages()
        assert not (plain and any("column score" in line for line in long.problems.messages()))
        assert columns(long) == columns(by_csv)
        assert long.filtered == by_csv.filtered
        assert all(own.names == by_csv.keys[role].names for role, own in long.keys.items())
        if long.row is not None and by_csv.row is not None:
            assert long.row.tolist() == by_csv.row.tolist()
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


@pytest.mark.parametrize("piece_bytes", [20, 1000])
def test_usual_files_are_read_by_pandas(piece_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "PIECE_BYTES", piece_bytes)
    results = Results(("NA", "31"), 2, 3, ("01", "1", "a b"), [i / 7 for i in range(36)])
    for dialect in ({}, {"delimiter": ";"}, {"quoting": 1}, {"lineterminator": "\r\n"}):
        content = as_file(canonical(results).table, **dialect).read()
        assert agree(content, ReadOptions())
        assert agree(content, ReadOptions(where=("fold!=2",), na_values=("?",)))


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
