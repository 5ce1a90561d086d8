"""Very many pairs: one worker against two, what one would use instead, where the time goes."""

import pickle
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import baycomp
import numpy as np

from bcompare.comparing.comparison_set import Work, tallied
from bcompare.comparing.decision import Threshold
from bcompare.data.account import Account
from bcompare.data.differences import PairedScores
from bcompare.data.pairs import AllPairs
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.scores import DatasetScores, Scores
from bcompare.methods import load_method
from bcompare.render.parquet import write
from bcompare.report.spool import keep_rows, spooled
from benchmarks.bench_hier import problem, sampled
from benchmarks.commands import BCOMPARE, MIB, measure

Rows = list[tuple[str, ...]]

# classifiers, data sets, folds
SHAPES = {
    "board": (300, 50, 10),
    "wide": (100, 2000, 10),
    "few": (60, 40, 10),
    "hier": (40, 54, 100),
    "huge": (500, 5, 5),
}
# The test, the file, the numbers of processes.
CASES = (
    ("ttest", "board", (1, 2)),
    ("sign", "board", (2,)),
    ("sign", "wide", (1, 2)),
    ("signrank", "few", (1, 2)),
    ("hier", "hier", (1, 2)),
    ("sign", "huge", (2,)),
    ("ttest", "huge", (2,)),
)


def made(classifiers: int, datasets: int, folds: int) -> Scores:
    """Scores in memory: skills that differ a little, on data sets of differing hardness."""
    draw = np.random.default_rng(0)
    skill = draw.normal(0, 0.02, classifiers)
    names = tuple(f"model-{i}" for i in range(classifiers))
    present = np.ones(classifiers, dtype=np.bool_)
    tables = [
        np.clip(
            draw.uniform(0.6, 0.8)
            + skill
            + draw.normal(0, 0.01, classifiers)
            + draw.normal(0, 0.02, (folds, classifiers)),
            0,
            1,
        ).round(4)
        for _ in range(datasets)
    ]
    sets = tuple(
        DatasetScores(f"set-{i}", table, present, max(folds // 10, 1), min(folds, 10), 0.1)
        for i, table in enumerate(tables)
    )
    rows = classifiers * datasets * folds
    return Scores(names, sets, account=Account(read=rows, used=rows))


def written(path: Path, scores: Scores) -> Path:
    """The scores as a CSV file."""
    with path.open("w", encoding="utf-8") as file:
        file.write("dataset,run,fold,classifier,score\n")
        for dataset in scores.datasets:
            for j, row in enumerate(dataset.table.tolist()):
                file.writelines(
                    f"{dataset.name},{j // 10 + 1},{j % 10 + 1},{name},{score}\n"
                    for name, score in zip(scores.classifiers, row, strict=True)
                )
    return path


def where_time_goes(name: str, scores: Scores, tasks: int, folder: Path) -> tuple[str, ...]:
    """Seconds of a few tasks in the engine with its rows, the transfer, the spool and the file."""
    pairs, rule = AllPairs(scores.classifiers), Threshold()
    work = Work(
        PairedScores.of(scores), pairs, load_method(name)(), Rope.symmetric(0.01), rule, rule.alpha
    )
    seconds = [0.0, 0.0, 0.0, 0.0]
    count = 0
    with spooled() as spool:
        for _, task in zip(range(tasks), work.tasks(), strict=False):
            start = time.perf_counter()
            result = tallied(work, task, top=None, keep=keep_rows)
            seconds[0] += time.perf_counter() - start
            start = time.perf_counter()
            pickle.loads(pickle.dumps(result))
            seconds[1] += time.perf_counter() - start
            start = time.perf_counter()
            spool.put(result.kept)
            seconds[2] += time.perf_counter() - start
            count += len(task.pairs)
        start = time.perf_counter()
        with (folder / f"{name}.parquet").open("wb") as file:
            write(spool.rows(), spool.kinds, file)
        seconds[3] = time.perf_counter() - start
    total = sum(seconds)
    shares = (f"{100 * part / total:.0f} %" for part in seconds)
    return (name, f"{count:,}", f"{1e3 * total / count:.2f} ms", *shares)


def seconds_a_pair(name: str, scores: Scores) -> float | None:
    """Seconds for a pair by baycomp, from a sample; of `hier` by Stan, None if it is missing."""
    if name == "hier":
        return sampled(problem(len(scores.datasets), len(scores.datasets[0].table)))
    tables = [dataset.table for dataset in scores.datasets]
    tests: dict[str, tuple[int, Callable[[int, int], object]]] = {
        "ttest": (10, partial(_correlated_t, tables)),
        "sign": (10, partial(_of_means, baycomp.SignTest, tables)),
        "signrank": (1, partial(_of_means, baycomp.SignedRankTest, tables)),
    }
    count, test = tests[name]
    start = time.perf_counter()
    for left, right in islice(combinations(range(len(scores.classifiers)), 2), count):
        test(left, right)
    return (time.perf_counter() - start) / count


def _correlated_t(tables: list[FloatArray], left: int, right: int) -> None:
    for table in tables:
        baycomp.CorrelatedTTest.probs(table[:, left], table[:, right], 0.01)


def _of_means(test: Any, tables: list[FloatArray], left: int, right: int) -> None:
    means = np.array([table.mean(axis=0) for table in tables])
    test.probs(means[:, left], means[:, right], 0.01)


def many_pairs(folder: Path, shapes: dict[str, Scores]) -> Iterator[tuple[str, ...]]:
    """Yield rows of whole commands, each next to the time of the alternative."""
    for name, file, processes in CASES:
        (c, q, n), target = SHAPES[file], folder / "pairs.parquet"
        pairs = c * (c - 1) // 2
        each = seconds_a_pair(name, shapes[file])
        instead = "Stan is not installed" if each is None else f"{each * pairs:,.0f} s"
        for jobs in processes:
            options = ["--jobs", str(jobs), "-o", str(target), "-q"]
            command = [*BCOMPARE, name, str(folder / f"{file}.csv"), *options]
            measured = measure(command, runs=1, warm=False)
            yield (
                f"{name}, {pairs:,} pairs, {q:,} data sets × {n} scores",
                str(jobs),
                f"{measured.seconds:.1f} s",
                f"{measured.processor:.1f} s",
                f"{measured.memory / MIB:.0f} MiB",
                f"{target.stat().st_size / MIB:.0f} MiB",
                instead,
            )


def tables(folder: Path) -> Iterator[tuple[str, Rows]]:
    """Whole commands with one and two processes; then the shares of the time."""
    shapes = {name: made(*shape) for name, shape in SHAPES.items()}
    for name, scores in shapes.items():
        written(folder / f"{name}.csv", scores)
    header: tuple[str, ...] = (
        "pairs into a Parquet file",
        "processes",
        "seconds",
        "processor time",
        "peak memory",
        "file",
        "instead: baycomp, or Stan",
    )
    yield (
        "Many pairs; the alternative in one process, from a sample of pairs times their number",
        [header, *many_pairs(folder, shapes)],
    )
    header = (
        "where the time goes",
        "pairs",
        "a pair",
        "engine and rows",
        "transfer",
        "spool",
        "file",
    )
    shares = [
        where_time_goes("ttest", shapes["board"], 20, folder),
        where_time_goes("sign", shapes["board"], 20, folder),
        where_time_goes("hier", shapes["hier"], 4, folder),
    ]
    yield "Shares of the time, in one process", [header, *shares]
