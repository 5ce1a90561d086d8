"""The Python API: names, examples, how results show themselves, and what is loaded at the start."""

import doctest
import inspect
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import bcompare
from bcompare.basis.messages import Note, arg
from bcompare.basis.showable import Showable
from bcompare.cli.main import COMMANDS
from bcompare.comparing.compare import sweep
from bcompare.data.rope import Rope
from bcompare.gating.anytime import anytime
from bcompare.gating.self_check import self_check
from bcompare.methods import METHODS, load_method
from bcompare.planning.power import plan_anytime, power
from bcompare.show import KINDS, as_text, document
from tests.command import run
from tests.results import small_csv


def test_every_promised_name_loads() -> None:
    for name in dir(bcompare):
        assert getattr(bcompare, name).__doc__, f"{name} has no docstring"
        assert name in dir(bcompare)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        bcompare.__getattr__("nothing")


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "latex"])
def test_as_text_is_what_the_command_prints(tmp_path: Path, form: str) -> None:
    path = small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.05}, ("iris", "wine"))
    study = bcompare.compare(bcompare.read_scores(path), "ttest")
    text = bcompare.as_text(study, form).replace(str(path), "results.csv")
    assert text == run("ttest", "results.csv", "--format", form, folder=tmp_path).out


def test_wrong_arguments_are_refused_in_words(tmp_path: Path) -> None:
    sets = ("one", "two", "three")
    scores = bcompare.read_scores(small_csv(tmp_path / "r.csv", {"a": 0.0, "b": 0.02}, sets))
    study, nothing = bcompare.compare(scores, "sign"), cast(Any, 0.01)
    assert study.plot(width="column").get_figwidth() == 3.5
    calls: dict[str, Callable[[], object]] = {
        "'anova'.*choose from": lambda: bcompare.compare(scores, "anova"),
        "several ropes": lambda: sweep(scores, "ttest", nothing),
        "'a' is no pair": lambda: bcompare.compare(scores, pairs=cast(Any, ("a", "b"))),
        "a cannot be compared with itself": lambda: bcompare.compare(scores, pairs=[("a", "a")]),
        "'xml'.*choose from": lambda: bcompare.as_text(study, "xml"),
        "no tables of Scores": lambda: bcompare.as_text(cast(Any, scores)),
        "no picture 'nothing'": lambda: study.plot(picture="nothing"),
        "no width 'wide'; there are column, page": lambda: study.plot(width="wide"),
        "no style 'x'; there are screen, paper": lambda: study.plot(style="x"),
    }
    for says, call in calls.items():
        with pytest.raises(bcompare.InputError, match=says):
            call()


def test_ropes_and_pairs_may_be_arrays_and_generators(tmp_path: Path) -> None:
    scores = bcompare.read_scores(small_csv(tmp_path / "r.csv", {"a": 0.0, "b": 0.02}, ("one",)))
    ropes: Any = np.array([0.02, 0.01])
    assert repr(sweep(scores, "ttest", ropes)) == "<Sweep ttest: ropes 0.01, 0.02>"
    pairs: Any = zip("b", "a", strict=True)
    (pair,) = bcompare.compare(scores, pairs=pairs).comparisons
    assert (pair.left, pair.right) == ("b", "a")


def test_notes_and_errors_are_printed_with_keywords() -> None:
    note = Note("percent", "warning", f"say {arg('percent', True)}")
    assert repr(note) == "<warning percent: say percent=True>"
    assert repr(bcompare.InputError(note.text)) == "InputError('say percent=True')"


FUNCTIONS = sorted(name for name in dir(bcompare) if inspect.isfunction(getattr(bcompare, name)))
# Shown in the example of another one.
BESIDE = {"read_slices": "slices"}


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
        assert any(name in example.source for example in other.examples)
        return
    runner = doctest.DocTestRunner()
    for test in tests:
        assert runner.run(test).failed == 0


@pytest.mark.parametrize("module", ["methods.own_scores", "files.cells", "columns.direction"])
def test_examples_of_what_is_not_public(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[1])
    result = doctest.testmod(import_module(f"bcompare.{module}"))
    assert result.attempted > 0
    assert result.failed == 0


