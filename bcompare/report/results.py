"""The report and the JSON document of whatever bcompare returned."""

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
    return report_of(result).document()
