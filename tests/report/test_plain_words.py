"""What a newcomer reads is short, and its sentences and tables hold the numbers of the answer."""

import io
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rich.console import Console
from scipy import stats

import bcompare
from bcompare.comparing.decision import ExpectedLoss, Threshold
from bcompare.data.scores import Scores
from bcompare.formats import load_renderer
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.ranking.family import rank
from bcompare.ranking.report import build_family_report
from bcompare.reading.read import from_frame
from bcompare.render.html import body
from bcompare.render.plain import print_report
from bcompare.report.pair_report import Report, build_report
from bcompare.report.sentences import dependence
from bcompare.report.table import (
    Column,
    Strong,
    Table,
    decimals_for,
    difference,
    percent,
    probability,
)
from tests.command import run
from tests.results import small_csv

pytestmark = pytest.mark.usefixtures("one_population")

SAMPLE = Path(__file__).parents[2] / "sample_data"


def test_the_width_of_a_table_is_that_of_its_lines() -> None:
    wide = Table("t", (Column("name"), Column("figure", "figure")), [("a", "1"), ("long", "22")])
    assert wide.width == len(" long  figure")


TREE = ("--left", "tree", "--right", "forest")
# The most lines of each command on the sample data, in a terminal of 100 columns.
BUDGETS = [
    (10, ("ttest", "--dataset", "two_hard", *TREE)),
    (16, ("hier", *TREE)),  # more: the chances on the next data set
    (16, ("sign", *TREE)),
    (11, ("signrank", *TREE)),  # more: what the interval is of
    (10, ("poisson", *TREE)),
    (16, ("ttest", "--dataset", "two_hard")),
    *((16, (test,)) for test in ("hier", "signrank", "sign", "poisson")),
    (18, ("rank",)),
    (18, ("rank", "--dataset", "two_hard")),
    (2, ("gate", "--baseline", "tree", "--candidate", "forest")),  # one, wrapped
    (17, ("gate", "--baseline", "forest", "--candidate", "tree")),
]


@pytest.mark.parametrize(
    ("most", "command"),
    BUDGETS,
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else str(value),
)
def test_the_answer_is_short(most: int, command: tuple[str, ...]) -> None:
    lines = run(*command, folder=SAMPLE).out.splitlines()
    assert sum(max(1, math.ceil(len(line) / 110)) for line in lines) <= most
    if most > 2:  # a line alone has no settings
        assert len(lines[-1]) <= 100  # the line of settings


NAMES = ("a", "b", "c")


def frame(low: tuple[float, ...] = (0.7, 0.8, 0.6)) -> pd.DataFrame:
    """Five folds on three data sets, with means that differ by classifier and data set."""
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {"dataset": f"d{d}", "fold": k, "classifier": name, "score": base + d / 100 + noise}
        for d in range(3)
        for name, base in zip(NAMES, low, strict=True)
        for k, noise in enumerate(rng.normal(0, 0.01, 5))
    )


def report(frame: pd.DataFrame, *, lower: bool = False) -> Report:
    family = rank(from_frame(frame, lower_is_better=lower), rope=0.01)
    return build_family_report(family, details=True)


def means(report: Report) -> Table:
    (table,) = [table for table in report.tables if table.title.startswith("Mean score")]
    return table


def test_text_from_python_has_the_notes_and_no_options() -> None:
    scores = frame().query("dataset == 'd0' and fold < 4")
    text = bcompare.as_text(rank(from_frame(scores)))
    assert text.splitlines()[-1].startswith("warning: fewer than 10 scores of each")
    assert "--" not in text


def test_means_alone_have_no_deviation() -> None:
    scores = frame().groupby(["dataset", "classifier"])[["score"]].mean().reset_index()
    table = means(report(scores))
    assert "±" not in table.title
    assert not any("±" in str(cell) for row in table.rows for cell in row)


def test_every_renderer_makes_the_best_bold() -> None:
    result = report(frame())
    best = [str(cell) for row in means(result).rows for cell in row if isinstance(cell, Strong)]
    assert len(best) == 3
    latex, markdown = (load_renderer(name)(result) for name in ("latex", "markdown"))
    html = body(result)
    out = io.StringIO()
    print_report(result, Console(file=out, force_terminal=True, color_system="standard", width=200))
    for cell in best:
        assert rf"\textbf{{{cell.replace('±', '$' + chr(92) + 'pm$')}}}" in latex
        assert f"**{cell}**" in markdown
        assert f"<strong>{cell}</strong>" in html
        assert any(
            part.endswith(cell) for part in out.getvalue().split("\x1b[0m") if "\x1b[1m" in part
        )
    assert "<strong>" not in load_renderer("csv")(result)


@pytest.mark.parametrize(("alpha", "bold"), [(0.05, {"0.985"}), (0.01, set[str]())])
def test_only_probabilities_that_take_a_verdict_are_bold(alpha: float, bold: set[str]) -> None:
    scores = bcompare.read_scores(SAMPLE / "results.csv", datasets=["two_hard"])
    study = bcompare.compare(scores, "ttest", left="knn", right="forest", alpha=alpha)
    latex = load_renderer("latex")(build_report(study))
    assert {*re.findall(r"textbf{(.*?)}", latex)} == bold


@pytest.mark.parametrize(
    ("p", "written"),
    [
        (0.0, "0.000"),
        (1e-300, "<0.001"),
        (0.0004, "<0.001"),
        (0.0006, "0.001"),
        (0.5, "0.500"),
        (0.9994, "0.999"),
        (0.9996, ">0.999"),
        (1 - 1e-16, ">0.999"),
        (1.0, "1.000"),
    ],
)
def test_probability(p: float, written: str) -> None:
    assert probability(p) == written


