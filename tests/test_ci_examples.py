"""The examples for continuous integration are run: their shell steps, taken from the files.

`pip`, `gh` and the network are stood in for; everything else is what the examples say. The checkout
holds modules and a configuration that would let any change pass, were they heeded.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command import git

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not (shutil.which("bash") and shutil.which("git") and shutil.which("make")),
        reason="needs bash, git and make: install them",
    ),
]

both = pytest.mark.parametrize("change", [-0.05, 0.05], ids=["worse", "better"], indirect=True)

PROJECT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(yaml|make|bash)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall((PROJECT / "bcompare/explain/ci.md").read_text(encoding="utf-8"))

# What a pull request may put into its checkout.
MODULE = """\
import pathlib, sys
pathlib.Path("imported").touch()
sys.exit(0)
"""
TRAPS = {f"{name}.py": MODULE for name in ("bcompare", "numpy", "pip", "shlex", "typer", "venv")}
TRAPS |= {"bcompare.toml": "lower-is-better = true\nrope = 10\n"}

# A change gains GAIN on the data sets WHERE, and takes SLOWER times as long.
BENCHMARK = """\
import random
print("dataset,run,fold,COLUMNS")
for data in range(6):
    level = random.Random(data).uniform(0.6, 0.7)
    for fold in range(1, 11):
        draw = random.Random(f"{data} {fold}")
        own = random.Random(f"GAIN SLOWER {data} {fold}")
        score = level + draw.gauss(0, 0.02) + own.gauss(0, 0.003) + (GAIN if data in WHERE else 0)
        time = 10 * SLOWER * (1 + own.gauss(0, 0.01))
        print(f"d{data},1,{fold},{score:.4f}" + (f",{time:.4f}" if "COLUMNS" != "score" else ""))
"""
# Knows the comments in $TOOLS/comments, as lines of a marker and a number.
GH = """\
echo "gh $*" >> "$TOOLS/calls"
[[ -s comment.md ]] || exit 1
if [[ "$*" == *--paginate* && -f "$TOOLS/comments" ]]; then
  while IFS=$'\\t' read -r marker id; do
    [[ "$marker" == "$MARKER" ]] && echo "$id"
  done < "$TOOLS/comments"
