"""The plug-in of pytest, run by pytest's own tool: each test here is a session of another one."""

import csv
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

# Ten cases, of which one is flaky: what each answers in a run stands in the environment.
CASES = """
import os, pytest
WRONG = set(os.environ.get("WRONG", "").split())

@pytest.mark.evaluation
@pytest.mark.parametrize("case", ["a b", "c/d", "e[f]", "é-✓", "g::h", "1", "2", "3", "4", "5"])
def test_case(case):
    assert case not in WRONG

def test_unit():
    assert 1 + 1 == 2
"""
IDS = ["a b", "c/d", "e[f]", "é-✓", "g::h", "1", "2", "3", "4", "5"]


def session(
    pytester: pytest.Pytester, *options: str, wrong: str = "", code: str | None = CASES
) -> pytest.RunResult:
    """Run a session of these cases; wrong : those that are answered wrongly."""
    if code is not None:
        pytester.makepyfile(test_cases=code)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("WRONG", wrong)
        patched.delenv("GITHUB_ACTIONS", raising=False)
        common = ("-p", "no:asyncio", "-p", "no:cacheprovider")
        return pytester.runpytest_subprocess(*common, *options)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def screen(result: pytest.RunResult) -> str:
    """What the summary says of the gate."""
    return "\n".join(result.outlines).partition("= bcompare =")[2]


@pytest.fixture
def baseline(pytester: pytest.Pytester) -> Path:
    """Three runs of each case, all right."""
    session(pytester, "--bcompare-record", "main.csv", "--bcompare-repeats", "3")
    return pytester.path / "main.csv"


def test_marked_tests_alone_fail_as_others_do(pytester: pytest.Pytester) -> None:
    result = session(pytester, wrong="1")
    result.assert_outcomes(passed=10, failed=1)
    assert result.ret == 1
    assert not screen(result)


def test_answers_are_recorded_by_the_names_of_their_tests(
    pytester: pytest.Pytester, baseline: Path
) -> None:
    found = rows(baseline)
    assert len(found) == 30
    names = {row["item"].partition("[")[2].removesuffix("]") for row in found}
    plain = {name.encode("unicode_escape").decode() for name in IDS}
    assert names == plain
    assert {row["epoch"] for row in found} == {"0", "1", "2"}
    assert {row["score"] for row in found} == {"1"}
    result = session(pytester, "--bcompare-record", "one.csv", wrong="1")
    assert result.ret == 1  # without a baseline a wrong answer is a failed test
    assert "recorded in one.csv, not judged" in screen(result)
    assert [row["score"] for row in rows(pytester.path / "one.csv")].count("0") == 1


@pytest.mark.usefixtures("baseline")
@pytest.mark.parametrize("processes", [(), ("-n", "2")])
def test_a_session_is_judged_against_the_baseline(
    pytester: pytest.Pytester, processes: tuple[str, ...]
) -> None:
    judged = ("--bcompare-baseline", "main.csv", "--bcompare-repeats", "3", *processes)
    same = session(pytester, *judged, "--bcompare-record", "pr.csv")
    assert same.ret == 0
    assert "worse than" not in screen(same)
    assert len(rows(pytester.path / "pr.csv")) == 30
    worse = session(pytester, *judged, wrong="1 2 3 4 5 c/d g::h")
    assert worse.ret == 1
    worse.assert_outcomes(passed=10, xfailed=21)
    assert "failed: session is worse than main" in screen(worse)


@pytest.mark.usefixtures("baseline")
def test_whole_runs_may_be_fewer_and_a_wrong_answer_is_no_failed_test(
    pytester: pytest.Pytester,
) -> None:
    result = session(pytester, "--bcompare-baseline", "main.csv", wrong="1")
    result.assert_outcomes(passed=10, xfailed=1)
    assert result.ret == 0
    assert "session 1 run of 3" in screen(result)