@pytest.mark.parametrize(
    ("value", "decimals", "written"),
    [
        (0.01234, 4, "+0.0123"),
        (-0.01234, 4, "-0.0123"),
        (-0.00001, 4, "0.0000"),
        (0.0, 4, "0.0000"),
        (123456.0, 2, "+1.235e+05"),
        (1.5e-9, 11, "+1.500e-09"),
        (float("inf"), 3, "∞"),
        (float("-inf"), 3, "-∞"),
    ],
)
def test_difference(value: float, decimals: int, written: str) -> None:
    assert difference(value, decimals) == written


@pytest.mark.parametrize(
    ("scale", "decimals"), [(0.01, 4), (1.0, 2), (100.0, 0), (0.0, 4), (2e-6, 8)]
)
def test_decimals_follow_the_scale(scale: float, decimals: int) -> None:
    assert decimals_for(scale) == decimals


SETS = tuple(f"set-{i}" for i in range(12))
REGIONS = {"left": "p_left", "rope": "p_rope", "right": "p_right"}


@pytest.fixture
def scores(tmp_path: Path) -> Scores:
    path = small_csv(tmp_path / "r.csv", {"a": 0.0, "b": 0.04, "c": 0.041}, SETS, noise=0.01)
    return bcompare.read_scores(path)


def pairs(scores: Scores, test: str, **options: Any) -> list[dict[str, Any]]:
    study = bcompare.compare(scores, test, **options)
    result: list[dict[str, Any]] = bcompare.document(study)["comparisons"]
    return result


@pytest.mark.parametrize("test", ["hier", "sign"])
def test_the_numbers_of_a_verdict_are_the_answers_own(test: str, scores: Scores) -> None:
    decided = [pair for pair in pairs(scores, test) if pair["decision"] != "none"]
    assert len(decided) > 1
    for pair in decided:
        sure = probability(pair[REGIONS[pair["decision"]]])
        likeliest = f": that is the likeliest outcome on the next data set ({sure})"
        assert pair["verdict"].endswith(likeliest)
    (lone,) = bcompare.compare(scores, test, left="a", right="b").comparisons
    shown = bcompare.as_text(bcompare.compare(scores, test, left="a", right="b"))
    key = "next_mean" if test == "hier" else "theta_mean"
    chances = getattr(lone.result, key)
    assert f"{percent(chances.right)} %" in shown


def test_poisson_counts_and_calls_nothing_likely(scores: Scores) -> None:
    for pair in pairs(scores, "poisson"):
        assert "most likely" not in pair["verdict"]
        assert "chance" not in pair["verdict"]


def test_means_give_a_student_interval(scores: Scores) -> None:
    study = bcompare.compare(scores, "sign")
    comparison = study.comparisons[0]
    z = comparison.differences.statistics.mean
    low, high = stats.ttest_1samp(z, 0).confidence_interval(0.95)
    average = comparison.average
    assert average is not None
    assert [average.mean, average.low, average.high] == pytest.approx([z.mean(), low, high])


@pytest.mark.parametrize(
    ("p", "written"),
    [
        (0.0, "<1"),
        (0.004, "<1"),
        (0.006, "1"),
        (0.5, "50"),
        (0.996, ">99"),
    ],
)
def test_percent(p: float, written: str) -> None:
    assert percent(p) == written


@pytest.mark.parametrize("test", ["hier", "sign", "signrank"])
def test_a_decision_by_loss_is_not_called_likely(test: str, scores: Scores) -> None:
    """Equivalence that costs nothing is decided for, however improbable it is."""
    losses = np.array([[9.0, 0.0, 9.0, 9.0]] * 3)
    for pair in pairs(scores, test, rule=ExpectedLoss(losses)):
        assert pair["decision"] == "rope"
        assert "by expected loss, equivalent" in pair["verdict"]
        assert "most likely" not in pair["verdict"]


@pytest.mark.parametrize("level", [0.95, 0.9, 0.99])
def test_a_probability_is_printed_on_its_side_of_the_level(level: float) -> None:
    for p in (level, *(level + step * 10.0**-k for k in range(2, 9) for step in (-4, -1, 1, 4))):
        shown = float(probability(p, level, 0.05, 0.9929))
        for border in (level, 0.05, 0.9929):
            assert np.sign(shown - border) == np.sign(p - border)
    assert probability(0.123456, level) == "0.123"


def test_a_table_shows_on_which_side_a_probability_and_a_p_value_are() -> None:
    columns = (
        Column("p(left)", "region"),
        Column("p(best)", "probability"),
        Column("p-value", "p"),
    )
    rows = [(0.94962, 0.94962, 0.05047), (0.95004, 0.95004, 0.04996), (0.5, 0.5, 0.2)]
    texts = [cells for cells, _ in Table("", columns, rows, levels=(0.95,)).texts()]
    assert texts == [
        ["0.9496", "0.9496", "0.0505"],
        ["0.95004", "0.95004", "0.04996"],
        ["0.500", "0.500", "0.200"],
    ]


def test_dependence_on_rho_counts_the_data_sets(scores: Scores) -> None:
    study = bcompare.compare(scores, CorrelatedT(sensitivity=True), pairs=[("a", "b")], rope=0.01)
    comparison = study.comparisons[0]
    decisions = [comparison.dataset_decisions] + [
        Threshold().decide(p) for p in comparison.result.sensitivity.values()
    ]
    changed = sum(len(set(each)) > 1 for each in zip(*decisions, strict=True))
    assert 0 < changed < comparison.n_datasets
    assert f"on {changed} of {comparison.n_datasets} another verdict with" in dependence(study)
    assert dependence(study).startswith("The verdict on a data set depends on ρ for pair b against")
