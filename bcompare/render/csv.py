"""CSV at full precision, a row a record.

The columns are the JSON's keys, joined by underscores where they nest; in a list of records,
such as intervals, the first field of each becomes part of the name. Arrays stay in the JSON.
"""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

from bcompare.report.build import Report

# Lists of records that have a table of their own, in the JSON.
TOO_LONG = {"datasets", "notes"}


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
            for item in value if key not in TOO_LONG else ():
                if isinstance(item, dict):
                    (_, label), *rest = item.items()
                    name = f"{label:.15g}" if isinstance(label, float) else label
                    yield from _flat(dict(rest), f"{prefix}{key}_{name}_")
        else:
            yield prefix + key, value
