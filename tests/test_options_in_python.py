"""What an option of a command can, the functions of Python can under the same name."""

import ast
import inspect
import json
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bcompare
from bcompare.basis.messages import as_keywords
from bcompare.methods import METHODS, load_method
from tests.command import run
from tests.reading.answers import answered, question_of
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


RNG = np.random.default_rng(5)
MANY = RNG.uniform(0.6, 0.9, (2, 100)).round(4)
RIGHT = (MANY > 0.7).astype(float)


def long(**columns: object) -> pd.DataFrame:
    """Scores of two classifiers in many rows, with these names of columns."""
    n = MANY.shape[1]
    rows = {"fold": [*range(n)] * 2, "classifier": ["a"] * n + ["b"] * n, "score": MANY.ravel()}
    return pd.DataFrame({str(columns.get(name, name)): values for name, values in rows.items()})


SCORES = bcompare.from_frame(long(), item_col="fold")
# A function, arguments of which one is wrong or lacks, and what its message must name.
WRONG: dict[str, tuple[Callable[..., object], tuple[object, ...], set[str]]] = {
    "many folds": (bcompare.compare_arrays, (*MANY, "folds"), {"rows", "rho", "runs"}),
    "answers": (bcompare.compare_arrays, (*RIGHT, "folds"), {"rows", "rho"}),
    "percentages": (bcompare.compare_arrays, (100 * MANY[0], MANY[1], "items"), {"scale"}),
    "a frame": (bcompare.from_frame, (long(),), {"item_col", "seed_col", "rho"}),
    "no baseline": (bcompare.gate, (SCORES,), {"baseline"}),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_a_function_advises_are_its_own_arguments_and_works(case: str) -> None:
    function, given, expected = WRONG[case]
    with pytest.raises(bcompare.InputError) as error:
        function(*given)
    found = re.findall(r"(\w+)=('[^']*'|\{[^}]*\}|\d[\d.]*\d|\d)", str(error.value))
    named = {name for name, _ in found if name != "lower_is_better"}
    assert named == expected
    positions = [*inspect.signature(function).parameters]
    for name, text in dict.fromkeys(found):
        if name in named:
            own = [*given]
            value = ast.literal_eval(text)
            if name in positions[: len(own)]:
                own[positions.index(name)] = value
                function(*own)
                continue
            # of scores in a unit that the user insists on, the rope is asked for next
            more = {"rope": 1.0} if name == "scale" else {}
            function(*own, **{name: value}, **more)


def test_the_calls_that_are_asked_for_read_the_frame() -> None:
    frame = long(classifier="model")
    with pytest.raises(bcompare.InputError) as error:
        bcompare.from_frame(frame)
    (line,) = (as_keywords(line) for line in error.value.advice if "from_frame(" in line)
    assert line.strip().startswith("from_frame(frame, classifier_col='model'")
    answers = [*answered(question_of(error.value), {"HOW_MANY": 5, "SHARE_OF_TEST": 0.1})]
    assert answers
    for options in answers:
        assert bcompare.from_frame(frame, **options).classifiers == ("a", "b")


@pytest.mark.parametrize(
    ("option", "advice"),
    [("item", "did you mean item_col?"), ("elephant", "see help(bcompare.ReadOptions)")],
)
def test_an_unknown_option_of_reading_is_named(tmp_path: Path, option: str, advice: str) -> None:
    path = small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.02})
    said: dict[str, Any] = {option: "case"}
    words = re.escape(f"{option}= is no option of reading: {advice}")
    with pytest.raises(bcompare.InputError, match=words):
        bcompare.read_scores(str(path), **said)
    with pytest.raises(bcompare.InputError, match=words):
        bcompare.from_frame(pd.read_csv(path), **said)
