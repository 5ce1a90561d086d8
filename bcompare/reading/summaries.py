"""Rows and columns of a table of means that sum up or describe the others."""

from collections.abc import Container, Iterator, Sequence

from bcompare.basis.arguments import arg
from bcompare.basis.notes import Note
from bcompare.files.problems import named
from bcompare.reading.survey import Survey
from bcompare.reading.vocabulary import ABOUT, is_summary, plain

# Whole names of summaries, in letters and digits only.
_SUMMARIES = {"all", "total", "sum", "score", "wtl", "wdl", "pvalue", "ntrain", "ntest"}


def summary_notes(survey: Survey) -> Iterator[Note]:
    """Warn of data sets that seem to sum up others, and of classifiers that seem to be none.

    In a table of means, more names show that.
    """
    # only the names of the header may describe the others
    in_rows, in_header = _SUMMARIES, _SUMMARIES | ABOUT
    if "(?P<dataset>" in (survey.options.wide or ""):  # data sets are columns
        in_rows, in_header = in_header, in_rows
    has_spread = survey.grid.unit.has_spread
    rows = _suspects(survey.grid.datasets, () if has_spread else in_rows)
    columns = [] if has_spread else _suspects(survey.grid.classifiers, in_header)
    if rows:
        column = survey.rows.titles.get("dataset")
        conditions = [f"{column}!={row}" for row in rows]
        how = f"with {arg('where', conditions)}" if column else "of the file"
        message = (
            f"data sets that may only sum up or describe others: {named(rows)}; if so, leave them "
            f"out {how}"
        )
        yield Note("summary-row", "warning", message)
    if columns:
        message = (
            f"classifiers that may be none: {named(columns)}; if so, take them out of the file, or "
            f"name the others with {arg('classifiers')}"
        )
        yield Note("summary-column", "warning", message)


def _suspects(names: Sequence[str], known: Container[str]) -> list[str]:
    """Return the names that are those of summaries.

    known : further ones, in letters and digits only.
    """
    return [
        name
        for name in names
        if is_summary(name) or plain(name.partition("(")[0].partition("[")[0]) in known
    ]
