"""JSON Lines at full precision; see `bcompare.report.rows`."""

import json
from collections.abc import Iterator
from typing import TextIO

from bcompare.basis.printable import printable_json
from bcompare.report.rows import Rows, lines


def write(blocks: Iterator[Rows], out: TextIO) -> None:
    """Write blocks of rows, a line for each row."""
    dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    for rows in blocks:
        for values in lines(rows):
            out.write(printable_json(dumps(dict(zip(rows, values, strict=True)))) + "\n")
