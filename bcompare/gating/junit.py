"""JUnit XML, with a test case for each verdict."""

from html import escape

from bcompare.basis.messages import Record, printable
from bcompare.gating.report import REPEATED
from bcompare.report.build import Report

# The keys that a claim may have, and the word before their value.
WHERE = {"metric": "in", "dataset": "on"}


def render(report: Report) -> str:
    """Return the document, without times and host, so that equal input gives equal bytes."""
    document = report.document()
    cases = [_case(document, verdict) for verdict in document["verdicts"]]
    cases += [
        _tag(document, {"candidate": failure["right"]}, _error(failure["reason"]))
        for failure in document["failed"]
    ]
    if document["outcome"] == "error":
        cases.append(_testcase(document["name"], document["name"], _error(document["summary"])))
    text = "\n".join(cases)
    counts = (
        f'tests="{len(cases)}" failures="{text.count("<failure ")}" '
        f'errors="{text.count("<error ")}" skipped="{text.count("<skipped ")}"'
    )
    name = escape(document["name"])
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<testsuites {counts}>\n"
        f'<testsuite name="{name}" {counts}>\n{_account(document)}{text}\n</testsuite>\n'
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
    for code in REPEATED:
        messages = [note["message"] for note in document["notes"] if note["code"] == code]
        if messages:
            properties[code] = _clean("; ".join(messages))
    lines = "\n".join(f'<property name="{k}" value="{text}"/>' for k, text in properties.items())
    return f"<properties>\n{lines}\n</properties>\n"


def _case(document: dict[str, object], verdict: Record) -> str:
    sentence = _clean(verdict["sentence"])
    if verdict["level"] == "error":
        inside = f'<failure type="{verdict["outcome"]}" message="{sentence}"/>'
    elif verdict["outcome"] == "pass":
        inside = f"<system-out>{sentence}</system-out>"
    else:  # undecided, but no failure
        inside = f'<skipped message="{sentence}"/>'
    return _tag(document, verdict, inside)


def _tag(document: Record, verdict: Record, inside: str) -> str:
    where = "".join(f" {word} {verdict[key]}" for key, word in WHERE.items() if verdict.get(key))
    name = printable(f"{verdict['candidate']} against {document['baseline']}{where}")
    return _testcase(document["name"], name, inside)


def _testcase(gate: str, name: str, inside: str) -> str:
    return f'<testcase classname="{escape(gate)}" name="{escape(name)}">{inside}</testcase>'


def _error(reason: str) -> str:
    return f'<error message="{_clean(reason)}"/>'


def _clean(words: str) -> str:
    return escape(printable(words))
