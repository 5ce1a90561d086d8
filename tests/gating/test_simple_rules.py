"""The rules of a gate that need no statistics: numbers, advice, headlines, and their messages."""

import json
import re
import shlex
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from markdown_it import MarkdownIt

import bcompare
from tests.command import refused, run

ADVISORY = "size_mb: lower, 2%, advisory"


def results(seed: int, sets: int = 6, **changed: float) -> pd.DataFrame:
    """Three seeds of five folds of one classifier. changed : factors by metric."""
    rng, level = np.random.default_rng(seed), np.random.default_rng(0)
    frames = []
    for d in range(sets):
        accuracy, time = level.uniform(0.7, 0.9), level.uniform(2, 20)
        run_of, fold = map(np.ravel, np.indices((3, 5)))
        frame = pd.DataFrame({"dataset": f"d{d}", "run": run_of, "fold": fold})
        frame["accuracy"] = (accuracy + rng.normal(0, 0.004, 15)).round(4)
        frame["fit_s"] = (time * np.exp(rng.normal(0, 0.01, 15))).round(4)
        frame["size_mb"] = 100 + 10 * d
        frames.append(frame)
    result = pd.concat(frames)
    for metric, factor in changed.items():
        result[metric] = result[metric] * factor
    return result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, frame in {
        "main": results(1),
        "pr": results(2),
        "big": results(2, size_mb=1.05),
        "slow": results(2, fit_s=1.12),
        "new": results(2, sets=7),
        "both": results(2, fit_s=1.12, size_mb=1.05),
    }.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    one = results(2)
    one.loc[one["dataset"] == "d2", "size_mb"] *= 1.05
    one.to_csv(tmp_path / "one.csv", index=False)
    return tmp_path


def gate(folder: Path, candidate: str, *metrics: str) -> tuple[str, ...]:
    spelled = [word for metric in metrics for word in ("--metric", metric)]
    sides = (str(folder / "main.csv"), str(folder / f"{candidate}.csv"))
    return "gate", *sides, "--baseline", "main", *spelled


@pytest.mark.parametrize(
    ("candidate", "rope", "code"),
    [
        ("pr", "2%", 0),
        ("big", "2%", 4),
        ("big", "5%", 0),  # as much as the rope is within it
        ("big", "4.99%", 4),
        ("one", "2%", 4),
        ("big", "8", 0),
        ("big", "7", 4),  # on d5, of 150 MB
    ],
)
def test_what_never_varies_is_compared_as_a_number(
    folder: Path, candidate: str, rope: str, code: int
) -> None:
    said = run(*gate(folder, candidate, "accuracy", f"size_mb: lower, {rope}"))
    assert said.code == code
    assert "zero-variance" not in said.err
    assert "p(worse) >0.999" not in said.out
    document = json.loads(run(*gate(folder, candidate, f"size_mb: {rope}"), "--format", "json").out)
    assert document["exit_code"] == code
    for verdict in document["verdicts"]:
        assert verdict["exact"]
        shares = [verdict[f"p_{word}"] for word in ("worse", "equivalent", "better")]
        assert sorted(shares) == [0, 0, 1]


