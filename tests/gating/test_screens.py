"""What a gate shows: the means of both sides, and what to do next, in every format."""

import json
from html import unescape
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bcompare
from bcompare.formats import load_renderer
from bcompare.gating.anytime_report import build_anytime_report
from bcompare.gating.report import build_gate_report
from bcompare.gating.verdict import Gate
from bcompare.gating.words import MEND, next_step
from bcompare.render.html import body
from bcompare.render.plain import lines_of
from tests.gating.suites import KEYS, SETS, column, suite

SLOW = suite(dict.fromkeys(SETS, -0.05), slower=1.12)
SAME = suite({})
TIME = "fit_time: lower, 5%"


def of(frame: pd.DataFrame, **options: Any) -> Gate:
    """The gate on the accuracy of a suite."""
    return bcompare.gate(column(frame, "accuracy"), **{"baseline": "main"} | options)


def of_both(frame: pd.DataFrame, **options: Any) -> Gate:
    """The gate on both metrics of a suite."""
    metrics = {"accuracy": column(frame, "accuracy"), TIME: column(frame, "fit_time")}
    return bcompare.gate(metrics, **{"baseline": "main"} | options)


def renamed(frame: pd.DataFrame, **names: str) -> pd.DataFrame:
    return frame.assign(classifier=frame["classifier"].replace(names))


def lines(gate: Gate, width: int | None = None) -> list[str]:
    return [line.plain for line in lines_of(build_gate_report(gate), width)]


def cells(gate: Gate) -> list[dict[str, Any]]:
    """The rows of the table of a gate, by headings."""
    (table,) = build_gate_report(gate).tables
    headings = [shown.header for shown in table.columns]
    return [dict(zip(headings, row, strict=True)) for row in table.rows]


def test_the_table_has_the_means_of_both_sides() -> None:
    rows = cells(of_both(SLOW))
    assert {row["metric"] for row in rows} == {"accuracy", "fit_time"}
    for row in rows:
        name = row["data set"]
        frame = SLOW if name == "average" else SLOW[SLOW["dataset"] == name]
        # every data set has as many folds, so that the mean of the means is that of the rows
        means = frame.groupby("classifier")[row["metric"]].mean()
        digits = 5 * 10.0 ** -(len(row["main"].partition(".")[2]) + 1)
        assert float(row["main"]) == pytest.approx(means["main"], abs=1.01 * digits)
        assert float(row["pr"]) == pytest.approx(means["pr"], abs=1.01 * digits)


def test_a_bar_stands_in_place_of_the_baseline() -> None:
    gate = of(SLOW[SLOW["classifier"] == "pr"], baseline=None, bar=0.9, over="each")
    assert {row["bar"] for row in cells(gate)} == {"0.9000"}


@pytest.mark.parametrize("names", [{}, {"pr": "a-change-with-a-long-name"}])
def test_long_names_head_no_column(names: dict[str, str]) -> None:
    row = cells(of(renamed(SLOW, **names)))[0]
    assert ("candidate mean" in row) == bool(names)
    assert "main" in row


def test_several_candidates_share_a_column() -> None:
    others = renamed(SLOW[SLOW["classifier"] == "pr"], pr="other")
    row = cells(of(pd.concat([SLOW, others])))[0]
    assert [*row][-4:] == ["main", "candidate mean", "change", "verdict"]


def test_no_line_of_the_table_is_longer_than_a_terminal() -> None:
    names = {"d0": "breastcancer", "d1": "wine_red"}
    long_names = SLOW.assign(dataset=SLOW["dataset"].replace(names))
    for frame, is_complete in ((SLOW, True), (long_names, False)):
        shown = lines(of_both(frame), 80)
        end = shown.index("", shown.index("") + 1)
        assert max(map(len, shown[1:end])) <= 80
        assert ("A wider window also shows: main" in shown) != is_complete
    assert "A wider window also shows" not in "".join(lines(of_both(long_names), 100))


@pytest.mark.parametrize(
    "format", ["table", "markdown", "latex", "comment", "github", "junit", "json"]
)
def test_every_format_says_once_what_to_do(format: str) -> None:
    failed = load_renderer(format)(build_gate_report(of(SLOW)))
    assert failed.replace("\\_", "_").count(MEND) == 1
    assert MEND not in load_renderer(format)(build_gate_report(of(SAME)))


def test_a_notebook_says_what_to_do() -> None:
    assert unescape(body(build_gate_report(of(SLOW)))).count(MEND) == 1


def test_a_gate_that_simply_passes_leaves_nothing_to_do() -> None:
    gate = of(SAME)
    assert gate.passed
    assert next_step(gate) == ""
    assert json.loads(load_renderer("json")(build_gate_report(gate)))["next_step"] == ""


def noisy(gain: float) -> pd.DataFrame:
    """Five folds of one data set that show nothing."""
    draw = np.random.default_rng(1)
    rows = [
        ("d", 1, fold, who, 0.8 + draw.normal(0, 0.05) + gain * (who == "pr"))
        for fold in range(5)
        for who in ("main", "pr")
    ]
    return pd.DataFrame(rows, columns=[*KEYS, "accuracy"])


def test_what_is_only_not_shown_needs_more_scores() -> None:
    gate = of(noisy(0.0), fail_if="not-better")
    assert gate.outcome == "fail"
    assert next_step(gate).startswith("bcompare plan-gate")
    assert next_step(of(noisy(0.0))).startswith("bcompare plan-gate")  # undecided
    shown = of(SAME, fail_if="not-better")
    assert shown.outcome == "fail"
    assert next_step(shown) == MEND  # more scores would only show better that it is no better


def test_a_bar_can_be_set_anew() -> None:
    gate = of(SLOW[SLOW["classifier"] == "pr"], baseline=None, bar=0.9)
    assert gate.outcome == "fail"
    assert next_step(gate) == "mend what failed, or set another bar"


def test_a_gate_at_any_time_says_what_to_do() -> None:
    rows = [(k, who, float(who == "main" or k % 2)) for k in range(200) for who in ("main", "pr")]
    frame = pd.DataFrame(rows, columns=["item", "classifier", "score"])
    scores = bcompare.from_frame(frame, item_col="item", baseline="main")
    result = bcompare.anytime(bcompare.gate(scores, baseline="main"))
    report = build_anytime_report(result)
    assert result.outcome == "fail"
    assert f"What to do: {MEND}" in [line.plain for line in lines_of(report)]
    assert report.document()["next_step"] == MEND
