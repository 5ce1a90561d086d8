"""`make lint`: refuse two forms of packed code, which say in one expression what `if` says plainly.

    python .lab/lint/packed.py

1. A product with a condition: `" in all" * several`, `[note] * (count > 1)`, `0.1 * is_wide`.
2. A table of conditions and texts: all its texts are written before one of them is chosen.

Prints each place, and ends with 1 if there is one.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "bcompare"
TRUTHS = {
    *("all", "any", "bool", "callable", "endswith", "hasattr", "isdisjoint", "isinstance"),
    *("issubclass", "issubset", "issuperset", "startswith"),
}
"""Functions and methods of Python that return whether something is so."""


def declared(tree: ast.Module) -> frozenset[str]:
    """Return what a module declares as bool for all others: `.field`, `.method` and `function`."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and _is_bool(node.annotation):
            names.add(f".{_name(node.target)}")
        elif isinstance(node, ast.FunctionDef) and _is_bool(node.returns):
            names |= {node.name, f".{node.name}"}
    return frozenset(names)


def local(tree: ast.Module, known: frozenset[str]) -> frozenset[str]:
    """Return the names of a module's parameters that are bool, and of variables for conditions."""
    conditions: dict[str, bool] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            conditions[node.arg] = conditions.get(node.arg, True) and _is_bool(node.annotation)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            conditions[name] = conditions.get(name, True) and is_condition(node.value, known)
    return frozenset(name for name, always in conditions.items() if always)


def is_condition(node: ast.expr, known: frozenset[str]) -> bool:
    """Return whether an expression is true or false, as far as its form shows.

    known : names that are.
    """
    if isinstance(node, ast.Compare):
        return True
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.BoolOp):
        return any(is_condition(value, known) for value in node.values)
    if isinstance(node, ast.Call):
        name = _name(node.func)
        return name in known or name.removeprefix(".") in TRUTHS
    return _name(node) in known


def packed(tree: ast.Module, known: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield the line of each packed form in a module, and what to do.

    known : the names that all modules declare as bool.
    """
    known |= local(tree, known)
    tables = {
        _name(node.targets[0] if isinstance(node, ast.Assign) else node.target): node.value
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)  # what a module holds is written once
        for node in ast.walk(function)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            if _multiplies(node.left, node.right, known) or _multiplies(
                node.right, node.left, known
            ):
                yield node.lineno, "a product with a condition: write `if`, or np.where for arrays"
        elif isinstance(node, ast.comprehension | ast.For):
            table = tables.get(_name(node.iter), node.iter)
            if isinstance(table, ast.Tuple | ast.List) and _is_chosen_from(node, table):
                yield table.lineno, "a table of conditions and texts: write `if` for each"


def _multiplies(condition: ast.expr, value: ast.expr, known: frozenset[str]) -> bool:
    """Return whether a condition multiplies a value; names count next to a literal only.

    A name may be that of a condition in one place, and of a number in another.
    """
    is_literal = isinstance(value, ast.Constant | ast.JoinedStr | ast.List | ast.Tuple)
    return is_condition(condition, known if is_literal else frozenset())


def _is_chosen_from(node: ast.comprehension | ast.For, table: ast.Tuple | ast.List) -> bool:
    """Return whether a loop takes the rows of a table whose first or last cell holds.

    Some row must have a text that is filled in: to choose among constants is no waste.
    """
    if not isinstance(node.target, ast.Tuple):
        return False
    if isinstance(node, ast.comprehension):
        tests = node.ifs
    else:
        tests = [line.test for line in node.body[:1] if isinstance(line, ast.If)]
    bare = [test.operand if isinstance(test, ast.UnaryOp) else test for test in tests]
    names = {_name(cell) for cell in node.target.elts}
    filled = any(isinstance(part, ast.JoinedStr) for part in ast.walk(table))
    return filled and len(table.elts) > 1 and any(_name(test) in names for test in bare)


def _is_bool(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "bool"


def _name(node: ast.expr) -> str:
    """Return the name of a variable, or that of an attribute with a dot; "" for anything else."""
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def main() -> int:
    """Check the package, and print what is packed."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    known = frozenset[str]().union(*map(declared, trees.values()))
    count = 0
    for path, tree in trees.items():
        for line, what in packed(tree, known):
            print(f"{path.relative_to(ROOT)}:{line}: {what}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    raise SystemExit(main())
