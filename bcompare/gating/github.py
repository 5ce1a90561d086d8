"""GitHub annotations: a line for each verdict that is not clear, or one if all passed."""

from bcompare.gating.item_report import announced
from bcompare.gating.report import REPEATED
from bcompare.report.pair_report import WHAT_TO_DO, Report


def render(report: Report) -> str:
    """Return the workflow commands that create the annotations."""
    document = report.document()
    title = document["name"]
    notes = "".join(
        annotation("warning" if note["severity"] == "warning" else "notice", title, note["message"])
        for note in document["notes"]
        if note["code"] in REPEATED
    )
    level = "warning" if document["passed"] else "error"
    if report.brief:
        level = "notice"
    lines = [annotation(level, title, report.brief or document["summary"])]
    verdicts = [*document["verdicts"], *announced(document)]
    lines += [
        annotation(verdict["level"], title, verdict["sentence"])
        for verdict in verdicts
        if verdict["level"] != "notice" and len(verdicts) > 1
    ]
    if report.next_step and not report.brief:
        lines.append(annotation("notice", title, f"{WHAT_TO_DO} {report.next_step}"))
    return "".join(lines) + notes


def annotation(level: str, title: str, message: str) -> str:
    """Return one annotation, with special characters escaped."""
    return f"::{level} title={_escaped(title, ':,')}::{_escaped(message)}\n"


def _escaped(words: str, further: str = "") -> str:
    for special in f"%\r\n{further}":  # the percent sign first, since it escapes the others
        words = words.replace(special, f"%{ord(special):02X}")
    return words
