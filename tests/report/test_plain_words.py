"""What a newcomer reads by default is short and complete: who, by how much, by which test."""

import math
import re
from pathlib import Path

import pytest

import bcompare
from bcompare.report.table import Column, Table
from tests.command import run
from tests.results import small_csv, write_lines

SAMPLE = Path(__file__).parents[2] / "sample_data"
PAIR = ("--left", "knn", "--right", "forest")
ITEMS = ("answers.csv", "--col", "item=question", "--col", "classifier=model",
         "--col", "score=correct")  # fmt: skip
# The commands with a p-value, and the test that it is of.
TESTS = {
    ("ttest", "--dataset", "two_hard"): "corrected t-test",
    ("ttest", *ITEMS): "McNemar's exact test",
    ("hier",): "Wilcoxon",
    ("signrank",): "Wilcoxon",
    ("sign",): "sign test",
    ("poisson",): "sign test",
}
SEVERAL = [(*command, *pair) for command in TESTS for pair in ((), PAIR) if ITEMS[0] not in command]
# A difference with its sign, such as "+0.018", unless it is an end of an interval around 0.
SIGNED = re.compile(r"(?<!interval )(?<!to )[+-]0\.\d+")


def lines_of(*command: str) -> list[str]:
    return run(*command, folder=SAMPLE).out.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("command", TESTS, ids=" ".join)
def test_the_settings_name_the_test_of_the_p_value_in_a_line(command: tuple[str, ...]) -> None:
    for pair in ((), PAIR) if command[1:2] != ITEMS[:1] else ((),):
        last = lines_of(*command, *pair)[-1]
        assert f" · p-value: {TESTS[command]} · rope ±0.01 · " in last
        assert len(last) <= 100


@pytest.mark.slow
@pytest.mark.parametrize("command", SEVERAL, ids=" ".join)
def test_the_answer_is_explained_by_the_names_and_the_rope(command: tuple[str, ...]) -> None:
    (line,) = [x for x in lines_of(*command) if x.startswith("How to read it: ")]
    right = "forest" if "knn" in command else "right"
    assert f"{right} better by more than 0.01" in line
    assert len(line) <= 200


@pytest.mark.slow
@pytest.mark.parametrize("form", [(), ("--format", "sentence")])
@pytest.mark.parametrize("test", ["hier", "signrank", "sign", "poisson", "ttest"])
def test_a_sentence_names_who_scores_more(test: str, form: tuple[str, ...]) -> None:
    one = ("--dataset", "two_hard") if test == "ttest" else ()
    for left, right in (("knn", "forest"), ("forest", "knn"), ("tree", "forest")):
        (line,) = [
            line
            for line in lines_of(test, *one, "--left", left, "--right", right, *form)
            if " higher" in line and " on average over these " not in line
        ]
        assert re.search(r"(?:forest scores|^forest is .* and scores) 0\.\d+ higher", line)
        assert left in line
        assert right in line
        assert not SIGNED.search(line)
        assert ("undecided" not in line) or "undecided (0.95 is needed)" in line
        assert ("chance" in line) == (test in ("hier", "sign") and "undecided" not in line)
        assert ("beyond 0.01: " in line) == (test == "hier")
        assert ("mean scores: forest 0.792, " in line) == (test == "ttest")


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


def test_what_every_pair_shares_is_in_the_title() -> None:
    assert lines_of("sign", "--right", "forest")[0] == "Bayesian sign test: right forest"


def test_a_chance_is_only_that_of_a_verdict() -> None:
    *rows, _, _ = lines_of("sign")[3:]
    assert any("undecided" in row for row in rows)
    for row in rows:
        assert ("%" in row) != ("undecided" in row)


def test_the_width_of_a_table_is_that_of_its_lines() -> None:
    wide = Table("t", (Column("name"), Column("figure", "figure")), [("a", "1"), ("long", "22")])
    longest = max(map(len, lines_of("sign")[1:12]))
    assert wide.width == len(" long  figure")
    assert longest <= 100


def test_clusters_are_counted_in_the_sentence(tmp_path: Path) -> None:
    rows = [
        f"{item},p{item // 4},{model},{int((item * 7 + shift) % 3 > 0)}"
        for item in range(40)
        for shift, model in enumerate(("a", "b"))
    ]
    write_lines(tmp_path / "t.csv", "q,passage,model,score", *rows)
    options = ("--col", "item=q", "--col", "cluster=passage", "--col", "classifier=model")
    out = run("ttest", "t.csv", *options, "--format", "sentence", folder=tmp_path).out
    assert "On 40 test items in 10 clusters (t) we compared a with b by the Bayesian paired" in out
    assert (
        "rope ±0.01 · 40 items · 10 clusters ·"
        in run("ttest", "t.csv", *options, folder=tmp_path).out
    )


def test_a_plan_says_how_exact_it_is_and_a_rank_what_its_probability_is_of() -> None:
    options = ("--baseline", "knn", "--candidate", "forest", "--test", "sign")
    out = lines_of("plan", *options, "--replicates", "50")
    assert "is needed), with 25 data sets" in out[0]
    assert any("share of 50 simulated results" in line for line in out)
    first, *others = lines_of("rank", "--details")
    result = re.search(r"loses least with probability (\S+)", first)
    assert result is not None
    header, _, leader = others[4:7]
    assert header.split()[5:7] == ["p(least", "regret)"]
    assert leader.split()[5] == result[1]


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
