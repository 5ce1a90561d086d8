"""What an option of a command can, the functions of Python can under the same name."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import bcompare
from bcompare.methods import METHODS, load_method
from tests.command import run
from tests.results import small_csv

VALUES: dict[str, object] = {
    "population": "averaged", "over": "average", "tol": 0.004, "empirical_bayes": True,
    "exact": True, "prior": "gaussian", "draws": 20000, "seed": 3, "prior_place": "left",
    "prior_strength": 2.0,
}  # fmt: skip
OF_STAN = {("hier", "engine"), ("hier", "chains"), ("hier", "draws")}  # which takes a compiler
OPTIONS = {
    (name, f.name) for name in METHODS for f in fields(load_method(name)) if f.metadata.get("help")
}


@pytest.mark.parametrize(("test", "option"), sorted(OPTIONS - OF_STAN))
def test_compare_takes_the_options_of_the_command(test: str, option: str, tmp_path: Path) -> None:
    sets = tuple(f"set-{i}" for i in range(6))
    path = small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.02}, sets, runs=1, folds=9)
    value: Any = VALUES[option]
    words = [] if value is True else [str(value)]
    result = run(test, path, f"--{option.replace('_', '-')}", *words, "--format", "json")
    (shell,) = json.loads(result.out)["comparisons"][:1]
    (pair,) = bcompare.compare(bcompare.read_scores(path), test, **{option: value}).comparisons
    p = pair.probabilities
    assert p is not None
    own = [float(p.left), float(p.rope), float(p.right)]
    assert [shell["p_left"], shell["p_rope"], shell["p_right"]] == pytest.approx(own)


def test_a_function_of_one_test_takes_them_too() -> None:
    folds = [[0.02, 0.01, 0.03, 0.02], [0.01, 0.0, 0.02, 0.03], [0.0, 0.01, 0.02, 0.02]]
    averaged = bcompare.hierarchical_test(folds, rho=0.25, population="averaged")
    student = bcompare.hierarchical_test(folds, rho=0.25)
    assert averaged.probabilities != student.probabilities
