"""How many small faults the tests find, by room.

    python .lab/mutations/run.py --count 100 [--seed 1] [--of methods reading] [--seconds 240]
    python .lab/mutations/run.py --of gating/rule.py ranking [--tests tests/gating …] [--open]

Each mutation flips a comparison, changes a constant or negates a condition in one function. The
tests that call that function run on a copy of the project, the fastest first, until one fails.
Prints each. Of `--count` places drawn by chance a table by room, and the mutations that no test
found, are kept in `results.md`; otherwise every place is tried, and the table is by file, in
`every.md`. What became of those that no test found stands in `survivors.md`; with `--open` those
are tried again that stand open there.
"""

import argparse
import ast
import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path

import pytest

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
# Where a copy of the project keeps the name of the test that failed.
FAILED = "failed.txt"
# Tests that run in one process.
AT_ONCE = 40
FAST = "not long"
# What tests import: loaded once, as every mutation has processes of its own.
HEAVY = (
    "anyio.pytest_plugin",
    "hypothesis.extra.numpy",
    "matplotlib.pyplot",
    "numpy",
    "pandas",
    "pytest_asyncio.plugin",
    "rich.console",
    "scipy.special",
    "scipy.stats",
    "typer",
    "xdist.plugin",
)


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
            begins = first
            if isinstance(child, ast.FunctionDef):
                begins = min([child.lineno, *(d.lineno for d in child.decorator_list)])
            is_number = isinstance(child, ast.Constant) and type(child.value) in (int, float)
            # a branch on one comparison would be the same change twice
            is_branch = isinstance(child, ast.If | ast.While | ast.IfExp) and not (
                isinstance(child.test, ast.Compare)
            )
            if first and (is_number or is_branch or isinstance(child, ast.Compare)):
                yield child, first
            yield from inside(child, begins)

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


def drawn(mutations: Sequence[Mutation], count: int, seed: int) -> list[Mutation]:
    """Return some mutations, of each room as many as its share of all, and one at least."""
    of_room: dict[str, list[Mutation]] = {}
    for one in mutations:
        of_room.setdefault(one.room, []).append(one)
    rng = random.Random(seed)
    chosen = [
        mutation
        for in_room in of_room.values()
        for mutation in rng.sample(in_room, max(1, round(count * len(in_room) / len(mutations))))
    ]
    rng.shuffle(chosen)  # so that a run that is ended early has tried all rooms
    return chosen


def every(package: Path, names: Sequence[str]) -> list[Mutation]:
    """Return all mutations of these files, and of those in these folders."""
    mutations = []
    for name in names:
        files = sorted((package / name).rglob("*.py")) or [package / name]
        for file in files:
            path = file.relative_to(package).as_posix()
            for k, (node, first) in enumerate(places(ast.parse(file.read_text("utf-8")))):
                mutations.append(Mutation(path, k, first, getattr(node, "lineno", first)))
    return mutations


def still_open(mutations: Sequence[Mutation], package: Path) -> list[Mutation]:
    """Return those that stand open in `survivors.md`."""
    files = {mutation.path for mutation in mutations}
    named = set()
    path = ""
    is_open = False
    for line in Path(__file__).with_name("survivors.md").read_text("utf-8").splitlines():
        if line.startswith("## "):
            path = line.removeprefix("## ")
        elif line.startswith("- "):
            is_open = line.startswith("- open")
        elif is_open and path in files and line.startswith("  - "):
            number, _, words = line.removeprefix("  - line ").partition(": ")
            named.add((path, int(number), words))
    by_words: dict[tuple[str, str], list[Mutation]] = {}
    for mutation in mutations:
        _, words = changed((package / mutation.path).read_text("utf-8"), mutation.place)
        by_words.setdefault((mutation.path, words), []).append(mutation)
    chosen: list[Mutation] = []
    for path, before, words in sorted(named):
        alike = by_words.get((path, words), [])
        if not alike:
            print(f"{path}:{before}: {words}: no longer there")
            continue
        # lines may have moved since
        _, k = min((abs(one.line - before), k) for k, one in enumerate(alike))
        if alike[k] not in chosen:
            chosen.append(alike[k])
    return chosen


_FOUND: dict[str, list[str]] = {}
"""The tests that found a mutation of a file, the last first; of this process."""


def fails(mutation: Mutation, tests: Sequence[str], seconds: float) -> bool:
    """Return whether any of these tests fails in time, or those of a lone process hang.

    Those that found others of the file run first.
    """
    before = _FOUND.setdefault(mutation.path, [])
    tests = list(dict.fromkeys([*(test for test in before if test in tests), *tests]))
    end = time.monotonic() + seconds
    for start in range(0, len(tests), AT_ONCE):
        left = end - time.monotonic()
        if left < 0:
            return False
        code = run_tests(tests[start : start + AT_ONCE], Path.cwd(), left + 10)
        if code is None:
            return len(tests) <= AT_ONCE
        if code:
            failed = Path(FAILED)
            if failed.exists():
                before.insert(0, failed.read_text("utf-8"))
                failed.unlink()
            return True
    return False