fi
exit 0
"""
SCORE, METRICS = "score", "accuracy,fit_time"
ALL = tuple(range(6))


def benchmark(gain: float, where: tuple[int, ...], slower: float, columns: str) -> str:
    given = {"GAIN": gain, "WHERE": where, "SLOWER": slower, "COLUMNS": columns}
    return re.sub("|".join(given), lambda m: str(given[m[0]]), BENCHMARK)


def example(first_line: str) -> Any:
    """The YAML of the topic that begins so."""
    (text,) = [text for kind, text in BLOCKS if kind == "yaml" and text.startswith(first_line)]
    return yaml.safe_load(text)


def block(kind: str, contains: str) -> str:
    (text,) = [text for k, text in BLOCKS if k == kind and contains in text]
    return str(text)


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/usr/bin/env bash\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def change(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, int]:
    """A clone with a change against its origin, for the worse, and the exit code it is to get."""
    gain: float = getattr(request, "param", -0.05)
    return cloned(tmp_path, gain), 4 if gain < 0 else 0


def cloned(
    tmp_path: Path,
    gain: float,
    where: tuple[int, ...] = ALL,
    slower: float = 1.0,
    columns: str = SCORE,
) -> Path:
    """A clone whose benchmark differs from that of its origin."""
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()
    git(origin, "init", "-q", "-b", "main")
    (origin / "benchmark.py").write_text(benchmark(0.0, ALL, 1.0, columns), encoding="utf-8")
    git(origin, "add", ".")
    git(origin, "commit", "-qm", "main")
    git(tmp_path, "clone", "-q", str(origin), str(clone))
    changed = benchmark(gain, where, slower, columns)
    (clone / "benchmark.py").write_text(changed, encoding="utf-8")
    for name, text in TRAPS.items():
        (clone / name).write_text(text, encoding="utf-8")
    git(clone, "add", ".")
    git(clone, "commit", "-qm", "change")
    tools = tmp_path / "tools"
    tools.mkdir()
    program(tools, "gh", GH)
    program(tools, "bcompare", f'exec "{sys.executable}" -I -m bcompare "$@"')
    installs = 'if [[ "$*" == "-I -m pip "* ]]; then echo "python $*" >> "$TOOLS/calls"; exit; fi'
    program(tools, "python", f'{installs}; exec "{sys.executable}" "$@"')
    return clone


def shell(folder: Path, step: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """As runners call it: `bash -e -o pipefail`."""
    tools = folder.parent / "tools"
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step],
        cwd=folder,
        env={**os.environ, "PATH": path, "TOOLS": str(tools), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def measured(folder: Path) -> None:
    step = "git worktree add ../b origin/main; python benchmark.py > pr.csv"
    done = shell(folder, f"{step}; (cd ../b && python benchmark.py) > main.csv")
    assert done.returncode == 0, done.stderr


@both
def test_github_job(change: tuple[Path, int]) -> None:
    folder, code = change
    workflow = example("# .github/workflows/gate.yml")
    steps = [step for step in workflow["jobs"]["gate"]["steps"] if "run" in step]
    summary = folder.parent / "summary.md"
    given = {"GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": str(summary), "PR": "7"}
    given["GITHUB_REPOSITORY"] = "team/project"
    *before, last, commented = [shell(folder, step["run"], **given) for step in steps]
    assert [done.returncode for done in (*before, commented)] == [0] * len(steps[1:]), before
    assert steps[-1]["if"].startswith("always() && ")
    assert last.returncode == code
    assert last.stdout.startswith("::error " if code else "::notice ")
    assert summary.read_text(encoding="utf-8").startswith("failed: " if code else "passed: ")
    comment = (folder / "comment.md").read_text(encoding="utf-8")
    assert comment.startswith("<!-- bcompare gate -->\n")
    calls = (folder.parent / "tools" / "calls").read_text(encoding="utf-8").splitlines()
    assert calls[0] == "python -I -m pip install git+URL@COMMIT"
    assert calls[-1] == "gh pr comment 7 --body-file comment.md"
    known = "<!-- another gate -->\t5\n<!-- bcompare gate -->\t6\n"
    (folder.parent / "tools" / "comments").write_text(known, encoding="utf-8")
    assert shell(folder, steps[-1]["run"], **given).returncode == 0
    again = (folder.parent / "tools" / "calls").read_text(encoding="utf-8").splitlines()[-1]
    assert again == (
        "gh api --silent -X PATCH repos/team/project/issues/comments/6 -F body=@comment.md"
    )
    (folder / "comment.md").unlink()  # the benchmark has failed
    assert shell(folder, steps[-1]["run"], **given).returncode == 0
    assert "not run" in (folder / "comment.md").read_text(encoding="utf-8")


def test_github_action(change: tuple[Path, int]) -> None:
    folder, code = change
    measured(folder)
    for options in ("", "--rope 0.02 --fail-if undecided", "--rope 0.02\n--fail-if undecided\n"):
        last = action(folder, results="main=main.csv pr=pr.csv", options=options)
        assert last.returncode == code
    (call,) = set((folder.parent / "tools" / "calls").read_text(encoding="utf-8").splitlines())
    before, lock, installed = call.rsplit(" ", 2)
    assert before == "python -I -m pip install --quiet --constraint"
    assert Path(lock).resolve() == PROJECT / ".ci/constraints.txt"
    assert Path(installed).resolve() == PROJECT
    assert not (folder / "imported").exists()


def test_every_line_and_word_of_the_inputs_arrives_as_it_is(tmp_path: Path) -> None:
    folder = cloned(tmp_path, -0.05, columns=METRICS)
    measured(folder)
    base = {"results": "main=main.csv\npr=pr.csv\n"}
    loose = action(folder, **base, options="--metric accuracy --rope 0.2")
    assert loose.returncode == 0
    strict = action(folder, **base, options="--metric accuracy\n--rope 0.01\n")
    assert strict.returncode == 4  # the second line counts
    quoted = action(folder, **base, options="--metric 'accuracy: higher, 90%'\n  --name \"a b\"")
    assert quoted.returncode == 0
    assert quoted.stdout.startswith("::notice title=a b::passed: ")
    unended = action(folder, **base, options="--metric 'accuracy")
    assert unended.returncode == 2
    assert "::error title=bcompare gate::" in unended.stdout
    assert "No closing quotation" in unended.stdout


@pytest.mark.parametrize(
    ("results", "options"), [("", ""), (" \n ", ""), ("main=main.csv pr=pr.csv", "--help")]
)
def test_an_action_that_judges_nothing_does_not_pass(
    tmp_path: Path, results: str, options: str
) -> None:
    folder = cloned(tmp_path, 0.05)
    measured(folder)
    (folder / "results.csv").write_text("left by a change", encoding="utf-8")
    done = action(folder, results=results, options=options)
    assert done.returncode == 2
    assert "::error title=bcompare gate::" in done.stdout


def test_a_comment_in_the_checkout_is_never_the_verdict(tmp_path: Path) -> None:
    folder = cloned(tmp_path, -0.05)
    (folder / "comment.md").write_text("<!-- bcompare gate -->\npassed", encoding="utf-8")
    steps = example("# .github/workflows/gate.yml")["jobs"]["gate"]["steps"]
    shell(folder, next(step["run"] for step in steps if "run" in step))
    assert not (folder / "comment.md").exists()


# What a shell would run or read; apart what it ends at the line, and what it quotes.
HOSTILE = (
    "$(touch spilled) `touch spilled`; touch spilled | touch spilled && : > spilled $HOME --rope 9",
    "\n touch spilled\n",
    "$'\\x41'",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_shell_reads_the_inputs(tmp_path: Path, text: str) -> None:
    folder = cloned(tmp_path, -0.05)
    measured(folder)
    results = "main=main.csv pr=pr.csv"
    for inputs in (
        {"results": f"{results} {text}", "metrics": f"score{text}", "config": f"none{text}"},
        {"results": results, "options": f"--name '{text}'" if "'" not in text else "--name x"},
    ):
        done = action(folder, **inputs)
        assert done.returncode == (4 if "options" in inputs else 2)
        assert not (folder / "spilled").exists()
        if "options" in inputs and "\n" not in text and "'" not in text:
            assert f"title={text}::" in done.stdout.replace("%2C", ",").replace("%3A", ":")


def test_the_configuration_is_the_base_branchs(tmp_path: Path) -> None:
    folder = cloned(tmp_path, -0.05)
    measured(folder)
    results = "main=main.csv pr=pr.csv"
    assert action(folder, results=results).returncode == 4
    (folder.parent / "b" / "bcompare.toml").write_text("rope = 0.5\n", encoding="utf-8")
    done = action(folder, results=results, config="../b/bcompare.toml")
    assert done.returncode == 0
    assert "::notice title=bcompare gate::../b/bcompare.toml sets rope = 0.5\n" in done.stdout
    careless = action(folder, results=results, config="bcompare.toml")
    assert careless.returncode == 2  # by its own rope of 10 anything would pass
    assert "twice as much would pass" in careless.stdout


def action(folder: Path, **said: str) -> subprocess.CompletedProcess[str]:
    """The last step of our action, with these inputs."""
    base = folder.parent / "base"
    base.mkdir(exist_ok=True)
    (base / "bcompare.toml").touch()
    path = PROJECT / ".github/actions/gate"
    whole = yaml.safe_load((path / "action.yml").read_text("utf-8"))
    assert said.keys() <= whole["inputs"].keys()
    inputs = {name: str(given.get("default", "")) for name, given in whole["inputs"].items()} | said
    done = []
    for step in whole["runs"]["steps"]:
        assert step["shell"] == "bash"
        given = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda m: inputs[m[1]], value)
            for name, value in step.get("env", {}).items()
        }
        done.append(shell(folder, step["run"], GITHUB_ACTION_PATH=str(path), **given))
    *before, last = done
    assert [step.returncode for step in before] == [0] * len(before)
    return last


def test_one_of_six_data_sets_fails_by_name(tmp_path: Path) -> None:
    folder = cloned(tmp_path, -0.1, where=(3,))
    measured(folder)
    annotated = action(folder, results="main=main.csv pr=pr.csv")
    assert annotated.returncode == 4
    assert re.match(
        r"::error title=bcompare gate::failed: pr is worse than main on average \(.*\) and on d3$",
        annotated.stdout.splitlines()[0],
    )
    (folder / "gate.sh").write_text(block("bash", "set -euo pipefail"), encoding="utf-8")
    script = shell(folder, "bash gate.sh")
    assert script.returncode == 1
    assert "is worse than main on average" in script.stdout
    rows = (folder / "pr.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    rest = [row for row in rows if not row.startswith("d3,")]
    (folder / "pr.csv").write_text("".join(rest), encoding="utf-8")
    lacking = action(folder, results="main=main.csv pr=pr.csv")
    assert lacking.returncode == 2
    assert "pr 10 (no row for data set d3, " in lacking.stdout


def test_a_slower_change_fails_by_its_time_alone(tmp_path: Path) -> None:
    folder = cloned(tmp_path, 0.0, slower=1.12, columns=METRICS)
    measured(folder)
    line = block("bash", "fit_time: lower")
    for step in (line, f"{line.rstrip()} --format json\n"):
        done = shell(folder, step)
        assert done.returncode == 4, done.stderr
    verdicts = json.loads(done.stdout)["verdicts"]
    assert {v["metric"] for v in verdicts if v["outcome"] != "pass"} == {"fit_time"}
    assert {v["metric"] for v in verdicts} == {"accuracy", "fit_time"}
    text = action(folder, **example("# a step of a job on GitHub")["with"])
    assert text.returncode == 4
    first = text.stdout.splitlines()[0]
    assert first.startswith("::error ")
    assert "worse than main in fit_time on average" in first
    assert "in accuracy" not in first


def test_an_equally_fast_change_passes_by_the_same_recipe(tmp_path: Path) -> None:
    folder = cloned(tmp_path, 0.0, slower=1.01, columns=METRICS)
    measured(folder)
    assert shell(folder, block("bash", "fit_time: lower")).returncode == 0
    assert action(folder, **example("# a step of a job on GitHub")["with"]).returncode == 0


@both
def test_a_line_for_a_chat(change: tuple[Path, int]) -> None:
    folder, code = change
    measured(folder)
    code_of_jq = "import json, sys; print(json.load(open(sys.argv[2]))[sys.argv[1][1:]])"
    program(folder.parent / "tools", "jq", f'shift; "{sys.executable}" -c \'{code_of_jq}\' "$@"')
    recipe = block("bash", "jq -r .summary")
    assert shell(folder, recipe).returncode == 0
    line = (folder / "message.txt").read_text(encoding="utf-8")
    assert line.startswith("failed: pr is worse than main" if code else "passed: pr is better")
    assert line.count("\n") == 1
    (folder / "pr.csv").unlink()
    assert shell(folder, recipe).returncode == 0
    line = (folder / "message.txt").read_text(encoding="utf-8")
    assert line.startswith("could not be judged: pr.csv: there is no such file")


# A machine that becomes slower while it measures, by 5 % from one time to the next.
MEASURE = """\
import pathlib, random, sys
times = pathlib.Path("times")
n = len(times.read_text()) if times.exists() else 0
times.write_text("." * (n + 1))
print(round(10 * (1 + 0.05 * n) * (SLOWER if sys.argv[1] == "pr" else 1), 4))
"""


@pytest.mark.parametrize(("slower", "code"), [(1.0, 0), (1.12, 4)])
def test_sides_that_take_turns(tmp_path: Path, slower: float, code: int) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (tmp_path / "tools").mkdir()
    program(tmp_path / "tools", "bcompare", f'exec "{sys.executable}" -I -m bcompare "$@"')
    (folder / "measure.py").write_text(MEASURE.replace("SLOWER", str(slower)), encoding="utf-8")
    program(folder, "measure", f'exec "{sys.executable}" measure.py "$1"')
    done = shell(folder, block("bash", "sides="))
    assert done.returncode == code, done.stdout + done.stderr
    assert "[metrics]" in done.stdout
    assert "[one-run]" not in done.stdout + done.stderr
    rows = (folder / "main.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 21
    other = "bcompare gate main=main.csv pr=pr.csv --config none --col seed=rep"
    rename = "sed -i.old s/round/rep/ main.csv pr.csv"
    named = shell(folder, f"{rename}; {other} --metric 'ms: lower, 5%'")
    assert "[one-run]" in named.stderr  # seeds may all be of one run of a side


def test_gitlab_job(change: tuple[Path, int]) -> None:
    folder, code = change
    job = example("# .gitlab-ci.yml")["gate"]
    done = shell(
        folder,
        "\n".join(job["script"]),
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main",
        CI_PROJECT_DIR=str(folder),
    )
    assert done.returncode == code, done.stderr
    assert ("failed: pr is worse" in done.stdout) is bool(code)
    report = ET.fromstring((folder / job["artifacts"]["reports"]["junit"]).read_bytes())
    failed = report.findall(".//testcase/failure")
    assert len(failed) == (1 + len(ALL) if code else 0)  # their average, and each data set


def test_make_target(change: tuple[Path, int]) -> None:
    folder, code = change
    measured(folder)
    (folder / "Makefile").write_text(block("make", "gate:"), encoding="utf-8")
    done = shell(folder, "make gate")
    assert done.returncode == (2 if code else 0)  # what make makes of any failure
    assert ("Error 4" in done.stderr) is (code == 4)


@both
def test_script(change: tuple[Path, int]) -> None:
    folder, code = change
    measured(folder)
    text = block("bash", "set -euo pipefail")
    (folder / "gate.sh").write_text(text, encoding="utf-8")
    done = shell(folder, "bash gate.sh")
    assert done.returncode == (1 if code else 0)
    assert done.stdout.splitlines()[-1] == ("practically worse" if code else "merge it")
    (folder / "pr.csv").unlink()
    lost = shell(folder, "bash gate.sh")
    assert (lost.returncode, lost.stdout.splitlines()[-1]) == (2, "could not compare")


def test_pre_commit_hook(change: tuple[Path, int]) -> None:
    folder, code = change
    measured(folder)
    (hook,) = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    config = example("# .pre-commit-config.yaml")
    (used,) = config["repos"][0]["hooks"]
    assert {k: used[k] for k in hook.keys() & used.keys() - {"entry", "language"}} == {
        k: hook[k] for k in hook.keys() & used.keys() - {"entry", "language"}
    }
    assert used["entry"].startswith(hook["entry"])
    assert re.search(used["files"], "results/main.csv")
    assert shell(folder, used["entry"]).returncode == code
