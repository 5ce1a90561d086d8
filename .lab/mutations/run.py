"""How many small faults the tests find, by room.

    python .lab/mutations/run.py [--count 100] [--seed 1] [--seconds 240]

Each mutation flips a comparison, changes a constant or negates a condition in one function. The
tests that call that function run on a copy of the project, the fastest first, until one fails.
Prints each, and keeps a table by room and the mutations that no test found in `results.md`.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutations.reach import REACH

ROOT = Path(__file__).parents[2]
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
# Tests that run in one process, which costs a second to start.
AT_ONCE = 40
FAST = "not long"


@dataclass(frozen=True)
class Mutation:
    """The n-th place of a file that can be changed, in the function that begins at `first`."""

    path: str
    place: int
    first: int
    line: int

    @property
    def room(self) -> str:
        """The room of the file."""
        return self.path.partition("/")[0].removesuffix(".py")


def places(tree: ast.Module) -> Iterator[tuple[ast.AST, int]]:
    """Yield what can be changed, each with the first line of the function around it."""

    def inside(node: ast.AST, first: int) -> Iterator[tuple[ast.AST, int]]:
        for child in ast.iter_child_nodes(node):
            own = first
            if isinstance(child, ast.FunctionDef):
                own = min([child.lineno, *(d.lineno for d in child.decorator_list)])
            is_number = isinstance(child, ast.Constant) and type(child.value) in (int, float)
            is_branch = isinstance(child, ast.If | ast.While | ast.IfExp)
            if first and (is_number or is_branch or isinstance(child, ast.Compare)):
                yield child, first
            yield from inside(child, own)

    yield from inside(tree, 0)


def changed(source: str, place: int) -> tuple[str, str]:
    """Return the source with one place changed, and what was changed in words."""
    tree = ast.parse(source)
    node, _ = list(places(tree))[place]
    before = ast.unparse(node.test if isinstance(node, ast.If | ast.While | ast.IfExp) else node)
    if isinstance(node, ast.Compare):
        node.ops[0] = OPPOSITE[type(node.ops[0])]()
        after = ast.unparse(node)
    elif isinstance(node, ast.Constant):
        assert isinstance(node.value, int | float)
        node.value = node.value + 1 if isinstance(node.value, int) else 1.5 * node.value + 0.1
        after = ast.unparse(node)
    else:
        assert isinstance(node, ast.If | ast.While | ast.IfExp)
        node.test = ast.UnaryOp(ast.Not(), node.test)
        after = ast.unparse(node.test)
    return ast.unparse(ast.fix_missing_locations(tree)), f"`{before}` → `{after}`"


def drawn(package: Path, count: int, seed: int) -> list[Mutation]:
    """Return mutations, of each room as many as its share of all places, and one at least."""
    of_room: dict[str, list[Mutation]] = {}
    for file in sorted(package.rglob("*.py")):
        path = file.relative_to(package).as_posix()
        for k, (node, first) in enumerate(places(ast.parse(file.read_text("utf-8")))):
            one = Mutation(path, k, first, getattr(node, "lineno", first))
            of_room.setdefault(one.room, []).append(one)
    total, rng = sum(map(len, of_room.values())), random.Random(seed)
    chosen = [
        mutation
        for own in of_room.values()
        for mutation in rng.sample(own, max(1, round(count * len(own) / total)))
    ]
    rng.shuffle(chosen)  # so that a run that is ended early has tried all rooms
    return chosen


def fails(tests: Sequence[str], folder: Path, seconds: float) -> bool:
    """Return whether any of these tests fails in time, or those of a lone process hang."""
    end = time.monotonic() + seconds
    for start in range(0, len(tests), AT_ONCE):
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        left = end - time.monotonic()
        if left < 0:
            return False
        try:
            done = subprocess.run(
                [*command, *tests[start : start + AT_ONCE]],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(folder)},
                capture_output=True,
                check=False,
                timeout=max(left, 60),
            )
        except subprocess.TimeoutExpired:
            return len(tests) <= AT_ONCE
        if done.returncode:
            return True
    return False


def main() -> None:
    """Draw the mutations, try each, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=240.0, help="for the tests of each")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, reached = Path(name) / "project", Path(name) / "reach.json"
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".venv", ".git", "build"))
        environment = {**os.environ, "PYTHONPATH": str(folder), REACH: str(reached)}
        plugin = ["-p", "mutations.reach", "-p", "no:cacheprovider", "-q", "-m", FAST]
        subprocess.run(
            [sys.executable, "-m", "pytest", *plugin],
            cwd=folder,
            env={**environment, "PYTHONPATH": f"{folder}:{folder / '.lab'}"},
            check=False,
        )
        reach = json.loads(reached.read_text("utf-8"))
        total: Counter[str] = Counter()
        caught: Counter[str] = Counter()
        survivors: list[str] = []
        for mutation in drawn(folder / "bcompare", options.count, options.seed):
            file = folder / "bcompare" / mutation.path
            source = file.read_text("utf-8")
            text, words = changed(source, mutation.place)
            tests = reach.get(f"{mutation.path}:{mutation.first}", [])
            file.write_text(text, "utf-8")
            is_caught = fails(tests, folder, options.seconds)
            file.write_text(source, "utf-8")
            total[mutation.room] += 1
            caught[mutation.room] += is_caught
            outcome = "caught" if is_caught else f"not caught by {len(tests)} tests"
            line = f"{mutation.path}:{mutation.line}: {words}: {outcome}"
            print(line, flush=True)
            survivors += [] if is_caught else [f"- {line}"]
            write(total, caught, survivors, options.seed)


def write(total: Counter[str], caught: Counter[str], survivors: Sequence[str], seed: int) -> None:
    """Write the table by room, and what no test found."""
    rows = [f"| {room} | {caught[room]} | {total[room]} |" for room in sorted(total)]
    rows.append(f"| all | {caught.total()} | {total.total()} |")
    table = "\n".join(["| room | caught | drawn |", "| --- | --- | --- |", *rows])
    text = f"# Mutations by seed {seed}, and the fast tests\n\n{table}\n\n"
    text += "Not caught:\n\n" + "\n".join(survivors) + "\n"
    (Path(__file__).parent / "results.md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