@pytest.mark.usefixtures("baseline")
@pytest.mark.parametrize(
    "options",
    [
        ("-k", "unit"),
        ("-k", "unit or 1"),
        ("--deselect", "test_cases.py::test_case[1]"),
        ("--maxfail", "1", "-k", "broken or case"),
    ],
)
def test_what_is_filtered_or_stopped_never_passes(
    pytester: pytest.Pytester, options: tuple[str, ...]
) -> None:
    code = CASES
    if options[0] == "--maxfail":  # stops before the cases
        first = "def test_broken():\n    assert 0\n"
        code = CASES.replace("import os, pytest", f"import os, pytest\n\n{first}")
    result = session(pytester, "--bcompare-baseline", "main.csv", *options, code=code)
    assert result.ret != 0
    assert "passed:" not in screen(result)


@pytest.mark.usefixtures("baseline")
@pytest.mark.parametrize("kind", ["interrupted", "crashed", "exit"])
def test_an_interrupted_session_never_passes(pytester: pytest.Pytester, kind: str) -> None:
    how = {
        "interrupted": "raise KeyboardInterrupt",
        "crashed": "import os; os._exit(3)",
        "exit": "pytest.exit('enough')",
    }[kind]
    code = CASES.replace("    assert case not in WRONG", f"    if case == '3': {how}")
    workers = ("-n", "2") if kind == "crashed" else ()
    result = session(pytester, "--bcompare-baseline", "main.csv", *workers, code=code)
    assert result.ret != 0
    assert "passed:" not in screen(result)


def test_a_baseline_that_is_not_there_fails_before_any_test_runs(
    pytester: pytest.Pytester,
) -> None:
    (pytester.path / "empty.csv").write_text("item,epoch,score,duration\n", encoding="utf-8")
    for name in ("none.csv", "empty.csv"):
        result = session(pytester, "--bcompare-baseline", name)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*no such file, or no answers in it*"])


@pytest.mark.usefixtures("baseline")
@pytest.mark.parametrize(
    "code",
    [
        "def test_unit():\n    assert True\n",
        CASES.replace("    assert case not in WRONG", "    raise OSError('no network')"),
    ],
)
def test_no_answers_at_all_never_pass(pytester: pytest.Pytester, code: str) -> None:
    result = session(pytester, "--bcompare-baseline", "main.csv", code=code)
    assert result.ret == 1
    assert "not judged" in screen(result)


SCORED = """
import pytest

@pytest.mark.evaluation
class TestAgent:
    @pytest.mark.parametrize("case", range(6))
    def test_it(self, case, score):
        if case == 0:
            pytest.skip("later")
        if case == 1:
            raise ValueError("no answer")
        score(case / 10, cost=0.5 * case)
        if case == 2:
            pytest.fail("wrong, and still 0.2")

    @pytest.mark.xfail
    def test_known(self):
        assert 0

    def test_more(self, score):
        score(tokens=17)
"""


def test_what_tests_give_is_their_score(pytester: pytest.Pytester) -> None:
    session(pytester, "--bcompare-record", "main.csv", code=SCORED)
    found = {row["item"].rpartition("::")[2]: row for row in rows(pytester.path / "main.csv")}
    assert "test_it[0]" not in found  # skipped
    assert "test_known" not in found
    assert found["test_it[1]"]["score"] == ""
    assert found["test_it[2]"]["score"] == "0.2"
    assert (found["test_it[4]"]["score"], found["test_it[4]"]["cost"]) == ("0.4", "2.0")
    assert (found["test_more"]["score"], found["test_more"]["tokens"]) == ("1", "17.0")
    assert all(float(row["duration"]) >= 0 for row in found.values())
    assert rows(pytester.path / "main.csv")[0]["item"] == "test_cases.py::TestAgent::test_it[1]"


def test_the_gate_takes_its_options_from_the_configuration(pytester: pytest.Pytester) -> None:
    toml = '[tool.bcompare]\nmetric = ["score", "cost: 5%"]\nfailed = ["zero", "cost: 80"]\n'
    pytester.path.joinpath("pyproject.toml").write_text(toml, encoding="utf-8")
    many = SCORED.replace("range(6)", "range(40)").replace("case / 10", "case / 100")
    code = (
        many.replace("0.5 * case", "COST * case")
        .replace("import pytest", "import os, pytest\nCOST = float(os.environ['WRONG'])")
        .replace("    def test_more(self, score):\n        score(tokens=17)\n", "")
    )
    session(pytester, "--bcompare-record", "main.csv", code=code, wrong="1")
    result = session(pytester, "--bcompare-baseline", "main.csv", code=code, wrong="2")
    assert result.ret == 1
    result.assert_outcomes(passed=37, skipped=1, xfailed=3)  # one of them by its own mark
    assert "in cost" in screen(result)
    without = toml.replace('failed = ["zero", "cost: 80"]', "")
    pytester.path.joinpath("pyproject.toml").write_text(without, encoding="utf-8")
    refused = session(pytester, "--bcompare-baseline", "main.csv", code=code, wrong="1")
    assert refused.ret == 1
    assert "without a score" in screen(refused)


