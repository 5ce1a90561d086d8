"""Names from data cannot act in the log of a workflow, in JUnit, or as options of the action."""

import json
import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bcompare.basis.messages import printable, printable_json
from bcompare.files.cells import number_in
from tests.command import run
from tests.results import write_lines

ACTION = Path(__file__).parents[1] / ".github/actions/gate/gate.py"
COMMANDS = (" ::stop-commands::x", "::error::y", "##[error]a", "a ##[group]b")


def test_what_a_runner_obeys_is_broken_and_looks_the_same() -> None:
    for text in COMMANDS:
        shown = printable(text)
        assert not shown.lstrip().startswith("::")
        assert "##[" not in shown
        assert shown.replace("\N{WORD JOINER}", "") == text
        assert "##[" not in printable_json(json.dumps(text))
        assert json.loads(printable_json(json.dumps(text))) == text
    assert printable("std::sort") == "std::sort"


@pytest.mark.parametrize("form", ["table", "github", "markdown", "csv", "json", "junit"])
def test_no_line_of_a_gate_is_a_command(form: str, tmp_path: Path) -> None:
    rows = [
        f"{dataset},{fold},{who},{0.8 + fold * 7 % 5 / 100 + k / 50}"
        for dataset in COMMANDS
        for fold in range(10)
        for k, who in enumerate(("##[error]main", "::notice::b\ufffe"))
    ]
    write_lines(tmp_path / "r.csv", "dataset,fold,classifier,score", *rows)
    words = ("gate", "r.csv", "--baseline", "##[error]main", "--format", form)
    outcome = run(*words, folder=tmp_path)
    assert outcome.code == 0
    for line in (outcome.out + outcome.err).splitlines():
        is_ours = form == "github" and line.startswith("::notice title=bcompare gate::")
        assert is_ours or not line.lstrip().startswith("::")
        assert "##[" not in line
    if form == "junit":
        ElementTree.fromstring(outcome.out)


@pytest.mark.parametrize("word", ["-h", "-qh", "-hq", "-V", "-qV", "--help", "--help-all"])
def test_options_that_judge_nothing_are_refused_by_the_action(word: str) -> None:
    arguments: Any = runpy.run_path(str(ACTION))["arguments"]
    given = {"METRICS": "", "OPTIONS": f"-q {word}", "RESULTS": "a=a.csv", "CONFIG": "none"}
    with pytest.raises(ValueError, match="judges nothing"):
        arguments(given)
    assert "-oh.json" in arguments(given | {"OPTIONS": "-q -oh.json"})


@pytest.mark.parametrize("number", ["5", "0.5"])
def test_dollars_are_no_numbers_and_formulas_are(number: str) -> None:
    assert number_in(f"${number}") is None
    written = number_in(f"${number} \\pm 0.4$")
    assert written is not None
    assert written.number == float(number)