@pytest.mark.parametrize(
    ("unit", "scores"),
    [
        ("fold", [(1.0, 1.0)] * 6),  # saturated
        ("fold", [(0.8, 0.8)] * 4),  # too few
        ("item", [(0.5, 0.5)] * 12),  # answers with equal grades
        ("fold", [(0.8, 0.8)] * 5 + [(0.9, 0.9)]),  # they vary
    ],
)
def test_scores_that_may_be_equal_by_chance_are_no_numbers(
    unit: str, scores: list[tuple[float, float]]
) -> None:
    rows = [
        (at, who, score)
        for at, both in enumerate(scores)
        for who, score in zip(("main", "pr"), both, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=[unit, "classifier", "score"])
    read = (
        bcompare.from_frame(frame.assign(dataset="d", run=1))
        if unit == "fold"
        else bcompare.from_items(frame, "item")
    )
    (verdict,) = bcompare.gate(read, baseline="main").verdicts
    assert not verdict.exact


def test_an_advisory_metric_is_judged_and_shown_but_never_fails(folder: Path) -> None:
    strict = run(*gate(folder, "both", "accuracy", ADVISORY.replace(", advisory", "")))
    assert strict.code == 4
    passed = run(*gate(folder, "both", "accuracy", ADVISORY))
    assert passed.code == 0
    assert passed.out.startswith("passed: both is equivalent to main in accuracy on average")
    advice = "advisory: both is worse than main in size_mb on average (+5.0 %), every data set"
    assert advice in passed.out
    failed = run(*gate(folder, "both", "accuracy", "fit_s: lower, 5%", ADVISORY))
    assert failed.code == 4
    assert re.search(r"size_mb \(advisory\) +average +1\.000", failed.out)
    assert f"\n{advice}" in failed.out
    annotated = run(
        *gate(folder, "both", "accuracy", "fit_s: lower, 5%", ADVISORY), "--format=github"
    )
    of_size = [line for line in annotated.out.splitlines()[1:] if " in size_mb" in line]
    assert of_size
    assert all(line.startswith("::warning ") for line in of_size)
    quiet = run(*gate(folder, "both", "accuracy", ADVISORY), "--format", "github").out
    assert "::warning title=bcompare gate::advisory, would fail: both in size_mb" in quiet
    junit = run(*gate(folder, "both", "accuracy", ADVISORY), "--format", "junit").out
    assert 'failures="0"' in junit
    assert "nothing can fail" in refused(run(*gate(folder, "pr", ADVISORY)))
    check = run("self-check", folder / "main.csv", "--metric", "accuracy", "--metric", ADVISORY)
    assert "size_mb" not in check.out.splitlines()[0]
    (folder / "bcompare.toml").write_text(
        "[metrics.accuracy]\n[metrics.size_mb]\nlower = true\nadvisory = true\n"
    )
    names = ("main.csv", "big.csv", "--baseline", "main")
    assert run("gate", *names, folder=folder).code == 0


def test_the_headline_says_first_what_is_common_and_then_all_that_failed(folder: Path) -> None:
    metrics = ("accuracy", "fit_s: lower, 5%", "size_mb: lower, 2%")
    out = run(*gate(folder, "both", *metrics)).out
    first, second = out.splitlines()[0].split("; ")
    assert first.startswith("failed: both is worse than main in fit_s on average (+")
    assert second == "both is worse than main in size_mb on average (+5.0 %), every data set"
    alone = run(*gate(folder, "one", *metrics)).out
    assert alone.startswith("failed: one is worse than main in size_mb on d2\n")


def test_new_data_sets_are_annotated(folder: Path) -> None:
    judged = gate(folder, "new", "accuracy", "fit_s: lower, 5%")
    says = "not judged, as the baseline lacks them: new 15 (data set d6"
    assert run(*judged).err.count(says) == 1
    for form in ("github", "comment", "junit", "json"):
        assert run(*judged, "--format", form).out.count(says) == 1, form


def rows_of(comment: str) -> list[list[str]]:
    """The rows of the table, as a Markdown renderer has them."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(comment)
    rows: list[list[str]] = []
    for before, token in pairwise(tokens):
        if before.type == "tr_open":
            rows.append([])
        if before.type in ("th_open", "td_open"):
            rows[-1].append("".join(child.content for child in token.children or ()))
    return rows


@pytest.mark.parametrize("candidate", ["pr", "one", "both", "slow"])
def test_a_comment_says_the_verdict_first_and_what_to_do(folder: Path, candidate: str) -> None:
    judged = gate(folder, candidate, "accuracy", "fit_s: lower, 5%", "size_mb: lower, 2%")
    comment = run(*judged, "--format", "comment").out
    line = comment.splitlines()[1]
    head, *rows = rows_of(comment)
    assert head[:2] == ["metric", "data set"]
    assert head[-2:] == ["change", "verdict"]
    shown, folded = comment.split("<details>")
    assert "accuracy" in folded
    if candidate == "pr":
        assert line.startswith("**passed: ")
        assert "What to do" not in comment
        return
    assert line.startswith("**failed: ")
    assert rows[0][-1] == "failed"
    assert "**What to do:** look at what failed" in shown


def test_annotations_and_a_file_are_written_together(folder: Path) -> None:
    judged = gate(folder, "one", "size_mb: 2%")
    said = run(*judged, "--format", "github", "-o", folder / "gate.xml")
    assert said.out.startswith("::error ")
    assert "<failure " in (folder / "gate.xml").read_text()
    both = ("-o", f"comment={folder / 'c.md'}", "-o", folder / "gate.json")
    assert run(*judged, "--format", "github", *both).out.startswith("::error ")
    assert (folder / "c.md").read_text().startswith("<!-- bcompare gate -->")
    assert json.loads((folder / "gate.json").read_text())["exit_code"] == 4


def advised(error: str, option: str) -> list[str]:
    """The option that a message proposes, with its value, as a shell takes it."""
    (found,) = re.findall(rf"(--{option} (?:'[^']*'|\S+?))(?=[ ;,?)]|$)", error, re.MULTILINE)[:1]
    return shlex.split(found)


def test_advice_on_one_of_several_metrics_works_when_pasted(folder: Path) -> None:
    two = ("accuracy", "fit_s: lower, 5%")
    renamed = results(2).rename(columns={"accuracy": "acc"})
    for name, frame in (
        ("main", renamed),
        ("named", renamed),
        ("percent", results(2, accuracy=100)),
        ("crash", results(2).replace({"accuracy": {results(2)["accuracy"].iloc[3]: np.nan}})),
    ):
        if name != "main":
            frame.to_csv(folder / f"{name}.csv", index=False)
    err = refused(run(*gate(folder, "named", *two)))
    assert "metric accuracy: " in err
    alone = ("gate", folder / "named.csv", folder / "named2.csv", "--baseline", "named")
    renamed.to_csv(folder / "named2.csv", index=False)
    named = ("--metric", "accuracy", "--metric", "fit_s: lower, 5%")
    err = refused(run(*alone, *named))
    assert run(*alone, *advised(err, "metric"), *named[2:]).code == 0
    err = refused(run(*gate(folder, "percent", *two)))
    assert run(*gate(folder, "percent", *two), *advised(err, "scale")).code == 0
    both = ("gate", folder / "percent.csv", folder / "percent2.csv", "--baseline", "percent")
    results(3, accuracy=100).to_csv(folder / "percent2.csv", index=False)
    named = ("--metric", "accuracy", "--metric", "fit_s: lower, 5%")
    err = refused(run(*both, *named))
    assert run(*both, *named, *advised(err, "scale")).code == 0
    assert run(*both, *advised(err, "metric"), *named[2:]).code == 0
    err = refused(run(*gate(folder, "crash", *two)))
    assert advised(err, "failed") == ["--failed", "accuracy: zero"]
    assert run(*gate(folder, "crash", *two), *advised(err, "failed")).code in (0, 4)
    bounds = ("--failed", "accuracy: bounds")
    bounded = run(*gate(folder, "crash", *two), *bounds, "--format", "json")
    document = json.loads(bounded.out)
    assert {v["candidate"] for v in document["verdicts"]} == {"crash"}
    assert "of accuracy" in next(n["message"] for n in document["notes"] if n["code"] == "bounds")
    plain = run(*gate(folder, "pr", "accuracy", "fit_s"))
    assert "such as --metric 'fit_s: 5%' [narrow-rope]" in plain.err
    assert "percentages" not in plain.err
    lost = refused(run(*gate(folder, "nowhere", *two)))
    assert lost.count("nowhere.csv") == 1  # what is true of all metrics is said once


def test_columns_on_the_command_line_add_to_those_of_the_configuration(folder: Path) -> None:
    for name in ("main", "pr"):
        frame = pd.read_csv(folder / f"{name}.csv").rename(columns={"dataset": "task"})
        frame.to_csv(folder / f"{name}.csv", index=False)
    (folder / "bcompare.toml").write_text('col = ["score=fit_s", "dataset=task"]\n')
    said = run(
        "gate", "main.csv", "pr.csv", "--baseline", "main", "--col", "score=accuracy", folder=folder
    )
    assert said.code == 0
    assert 'bcompare.toml sets col = "dataset=task"' in said.out
