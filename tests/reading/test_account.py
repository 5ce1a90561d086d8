"""What is left out is said, by count and by whom, and every output says the same."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bcompare.data.account import Account, LeftOut
from bcompare.data.joining import join, joined
from bcompare.data.scores import Scores
from bcompare.reading.read import read_scores
from tests.command import Outcome, run
from tests.examples import scores_from
from tests.results import write_lines

pytestmark = pytest.mark.usefixtures("one_population")

ITEM = ("--col", "item=question", "--na-values", "")


def answers(folder: Path, sets: int = 1) -> Path:
    """Answers to 50 questions; "large" lacks six scores, "small" three others."""
    lines = ["dataset,question,classifier,score"]
    for d in range(sets):
        for i in range(50):
            small, large = (round(0.5 + (i * k % 17) / 40, 3) for k in (3, 5))
            lines.append(f"set-{d},q{i},small,{'' if i in (1, 2, 3) else small}")
            lines.append(f"set-{d},q{i},large,{'' if 10 <= i < 16 else large}")
    return write_lines(folder / "results.csv", *lines)


def folds(folder: Path, *gone: str, sets: int = 4) -> Path:
    """Two classifiers on some data sets; rows that begin with one of these texts are missing."""
    lines = ["dataset,run,fold,classifier,score"]
    lines += [
        f"set-{d},{r},{f},{name},0.{700 + 7 * d + 3 * r + f * f + 20 * k * (1 + f % 3)}"
        for d in range(sets)
        for r in (1, 2)
        for f in range(1, 6)
        for k, name in enumerate(("main", "pr"))
    ]
    kept = [line for line in lines if not gone or not line.startswith(gone)]
    return write_lines(folder / "results.csv", *kept)


def means(folder: Path) -> Path:
    rows = [
        f"set-{d},0.{70 + d},{'-' if d == 2 else f'0.{72 + d}'},0.{65 + 2 * d}" for d in range(8)
    ]
    return write_lines(folder / "results.csv", "dataset,main,pr,other", *rows)


def account_of(outcome: Outcome) -> dict[str, Any]:
    account: dict[str, Any] = json.loads(outcome.out)["input"]["account"]
    return account


def page_of(folder: Path, *options: str) -> str:
    outcome = run("report", *options, "-o", "page.html", folder=folder)
    assert outcome.code == 0, outcome.err
    page = (folder / "page.html").read_text(encoding="utf-8")
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def test_a_report_ticks_only_what_the_account_says(tmp_path: Path) -> None:
    folds(tmp_path)
    whole = page_of(tmp_path)
    assert "✓ Every classifier has every score: all 80 rows are used." in whole
    chosen = page_of(tmp_path, "--where", "run=1")
    assert "✓ Every classifier has every score of the rows chosen: 40 of 80 rows are used" in chosen
    assert "40 rows not meeting the conditions of --where" in chosen
    answers(tmp_path)
    missing = page_of(tmp_path, *ITEM, "--missing", "drop-items")
    assert "✓ Every classifier" not in missing
    assert "Warning: left out of 100 rows: 9 rows without a score (large 6, small 3)" in missing
    assert "82 of 100 rows are used" in missing


@pytest.mark.parametrize("command", ["ttest", "sign", "rank", "gate", "plan"])
@pytest.mark.parametrize("policy", ["refuse", "drop-folds", "drop-items", "drop-datasets"])
@pytest.mark.parametrize("rows", ["folds", "items", "means"])
def test_every_policy_works_or_is_refused(
    command: str, policy: str, rows: str, tmp_path: Path
) -> None:
    path = tmp_path / "results.csv"
    options: tuple[str, ...] = ITEM if rows == "items" else ()
    if rows == "folds":
        folds(tmp_path, "set-1,2,4,pr", "set-3,1,2,main")
    elif rows == "items":
        lines = answers(tmp_path, sets=4).read_text(encoding="utf-8").splitlines()
        whole = (x + "0.5" if x.endswith(",") and "set-3" not in x else x for x in lines)
        write_lines(path, *whole)
    else:
        means(tmp_path)
        options = ("--preset", "means")
    if command == "plan":
        options = (*options, "--test", "sign", "--replicates", "20")
    outcome = run(command, *options, "--missing", policy, "--format", "json", folder=tmp_path)
    assert outcome.code in (0, 2, 4), outcome.err
    fits = {"folds": "drop-folds", "items": "drop-items"}.get(rows, "drop-datasets")
    if policy not in (fits, "drop-datasets"):
        assert outcome.code == 2
    elif outcome.code != 2:
        account = account_of(outcome)
        assert account["lacking"]
        assert account["read"] == account["used"] + sum(p["rows"] for p in account["left_out"])
    else:
        assert command in ("ttest", "plan", "gate")


def test_a_column_without_a_name_counts_no_errors(tmp_path: Path) -> None:
    header, *rows = folds(tmp_path).read_text(encoding="utf-8").splitlines()
    numbered = [f",{header}", *(f"{i},{row}" for i, row in enumerate(rows))]
    write_lines(tmp_path / "results.csv", *numbered)
    assert read_scores(tmp_path / "results.csv").account == Account(len(rows), len(rows))


def test_accounts_of_several_readings_are_one(tmp_path: Path) -> None:
    one = read_scores(folds(tmp_path, "set-0,1,1,pr", sets=1), missing="drop-folds")
    other = Account(10, 8, (LeftOut("incomplete", 2, {"main": 2}),), lacking={"pr": 1})
    whole = joined([one.account, other])
    assert (whole.read, whole.used, whole.rows_left_out) == (29, 26, 3)
    assert whole.left_out == (LeftOut("incomplete", 3, {"main": 3}),)
    assert whole.lacking == {"pr": 2}
    assert join(one).account == one.account


def test_reasons_of_one_classifier_in_several_readings_are_counted_together() -> None:
    one = Account(9, 7, (LeftOut("no-score", 2, {"gpt": 2}, {"gpt": {"timeout": 2}}),))
    other = Account(9, 5, (LeftOut("no-score", 4, {"gpt": 4}, {"gpt": {"timeout": 1, "oom": 3}}),))
    (left_out,) = joined([one, other]).left_out
    assert left_out.who == "gpt 6 (timeout 3; oom 3)"


def test_joined_scores_have_the_mean_costs_of_the_parts_that_have_a_classifier() -> None:
    def part(name: str, **costs: float) -> Scores:
        tables = {name: np.random.default_rng(1).random((5, len(costs)))}
        scores = scores_from(tables, tuple(costs))
        return replace(scores, costs=np.array([*costs.values()]))

    both = join(part("one", tree=2.0, forest=9.0), part("other", tree=4.0, bayes=1.0))
    assert both.costs is not None
    assert dict(zip(both.classifiers, both.costs.tolist(), strict=True)) == {
        "tree": 3.0,
        "forest": 9.0,
        "bayes": 1.0,
    }
    without = replace(part("other", tree=4.0, bayes=1.0), costs=None)
    assert join(part("one", tree=2.0, forest=9.0), without).costs is None
