"""What a newcomer reads by default, and the table of means of `rank --details`."""

import io
import math
from pathlib import Path
from statistics import mean, stdev

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import bcompare
from bcompare.comparing.family import rank
from bcompare.reading.read import from_frame
from bcompare.render import load_renderer
from bcompare.render.plain import print_report
from bcompare.report.build import Report
from bcompare.report.family_report import build_family_report
from bcompare.report.table import Column, Strong, Table
from tests.command import run
from tests.results import small_csv

SAMPLE = Path(__file__).parents[2] / "sample_data"


def lines_of(*command: str) -> list[str]:
    return run(*command, folder=SAMPLE).out.splitlines()


def test_losses_are_lower_and_their_means_are_those_of_the_file(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "r.csv", {"good": -0.2, "bad": 0.0}, noise=0.001)
    study = bcompare.compare(bcompare.read_scores(path, lower_is_better=True), "ttest")
    (pair,) = study.comparisons
    verdict = bcompare.document(study)["comparisons"][0]["verdict"]
    assert verdict.startswith(
        "good is practically better than bad on iris (1.000) and scores 0.198"
    )
    assert " lower (95 % credible interval 0." in verdict
    means = pair.differences.mean_scores
    assert means is not None
    scores = [line.split(",") for line in path.read_text().splitlines()[1:]]
    own = [float(score) for *_, name, score in scores if name == "good"]
    assert means[pair.left == "bad"] == pytest.approx(sum(own) / len(own))


def test_the_width_of_a_table_is_that_of_its_lines() -> None:
    wide = Table("t", (Column("name"), Column("figure", "figure")), [("a", "1"), ("long", "22")])
    longest = max(map(len, lines_of("sign")[1:12]))
    assert wide.width == len(" long  figure")
    assert longest <= 100


TREE = ("--left", "tree", "--right", "forest")
# The most lines of each command on the sample data, in a terminal of 100 columns.
BUDGETS = [
    (10, ("ttest", "--dataset", "two_hard", *TREE)),
    (12, ("hier", *TREE)),  # two lines more: the average over these data sets
    *((10, (test, *TREE)) for test in ("signrank", "sign", "poisson")),
    (16, ("ttest", "--dataset", "two_hard")),
    *((16, (test,)) for test in ("hier", "signrank", "sign", "poisson")),
    (18, ("rank",)),
    (18, ("rank", "--dataset", "two_hard")),
    (2, ("gate", "--baseline", "tree", "--candidate", "forest")),  # one, wrapped
    (17, ("gate", "--baseline", "forest", "--candidate", "tree")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("most", "command"), BUDGETS, ids=lambda value: "-".join(map(str, value))
                         if isinstance(value, tuple) else str(value))  # fmt: skip
def test_the_answer_is_short(most: int, command: tuple[str, ...]) -> None:
    lines = run(*command, folder=SAMPLE).out.splitlines()
    assert sum(max(1, math.ceil(len(line) / 100)) for line in lines) <= most
    if most > 2:  # a line alone has no settings
        assert len(lines[-1]) <= 100  # the line of settings
        details = run(*command, *([] if command[0] == "gate" else ["--details"]), folder=SAMPLE)
        assert len(details.out.splitlines()) >= len(lines)


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


@pytest.mark.parametrize(("lower", "best"), [(False, "b"), (True, "c")])
def test_means_and_deviations(lower: bool, best: str) -> None:
    scores = frame()
    table = means(report(scores, lower=lower))
    names = [column.header for column in table.columns[1:]]
    assert "± standard deviation over folds" in table.title
    for dataset, *cells in table.rows[:-1]:
        for name, cell in zip(names, cells, strict=True):
            own = scores[(scores.dataset == dataset) & (scores.classifier == name)].score.tolist()
            assert cell == f"{mean(own):.4f} ± {stdev(own):.4f}"
            assert isinstance(cell, Strong) == (name == best)
    label, *averages = table.rows[-1]
    assert label == "average"
    expected = scores.groupby("classifier").score.mean()
    assert averages == [f"{expected[name]:.4f}" for name in names]


def test_equal_to_the_printed_digits() -> None:
    scores = frame((0.7, 0.7, 0.6))
    base = scores[scores.classifier == "a"].score.to_numpy()
    scores.loc[scores.classifier == "b", "score"] = base + np.tile([3e-6, -2e-6, 0, 0, 0], 3)
    table = means(report(scores))
    strong = [[isinstance(cell, Strong) for cell in row[1:]] for row in table.rows]
    assert strong == [[True, True, False]] * 4


def test_gaps_have_no_average() -> None:
    scores = frame()
    gone = scores.index[(scores.dataset == "d1") & (scores.classifier == "b")]
    rows = means(report(scores.drop(gone))).rows
    assert [row[0] for row in rows] == ["d0", "d1", "d2"]
    assert [cell is None for cell in rows[1]].count(True) == 1


def test_means_alone_have_no_deviation() -> None:
    scores = frame().groupby(["dataset", "classifier"])[["score"]].mean().reset_index()
    table = means(report(scores))
    assert "±" not in table.title
    assert not any("±" in str(cell) for row in table.rows for cell in row)


def test_every_renderer_makes_the_best_bold() -> None:
    result = report(frame())
    best = [str(cell) for row in means(result).rows for cell in row if isinstance(cell, Strong)]
    assert len(best) == 4
    latex, markdown, html = (load_renderer(name)(result) for name in ("latex", "markdown", "html"))
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