class Recorder:
    """A pytest plugin that writes into a file which test fails."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write the name of a test that fails."""
        if report.failed:
            self.file.write_text(report.nodeid, "utf-8")


def run_tests(tests: Sequence[str], folder: Path, seconds: float) -> int | None:
    """Return the exit code of pytest in a child of this process; None if it takes too long."""
    child = os.fork()
    if not child:
        os.setsid()
        os.chdir(folder)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        os.environ["PYTHONPATH"] = str(folder)
        sys.dont_write_bytecode = True  # of two mutations in one second
        sys.path.insert(0, str(folder))
        code = 1
        try:
            options = ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider"]
            recorder = Recorder(folder / FAILED)
            code = int(pytest.main([*options, *tests], plugins=[recorder]))
        finally:  # nothing of the parent's is to be cleaned up
            os._exit(code)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def main() -> None:
    """Choose the mutations, try each, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, help="how many are drawn; otherwise all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=240.0, help="for the tests of each")
    parser.add_argument("--workers", type=int, default=2, help="how many are tried at a time")
    parser.add_argument("--of", nargs="+", default=["."], help="files and folders of the package")
    parser.add_argument("--tests", nargs="+", default=[], help="files and folders of tests")
    parser.add_argument("--open", action="store_true", help="only what stands open so far")
    options = parser.parse_args()
    package = ROOT / "bcompare"
    mutations = every(package, options.of)
    table = Results("every.md", "# Every mutation of these files, and the fast tests")
    if options.open:
        mutations = still_open(mutations, package)
    if options.count:
        mutations = drawn(mutations, options.count, options.seed)
        table = Results("results.md", f"# Mutations by seed {options.seed}, and the fast tests")
    with tempfile.TemporaryDirectory() as name:
        folders: SimpleQueue[Path] = get_context("fork").SimpleQueue()
        for k in range(options.workers):
            folder = Path(name) / f"project{k}"
            shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".venv", ".git", "build"))
            folders.put(folder)
        reach = reached(folder, Path(name) / "reach.json", options.tests)
        for module in HEAVY:
            importlib.import_module(module)
        control = reach.get(f"{mutations[0].path}:{mutations[0].first}", [])[:AT_ONCE]
        if run_tests(control, folder, options.seconds) != 0:
            sys.exit("the tests fail, or cannot run, though nothing has been changed")
        with ProcessPoolExecutor(
            options.workers, get_context("fork"), take_folder, (folders,)
        ) as pool:
            outcomes = [
                pool.submit(tried, m, reach.get(f"{m.path}:{m.first}", []), options.seconds)
                for m in mutations
            ]
            for mutation, outcome in zip(mutations, outcomes, strict=True):
                line, is_caught = outcome.result()
                print(line, flush=True)
                table.add(mutation.room if options.count else mutation.path, line, caught=is_caught)


def take_folder(folders: "SimpleQueue[Path]") -> None:
    """Let this process work in one of the copies."""
    os.chdir(folders.get())


def tried(mutation: Mutation, tests: Sequence[str], seconds: float) -> tuple[str, bool]:
    """Return what was changed and what came of it, and whether a test found it."""
    file = Path("bcompare", mutation.path)
    source = file.read_text("utf-8")
    text, words = changed(source, mutation.place)
    file.write_text(text, "utf-8")
    is_caught = fails(mutation, tests, seconds)
    file.write_text(source, "utf-8")
    outcome = "caught" if is_caught else f"not caught by {len(tests)} tests"
    return f"{mutation.path}:{mutation.line}: {words}: {outcome}", is_caught


def reached(folder: Path, output: Path, tests: Sequence[str]) -> dict[str, list[str]]:
    """Return which tests call each function, the fastest first."""
    plugin = ["-p", "mutations.reach", "-p", "no:cacheprovider", "-q", "-m", FAST]
    environment = {"PYTHONPATH": f"{folder}:{folder / '.lab'}", REACH: str(output)}
    subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, *tests],
        cwd=folder,
        env={**os.environ, **environment},
        check=False,
    )
    return dict(json.loads(output.read_text("utf-8")))


class Results:
    """A table by room or by file, and what no test found, written after each mutation."""

    def __init__(self, name: str, title: str) -> None:
        self.path = Path(__file__).parent / name
        self.title = title
        self.caught: Counter[str] = Counter()
        self.total: Counter[str] = Counter()
        self.survivors: list[str] = []

    def add(self, place: str, line: str, *, caught: bool) -> None:
        """Count a mutation, and write all."""
        self.total[place] += 1
        if caught:
            self.caught[place] += 1
        else:
            self.survivors.append(f"- {line}")
        rows = [
            f"| {name} | {self.caught[name]} | {self.total[name]} |" for name in sorted(self.total)
        ]
        rows.append(f"| all | {self.caught.total()} | {self.total.total()} |")
        table = "\n".join(["| where | caught | tried |", "| --- | --- | --- |", *rows])
        survivors = "\n".join(self.survivors)
        self.path.write_text(f"{self.title}\n\n{table}\n\nNot caught:\n\n{survivors}\n", "utf-8")


if __name__ == "__main__":
    main()
