"""`bcompare gate`: exit codes, formats, and what continuous integration reads of it."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import bcompare
from bcompare.basis.messages import ComputationError
from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.sign import Sign
from bcompare.show import as_text
from tests.command import Outcome, refused, run
from tests.results import small_csv, write_lines

SETS = tuple(f"set-{i}" for i in range(8))
FORMATS = (
    "table",
    "json",
    "github",
    "junit",
    "comment",
    "csv",
    "markdown",
    "latex",
)


def gains(folder: Path, *means: float) -> Path:
    """Classifiers main, pr-1, pr-2, …, each better than main by its mean."""
    names = {"main": 0.0} | {f"pr-{i}": mean for i, mean in enumerate(means, 1)}
    return small_csv(folder / "results.csv", names, SETS, noise=0.001)


def gate(folder: Path, *options: str, baseline: str = "main") -> Outcome:
    return run("gate", "results.csv", "--baseline", baseline, *options, folder=folder)


@pytest.mark.parametrize("form", FORMATS)
def test_three_equal_folds_are_never_a_pass(tmp_path: Path, form: str) -> None:
    rows = [f"{k},{name},{score}" for k in (1, 2, 3) for name, score in (("a", 0.5), ("b", 0.7))]
    write_lines(tmp_path / "results.csv", "fold,classifier,score", *rows)
    for rule in ("worse", "not-better", "not-better-or-equivalent"):
        rules = ("--fail-if", "undecided", "--fail-if", rule)
        result = gate(tmp_path, *rules, "--format", form, baseline="a")
        assert result.code == (5 if rule == "worse" else 4)
        assert "passed:" not in result.out


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "table"])
@pytest.mark.parametrize("options", [("nothing.csv",), ("--candidate", "pr-7"), ("--alpha", "0.7")])
def test_without_a_verdict_every_file_says_so(
    tmp_path: Path, form: str, options: tuple[str, ...]
) -> None:
    gains(tmp_path, 0.05)
    answer = write_lines(tmp_path / "answer", "an old answer")
    assert run("gate", *options, "-o", f"{form}=answer", folder=tmp_path).code == 2
    text = answer.read_text(encoding="utf-8")
    assert "could not be judged: " in text
    assert "an old answer" not in text
    if form == "json":
        result = json.loads(text)
        assert (result["passed"], result["outcome"], result["exit_code"]) == (False, "error", 2)
    if form == "junit":
        assert ET.fromstring(text).find(".//error") is not None


@pytest.mark.parametrize("form", ["table", "json", "github", "junit"])
def test_what_cannot_be_computed_is_code_3(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Sign.test_all

    def failing(self: Sign, pairs: list[SufficientStatistics], rope: Rope, *_: Any) -> list[Any]:
        return [*whole(self, pairs[:-1], rope), ComputationError("no luck")]

    monkeypatch.setattr(Sign, "test_all", failing)
    scores = bcompare.read_scores(gains(tmp_path, 0.05, 0.05))
    result = bcompare.gate(scores, baseline="main", test="sign")
    assert (result.exit_code, result.passed) == (3, False)
    text = as_text(result, form)
    assert "passed: " not in text.split("pr-1")[0]
    if form == "json":
        document = json.loads(text)
        assert document["passed"] is False
        assert [failure["right"] for failure in document["failed"]] == ["pr-2"]


def test_these_data_sets_are_judged_one_by_one_and_others_together(tmp_path: Path) -> None:
    gains(tmp_path, 0.05)
    these = json.loads(gate(tmp_path, "--format", "json").out)
    assert {v["dataset"] for v in these["verdicts"]} == {None, *SETS}
    assert these["verdicts"][0]["datasets"] == len(SETS)
    assert (these["over"], these["settings"]["test"]) == ("these", "ttest")
    for over in ("next", "average"):
        joint = json.loads(gate(tmp_path, "--over", over, "--format", "json").out)
        assert [v["dataset"] for v in joint["verdicts"]] == [None]
        assert (joint["over"], joint["settings"]["test"]) == (over, "hier")


def test_what_counts_is_shown_where_it_is_not_the_probability(tmp_path: Path) -> None:
    """Sixty items that are all answered alike may be so by chance."""
    rows = [f"q{i},{m},{int(i % 3 > 0)}" for i in range(60) for m in ("main", "pr")]
    write_lines(tmp_path / "alike.csv", "item,classifier,score", *rows)
    ask = ("alike.csv", "--col", "item=item", "--baseline", "main")
    result = run("gate", *ask, folder=tmp_path)
    assert "0.500" in result.out.partition("\n")[0]
    (header,) = (line for line in result.out.splitlines() if "p(worse)" in line)
    assert "counts as" in header
    (verdict,) = json.loads(run("gate", *ask, "--format", "json", folder=tmp_path).out)["verdicts"]
    (pair,) = json.loads(run("ttest", *ask[:3], "--format", "json", folder=tmp_path).out)[
        "comparisons"
    ]
    assert (
        verdict["p_equivalent"] == pair["datasets"][0]["p_rope"] == pytest.approx(0.469, abs=5e-4)
    )
    assert verdict["counts_as_worse"] == verdict["counts_as_better"] == 0.5
    gains(tmp_path, 0.05)
    assert "counts as" not in gate(tmp_path).out


def test_json_has_the_rule_and_the_numbers_behind_it(tmp_path: Path) -> None:
    gains(tmp_path, -0.05)
    result = gate(tmp_path, "--format", "json")
    document = json.loads(result.out)
    assert (document["passed"], document["exit_code"], result.code) == (False, 4, 4)
    (average, *verdicts), (pair,) = document["verdicts"], document["comparisons"]
    assert (len(verdicts), average["dataset"]) == (len(SETS), None)
    worst_first = sorted(verdicts, key=lambda v: (-round(v["p_worse"], 4), v["mean_difference"]))
    assert verdicts == worst_first
    of_pair = {own["dataset"]: own for own in pair["datasets"]} | {None: pair["over_these"]}
    for verdict in document["verdicts"]:
        own = of_pair[verdict["dataset"]]
        p = [own[k] for k in ("p_left", "p_rope", "p_right")]
        assert [verdict[k] for k in ("p_worse", "p_equivalent", "p_better")] == p
    assert document["rule"] == {
        "fail_if": "worse",
        "alpha": 0.05,
        "undecided": "warn",
        "require": "all",
        "each": False,
        "described": "fails if p(worse) > 0.95, passes if p(not worse) > 0.95",
    }


def test_the_api_says_what_the_command_says(tmp_path: Path) -> None:
    path = gains(tmp_path, -0.05, 0.05)
    result = bcompare.gate(bcompare.read_scores(path), baseline="main", candidate="pr-1")
    assert (result.passed, result.outcome, result.exit_code) == (False, "fail", 4)
    assert bcompare.document(result)["verdicts"][0]["outcome"] == "fail"
    assert "failed: pr-1" in bcompare.as_text(result)
    with pytest.raises(bcompare.InputError, match="for gates only"):
        bcompare.as_text(bcompare.compare(bcompare.read_scores(path), "ttest"), "github")


def test_junit_is_xml_whatever_the_names_are(tmp_path: Path) -> None:
    rows = [
        f"{k},{name},{score + k / 100}"
        for k in range(1, 9)
        for name, score in (("<a&\"'>", 0.5), ("b\x07", 0.3 + k * k / 900))
    ]
    write_lines(tmp_path / "results.csv", "fold,classifier,score", *rows)
    result = gate(tmp_path, "-o", "out.xml", "--name", 'x "<&', baseline="<a&\"'>")
    assert result.code == 4
    root = ET.fromstring((tmp_path / "out.xml").read_text(encoding="utf-8"))
    assert root.attrib == {"tests": "1", "failures": "1", "errors": "0", "skipped": "0"}
    assert root.find(".//testcase/failure") is not None
    assert root[0].attrib["name"] == 'x "<&'


def test_the_comment_is_found_again_by_its_first_line(tmp_path: Path) -> None:
    texts = []
    for mean in (-0.05, 0.05):
        gains(tmp_path, mean)
        texts.append(gate(tmp_path, "--format", "comment", "--name", "accuracy --> x").out)
    assert texts[0] != texts[1]
    assert {text.splitlines()[0] for text in texts} == {"<!-- accuracy - - x -->"}


def test_summary_of_a_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    gains(tmp_path, -0.05)
    gate(tmp_path)
    assert summary.read_text(encoding="utf-8") == "before\n"  # only where github is asked for
    gate(tmp_path, "--format", "github")
    gate(tmp_path, "--format", "github", "--name", "second")
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("before\nfailed: ")
    assert text.count("**second: pr-1 against") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full: run on Linux")
def test_a_summary_that_cannot_be_written_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "/dev/full")
    gains(tmp_path, 0.05)
    assert "No space left on device" in refused(gate(tmp_path, "--format", "github"))


def test_nothing_but_the_result_on_standard_output(tmp_path: Path) -> None:
    gains(tmp_path, -0.05)
    (tmp_path / "out.json").touch()
    result = gate(tmp_path, "-o", "out.json", "-o", "out.md", "-o", "out.xml")
    assert (result.code, result.out) == (4, "")
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["outcome"] == "fail"
    assert (tmp_path / "out.md").read_text(encoding="utf-8").startswith("failed: ")
