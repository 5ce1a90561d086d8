"""A ratchet: what these measures count must not grow. Whoever lowers one lowers its number here."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bcompare.methods import METHODS
from tests.command import run

PACKAGE = Path(__file__).parents[1] / "bcompare"
TESTS = PACKAGE.parent / "tests"

# The most of each, at present.
STATEMENTS = {"bcompare": 21_401, "tests": 14_764}
UNITS_COMPARED = 2
KINDS_ASKED = 13
ANY = 137
LAYOUT_BY_HAND = 18
OPTIONS = {
    "gate": 30,
    "gate-series": 35,
    "gate-anytime": 33,
    "self-check": 30,
    "plan": 29,
    "plan-epochs": 31,
    "plan-gate": 30,
    "power": 19,
    "rank": 34,
    "report": 26,
    "check": 21,
}
OPTIONS_OF_A_TEST = 36

# Places that ask what kind of test or result they have, instead of asking it for something.
KINDS = re.compile(
    r"\.by_dataset\b|is_over_datasets\(|\.answers\(2\)|isinstance\([^)]*Result\b"
    r"|\.(?:predicts|scope) == \"|\.test == \"|method\.name == "
)


def sources(folder: Path) -> dict[str, str]:
    """The source of each module in a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.py"))
    }


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a tree, without docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            yield node


def named(node: ast.AST) -> str:
    """The last name of an expression."""
    return ast.unparse(node).rpartition(".")[2]


def compares_unit(node: ast.AST) -> bool:
    """Whether a unit of scores is compared for equality."""
    if not isinstance(node, ast.Compare):
        return False
    equal = any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops)
    return equal and "unit" in {named(node.left), *map(named, node.comparators)}


@pytest.mark.parametrize("folder", [PACKAGE, TESTS], ids=lambda folder: folder.name)
def test_statements(folder: Path) -> None:
    count = sum(1 for text in sources(folder).values() for _ in statements(ast.parse(text)))
    assert count <= STATEMENTS[folder.name]


def test_units_compared() -> None:
    trees = map(ast.parse, sources(PACKAGE).values())
    assert sum(compares_unit(node) for tree in trees for node in ast.walk(tree)) <= UNITS_COMPARED


def test_kinds_asked_outside_their_owner() -> None:
    asked = {
        f"{name}:{number}: {line.strip()}"
        for name, text in sources(PACKAGE).items()
        if not name.startswith("methods/")
        for number, line in enumerate(text.splitlines(), 1)
        if KINDS.search(line)
    }
    assert len(asked) <= KINDS_ASKED, sorted(asked)


def test_words() -> None:
    text = "\n".join(sources(PACKAGE).values())
    assert len(re.findall(r"\bAny\b", text)) <= ANY
    everything = text + "\n".join(sources(TESTS).values())
    assert len(re.findall(r"# fmt: skip$", everything, re.MULTILINE)) <= LAYOUT_BY_HAND


def options_of(command: str) -> set[str]:
    """The options of a command, by their first long names."""
    text = run(command, "--help-all").out.replace("│", " ")
    return set(re.findall(r"^[ *]*(?:-\w,? +)?(--[a-z][\w-]*)", text, re.MULTILINE))


@pytest.mark.parametrize("command", [*METHODS, *OPTIONS])
def test_options(command: str) -> None:
    options = options_of(command)
    assert "--help" in options
    assert len(options) <= OPTIONS.get(command, OPTIONS_OF_A_TEST), sorted(options)
