"""Who may import whom: data flows one way; and measures that must not grow."""

import ast
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "bcompare"

# A room, or a module of one that has a place of its own, may import those named before it, and
# itself.
ROOMS = [
    "version",
    "basis",
    "data",
    "columns.direction",
    "columns.vocabulary",
    "files",
    "columns",
    "reading",
    "methods",
    "explain",
    "comparing",
    "report",
    "render",
    "ranking",
    "planning",
    "gating",
    "formats",
    "plots",
    "show",
    "baycomp",
    "pages",
    "schema",
    "cli",
    "ranking.command",
    "planning.command",
    "gating.delivery",
    "gating.command",
    "pages.command",
    "cli.main",
]
# Rooms inside a room: each knows only those before it, and those named together not each other.
INNER = {
    "bcompare.basis": [
        ["messages", "progress", "threads", "showable", "words"],
        ["names", "atomic"],
    ],
    "bcompare.data": [
        ["units", "meaning", "defaults"],
        ["rope", "pairs", "account"],
        ["answers"],
        ["sufficient"],
        ["simulated"],
        ["clusters"],
        ["scores"],
        ["differences", "joining", "scales"],
        ["assumed_rope"],
    ],
    "bcompare.files": [
        ["cells", "options", "problems"],
        ["documents", "presets", "programs", "tables"],
        ["markup"],
        ["workbook"],
        ["conversion", "folders"],
        ["sources"],
        ["frames", "text"],
    ],
    "bcompare.columns": [
        ["direction"],
        ["vocabulary"],
        ["features", "question"],
        ["glued", "side_by_side"],
        ["scored"],
        ["counts", "roles"],
        ["search"],
        ["keys"],
        ["arrangements"],
        ["readings"],
        ["unpaired"],
        ["deciding"],
    ],
    "bcompare.reading": [
        ["header"],
        ["parsing"],
        ["long_table"],
        ["score_grid"],
        ["absent"],
        ["unpaired", "weights"],
        ["baseline"],
        ["chosen_rows"],
        ["sides"],
        ["gap_checks", "pairing_checks", "score_checks"],
        ["to_scores"],
        ["content", "refusal"],
        ["task"],
        ["asking"],
        ["read"],
        ["arrays", "profile"],
        ["estimators"],
    ],
    "bcompare.methods.hierarchical": [
        ["diagnostics", "items"],
        ["model"],
        ["result"],
        ["misfit"],
        ["canonical"],
        ["quadrature", "sampling"],
        ["method"],
    ],
    "bcompare.comparing": [
        ["decision", "executors"],
        ["workers"],
        ["comparison"],
        ["comparison_set"],
        ["compare"],
    ],
    "bcompare.ranking": [
        ["contrasts"],
        ["draws", "effects", "joint_means", "places", "ranks", "resolution", "unusual"],
        ["one", "several"],
        ["best", "judged"],
        ["family"],
        ["sentences"],
        ["leaderboard"],
        ["report"],
        ["command"],
    ],
    "bcompare.planning": [
        ["trials"],
        ["simulation"],
        ["outlook"],
        ["power"],
        ["report"],
        ["command"],
    ],
    "bcompare.gating": [
        ["rule", "monotone"],
        ["metrics"],
        ["batch", "few_rows", "runs", "suites", "unpaired"],
        ["claims", "items", "unpaired_plan"],
        ["scope", "verdict"],
        ["judge"],
        ["item_words"],
        ["anytime", "plan", "self_check"],
        ["item_plan"],
        ["history"],
        ["words"],
        ["item_report"],
        ["report"],
        ["anytime_report", "plan_report", "item_plan_report", "github", "junit"],
        ["delivery"],
        ["command"],
        ["plugin"],
    ],
}
# Outside packages and the only rooms that may use them.
ONLY_IN = {
    "pandas": {"files", "reading", "show"},
    "inspect_ai": {"files"},
    "openpyxl": {"files"},
    "pyarrow": {"files", "render"},
    "rich": {"basis", "render", "cli", "cli.main"},
    "typer": {"cli", *(room for room in ROOMS if "." in room)},
    "dask": {"cli"},
    "distributed": {"cli"},
    "matplotlib": {"plots"},
    "jinja2": {"pages"},
    "markdown_it": {"pages"},
    "cmdstanpy": {"methods"},
    "arviz_stats": {"methods"},
    "scipy": {"methods", "ranking", "plots", "gating"},
}
# Slow to import, so reached by none of the modules that every command loads first.
LAZY = {"pandas", "pyarrow", "matplotlib", "cmdstanpy", "arviz_stats", "scipy.stats"}

# What runs on import of these must stay cheap; the rest is loaded when it is needed.
LOADED_FIRST = ["bcompare", "bcompare.cli.main", "bcompare.comparing.compare", "bcompare.formats"]


def module_name(path: Path) -> str:
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    return name.removesuffix(".__init__")


SOURCES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in SOURCES.items()}


def imports(nodes: Iterable[ast.AST]) -> set[str]:
    """The modules that nodes import, and the names that they take from them."""
    result = set()
    for node in nodes:
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
    return (imports(ast.walk(tree)) | named) & SOURCES.keys()


def _for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def running(tree: ast.AST, *, on_import: bool) -> Iterator[ast.AST]:
    """The nodes of a tree but for what only type checkers see, and what import does not run."""
    for node in ast.iter_child_nodes(tree):
        if not (_for_type_checkers(node) or (on_import and isinstance(node, ast.FunctionDef))):
            yield node
            yield from running(node, on_import=on_import)


def room_of(module: str) -> str:
    _, *parts = module.split(".")
    places = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((place for place in places if place in ROOMS), parts[0])


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
        for name in imports(running(TREES[module], on_import=False)):
            rooms = ONLY_IN.get(name.partition(".")[0])
            assert rooms is None or room_of(module) in rooms, f"{module} imports {name}"
            assert not name.startswith("matplotlib.pyplot")  # whose figures are everybody's


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
        new = {*imports(running(TREES[module], on_import=True)), *packages} - reached
        reached |= new
        to_visit += new & SOURCES.keys()
    slow = {name for name in reached if any(f"{name}.".startswith(f"{s}.") for s in LAZY)}
    assert not slow
