"""Who may import whom: data flows one way, and each room knows only those below it."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "bcompare"

# A room may import the rooms named before it, and itself.
ROOMS = [
    "errors",
    "notes",
    "rope",
    "sufficient",
    "scores",
    "reading",
    "differences",
    "methods",
    "decision",
    "comparison",
    "family",
    "report",
    "render",
    "plots",
    "cli",
]
# Outside packages and the only rooms that may use them.
ONLY_IN = {
    "pandas": {"reading"},
    "pyarrow": {"reading"},
    "rich": {"render", "cli"},
    "typer": {"cli"},
    "matplotlib": {"plots"},
    "cmdstanpy": {"methods"},
    "scipy": {"methods"},
}
# Slow to import, so never at the top of a module.
LAZY = {"pandas", "pyarrow", "matplotlib", "cmdstanpy", "scipy.stats"}
# The reading room is loaded when something is read, but for these.
IMPORTED_EARLY = {"__init__", "options", "scales"}

MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def imports(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def top_level(tree: ast.Module) -> ast.Module:
    """The statements that run on import: no functions, nothing under TYPE_CHECKING."""

    class Outermost(ast.NodeTransformer):
        def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
            """Leave it out."""

        def visit_If(self, node: ast.If) -> ast.If | None:
            named = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
            return None if named else node

    result = Outermost().visit(tree)
    assert isinstance(result, ast.Module)
    return result


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_rooms_know_only_the_rooms_below(path: Path) -> None:
    room = room_of(module_name(path))
    if room in {"__init__", "__main__"}:
        return
    assert room in ROOMS, f"{path} is in no room: add it to ROOMS in its place"
    allowed = set(ROOMS[: ROOMS.index(room) + 1])
    for name in imports(ast.parse(path.read_text(encoding="utf-8"))):
        if name.startswith("bcompare."):
            target = room_of(name)
            assert target in allowed or target == "__version__", f"{path} imports {name}"
        for outside, rooms in ONLY_IN.items():
            if name == outside or name.startswith(f"{outside}."):
                assert room in rooms, f"{path} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_nothing_slow_is_imported_at_the_top(path: Path) -> None:
    if room_of(module_name(path)) == "reading" and path.stem not in IMPORTED_EARLY:
        return
    for name in imports(top_level(ast.parse(path.read_text(encoding="utf-8")))):
        assert not any(name == slow or name.startswith(f"{slow}.") for slow in LAZY), name
