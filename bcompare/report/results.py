"""The report and the JSON document of whatever a comparison returned."""

from bcompare.comparison import ComparisonSet
from bcompare.family import Family
from bcompare.gating.verdict import Gate
from bcompare.report.build import Report, build_report
from bcompare.report.document import Record
from bcompare.report.document import document as pairs_document
from bcompare.report.family import build_family_report, family_document
from bcompare.report.gate import build_gate_report, gate_document


def report_of(result: ComparisonSet | Family | Gate, *, details: bool = False) -> Report:
    """Tables and sentences; `details` adds the data sets of every pair."""
    if isinstance(result, Family):
        return build_family_report(result)
    if isinstance(result, Gate):
        return build_gate_report(result)
    return build_report(result, details=details)


def document(result: ComparisonSet | Family | Gate) -> Record:
    """Return everything about the comparisons, ready for a JSON writer."""
    if isinstance(result, Family):
        return family_document(result)
    return gate_document(result) if isinstance(result, Gate) else pairs_document(result)
