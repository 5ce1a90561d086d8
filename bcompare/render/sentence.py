"""Methods and results in sentences, to paste into a paper."""

from bcompare.basis.errors import InputError
from bcompare.report.build import Report


def render(report: Report) -> str:
    """Return the sentences, a line each.

    Raises
    ------
    InputError : the report is of something else than comparisons or a family.
    """
    if not report.paper:
        raise InputError("the format sentence is for the tests, under one rope, and for rank")
    return f"{report.paper}\n"
