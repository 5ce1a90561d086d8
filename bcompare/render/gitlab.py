"""GitLab's code quality report: an issue for each verdict that is not clear."""

import hashlib
import json
from typing import Any

from bcompare.basis.printable import printable_json
from bcompare.data.account import INCOMPLETE
from bcompare.report.build import Report

SEVERITY = {"error": "critical", "warning": "minor"}


def render(report: Report) -> str:
    """Return the JSON list of issues."""
    document = report.document()
    read = document.get("input", {}).get("files", [])
    files = [str(name).partition("=")[2] or str(name) for name in read]
    path = files[-1] if files else "results.csv"
    issues = [
        _issue(document, verdict, path)
        for verdict in document["verdicts"]
        if verdict["level"] in SEVERITY
    ]
    issues += [
        _issue(document, {**failure, "candidate": failure["right"], "dataset": None,
                          "level": "error", "sentence": f"not computed: {failure['reason']}"}, path)
        for failure in document["failed"]
    ]  # fmt: skip
    issues += [
        _issue(document, {"candidate": note["code"], "dataset": None, "level": "warning",
                          "sentence": note["message"]}, path)
        for note in document["notes"]
        if note["code"] in INCOMPLETE
    ]  # fmt: skip
    if document["outcome"] == "error":
        nobody = {"candidate": None, "dataset": None, "level": "error"}
        verdict = {**nobody, "sentence": document["summary"]}
        issues.append(_issue({**document, "baseline": None}, verdict, path))
    return printable_json(json.dumps(issues, ensure_ascii=False)) + "\n"


def _issue(document: dict[str, Any], verdict: dict[str, Any], path: str) -> dict[str, Any]:
    # the fingerprint depends on the gate and the candidate, not on the numbers
    key = (document["name"], document["baseline"], verdict["candidate"], verdict.get("metric"),
           verdict["dataset"])  # fmt: skip
    return {
        "description": verdict["sentence"],
        "check_name": document["name"],
        "fingerprint": hashlib.sha256(repr(key).encode()).hexdigest(),
        "severity": SEVERITY[verdict["level"]],
        "location": {"path": path, "lines": {"begin": 1}},
    }
