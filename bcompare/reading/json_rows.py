"""JSON Lines, and JSON documents that are lists of results, as frames.

The keys of objects inside objects are joined by dots: ``provider.label``.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pandas as pd

from bcompare.basis.errors import InputError
from bcompare.reading.frames import Frame
from bcompare.reading.problems import SHOWN, Problems, place
from bcompare.reading.sources import Source

Row = dict[str, Any]

_HALVES = re.compile("[\\ud800-\\udfff]")


def read_json(source: Source) -> Frame:
    """The rows of a file: of its lines, or of the list in its only document.

    Raises
    ------
    InputError : with every line that is no JSON object; or a document without a list, or objects
        inside objects beyond measure.
    """
    try:
        return _read(source)
    except RecursionError:
        raise InputError(
            f"{source.title}: JSON nested too deep to be read; save it as CSV with a row for each "
            "score"
        ) from None


def _read(source: Source) -> Frame:
    """The rows of a file."""
    with source.open() as stream:
        content = stream.read()
    try:
        document = json.loads(content)
    except ValueError:  # not one document, so it must be lines; also text that is not UTF-8
        lines = content.splitlines()
        numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
        rows = _lines(source, lines, numbers)
        return _frame(source.title, rows, [f"line {number:,}" for number in numbers])
    rows = [dict(_flat(row)) for row in _results(source, document)]
    return _frame(source.title, rows, [f"result {i + 1:,}" for i in range(len(rows))])


def _lines(source: Source, lines: list[bytes], numbers: list[int]) -> list[Row]:
    problems, rows = Problems(), []
    for number in numbers:
        reason, row = "no object", None
        try:
            row = json.loads(lines[number - 1])
        except ValueError as error:
            reason = str(error)
        if isinstance(row, dict):
            rows.append(dict(_flat(row)))
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


def _frame(title: str, rows: list[Row], places: list[str]) -> Frame:
    header = tuple(dict.fromkeys(name for row in rows for name in row))

    def load(columns: Any) -> pd.DataFrame:
        data = {
            i: pd.Series([row.get(header[column]) for row in rows], dtype=object)
            for i, column in enumerate(columns)
        }
        return pd.DataFrame(data)

    return Frame(title=title, header=header, load=load, places=places)
