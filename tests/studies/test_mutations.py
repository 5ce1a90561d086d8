"""Mutations change one place each, in every room, and are the same for a seed."""

import ast
import os
from pathlib import Path

import pytest
from mutations.run import FAILED, changed, drawn, every, places, run_tests

import bcompare

PACKAGE = Path(str(bcompare.__file__)).parent


def test_each_mutation_changes_one_place() -> None:
    source = "def f(x):\n    if x < 2 and x:\n        return 0.5"
    count = len([*places(ast.parse(source))])
    assert [changed(source, place)[0] for place in range(count)] == [
        "def f(x):\n    if not (x < 2 and x):\n        return 0.5",
        "def f(x):\n    if x >= 2 and x:\n        return 0.5",
        "def f(x):\n    if x < 3 and x:\n        return 0.5",
        "def f(x):\n    if x < 2 and x:\n        return 0.85",
    ]


def test_a_branch_on_one_comparison_is_changed_once() -> None:
    source = "def f(x):\n    if x < 2:\n        return True"
    count = len([*places(ast.parse(source))])
    assert [changed(source, place)[0] for place in range(count)] == [
        "def f(x):\n    if x >= 2:\n        return True",
        "def f(x):\n    if x < 3:\n        return True",
    ]


@pytest.mark.skipif(os.name == "nt", reason="needs os.fork")
def test_the_test_that_fails_is_recorded_so_that_it_runs_first_next_time(tmp_path: Path) -> None:
    text = "def test_that_passes(): pass\ndef test_that_fails(): assert False\n"
    (tmp_path / "test_of_two.py").write_text(text, encoding="utf-8")
    assert run_tests(["test_of_two.py"], tmp_path, 60) == 1
    recorded = (tmp_path / FAILED).read_text(encoding="utf-8")
    assert recorded == "test_of_two.py::test_that_fails"


@pytest.mark.long
def test_every_room_has_its_share() -> None:
    mutations = drawn(every(PACKAGE, ["."]), 100, 1)
    few = every(PACKAGE, ["basis"])
    assert drawn(few, 9, 1) == drawn(few, 9, 1) != drawn(few, 9, 2)
    assert {"methods", "reading", "gating", "cli"} <= {mutation.room for mutation in mutations}
    for mutation in mutations[:3]:
        source = (PACKAGE / mutation.path).read_text("utf-8")
        assert changed(source, mutation.place)[0] != ast.unparse(ast.parse(source))
