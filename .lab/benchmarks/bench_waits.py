"""Where people wait, next to an earlier state of the project, in turn and in one run.

`git worktree add FOLDER COMMIT` makes a checkout of that state; BEFORE=FOLDER names it.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bcompare.basis.threads import THREAD_LIMITS
from benchmarks.bench_scale import made, written
from benchmarks.commands import BCOMPARE, measure

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_data" / "results.csv"
RUNS = 5

# The processor seconds of a part of a program, without what it needs to begin.
CHANCES = f"""
import time, bcompare
study = bcompare.compare(bcompare.read_scores({str(SAMPLE)!r}), "hier")
start = time.process_time()
chances = [comparison.result.chances for comparison in study.comparisons]
print(time.process_time() - start)
"""
FROM_PYTHON = f"""
import time, bcompare
scores = bcompare.read_scores({str(SAMPLE)!r})
bcompare.compare(scores, "hier", left="tree", right="forest")
start = time.process_time()
bcompare.compare(scores, "hier")
print(time.process_time() - start)
"""

# What some lines cannot get below, and why.
IMPORTS = "imports: NumPy, scipy.special, Typer"
GRIDS = "a third likelihoods, the rest many short steps of each pair's own grids"
CHANCES_OF_PAIRS = "the grids of each pair's own populations"
SIMULATIONS = "1,000 simulations of each amount, on their own grids"
EFFECTS = "half: 41 spreads of 100 effects for each draw"
PICTURES = "three fifths are matplotlib's, for 13 pictures in two widths"

Rows = list[tuple[str, ...]]
Environment = Mapping[str, str]
# Seconds, of a process with an environment.
Timing = Callable[[Environment], float]


@dataclass(frozen=True, slots=True)
class Wait:
    """Something that people wait for. aim : in seconds, or in words. bound : what it rests on."""

    what: str
    timing: Timing
    aim: str
    bound: str = ""


def environment(root: Path, cache: Path) -> dict[str, str]:
    """Return the environment of a process that imports the project from a folder.

    Its modules are compiled once, as where it is installed.
    """
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(root), "PYTHONPYCACHEPREFIX": str(cache / root.name)}


def command(*words: str | Path, exit_code: int = 0) -> Timing:
    """Time a command, in processor seconds."""

    def timing(environment: Environment) -> float:
        measured = measure(
            [*BCOMPARE, *words],
            runs=1,
            folder=Path(environment["PYTHONPYCACHEPREFIX"]).parent,
            warm=False,
            environment=environment,
            exit_code=exit_code,
        )
        return measured.processor

    return timing


def part(code: str, *, limited: bool = True) -> Timing:
    """Time a part of a program, which prints its processor seconds.

    limited : whether the environment limits linear algebra to one thread.
    """

    def timing(environment: Environment) -> float:
        own = {k: v for k, v in environment.items() if limited or k not in THREAD_LIMITS}
        python = [sys.executable, "-P", "-c", code]
        return float(subprocess.check_output(python, env=own, text=True))

    return timing


def in_two_processes(path: Path) -> Timing:
    """Time all pairs of a file by the hierarchical test, on the clock."""

    def timing(environment: Environment) -> float:
        target = path.with_suffix(".parquet")
        words = ["hier", str(path), "--jobs", "2", "-o", str(target), "-q"]
        measured = measure([*BCOMPARE, *words], runs=1, warm=False, environment=environment)
        return measured.seconds

    return timing


def write_results(path: Path, header: str, *, bad: bool = False, twice: bool = False) -> Path:
    """Write 600,000 results: 60 data sets, 10 runs of 10 folds, 100 classifiers.

    header : the names of the columns. bad : with some cells that are no numbers. twice : with some
    rows that are there twice.
    """
    rng = np.random.default_rng(1)
    lines = [
        f"d{dataset},{run},{fold},c{classifier},{score:.4f}"
        for dataset in range(60)
        for run in range(10)
        for fold in range(10)
        for classifier, score in enumerate(rng.uniform(0.6, 0.9, 100).tolist())
    ]
    if bad:
        lines[::100] = [f"{line}?" for line in lines[::100]]
    if twice:
        lines += lines[:1000]
    path.write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    return path


def refusals(folder: Path) -> Iterator[Wait]:
    """Yield an accepted file of 600,000 rows, then refused ones."""
    usual = "dataset,run,fold,classifier,score"
    pair = ["--left", "c0", "--right", "c1"]
    accepted = write_results(folder / "accepted.csv", usual)
    yield Wait("600,000 rows, accepted", command("ttest", accepted, *pair), "")
    aim = "3 × accepted"
    for what, header, bad, twice in (
        ("other names", "problem,repetition,part,system,value", False, False),
        ("no classifier", "dataset,run,fold,notes,score", False, False),
        ("bad numbers", usual, True, False),
        ("rows twice", usual, False, True),
    ):
        path = folder / f"{what}.csv"
        write_results(path, header, bad=bad, twice=twice)
        yield Wait(f"the same, refused: {what}", command("ttest", path, exit_code=2), aim)


def waits(folder: Path) -> Iterator[Wait]:
    """Yield all that is measured."""
    one = ["--left", "tree", "--right", "forest"]
    yield Wait(
        "ttest, one data set", command("ttest", SAMPLE, "--dataset", "iris"), "0.36", IMPORTS
    )
    yield Wait("hier, ten pairs", command("hier", SAMPLE), "1.6", CHANCES_OF_PAIRS)
    yield Wait("of it the chances", part(CHANCES), "0.9", CHANCES_OF_PAIRS)
    yield Wait("hier, ten pairs, from Python", part(FROM_PYTHON, limited=False), "as the command")
    plan = command("plan", SAMPLE, *one, "--test", "hier")
    yield Wait("plan of one pair", plan, "10", SIMULATIONS)
    yield Wait("rank", command("rank", SAMPLE), "0.66", IMPORTS)
    large = folder / "large.csv"
    written(large, made(100, 54, 10))
    yield Wait("rank, 100 classifiers, 54 data sets", command("rank", large), "1.3", EFFECTS)
    page = folder / "page.html"
    yield Wait("report", command("report", SAMPLE, "-o", page), "", PICTURES)
    yield from refusals(folder)


def row(
    wait: Wait, roots: Mapping[str, Environment], runs: int, *, warm: bool = True
) -> tuple[str, ...]:
    """Time something in each state, in turn, and return a line of the table.

    warm : whether a run before the others counts for nothing.
    """
    seconds: dict[str, list[float]] = {name: [] for name in roots}
    for run in range(runs + warm):
        for name, own in roots.items():
            taken = wait.timing(own)
            if run >= warm:
                seconds[name].append(taken)
    medians = [statistics.median(times) for times in seconds.values()]
    ratio = f"{medians[0] / medians[1]:.2f}" if len(medians) > 1 else ""
    return (wait.what, *(f"{m:.2f} s" for m in medians), ratio, wait.aim, wait.bound)


def tables(folder: Path) -> Iterator[tuple[str, Rows]]:
    """Processor time of what people wait for; then the pairs of 100 classifiers on the clock."""
    roots = {"now": environment(ROOT, folder)}
    if before := os.environ.get("BEFORE"):
        roots = {"before": environment(Path(before).resolve(), folder), **roots}
    header = ("what", *roots, "ratio" if len(roots) > 1 else "", "aim", "bounded by")
    yield (
        "Where people wait, processor time",
        [header, *(row(wait, roots, RUNS) for wait in waits(folder))],
    )
    path = folder / "pairs.csv"
    written(path, made(100, 54, 100))
    pairs = Wait("hier, 4,950 pairs, 54 × 100", in_two_processes(path), "40", GRIDS)
    yield "On two cores, by the clock", [header, row(pairs, roots, 1, warm=False)]
