"""What a newcomer reads by default is short and complete: who, by how much, by which test."""

import math
from pathlib import Path

import pytest

import bcompare
from bcompare.report.table import Column, Table
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
