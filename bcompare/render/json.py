"""JSON at full precision, on one line, for programs."""

import json

from bcompare.basis.printable import printable_json
from bcompare.report.build import Report


def render(report: Report) -> str:
    """Return the JSON document."""
    text = json.dumps(report.document(), ensure_ascii=False, allow_nan=False)
    return printable_json(text) + "\n"
