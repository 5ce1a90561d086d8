"""The report and the JSON document of whatever bcompare returned."""

from typing import Any

from bcompare.arguments import as_keywords
from bcompare.comparison import ComparisonSet
from bcompare.family import Family
from bcompare.gating.verdict import Gate
from bcompare.planning.outlook import Plan
from bcompare.planning.power import Power
from bcompare.report.build import Report, build_report
from bcompare.report.document import Record
from bcompare.report.family import build_family_report
from bcompare.report.gate import build_gate_report
from bcompare.report.plan import build_plan_report, build_power_report

Answer = ComparisonSet | Family | Gate | Plan | Power


def report_of(result: Answer, *, details: bool = False) -> Report:
    """Tables and sentences; `details` adds the data sets of every pair."""
    match result:
        case Family():
            return build_family_report(result, details=details)
        case Gate():
            return build_gate_report(result)
        case Plan():
            return build_plan_report(result)
        case Power():
            return build_power_report(result)
        case ComparisonSet():
            return build_report(result, details=details)


def document(result: Answer) -> Record:
    """Return everything about a result, ready for a JSON writer."""
    record: Record = _in_keywords(report_of(result).document())
    return record


def _in_keywords(value: Any) -> Any:
    """A document with the arguments in its messages as they are written in Python."""
    match value:
        case str():
            return as_keywords(value)
        case dict():
            return {key: _in_keywords(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_in_keywords(inner) for inner in value]
        case _:
            return value
