"""The report and the JSON document of whatever a comparison returned."""

from bcompare.comparison import ComparisonSet
from bcompare.family import Family
from bcompare.report.build import Report, build_report
from bcompare.report.document import Record
from bcompare.report.document import document as pairs_document
from bcompare.report.family import build_family_report
from bcompare.report.family_document import family_document


def report_of(result: ComparisonSet | Family, *, details: bool = False) -> Report:
    """Tables and sentences; `details` adds the data sets of every pair."""
    if isinstance(result, Family):
        return build_family_report(result, details=details)
    return build_report(result, details=details)


def document(result: ComparisonSet | Family) -> Record:
    """Return everything about the comparisons, ready for a JSON writer."""
    return family_document(result) if isinstance(result, Family) else pairs_document(result)
