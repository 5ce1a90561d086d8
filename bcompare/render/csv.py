"""CSV at full precision, a row a record.

The columns are the JSON's keys, joined by underscores where they nest. Lists stay in the JSON,
except intervals, whose level becomes part of the name.
"""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

from bcompare.report.build import Report


def render(report: Report) -> str:
    """Return the CSV text."""
    rows = [dict(_flat(record)) for record in report.records()]
    out = StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _flat(record: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in record.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}_")
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, dict) and "level" in item:
                    yield from _flat(
                        {k: v for k, v in item.items() if k != "level"},
                        f"{prefix}{key}_{item['level']:g}_",
                    )
        else:
            yield prefix + key, value
