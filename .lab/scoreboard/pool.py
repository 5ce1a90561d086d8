"""The data sets that the streams of real learners draw from, computed once and kept.

python .lab/scoreboard/pool.py [data sets of each population] [seed]
python .lab/scoreboard/pool.py truths    # computes truths.json anew

Parts of ten data sets are files of their own in build/scoreboard: what was interrupted goes on.
"""

import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # processes fill the cores
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from bcompare.data.rope import FloatArray
from scoreboard.learners import (
    FOLDS,
    POPULATIONS,
    TRUTHS,
    cross_validated,
    fresh_accuracies,
    truth_of,
)

PART, TRUTH_PART, TRUTH_PARTS, TRUTH_SEED = 10, 250, 8, 2
KEPT = Path(__file__).parents[2] / "build" / "scoreboard"


def _part(task: tuple[str, int], seed: int) -> Path:
    """Compute a part of a population's data sets, unless it is there."""
    name, number = task
    path = KEPT / f"{name.replace(' ', '-')}-{seed}-{number}.npz"
    if not path.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng([seed, list(POPULATIONS).index(name), number])
        tables = cross_validated(rng, name, PART)
        unfinished = path.with_suffix(f".{os.getpid()}.npz")
        arrays: dict[str, Any] = {f"k{k}": t for k, t in zip(FOLDS, tables, strict=True)}
        np.savez_compressed(unfinished, **arrays)
        unfinished.replace(path)
    return path


def fill(count: int, seed: int) -> None:
    """Compute `count` data sets of each population, but for those that are there."""
    tasks = [(name, number) for number in range(-(-count // PART)) for name in POPULATIONS]
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        list(workers.map(partial(_part, seed=seed), tasks))


@cache
def pool(count: int, seed: int) -> dict[str, dict[int, FloatArray]]:
    """The data sets of each population.

    Returns by population and number of folds k the (count, runs, k, learners) accuracies.
    """
    result: dict[str, dict[int, FloatArray]] = {}
    for name in POPULATIONS:
        parts = [np.load(_part((name, number), seed)) for number in range(-(-count // PART))]
        result[name] = {k: np.concatenate([part[f"k{k}"] for part in parts]) for k in FOLDS}
    return result


def _fresh(task: tuple[str, int, int]) -> FloatArray:
    name, k, number = task
    rng = np.random.default_rng([TRUTH_SEED, list(POPULATIONS).index(name), k, number])
    return fresh_accuracies(rng, name, k, TRUTH_PART)


def write_truths() -> None:
    """Compute the true differences from fresh data sets, and store them with their errors."""
    keys = [(name, k) for name in POPULATIONS for k in FOLDS]
    tasks = [(*key, number) for key in keys for number in range(TRUTH_PARTS)]
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        parts = list(workers.map(_fresh, tasks))
    result: dict[str, dict[str, dict[str, list[float]]]] = {}
    for name, k in keys:
        own = [part for task, part in zip(tasks, parts, strict=True) if task[:2] == (name, k)]
        result.setdefault(name, {})[str(k)] = truth_of(np.concatenate(own))
    TRUTHS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["truths"]:
        write_truths()
    else:
        fill(*map(int, sys.argv[1:]))