TWO = {"a": 0.0, "b": 0.03}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Showable]:
    path = small_csv(tmp_path_factory.mktemp("show") / "results.csv", TWO, ("one", "two", "three"))
    scores = bcompare.read_scores(path)
    header, *rows = (
        small_csv(path.with_name("groups.csv"), TWO, tuple("abcdef")).read_text().split()
    )
    groups = path.with_name("groups.csv")
    groups.write_text("\n".join([f"domain,{header}", *(f"{'xy'[r[0] > 'c']},{r}" for r in rows)]))
    rows = [f"q{i},{name},{i % (k + 2) % 2}" for i in range(30) for k, name in enumerate("ab")]
    path.with_name("items.csv").write_text("\n".join(["item,classifier,score", *rows]))
    answers = bcompare.read_scores(path.with_name("items.csv"), item_col="item", baseline="a")
    ropes = [Rope.of(0.01), Rope.of(0.02)]
    kinds = (
        bcompare.compare(scores, "sign"),
        bcompare.rank(scores),
        sweep(scores, load_method("sign")(), ropes),
        bcompare.gate(scores, baseline="a"),
        self_check(scores, baseline="a", test="sign"),
        anytime(bcompare.gate(answers, baseline="a")),
        plan_anytime(0.02, 0.3, [50], replicates=20),
        bcompare.plan(scores, pairs=[("a", "b")], test="sign", replicates=20),
        bcompare.profile_results(path),
        bcompare.slices(*bcompare.read_slices(groups, by="domain"), "domain", "sign"),
        power(0.02, 0.04, datasets=[10], test="sign", replicates=20),
    )
    return {type(kind).__name__: kind for kind in kinds}


def test_every_kind_of_result_is_in_the_table(results: dict[str, Showable]) -> None:
    assert KINDS.keys() == results.keys()
    assert {kind.__name__ for kind in Showable.__subclasses__()} == results.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_shows_itself(kind: str, results: dict[str, Showable]) -> None:
    result = results[kind]
    assert repr(result).startswith(f"<{kind}")
    assert len(repr(result)) < 250
    assert result._repr_html_().startswith("<main>")
    assert document(result)["bcompare"] == bcompare.__version__
    rows = as_text(result, "csv").splitlines()
    assert list(result.to_frame().columns) == rows[0].split(",")
    if KINDS[kind].shape is None:
        with pytest.raises(bcompare.InputError, match="there is no picture of a"):
            result.plot()
    else:
        assert result.plot().axes


HEAVY = ["scipy.stats", "pandas", "matplotlib", "cmdstanpy", "pyarrow"]
# The options of a test's command are those of its class, which computes with these.
COMPUTING = ["numpy", "scipy"]

# Runs commands one after the other, and says after each what it has loaded.
PROGRAM = """
import sys
import bcompare
from bcompare.cli.main import main
for command in sys.argv[2:]:
    sys.argv[1:] = command.split()
    try:
        main()
    except SystemExit as end:
        assert not end.code
    print("loaded:", [name for name in {heavy!r} if name in sys.modules])
"""


def loaded(heavy: list[str], *commands: str, folder: Path | None = None) -> list[str]:
    """What the commands print, line by line."""
    program = [sys.executable, "-c", PROGRAM.format(heavy=heavy), "", *commands]
    done = subprocess.run(program, capture_output=True, text=True, check=True, cwd=folder)
    lines = done.stdout.splitlines()
    result = [line for line in lines if line.startswith("loaded:")]
    assert result == ["loaded: []"] * len(commands), dict(zip(commands, result, strict=True))
    return lines


@pytest.mark.parametrize(
    ("commands", "heavy"),
    [(["", *(c for c in COMMANDS if c not in METHODS)], [*HEAVY, *COMPUTING]), (METHODS, HEAVY)],
    ids=["others", "tests"],
)
def test_help_loads_nothing_heavy(commands: list[str], heavy: list[str]) -> None:
    lines = loaded(heavy, *(f"{command} --help" for command in commands))
    assert len([line for line in lines if "Usage" in line]) == len(commands)


def test_a_test_of_a_file_loads_neither_pandas_nor_stan(tmp_path: Path) -> None:
    small_csv(tmp_path / "r.csv", {"a": 0.0, "b": 0.1}, ("one", "two", "three"))
    loaded(["pandas", "matplotlib", "cmdstanpy", "pyarrow"], "hier r.csv -q", folder=tmp_path)
