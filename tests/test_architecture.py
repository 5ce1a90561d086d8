"""Who may import whom: data flows one way; and a toy of each kind is found everywhere."""

import ast
import json
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import jsonschema
import pytest

import bcompare
import bcompare.cli
from bcompare.methods import METHODS, Registered
from bcompare.plots.registry import PICTURES, Picture
from bcompare.reading.presets import PRESETS, Preset
from bcompare.render import FORMATS
from tests.command import run
from tests.results import small_csv, write_lines

PACKAGE = Path(__file__).parents[1] / "bcompare"

# A room may import the rooms named before it, and itself.
ROOMS = [
    "version", "basis", "data", "reading", "methods", "explain", "comparing", "planning", "gating",
    "report", "streaming", "render", "plots", "show", "pages", "cli",
]  # fmt: skip
# Rooms inside a room: each knows only those before it, and those named together not each other.
INNER = {
    "bcompare.basis": [["arguments", "nearest", "printable", "threads", "showable"], ["errors"],
                       ["notes", "atomic"]],
    "bcompare.data": [["units", "direction"], ["rope", "pairs", "account"], ["sufficient", "scores"],
                      ["differences", "scales", "bounds", "simulated"]],
    "bcompare.methods.hierarchical": [["diagnostics", "priors"], ["model"], ["misfit"],
                                      ["canonical"], ["quadrature", "sampling"], ["method"]],
    "bcompare.comparing": [["decision", "workers", "candidates"], ["answers"], ["comparison"],
                           ["stream"], ["compare"], ["family"]],
}  # fmt: skip
# Outside packages and the only rooms that may use them.
ONLY_IN = {
    "pandas": {"reading", "show"},
    "inspect_ai": {"reading"},
    "openpyxl": {"reading"},
    "pyarrow": {"reading", "render"},
    "rich": {"render", "cli"},
    "typer": {"cli"},
    "matplotlib": {"plots"},
    "jinja2": {"pages"},
    "markdown_it": {"pages"},
    "cmdstanpy": {"methods"},
    "arviz_stats": {"methods"},
    "scipy": {"methods", "plots"},
}
# Slow to import, so reached by none of the modules that every command loads first.
LAZY = {"pandas", "pyarrow", "matplotlib", "cmdstanpy", "arviz_stats", "scipy.stats"}

# What runs on import of these must stay cheap; the rest is loaded when it is needed.
LOADED_FIRST = ["bcompare", "bcompare.cli.main", "bcompare.comparing.comparison", "bcompare.render"]


def module_name(path: Path) -> str:
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    return name.removesuffix(".__init__")


SOURCES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in SOURCES.items()}


def imports(tree: ast.AST) -> set[str]:
    """The modules that a tree imports, and the names that it takes from them."""
    result = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            result |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            inside = names & SOURCES.keys()
            result |= inside or {node.module}
    return result


def known(tree: ast.AST) -> set[str]:
    """The modules of ours that a tree imports, or names in a string.

    So do registries, and `import_module("…")`.
    """
    strings = {
        n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and n.value != "bcompare"
    }
    named = {text.partition(":")[0] for text in strings if isinstance(text, str)}
    return (imports(tree) | named) & SOURCES.keys()


def _for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


class _Running(ast.NodeTransformer):
    """Leaves out what only type checkers see, and on request what does not run on import."""

    def __init__(self, on_import: bool) -> None:
        self.left_out = ast.FunctionDef if on_import else ()

    def visit(self, node: ast.AST) -> ast.AST | None:
        if _for_type_checkers(node) or isinstance(node, self.left_out):
            return None
        return self.generic_visit(node)


def running(module: str, *, on_import: bool) -> ast.AST:
    return _Running(on_import).generic_visit(deepcopy(TREES[module]))


def room_of(module: str) -> str:
    return module.split(".")[1]


def test_rooms_know_only_the_rooms_below() -> None:
    # but for the door to all rooms, and the one to the command line
    for module in SOURCES.keys() - {"bcompare", "bcompare.__main__"}:
        room = room_of(module)
        assert room in ROOMS, f"{module} is in no room: add it to ROOMS in its place"
        allowed = ROOMS[: ROOMS.index(room) + 1]
        for name in known(TREES[module]):
            assert room_of(name) in allowed, f"{module} imports {name}"


