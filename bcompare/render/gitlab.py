"""GitLab's code quality report: an issue for each verdict that is not clear."""

import hashlib
import json
from typing import Any

from bcompare.basis.printable import printable_json
from bcompare.report.build import Report
from bcompare.report.gate import REPEATED

SEVERITY = {"error": "critical", "warning": "minor"}


def render(report: Report) -> str:
    """Return the JSON list of issues."""
    document = report.document()
    read = document.get("input", {}).get("files", [])
    files = [str(name).partition("=")[2] or str(name) for name in read]
    path = files[-1] if files else "results.csv"
    announced = [
        *document["verdicts"],
        *({"candidate": failure["right"], "level": "error",
           "sentence": f"not computed: {failure['reason']}"} for failure in document["failed"]),
        *({"candidate": note["code"], "level": "warning", "sentence": note["message"]}
          for note in document["notes"] if note["code"] in REPEATED),
    ]  # fmt: skip
    if document["outcome"] == "error":
        announced.append({"level": "error", "sentence": document["summary"]})
    issues = [_issue(document, one, path) for one in announced if one["level"] in SEVERITY]
    return printable_json(json.dumps(issues, ensure_ascii=False)) + "\n"


def _issue(document: dict[str, Any], verdict: dict[str, Any], path: str) -> dict[str, Any]:
    # the fingerprint depends on the gate and the candidate, not on the numbers
    where = (verdict.get(key) for key in ("candidate", "metric", "dataset"))
    key = (document["name"], document.get("baseline"), *where)
    return {
        "description": verdict["sentence"],
        "check_name": document["name"],
        "fingerprint": hashlib.sha256(repr(key).encode()).hexdigest(),
        "severity": SEVERITY[verdict["level"]],
        "location": {"path": path, "lines": {"begin": 1}},
    }
