"""What `bcompare.presented` promises: results as HTML, as a frame, as a figure."""

from typing import TYPE_CHECKING

import pandas as pd

from bcompare.arguments import as_keywords
from bcompare.comparison import ComparisonSet
from bcompare.family import Family
from bcompare.plots import draw_result
from bcompare.plots.sheet import Sheet
from bcompare.render.html import body
from bcompare.report.results import report_of
from bcompare.report.rows import lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def as_html(result: ComparisonSet | Family) -> str:
    """Return the tables and sentences without the page around them."""
    return as_keywords(body(report_of(result)))


def as_frame(result: ComparisonSet | Family) -> pd.DataFrame:
    """Return the flat rows."""
    rows = report_of(result).rows()
    return pd.DataFrame(list(lines(rows)), columns=list(rows))


def as_figure(
    result: ComparisonSet | Family, picture: str | None, width: str | None, style: str | None
) -> "Figure":
    """Draw the result's own picture, or the one of that name, on the sheet of those names."""
    return draw_result(result, picture, Sheet.of(width, style))
