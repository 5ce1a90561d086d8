"""Files that are read as frames: Parquet, JSON, JSON Lines and Inspect's logs."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any
from zipfile import BadZipFile

import pandas as pd

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.reading.frames import Frame
from bcompare.reading.problems import SHOWN, Problems, place
from bcompare.reading.sources import Source

Row = dict[str, Any]

_HALVES = re.compile("[\\ud800-\\udfff]")


def open_frame(source: Source) -> Frame:
    """Return the table in a file of any format but text.

    Raises
    ------
    InputError : the file is damaged, or what reads it is not installed. Of JSON: with every line
        that is no object; a document without a list, or objects inside objects beyond measure.
    """
    if source.format == "parquet":
        return _parquet(source)
    if source.format == "log":
        return _log(source)
    try:
        return _json(source)
    except RecursionError:
        raise InputError(
            f"{source.title}: JSON nested too deep to be read; save it as CSV with a row for each "
            "score"
        ) from None


def _row_number(row: int, _label: Any) -> str:
    return f"row {row + 1}"


def _log(source: Source) -> Frame:
    """A log of Inspect, read by Inspect itself."""
    try:
        from inspect_ai.analysis import EvalModel, EvalTask, SampleSummary, samples_df
    except ImportError:
        raise InputError(
            f"{source.title}: a log of Inspect, which only Inspect reads: pip install "
            "'bcompare[inspect]'; or save its samples by samples_df(LOGS, columns=EvalTask + "
            "EvalModel + SampleSummary).to_csv(NEW) and read that with "
            f"{arg('preset', 'inspect')}"
        ) from None
    columns = EvalTask + EvalModel + SampleSummary
    try:
        frame = samples_df(str(source.path), columns=columns, quiet=True)
    except (OSError, ValueError, KeyError, BadZipFile):
        raise InputError(
            f"{source.title}: Inspect cannot read this log; was it copied whole?"
        ) from None
    return replace(Frame.of(frame), title=source.title, place=_row_number)


def _parquet(source: Source) -> Frame:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError(
            f"{source.title}: a Parquet file, which needs pyarrow: pip install "
            "'bcompare[parquet]'; or save the results as CSV"
        ) from None
    file = source.path or BytesIO(source.content or b"")
    errors = (pa.ArrowException, OSError, ValueError, LookupError, TypeError)
    damaged = f"{source.title}: damaged Parquet file; write or copy it again"
    try:
        schema = pq.read_schema(file)
        names, header = schema.names, tuple(name.strip() for name in schema.names)
        texts = [field.name for field in schema if pa.types.is_string(field.type)]
    except errors:
        raise InputError(damaged) from None

    def load(columns: Sequence[int]) -> pd.DataFrame:
        wanted = [names[column] for column in columns]
        try:
            table = pq.read_table(file, columns=wanted, read_dictionary=texts)
            table = table.select(wanted).replace_schema_metadata(None)
            frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
        except errors:
            raise InputError(damaged) from None
        return frame

    return Frame(source.title, header, load, _row_number)


def _json(source: Source) -> Frame:
    """The rows of a file: of its lines, or of the list in its only document.

    The keys of objects inside objects are joined by dots: ``provider.label``.
    """
    with source.open() as stream:
        content = stream.read()
    try:
        document = json.loads(content)
    except ValueError:  # not one document, so it must be lines; also text that is not UTF-8
        lines = {i: line for i, line in enumerate(content.splitlines(), 1) if line.strip()}
        places = [f"line {number:,}" for number in lines]
        found = _lines(source, lines)
    else:
        found = _results(source, document)
        places = [f"result {i + 1:,}" for i in range(len(found))]
    rows = [dict(_flat(row)) for row in found]
    header = tuple(dict.fromkeys(name for row in rows for name in row))

    def load(columns: Sequence[int]) -> pd.DataFrame:
        cells = {i: [row.get(header[column]) for row in rows] for i, column in enumerate(columns)}
        return pd.DataFrame({i: pd.Series(column, dtype=object) for i, column in cells.items()})

    return Frame(source.title, header, load, lambda row, _: places[row])


def _lines(source: Source, lines: dict[int, bytes]) -> list[Row]:
    """The objects in numbered lines, one each."""
    problems, rows = Problems(), []
    for number, line in lines.items():
        reason, row = "no object", None
        try:
            row = json.loads(line)
        except ValueError as error:
            reason = str(error)
        if isinstance(row, dict):
            rows.append(row)
        else:
            where = place(source.title, number)
            problems.known.append(f"{where}: not JSON ({reason}); every line must hold one object")
        if len(problems.known) == SHOWN:
            break
    problems.raise_any()
    return rows


def _results(source: Source, document: Any) -> list[Row]:
    """The list of results in a document: itself, or where promptfoo has it."""
    results = document
    while isinstance(results, dict) and "results" in results:
        results = results["results"]
    if isinstance(document, dict) and results is document:
        results = [document]  # JSON Lines with one line
    is_table = (
        isinstance(results, list) and results and all(isinstance(row, dict) for row in results)
    )
    if not is_table or (
        results[0] is document and any(isinstance(value, list) for value in document.values())
    ):
        raise InputError(
            f"{source.title}: a JSON document without a list of results; a list of objects, JSON "
            "Lines and the results of promptfoo can be read, else save it as CSV with a row for "
            "each score"
        )
    rows: list[Row] = results
    return rows


def _flat(row: Row, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Keys and single values; true and false count as 1 and 0."""
    for key, value in row.items():
        name = _text(f"{prefix}{key}").strip()
        if isinstance(value, dict):
            yield from _flat(value, f"{name}.")
        elif isinstance(value, str):
            yield name, _text(value)
        elif isinstance(value, bool):
            yield name, int(value)
        elif isinstance(value, list):
            yield name, json.dumps(value)
        else:
            yield name, value


def _text(text: str) -> str:
    """Text without halves of characters, which JSON can write and nothing else can."""
    return _HALVES.sub("\N{REPLACEMENT CHARACTER}", text)
