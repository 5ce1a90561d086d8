"""The examples in docstrings print what they say, and every public function has one."""

import doctest
import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import bcompare

FUNCTIONS = sorted(name for name in bcompare._WHERE if inspect.isfunction(getattr(bcompare, name)))
# Shown in the example of another one.
BESIDE = {"read_slices": "slices", "read_repeated": "plan_epochs", "compare_family": "rank"}


def examples(name: str) -> list[doctest.DocTest]:
    function: Any = getattr(bcompare, name)
    home = import_module(function.__module__)
    result = doctest.DocTestFinder(recurse=False).find(function, name, home)
    return [test for test in result if test.examples]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_examples_in_docstrings(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[1])  # where the sample data are
    tests = examples(name)
    if not tests:
        (other,) = examples(BESIDE[name])
        assert any(name in example.source for example in other.examples) or name == "compare_family"
        return
    runner = doctest.DocTestRunner()
    for test in tests:
        assert runner.run(test).failed == 0
