"""Messages name arguments and names as their reader writes them, and alter nothing else."""

import ast
import inspect
import pickle
import re
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bcompare
from bcompare.basis.messages import (
    SEVERAL,
    WORDS,
    InputError,
    Note,
    PairError,
    arg,
    as_keywords,
    as_options,
    nearest,
    spelled,
)
from bcompare.cli.main import COMMANDS
from bcompare.files.options import ROLES, ReadOptions
from bcompare.gating.rule import GateRule
from bcompare.methods import METHODS, load_method
from tests.command import run
from tests.results import small_csv

PACKAGE = Path(bcompare.__file__).parent
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cn"]))


@pytest.mark.parametrize(
    ("name", "value", "shell", "python"),
    [
        ("rope", None, "--rope", "rope"),
        ("rope", 0.01, "--rope 0.01", "rope=0.01"),
        ("rope", (-0.01, 0.02), "--rope=-0.01,0.02", "rope=(-0.01, 0.02)"),
        ("percent", True, "--scale percent", "percent=True"),
        ("score_col", "a b", "--col 'score=a b'", "score_col='a b'"),
        ("fold_col", "--fold", "--col fold=--fold", "fold_col='--fold'"),
        ("classifiers", ["a", "b"], "--classifier a --classifier b", "classifiers=['a', 'b']"),
        ("jobs", 1, "--jobs 1", "jobs=1"),
    ],
)
def test_both_spellings(name: str, value: object, shell: str, python: str) -> None:
    message = f"say {arg(name, value)} here"
    assert as_options(message) == f"say {shell} here"
    assert as_keywords(message) == f"say {python} here"


@given(TEXT, TEXT, TEXT)
def test_no_text_of_a_user_is_changed(before: str, value: str, after: str) -> None:
    message = f"{before}{arg('score_col', value)}{after}"
    shell = as_options(message)
    assert shell.startswith(f"{before}--col ")
    assert shell.endswith(after)
    inner = shell.removeprefix(f"{before}--col ").removesuffix(after)
    assert shlex.split(inner) == [f"score={value}"]
    keyword = as_keywords(message).removeprefix(before).removesuffix(after)
    assert ast.literal_eval(keyword.removeprefix("score_col=")) == value


@pytest.mark.parametrize("kind", [InputError, PairError])
def test_errors_travel_with_both_spellings(kind: type[InputError]) -> None:
    error = kind(f"give {arg('rope', 0.01)}")
    there = pickle.loads(pickle.dumps(error))
    assert (str(there), as_options(there.text)) == ("give rope=0.01", "give --rope 0.01")
    several = pickle.loads(pickle.dumps(InputError(["a", arg("rho", 0.1)])))
    assert several.problems == ("a", "rho=0.1")


def test_notes_are_equal_wherever_they_were_written() -> None:
    note = Note("x", "info", arg("also"))
    assert (pickle.loads(pickle.dumps(note)), note.message) == (note, "also")


def test_files_and_classifiers_keep_their_names(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "run--v3.csv", {"net--exact": 0.0, "b--rope 1": 0.1})
    with pytest.raises(InputError, match="net--exact, b--rope 1"):
        bcompare.compare(bcompare.read_scores(path), "ttest", left="x")
    with pytest.raises(InputError, match=r"run--v4\.csv"):
        bcompare.read_scores(tmp_path / "run--v4.csv")
    assert "net--exact, b--rope 1" in run("ttest", path, "--left", "x").err


def named_arguments() -> set[str]:
    """The names that messages give to `arg`, as far as they are written out."""
    result = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "arg" and node.args:
                name = node.args[0]
                if isinstance(name, ast.Constant):
                    result.add(str(name.value))
    return result


def test_every_argument_is_an_option_and_a_parameter() -> None:
    options = {name for c in COMMANDS.values() for name in inspect.signature(c).parameters}
    public: list[Any] = [
        getattr(bcompare, name) for name in dir(bcompare) if not name.startswith("_")
    ]
    methods = [load_method(name) for name in METHODS]
    parameters = {
        name
        for function in (*public, *methods, ReadOptions)  # what read_scores takes next to files
        if inspect.isfunction(function) or inspect.isclass(function)
        for name in inspect.signature(function).parameters
    }
    named = named_arguments()
    assert len(named) > 20
    missing = {name for name in named - {*WORDS} if SEVERAL.get(name, name) not in options}
    assert missing <= {f"{role}_col" for role in ROLES}
    assert named - parameters == set()


def test_what_tables_leave_out_is_found_in_python() -> None:
    places = [(d, f, c) for d in "xy" for f in range(5) for c in range(40)]
    rows = [(d, f, f"c{c}", 0.5 + (c * f + len(d)) % 7 / 50) for d, f, c in places]
    frame = pd.DataFrame(rows, columns=["dataset", "fold", "classifier", "score"])
    scores = bcompare.from_frame(frame)
    family = bcompare.as_text(bcompare.rank(scores), details=True)
    assert "30 of 40 classifiers are shown; to_frame() has all" in family
    assert "30 of 780 tests of pairs" in family
    judged = bcompare.as_text(bcompare.gate(scores, baseline="c0"))
    assert "claims are not shown; all are in gate.verdicts" in judged
    assert re.findall(r"(?<!\S)--\w+", family + judged) == []


@pytest.mark.parametrize("name", ["undecided", "require"])
def test_rules_are_refused_in_the_words_of_python(name: str) -> None:
    choices: dict[str, Any] = {name: "x"}
    with pytest.raises(InputError, match=f"{name}='x': choose from"):
        GateRule(**choices)


def test_a_spelling_of_its_own() -> None:
    message = spelled("--rope 0,1,2", "sweep(ropes=[0, 1, 2])")
    assert (as_options(message), as_keywords(message)) == ("--rope 0,1,2", "sweep(ropes=[0, 1, 2])")


@pytest.mark.parametrize(
    ("name", "names", "near"),
    [
        ("j49", ["nbc", "j48"], ["j48"]),
        ("kye", ["fold", "key"], ["key"]),
        ("SVM", ["svc", "svm"], ["svm"]),
        ("nightly", ["light"], []),
        ("svm", ["tree", "svm-rbf"], ["svm-rbf"]),
        ("score", ["rank", "test_score"], ["test_score"]),
        ("fold", ["dataset_fold_id"], []),
        ("nb", ["nbc-kernel"], []),
    ],
)
def test_the_name_that_was_meant(name: str, names: list[str], near: list[str]) -> None:
    assert nearest(name, names) == near
