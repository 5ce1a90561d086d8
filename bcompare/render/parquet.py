"""Parquet, with a row group for each block; see `bcompare.report.fields`."""

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from bcompare.basis.messages import ComputationError
from bcompare.report.fields import ColumnType, RowColumn, Rows
from bcompare.version import install_command


def check_installed() -> None:
    """Refuse the format before the work if pyarrow is not installed.

    Raises
    ------
    ComputationError : pyarrow is not installed.
    """
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise ComputationError(
            f"Parquet files need pyarrow, which is not installed: {install_command('parquet')}"
        )


def write(blocks: Iterator[Rows], kinds: Mapping[str, ColumnType], out: BinaryIO) -> None:
    """Write blocks of rows.

    kinds : of all columns over all blocks; a column without values becomes empty text.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = pa.dictionary(pa.int32(), pa.string())
    types = {
        "text": text,
        "nothing": text,
        "bool": pa.bool_(),
        "int": pa.int64(),
        "float": pa.float64(),
    }
    schema = pa.schema([(name, types[kind]) for name, kind in kinds.items()])
    # numbers hardly repeat: a dictionary of them takes time and space, and their bytes by place
    # compress better
    texts = [f.name for f in schema if f.type == text]
    floats = [f.name for f in schema if f.type == types["float"]]
    options = {"use_dictionary": texts, "use_byte_stream_split": floats, "compression": "zstd"}
    with pq.ParquetWriter(out, schema, **options) as writer:
        for rows in blocks:
            columns = [_array(rows[field.name], field.type) for field in schema]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))


def _array(column: RowColumn, dtype: object) -> object:
    """Convert a column to Arrow; integers become floats if other blocks have floats."""
    import pyarrow as pa

    if column.kind == "nothing":
        return pa.nulls(len(column.values), dtype)
    if column.kind == "text":
        codes = pa.array(column.values, mask=column.missing)
        return pa.DictionaryArray.from_arrays(codes, pa.array(column.names, pa.string()))
    array = pa.array(column.values, mask=column.missing, from_pandas=True)
    return array if array.type == dtype else array.cast(dtype)
