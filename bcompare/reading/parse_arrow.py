"""The faster of the fast parsers: pyarrow, where it is installed.

It refuses rows that are not as long as the header, and what is no number, by itself.
"""

from codecs import BOM_UTF8
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
from numpy.typing import NDArray

from bcompare.data.rope import FloatArray
from bcompare.reading.block import Wanted
from bcompare.reading.dialect import Dialect
from bcompare.reading.piece import Piece, regular_rows

NAMES = pa.dictionary(pa.int32(), pa.string())


def parse(piece: bytes, dialect: Dialect, wanted: Wanted) -> Piece | None:
    """The wanted columns of whole lines; None if they are not regular."""
    if b"\0" in piece or piece.startswith(BOM_UTF8) or len(dialect.header) == 1:
        return None
    if dialect.quote.encode() in piece and regular_rows(piece, dialect) is None:
        return None  # pyarrow itself takes any quotes
    columns = [str(column) for column in range(len(dialect.header))]
    types = dict.fromkeys([columns[key] for key in wanted.names], NAMES)
    types |= dict.fromkeys([columns[value] for value in wanted.values], pa.float64())
    try:
        table = pc.read_csv(
            pa.BufferReader(piece),
            read_options=pc.ReadOptions(
                column_names=columns, block_size=len(piece) + 1, use_threads=False
            ),
            parse_options=pc.ParseOptions(delimiter=dialect.sep, quote_char=dialect.quote),
            convert_options=pc.ConvertOptions(
                column_types=types,
                include_columns=list(types),
                check_utf8=not piece.isascii(),
                null_values=list(wanted.na),
                decimal_point=dialect.decimal,
            ),
        )
    except pa.ArrowException:
        return None
    values = {}
    for value in wanted.values:
        column = table.column(columns[value]).combine_chunks()
        numbers = _numbers(column)
        if len(numbers) - int(np.isfinite(numbers).sum()) != column.null_count:
            return None  # infinities, and NaN that no marker stands for
        values[value] = numbers
    names = {}
    for key in wanted.names:
        column = table.column(columns[key]).combine_chunks()
        known = dialect.names(column.dictionary.to_pylist())
        names[key] = _data(column.indices, np.int32), known
    return Piece(rows=table.num_rows, names=names, ordered=True, values=values)


def _data(array: Any, dtype: type) -> NDArray[Any]:
    """The values of an array, without pyarrow's own conversion, which imports pandas."""
    return np.frombuffer(array.buffers()[1], dtype)[array.offset :][: len(array)]


def _numbers(array: Any) -> FloatArray:
    """Numbers, NaN where there is none."""
    numbers: FloatArray = _data(array, np.float64)
    if array.null_count == 0:
        return numbers
    bits = np.unpackbits(np.frombuffer(array.buffers()[0], np.uint8), bitorder="little")
    return np.where(bits[array.offset :][: len(array)], numbers, np.nan)
