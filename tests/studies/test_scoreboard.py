"""The scoreboard: its truths, its tools, what it counts, and what is published of it."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scoreboard import files, learners, page, run
from scoreboard.case import (
    LEFT,
    RIGHT,
    STREAMS,
    TOOLS,
    Answer,
    Asked,
    Case,
    Tool,
    by_interval,
    by_p_value,
    by_probabilities,
    table,
)
from scoreboard.measures import measured
from scoreboard.plan import PLAN, RESULTS, planned, slug
from scoreboard.run import installed

OURS = [name for name in TOOLS if name.startswith("bcompare")]
SIMULATED = [s for s in PLAN["stream"] if s["family"] in ("seeds", "items", "looks")]


# ---- streams ----


def test_the_plan_names_what_there_is() -> None:
    for one in PLAN["stream"]:
        assert one["generator"] in STREAMS
        assert installed([one["family"]])
        assert one["short"] < one["paper"]
        assert one["family"] in page.TITLES
    names = [slug(one["name"]) for one in PLAN["stream"]]
    assert len(set(names)) == len(names)
    assert set(page.SHOWN) == set(PLAN["measures"])
    assert set(PLAN["files"]["faults"]) == set(files.FAULTS)


@pytest.mark.parametrize("one", SIMULATED, ids=lambda one: one["name"])
def test_the_models_differ_by_the_truth(one: dict[str, Any]) -> None:
    """On average over cases, to four standard errors."""
    for truth in one["truths"]:
        rng = np.random.default_rng(1)
        drawn = STREAMS[one["generator"]](rng, 30, truth, **one["settings"])
        differences = np.array([np.diff([side.mean() for side in c.arrays()])[0] for c in drawn])
        error = differences.std(ddof=1) / np.sqrt(len(differences))
        assert abs(differences.mean() - truth) <= 4 * error


# ---- real learners ----


def test_truths_are_stored_with_errors_that_are_small_against_the_rope() -> None:
    """A fifth of it, but for a learner that is unstable on one population."""
    stored, errors = learners.truths(), []
    assert set(stored) == set(learners.POPULATIONS)
    for of_k in stored.values():
        assert set(of_k) == {str(k) for k in learners.FOLDS}
        for of_pairs in of_k.values():
            for pair in learners.PAIRS:
                value, error = of_pairs[" | ".join(pair)]
                errors.append(error)
                assert (value == error == 0) == (pair in learners.EQUAL)
    assert max(errors) < 0.01
    assert np.quantile(errors, 0.95) < 0.002


# ---- tools ----


def test_the_corrected_t_test_by_hand_is_ours() -> None:
    rng = np.random.default_rng(4)
    for runs, k in ((1, 10), (3, 5)):
        run_of, fold = (index.ravel() + 1 for index in np.indices((runs, k)))
        scores = {LEFT: rng.normal(0.8, 0.02, runs * k), RIGHT: rng.normal(0.82, 0.02, runs * k)}
        frame = table({"dataset": "data", "run": run_of, "fold": fold}, scores)
        case = Case(rows="folds", frame=frame, truth=0.02)
        by_hand = TOOLS["corrected t by hand"].ask(case)
        ours, p = (TOOLS[f"bcompare ttest{more}"].ask(case) for more in ("", ", p-value"))
        assert by_hand.value == pytest.approx(p.value, rel=1e-9)
        assert (by_hand.low, by_hand.high) == pytest.approx((ours.low, ours.high), rel=1e-9)


# by Wilcoxon's test five differences can never be significant
ENOUGH = [one for one in SIMULATED if one["name"] != "5 seeds"]


@pytest.mark.parametrize("one", ENOUGH, ids=lambda one: one["name"])
def test_each_installed_tool_sees_a_large_difference_with_its_sign(one: dict[str, Any]) -> None:
    (case,) = STREAMS[one["generator"]](np.random.default_rng(2), 1, 0.0, **one["settings"])
    new = case.frame["classifier"] == RIGHT
    worse = case.frame["score"].where(~new, 0.0 if one["family"] != "seeds" else 0.2)
    lost = Case(rows=case.rows, frame=case.frame.assign(score=worse), keys=case.keys)
    for name, asked in installed([case.rows]).items():
        result = asked.asked(lost)
        assert result.answer is not None, (name, result.words)
        assert result.answer.says == "left", name


def test_what_a_tool_raises_is_a_refusal_or_an_error() -> None:
    case = Case(rows="items", frame=pd.DataFrame())

    def asked(error: Exception) -> Asked:
        def ask(_: Case) -> Answer:
            print("chatter")
            raise error

        return Tool("toy", "toy", ("items",), ask).asked(case)

    assert asked(ValueError("so it is")).words == "ValueError: so it is"
    assert (asked(ValueError()).failure, asked(KeyError()).failure) == ("refused", "error")


def test_ours_answers_rightly_or_refuses_every_file_with_a_fault() -> None:
    for name in ("bcompare ttest", "bcompare ttest, p-value", "bcompare gate"):
        for fault in files.FAULTS:
            for kind in files.KEYS:
                what, words = files.outcome(TOOLS[name], kind, fault)
                assert what in ("right", "refused"), (name, fault, kind, words)


def test_a_wrong_number_is_told_from_a_right_one() -> None:
    """An array knows no keys: shuffled rows change its answer, and ours not."""
    assert files.outcome(TOOLS["scipy, paired t"], "items", "rows shuffled")[0] == "wrong number"
    assert files.outcome(TOOLS["bcompare ttest"], "items", "rows shuffled")[0] == "right"
    assert files.outcome(TOOLS["scipy, paired t"], "folds", "an empty score")[0] == "no number"


# ---- measures ----


def test_what_is_counted_of_two() -> None:
    def of(truth: float, answer: Answer | None, failure: str = "") -> Asked:
        return Asked(Case(rows="folds", frame=pd.DataFrame(), truth=truth), answer, 0.1, failure)

    asked = [
        of(0.0, by_probabilities(0.01, 0.03, 0.96, -0.01, 0.02)),  # a false alarm
        of(0.0, by_probabilities(0.0, 0.97, 0.03, -0.01, 0.005)),  # equivalent
        of(0.01, by_probabilities(0.0, 0.0, 1.0, 0.011, 0.02)),  # beyond; does not cover
        of(-0.05, by_probabilities(0.99, 0.01, 0.0, -0.06, -0.04)),  # found
        of(-0.05, by_probabilities(0.0, 0.99, 0.01, -0.009, 0.009)),  # equivalent wrongly
        of(-0.05, by_p_value(0.01, 0.02)),  # the wrong way
        of(-0.05, None, "refused"),
    ]
    found = measured(Tool("toy", "toy", ("folds",), lambda _: Answer("none"), rope=True), asked)
    shares = {name: (figure[0], figure[2]) for name, figure in found.items()}
    expected = {
        "false_alarm": (0.5, 2),
        "equivalent": (0.5, 2),
        "beyond": (1.0, 1),
        "power": (1 / 3, 3),
        "wrong_way": (1 / 3, 3),
        "equivalent_wrongly": (1 / 3, 3),
        "covers": (0.6, 5),
        "stated": (0.99, 2),
        "came_true": (0.5, 2),
        "refused": (1 / 7, 7),
        "milliseconds": (100.0, 6),
    }
    assert set(shares) == set(expected)
    for name, figure in expected.items():
        assert shares[name] == pytest.approx(figure, abs=1e-4), name
    one_sided = Tool("toy", "toy", ("folds",), lambda _: Answer("none"), rope=True, one_sided=True)
    assert "beyond" not in measured(one_sided, asked)  # the right one is better there


def test_what_is_counted_of_many() -> None:
    worth = {"a": 0.8, "b": 0.83}
    cases = [Case(rows="leaderboard", frame=pd.DataFrame(), best=worth) for _ in range(2)]
    answers = [Answer("right", best="b", p_best=0.9), Answer("none", best="a", p_best=0.6)]
    asked = [Asked(c, a, 0.1) for c, a in zip(cases, answers, strict=True)]
    found = measured(Tool("toy", "toy", ("leaderboard",), lambda _: answers[0]), asked)
    assert (found["best"][0], found["regret"][0]) == pytest.approx((0.5, 1.5))
    assert found["p_best"][0] == pytest.approx(0.75)
    assert "false_alarm" not in found


def test_intervals_that_miss_0_call_different() -> None:
    says = [by_interval(*ends).says for ends in ((0.1, 0.2), (-0.2, -0.1), (-0.1, 0.1))]
    assert says == ["right", "left", "none"]


# ---- the run ----


def test_the_published_conclusions_are_those_of_the_results() -> None:
    def of(stream: str, truth: str, tool: str, measure: str) -> float:
        figure: list[float] = page.records()[stream]["figures"][truth][tool][measure]
        return figure[0]

    skewed, runs = "30 seeds, skewed", "6 runs and 1, off by 3 % as a whole"
    again, passages = "400 items, looked at again and again", "10 passages × 20 items"
    assert of(skewed, "0.0", "difference over the rope", "false_alarm") < 0.2
    assert of(skewed, "-0.03", "bcompare ttest, p-value", "power") > 0.9
    assert of(runs, "0.0", "scipy, Welch's t", "false_alarm") > 0.4
    assert of(runs, "0.0", "bcompare gate", "false_alarm") < 0.1
    assert of(again, "0.0", "paired t at every 20 items", "false_alarm") > 0.1
    assert of(again, "0.0", "bcompare gate-anytime", "false_alarm") < 0.1
    assert of(passages, "0.0", "scipy, paired t", "false_alarm") > 0.15
    assert of(passages, "0.0", "bcompare ttest, p-value", "false_alarm") < 0.15


def test_unknown_streams_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run.main(["no such stream"])
    assert "invalid choice" in capsys.readouterr().err


# ---- what is published ----


def test_every_stream_is_published_with_its_seed_and_versions() -> None:
    found = page.records()
    for one, count in planned([], "paper"):
        record = found[one["name"]]
        assert record["stream"] == one, "run `make scoreboard REPS=paper`"
        assert record["cases"] == count
        assert record["seed"] == PLAN["seed"]
        for of_tools in record["figures"].values():
            assert {name for name in OURS if one["family"] in TOOLS[name].families} <= set(of_tools)
    assert (RESULTS / "correlation.json").is_file()


def test_the_topic_and_the_readme_are_made_of_the_results() -> None:
    assert page.TOPIC.read_text("utf-8") == page.topic()
    text = page.OTHERS.read_text("utf-8")
    assert (page.tools_topic(text), text.count("| files with a fault")) == (text, 2)


def test_the_page_has_a_table_of_each_family_and_ours_where_it_loses_first(tmp_path: Path) -> None:
    text = page.page("scoreboard.svg")
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings[0] == "## Where bcompare loses"
    assert set(page.TITLES.values()) <= {h.removeprefix("## ") for h in headings}
    assert page.correlation_table() in text
    page.save_picture(tmp_path / "scoreboard.svg")
    assert (tmp_path / "scoreboard.svg").stat().st_size > 1000


def test_a_figure_of_another_tool_stands_nowhere_but_in_the_scoreboards_topic() -> None:
    """Rates and counts of errors, that is; versions and calls may."""
    topics = page.TOPIC.parent.glob("*.md")
    for path in topics:
        if path != page.TOPIC:
            for line in path.read_text("utf-8").splitlines():
                if any(name in line for name in ("evalsig", "evalci", "evalstats", "statgate")):
                    assert "%" not in line, (path.name, line)
