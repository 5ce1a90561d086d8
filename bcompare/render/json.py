"""JSON at full precision for programs: a document on one line."""

import json

from bcompare.basis.messages import printable_json
from bcompare.report.pair_report import Report


def render(report: Report) -> str:
    """Return the JSON document."""
    document = json.dumps(report.document(), ensure_ascii=False, allow_nan=False)
    return printable_json(document) + "\n"
