"""Compressed files, lines above the header, and frames of other libraries."""

import bz2
import gzip
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from bcompare.basis.messages import InputError
from bcompare.reading.read import from_frame, from_means, read_scores
from tests.reading.rows import as_file, make_rows
from tests.reading.written import facts
from tests.results import HEADER

ROWS = make_rows()
TEXT = "\n".join([HEADER, *ROWS, ""])
EXPECTED = facts(read_scores(as_file(ROWS)))


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress])
def test_compressed_files_are_read(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "r.csv.x"
    path.write_bytes(compress(TEXT.encode()))
    assert facts(read_scores(path)) == EXPECTED
    path.write_bytes(compress(TEXT.encode())[:40])
    with pytest.raises(InputError, match="damaged"):
        read_scores(path)


def test_zstandard_is_read_or_its_remedy_is_said(tmp_path: Path) -> None:
    path = tmp_path / "r.csv.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd" + b"cut")
    with pytest.raises(InputError, match=r"unpack it first, as unzstd -k|damaged zstd"):
        read_scores(path)


TITLES = ["Results of 2026\n", "My thesis\n\nTable 3\n", "\n\nTable 3\n\n"]


@pytest.mark.parametrize("above", [*TITLES, "sep=,\n", "sep=;\n"])
def test_titles_above_the_header_are_passed_over(above: str) -> None:
    text = TEXT.replace(",", ";") if above == "sep=;\n" else TEXT
    assert facts(read_scores(as_file((above + text).encode()))) == EXPECTED
    wrong = text.replace(ROWS[0].rpartition(",")[2], "half", 1)
    line = 2 + above.count("\n")
    with pytest.raises(InputError, match=rf"line {line}, column score: 'half'"):
        read_scores(as_file((above + wrong).encode()))


def test_a_feather_file_is_read(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[parquet]'")
    frame = pd.read_csv(as_file(ROWS))
    frame.to_feather(tmp_path / "r.feather")
    assert facts(read_scores(tmp_path / "r.feather")) == EXPECTED
    (tmp_path / "r.feather").write_bytes(b"ARROW1\0\0cut")
    with pytest.raises(InputError, match="damaged Feather file"):
        read_scores(tmp_path / "r.feather")


def lazy(frame: pd.DataFrame) -> Any:
    pl = pytest.importorskip("polars", reason="needs polars")
    return pl.from_pandas(frame).lazy()


def relation(frame: pd.DataFrame) -> Any:
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    return duckdb.from_df(frame)


def arrow(frame: pd.DataFrame) -> Any:
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[parquet]'")
    return pa.Table.from_pandas(frame)


@pytest.mark.parametrize("made", [lazy, relation, arrow])
def test_frames_of_other_libraries_are_read(made: Callable[[pd.DataFrame], Any]) -> None:
    pytest.importorskip("narwhals", reason="needs narwhals: pip install '.[frames]'")
    frame = pd.read_csv(as_file(ROWS))
    assert facts(from_frame(made(frame))) == EXPECTED
    table = pd.DataFrame({"dataset": ["x", "y", "z"], "a": [0.5, 0.6, 0.7], "b": [0.4, 0.7, 0.6]})
    assert facts(from_means(made(table))) == facts(from_means(table))


def test_without_narwhals_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(InputError, match="read by narwhals: pip install"):
        from_frame(lazy(pd.read_csv(as_file(ROWS))))