@pytest.mark.parametrize("outer", INNER)
def test_rooms_inside_a_room_know_only_those_before(outer: str) -> None:
    rank = {f"{outer}.{name}": k for k, names in enumerate(INNER[outer]) for name in names}
    inner = {
        name: next((r for r in rank if f"{name}.".startswith(f"{r}.")), "") for name in SOURCES
    }
    for module, room in inner.items():
        for name in known(TREES[module]) if room else ():
            target = inner[name]
            below = target == room or not target or rank[target] < rank[room]
            assert below, f"{module} imports {name}"
        assert room or not module.startswith(f"{outer}."), f"{module} is in no room of {outer}"


def test_outside_packages_are_used_in_their_rooms_only() -> None:
    for module in SOURCES:
        for name in imports(running(module, on_import=False)):
            rooms = ONLY_IN.get(name.partition(".")[0])
            assert rooms is None or room_of(module) in rooms, f"{module} imports {name}"


def test_no_module_imports_itself_by_way_of_others() -> None:
    arrows = {module: known(TREES[module]) for module in SOURCES}
    del arrows["bcompare"]  # the door to all rooms, which no room goes through
    assert not any("bcompare" in targets for targets in arrows.values())
    TopologicalSorter(arrows).prepare()  # a circle is a CycleError


def test_a_module_that_a_string_names_is_an_import() -> None:
    source = 'load("bcompare.show"); x = {"a": "bcompare.render.csv:write", "b": "bcompare.x is"}'
    assert known(ast.parse(source)) == {"bcompare.show", "bcompare.render.csv"}


@pytest.mark.parametrize("first", LOADED_FIRST)
def test_nothing_slow_is_reached_at_the_start(first: str) -> None:
    reached: set[str] = set()
    to_visit = [first]
    while to_visit:
        module = to_visit.pop()
        packages = [module.rpartition(".")[0]] if "." in module else []
        new = {*imports(running(module, on_import=True)), *packages} - reached
        reached |= new
        to_visit += new & SOURCES.keys()
    slow = {name for name in reached if any(f"{name}.".startswith(f"{s}.") for s in LAZY)}
    assert not slow


TOY_FORMAT = """
def render(report):
    return f"toy: {len(report.tables)} tables\\n"
"""

TOY_PICTURE = """
from matplotlib.figure import Figure


def draw_toy(result, sheet):
    figure = Figure()
    figure.text(0.5, 0.5, f"toy: {result.method.name}")
    return figure
"""

TOY_METHOD = """
from dataclasses import dataclass, field
from typing import ClassVar

from bcompare.data.rope import RegionProbabilities
from bcompare.methods.base import Method
from bcompare.methods.options import option
from bcompare.methods.results import PopulationResult
from bcompare.methods.wilcoxon import binomial_sign_test
from bcompare.methods.mean_differences import MeanRegions


@dataclass(frozen=True, eq=False, kw_only=True)
class ToyResult(PopulationResult):
    toy_number: float


@dataclass(frozen=True)
class Toy(Method):
    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy test"
    about: ClassVar[str] = "Takes the belief for the probability."
    fewest: ClassVar[int] = 2

    belief: float = field(default=0.96, metadata=option("The belief."))

    def test(self, statistics, rope):
        rest = (1 - self.belief) / 2
        return ToyResult(
            probabilities=RegionProbabilities(rest, rest, self.belief),
            error=None,
            nhst=binomial_sign_test(statistics.mean),
            datasets=MeanRegions(probabilities=rope.shares(statistics.mean)),
            toy_number=42.0,
        )
"""


