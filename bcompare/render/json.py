"""JSON at full precision, for programs."""

import json

from bcompare.report.build import Report


def render(report: Report) -> str:
    """Return the JSON document."""
    return json.dumps(report.document(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