ASYNC = """
import pytest

@pytest.mark.evaluation
@pytest.mark.asyncio
@pytest.mark.parametrize("case", range(4))
async def test_it(case, score):
    score(case / 4)
"""


def test_asynchronous_tests_are_answers_too(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_cases=ASYNC)
    fixed = ("-o", "asyncio_default_fixture_loop_scope=function")
    pytester.runpytest_subprocess(*fixed, "--bcompare-record", "main.csv")
    assert [row["score"] for row in rows(pytester.path / "main.csv")] == [
        "0.0",
        "0.25",
        "0.5",
        "0.75",
    ]


FLAKY = """
import pathlib, pytest

@pytest.mark.evaluation
@pytest.mark.parametrize("case", range(4))
def test_it(case):
    seen = pathlib.Path(f"seen-{case}")
    first = not seen.exists()
    seen.touch()
    assert case != 2 or not first
"""


def test_of_a_test_that_is_retried_the_first_answer_counts(pytester: pytest.Pytester) -> None:
    result = session(pytester, "--bcompare-record", "main.csv", "--reruns", "3", code=FLAKY)
    assert result.ret == 0
    assert [row["score"] for row in rows(pytester.path / "main.csv")] == ["1", "1", "0", "1"]


def test_without_the_plug_in_tests_are_plain_ones(pytester: pytest.Pytester) -> None:
    result = session(pytester, "-p", "no:bcompare", "-W", "ignore", wrong="1")
    result.assert_outcomes(passed=10, failed=1)


def test_nothing_else_is_loaded_before_a_session_ends(pytester: pytest.Pytester) -> None:
    code = """
import sys

def test_it():
    ours = {name for name in sys.modules if name.startswith("bcompare")}
    assert ours <= {"bcompare", "bcompare.basis", "bcompare.basis.showable", "bcompare.version",
                    "bcompare.gating", "bcompare.gating.plugin"}
    assert "numpy" not in sys.modules
"""
    session(pytester, code=code).assert_outcomes(passed=1)


def test_in_a_workflow_annotations_stand_in_the_log(
    pytester: pytest.Pytester, baseline: Path
) -> None:
    pytester.makepyfile(test_cases=CASES)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GITHUB_ACTIONS", "true")
        patched.setenv("WRONG", "1 2 3 4 5 c/d g::h")
        result = pytester.runpytest_subprocess(
            "-p", "no:asyncio", "--bcompare-baseline", str(baseline), "--junitxml", "r.xml"
        )
    assert result.ret == 1
    assert any(line.startswith("::error title=bcompare gate::failed") for line in result.outlines)
    assert "<failure" in (pytester.path / "r.bcompare.xml").read_text(encoding="utf-8")


def test_the_two_commands_of_the_readme_give_a_verdict(pytester: pytest.Pytester) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    section = readme.partition("### With pytest")[2].partition("\n## ")[0]
    code = section.partition("```python\n")[2].partition("```")[0]
    pytester.makepyfile(test_answers=code)
    lines = [line for line in section.splitlines() if line.startswith("pytest --")]
    assert len(lines) == 2
    for line in lines:
        words = shlex.split(line.removeprefix("pytest"), comments=True)
        result = pytester.runpytest_subprocess("-p", "no:asyncio", *words)
        assert result.ret == 0
    assert "session" in screen(result)


def test_the_plug_in_is_registered() -> None:
    command = [sys.executable, "-m", "pytest", "--markers", "-p", "no:cacheprovider"]
    shown = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    assert "@pytest.mark.evaluation" in shown
