"""Every kind of result, with its report, document and picture.

`KINDS` is the only table of them. Results themselves know no format and no picture; importing this
module, as `bcompare` does, implements the methods of `bcompare.basis.showable`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bcompare.basis.messages import InputError, Record, as_keywords, with_texts
from bcompare.basis.showable import Showable
from bcompare.data.units import ITEM
from bcompare.formats import FORMATS, GATE_FORMATS, load_renderer
from bcompare.plots import ANYTIME, PLAN, Shape, draw_shape, shape_of_classifiers, shape_of_study
from bcompare.plots.sheet import Sheet
from bcompare.render.html import body
from bcompare.report.fields import lines

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from bcompare.gating.verdict import Gate
    from bcompare.report.pair_report import Report


@dataclass(frozen=True, slots=True)
class ResultKind:
    """How to show a kind of result.

    report : "module:function" that builds the report.
    shape : says which pictures fit the result; None if none do.
    has_details : whether the function takes `details`.
    is_gate : whether the formats of gates fit.
    """

    report: str
    shape: Callable[[Any], Shape] | None = None
    has_details: bool = False
    is_gate: bool = False


# By the name of the result's class.
KINDS = {
    "ComparisonSet": ResultKind(
        "bcompare.report.pair_report:build_report", shape_of_study, has_details=True
    ),
    "Family": ResultKind(
        "bcompare.ranking.report:build_family_report",
        lambda f: shape_of_classifiers(f.scores),
        has_details=True,
    ),
    "Sweep": ResultKind(
        "bcompare.report.sweep:build_sweep_report",
        lambda s: shape_of_study(s.studies[0], len(s.studies)),
    ),
    "Slices": ResultKind("bcompare.report.sweep:build_slices_report"),
    "Gate": ResultKind("bcompare.gating.report:build_gate_report", is_gate=True),
    "AnytimeGate": ResultKind(
        "bcompare.gating.anytime_report:build_anytime_report",
        lambda g: Shape(ANYTIME, len(g.verdicts), 1, ITEM),
        is_gate=True,
    ),
    "SelfCheck": ResultKind("bcompare.gating.report:build_self_check_report", is_gate=True),
    "Plan": ResultKind(
        "bcompare.planning.report:build_plan_report", lambda p: Shape(PLAN, len(p.outlooks), 0)
    ),
    "Power": ResultKind("bcompare.planning.report:build_power_report"),
    "AnytimePlan": ResultKind("bcompare.planning.report:build_anytime_plan_report"),
    "Profile": ResultKind("bcompare.report.check:build_check_report"),
}


def report_of(result: Showable, *, details: bool = False) -> "Report":
    """Return the tables and sentences; `details` adds the data sets of every pair.

    Raises
    ------
    InputError : it is no result of this package that has any.
    """
    name = type(result).__name__
    if name not in KINDS:
        raise InputError(
            f"there are no tables of {name}: give a result of compare, rank, gate or plan"
        )
    module, _, function = KINDS[name].report.partition(":")
    build: Callable[..., Report] = getattr(import_module(module), function)
    return build(result, details=details) if KINDS[name].has_details else build(result)


def as_text(result: Showable, format: str = "table", *, details: bool = False) -> str:
    """Return any result as a table, JSON, CSV, Markdown or in another format.

    Raises
    ------
    InputError : a format that there is not, or that only a gate has.

    Examples
    --------
    >>> import bcompare
    >>> scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    >>> study = bcompare.compare(scores, left="knn", right="forest")
    >>> bcompare.as_text(study, "sentence").splitlines()[1].partition(" on ")[0]
    'forest is practically better than knn'
    """
    if format not in FORMATS:
        raise InputError(f"there is no format {format!r}; choose from {', '.join(FORMATS)}")
    if format == "parquet":
        raise InputError(f"{format} is not text: write a file by to_frame().to_parquet(FILE)")
    report = report_of(result, details=details)
    if format in GATE_FORMATS and not KINDS[type(result).__name__].is_gate:
        raise InputError(f"the format {format} is for gates only")
    text = load_renderer(format)(report)
    if format == "table":  # the command line prints them to standard error
        text += "".join(f"{note.line}\n" for note in report.notes)
    return as_keywords(text)


def document(result: Showable) -> Record:
    """Return the JSON document of a result.

    Examples
    --------
    >>> import bcompare
    >>> scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    >>> study = bcompare.compare(scores, left="knn", right="forest")
    >>> bcompare.document(study)["comparisons"][0]["decision"]
    'right'
    """
    record: Record = with_texts(report_of(result).document(), as_keywords)
    return record


def draw(result: Showable, picture: str | None = None, sheet: Sheet | None = None) -> "Figure":
    """Draw the picture of that name, or the result's own.

    Raises
    ------
    InputError : no picture fits, or too many rows.
    ComputationError : matplotlib is not installed.
    """
    shape = KINDS[type(result).__name__].shape
    if shape is None:
        raise InputError(f"there is no picture of a {type(result).__name__}")
    return draw_shape(result, shape(result), picture, sheet or Sheet())


def frame_of(result: Showable) -> "pd.DataFrame":
    """Return the flat rows as a frame."""
    import pandas as pd

    rows = report_of(result).rows()
    return pd.DataFrame(list(lines(rows)), columns=list(rows))


def summary_of(gate: "Gate") -> str:
    """Return the outcome of a gate in a line."""
    from bcompare.gating import words

    return as_keywords(words.summary_of(gate))


def html_of(result: Showable) -> str:
    """Return the tables and sentences."""
    return as_keywords(body(report_of(result)))