@pytest.fixture
def start_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Imports the command line again, as a new process does; afterwards all is as it was."""
    before = {name: module for name, module in sys.modules.items() if is_cli(name)}

    def start() -> None:
        monkeypatch.setattr(bcompare, "cli", bcompare.cli)
        for name in before:
            del sys.modules[name]
        monkeypatch.setattr("tests.command.main", import_module("bcompare.cli.main").main)

    yield start
    for name in filter(is_cli, list(sys.modules)):
        del sys.modules[name]
    sys.modules.update(before)


def is_cli(module: str) -> bool:
    return f"{module}.".startswith("bcompare.cli.")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.03}, ("one", "two", "three"))


def test_a_format(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start_anew: Callable[[], None]
) -> None:
    (tmp_path / "toy_format.py").write_text(TOY_FORMAT, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(FORMATS, "toy", "toy_format:render")
    study = bcompare.compare(bcompare.read_scores(results), "sign")
    assert bcompare.as_text(study, "toy").startswith("toy: ")
    start_anew()
    assert run("sign", results, "--format", "toy", "-q").out.startswith("toy: ")
    assert run("gate", results, "--test", "sign", "--format", "toy", "-q").out.startswith("toy: ")
    assert "csv-raw, jsonl, parquet, markdown, latex, html, sentence, toy" in " ".join(
        run("sign", "--help-all").out.replace("│", " ").split()
    )


def test_a_picture(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy_picture.py").write_text(TOY_PICTURE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    toy = Picture(
        "a toy", "sign, one pair", "toy_picture:draw_toy", lambda shape: shape.test == "sign"
    )
    monkeypatch.setitem(PICTURES, "toy", toy)
    drawn = tmp_path / "toy.svg"
    assert run("sign", results, "--plot", f"toy={drawn}", "-q").code == 0
    assert "toy: sign" in drawn.read_text(encoding="utf-8")
    refused = run("hier", results, "--plot", f"toy={drawn}")
    assert "shows a toy; it needs sign, one pair" in refused.err
    assert "toy (sign, one pair)" in run("sign", results, "--plot", f"x={drawn}").err
    study = bcompare.compare(bcompare.read_scores(results), "sign")
    assert study.plot("toy").texts[0].get_text() == "toy: sign"


def test_a_preset(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {"dataset": "toy_data", "fold": "toy_fold", "classifier": "toy_model",
               "score": "toy_score"}  # fmt: skip
    options = {f"{role}_col": name for role, name in columns.items()}
    header = tuple(columns.values())
    toy = Preset(program="Toy", summary="its results", options=options, header=header)
    monkeypatch.setitem(PRESETS, "toy", toy)
    rows = [line.split(",") for line in results.read_text(encoding="utf-8").splitlines()[1:]]
    lines = [f"{d},{5 * int(run) + int(fold)},{c},{s}" for d, run, fold, c, s in rows]
    write_lines(tmp_path / "toy.csv", ",".join(header), *lines)
    recognised = run("sign", tmp_path / "toy.csv")
    assert recognised.code == 0
    assert "read as results of Toy: --preset toy" in recognised.err
    assert run("sign", tmp_path / "toy.csv", "--preset", "toy").code == 0
    assert bcompare.read_scores(tmp_path / "toy.csv", preset="toy").classifiers == ("a", "b")


def test_a_test(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start_anew: Callable[[], None]
) -> None:
    (tmp_path / "toy_method.py").write_text(TOY_METHOD, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(METHODS, "toy", Registered("toy_method:Toy", "Compare by a toy."))
    start_anew()
    table = run("toy", results, "--belief", "0.97").out
    assert "Toy test" in table
    assert "b is most likely practically better than a on the next data set" in table
    assert "belief 0.97" in table
    assert "How to read it: Takes the belief for the probability (bcompare explain toy)" in table
    record = json.loads(run("toy", results, "--format", "json").out)
    assert record["comparisons"][0]["toy_number"] == 42
    assert record["settings"]["belief"] == 0.96
    jsonschema.validate(record, json.loads(run("schema").out))
    assert "Compare by a toy" in run("--help").out
    assert "The belief. [default: 0.96]" in run("toy", "--help-all").out
    assert "toy       yes      yes" in run("check", results).out
    assert "Takes the belief" in run("explain", "toy").out
    assert " toy " in run("sign", results, "--also").out
    assert "passed" in run("gate", results, "--test", "toy").out
    page = tmp_path / "page.html"
    assert run("report", results, "--test", "toy", "-o", page, "-q").code == 0
    assert "Toy test" in page.read_text(encoding="utf-8")
