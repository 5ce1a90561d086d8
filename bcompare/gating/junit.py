"""JUnit XML, with a test case for each verdict."""

from html import escape

from bcompare.basis.messages import Record, printable
from bcompare.gating.item_report import announced
from bcompare.gating.report import REPEATED
from bcompare.report.pair_report import Report

# The keys that a claim may have, and the word before their value.
WHERE = {"metric": "in", "dataset": "on", "item": "item", "about": "all"}


def render(report: Report) -> str:
    """Return the document, without times and host, so that equal input gives equal bytes."""
    document = report.document()
    gate = document["name"]
    verdicts = [*document["verdicts"], *announced(document)]
    cases = [(_name(document, verdict), _ruling(verdict)) for verdict in verdicts]
    cases += [
        (_name(document, {"candidate": failure["right"]}), _error(failure["reason"]))
        for failure in document["failed"]
    ]
    if document["outcome"] == "error":
        cases.append((gate, _error(document["summary"])))
    text = "\n".join(
        f'<testcase classname="{escape(gate)}" name="{escape(name)}">{inside}</testcase>'
        for name, inside in cases
    )
    counts = (
        f'tests="{len(cases)}" failures="{text.count("<failure ")}" '
        f'errors="{text.count("<error ")}" skipped="{text.count("<skipped ")}"'
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<testsuites {counts}>\n"
        f'<testsuite name="{escape(gate)}" {counts}>\n{_account(document)}{text}\n</testsuite>\n'
        "</testsuites>\n"
    )


def _account(document: Record) -> str:
    """Return the account of the input rows as properties."""
    if document["outcome"] == "error":
        return ""
    account = document["input"]["account"]
    counts = {"read": account["read"], "used": account["used"]}
    counts |= {f"left out, {part['reason']}": part["rows"] for part in account["left_out"]}
    properties = {f"rows {k}": str(n) for k, n in counts.items()}
    if document.get("next_step"):
        properties["next step"] = _clean(document["next_step"])
    for code in REPEATED:
        messages = [note["message"] for note in document["notes"] if note["code"] == code]
        if messages:
            properties[code] = _clean("; ".join(messages))
    lines = "\n".join(f'<property name="{k}" value="{text}"/>' for k, text in properties.items())
    return f"<properties>\n{lines}\n</properties>\n"


def _name(document: Record, verdict: Record) -> str:
    """Return the name of the test case of a verdict."""
    where = "".join(f" {word} {verdict[key]}" for key, word in WHERE.items() if verdict.get(key))
    return printable(f"{verdict['candidate']} against {document['baseline']}{where}")


def _ruling(verdict: Record) -> str:
    """Return what stands inside the test case of a verdict."""
    sentence = _clean(verdict["sentence"])
    if verdict["level"] == "error":
        return f'<failure type="{verdict["outcome"]}" message="{sentence}"/>'
    if verdict["outcome"] == "pass":
        return f"<system-out>{sentence}</system-out>"
    return f'<skipped message="{sentence}"/>'  # undecided, but no failure


def _error(reason: str) -> str:
    return f'<error message="{_clean(reason)}"/>'


def _clean(words: str) -> str:
    return escape(printable(words))
