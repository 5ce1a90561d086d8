"""Very many pairs: one worker against two, where the time goes, memory at half a million."""

import pickle
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bcompare.comparing.stream import Work, digest
from bcompare.data.account import Account
from bcompare.data.pairs import AllPairs
from bcompare.data.rope import Rope
from bcompare.data.scores import DatasetScores, Scores
from bcompare.methods import load_method
from bcompare.render.parquet import write
from bcompare.streaming.spool import keep_rows, spooled
from benchmarks.commands import BCOMPARE, MIB, measure

Rows = list[tuple[str, ...]]

# classifiers, data sets, folds
BOARD, HUGE, HIER = (300, 50, 10), (1000, 5, 5), (100, 54, 100)


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
    work = Work.of(
        scores, load_method(name)(), AllPairs(scores.classifiers), rope=Rope.symmetric(0.01)
    )
    seconds = [0.0, 0.0, 0.0, 0.0]
    pairs = 0
    with spooled() as spool:
        for _, task in zip(range(tasks), work.tasks(), strict=False):
            start = time.perf_counter()
            result = digest(work, task, top=None, keep=keep_rows)
            seconds[0] += time.perf_counter() - start
            start = time.perf_counter()
            pickle.loads(pickle.dumps(result))
            seconds[1] += time.perf_counter() - start
            start = time.perf_counter()
            spool.put(result)
            seconds[2] += time.perf_counter() - start
            pairs += len(task.pairs)
        start = time.perf_counter()
        with (folder / f"{name}.parquet").open("wb") as file:
            write(spool.rows(), spool.kinds, file)
        seconds[3] = time.perf_counter() - start
    total = sum(seconds)
    shares = (f"{100 * part / total:.0f} %" for part in seconds)
    return (name, f"{pairs:,}", f"{1e3 * total / pairs:.2f} ms", *shares)


def tables(folder: Path) -> Iterator[tuple[str, Rows]]:
    """Whole commands with one and two processes; then the shares of the time."""
    board, hier = made(*BOARD), made(*HIER)
    files = {
        "board": written(folder / "board.csv", board),
        "hier": written(folder / "hier.csv", hier),
        "huge": written(folder / "huge.csv", made(*HUGE)),
    }
    rows: Rows = [("pairs into a Parquet file", "processes", "seconds", "peak memory", "file")]
    for name, file, jobs in (
        ("ttest", "board", 1), ("ttest", "board", 2), ("sign", "board", 2), ("hier", "hier", 1),
        ("hier", "hier", 2), ("sign", "huge", 2), ("ttest", "huge", 2),
    ):  # fmt: skip
        target = folder / "pairs.parquet"
        command = [name, files[file], "--jobs", str(jobs), "-o", target, "-q"]
        measured = measure([*BCOMPARE, *map(str, command)], runs=1, warm=False)
        c, q, n = {"board": BOARD, "hier": HIER, "huge": HUGE}[file]
        what = f"{name}, {c * (c - 1) // 2:,} pairs, {q} data sets × {n} scores"
        size = f"{target.stat().st_size / MIB:.0f} MiB"
        memory = f"{measured.memory / MIB:.0f} MiB"
        rows.append((what, str(jobs), f"{measured.seconds:.1f} s", memory, size))
    yield "Many pairs", rows
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
        where_time_goes("ttest", board, 20, folder),
        where_time_goes("sign", board, 20, folder),
        where_time_goes("hier", hier, 4, folder),
    ]
    yield "Shares of the time, in one process", [header, *shares]
