"""`make scoreboard`: how often comparison tools are wrong, ours among them.

    python .lab/scoreboard/run.py [--reps short|paper] [--seed N] [STREAM …]

Prints a table for each family. What plan.toml fixes is read from there. A stream that has been
computed is not computed again: its file has the plan, the seed and the versions of the tools.
"""

import argparse
import json
import os
import sys
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # processes fill the cores
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

from scoreboard import files, pool, streams, tools
from scoreboard.case import STREAMS, TOOLS, Asked, Tool
from scoreboard.correlation import correlations
from scoreboard.measures import Measure, measured
from scoreboard.plan import PLAN, RESULTS, Record, planned, slug

PORTION = 20

__all__ = ["streams", "tools"]  # importing them enters generators and adapters


def installed(families: Iterable[str]) -> dict[str, Tool]:
    """The tools of some families whose packages are installed."""
    result = {}
    for name, tool in TOOLS.items():
        if set(tool.families) & set(families):
            try:
                version(tool.package)
            except PackageNotFoundError:
                continue
            result[name] = tool
    return result


def versions(asked: dict[str, Tool]) -> dict[str, str]:
    """The version of each tool's package."""
    return {name: version(tool.package) for name, tool in asked.items()}


def _portion(
    stream: Record, truth: Any, number: int, count: int, seed: int
) -> dict[str, list[Asked]]:
    """Ask each tool about some cases of one truth; the cases come back without their frames."""
    rng = np.random.default_rng([seed, zlib.crc32(f"{stream['name']} {truth}".encode()), number])
    asked: dict[str, list[Asked]] = {}
    for case in STREAMS[stream["generator"]](rng, count, truth, **stream["settings"]):
        for name, tool in installed([stream["family"]]).items():
            one = tool.asked(case)
            bare = replace(one, case=replace(case, frame=pd.DataFrame()))
            asked.setdefault(name, []).append(bare)
    return asked


def compute(stream: Record, count: int, seed: int) -> dict[str, dict[str, dict[str, Measure]]]:
    """By truth, tool and measure the figures of a stream."""
    truths = stream["truths"]
    sizes = [min(PORTION, count - start) for start in range(0, count, PORTION)]
    tasks = [
        (stream, truth, number, size, seed) for truth in truths for number, size in enumerate(sizes)
    ]
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        parts = list(workers.map(_portion, *zip(*tasks, strict=True)))
    result: dict[str, dict[str, dict[str, Measure]]] = {}
    for i, truth in enumerate(truths):
        own = parts[i * len(sizes) : (i + 1) * len(sizes)]
        result[str(truth)] = {
            name: measured(TOOLS[name], [one for part in own for one in part.get(name, [])])
            for name in own[0]
        }
    return result


def fault_table() -> dict[str, dict[str, list[str]]]:
    """By tool and fault what comes of a file of items and one of folds, and the words of it."""
    result: dict[str, dict[str, list[str]]] = {}
    for name, tool in installed(["items", "folds"]).items():
        kinds = [kind for kind in files.KEYS if kind in tool.families]
        for fault in PLAN["files"]["faults"]:
            for kind in kinds:
                what, words = files.outcome(tool, kind, fault)
                result.setdefault(name, {})[f"{fault}, {kind}"] = [what, words]
    return result


def _kept(path: Path, key: Record) -> Record | None:
    if path.exists():
        record: Record = json.loads(path.read_text("utf-8"))
        if {name: record.get(name) for name in key} == key:
            return record
    return None


def _write(path: Path, record: Record) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    unfinished.replace(path)


def run(chosen: Sequence[str], reps: str, seed: int, folder: Path) -> list[Record]:
    """Compute the streams that are not there yet, each into a file of the folder."""
    records = []
    for stream, count in planned(chosen, reps):
        asked = installed([stream["family"]])
        key = {"stream": stream, "cases": count, "seed": seed, "versions": versions(asked)}
        path = folder / f"{slug(stream['name'])}.json"
        record = _kept(path, key)
        if record is None:
            if "pool_size" in stream["settings"]:
                pool.fill(stream["settings"]["pool_size"], stream["settings"]["pool_seed"])
            print(f"{stream['name']} …", file=sys.stderr, flush=True)
            figures = compute(stream, count, seed)
            record = {**key, "date": date.today().isoformat(), "figures": figures}
            _write(path, record)
        records.append(record)
    if not chosen:
        size, of = PLAN[f"pool_{reps}"], PLAN["pool_seed"]
        record = {"datasets": size, "seed": of, "odds": correlations(pool.pool(size, of))}
        _write(folder / "correlation.json", record)
        key = {"faults": PLAN["files"]["faults"], "versions": versions(installed(files.KEYS))}
        record = {**key, "date": date.today().isoformat(), "files": fault_table()}
        _write(folder / "files.json", record)
        records.append(record)
    return records


def main(arguments: Sequence[str]) -> None:
    """Compute, and print the tables."""
    parser = argparse.ArgumentParser(prog="make scoreboard")
    names = [stream["name"] for stream in PLAN["stream"]]
    parser.add_argument("streams", nargs="*", metavar="STREAM", choices=[*names, []])
    parser.add_argument("--reps", default="short", choices=("short", "paper"))
    parser.add_argument("--seed", type=int, default=PLAN["seed"])
    chosen = parser.parse_args(arguments)
    published = chosen.reps == "paper" and chosen.seed == PLAN["seed"]
    folder = RESULTS if published else pool.KEPT / f"{chosen.reps}-{chosen.seed}"
    run(chosen.streams, chosen.reps, chosen.seed, folder)
    print(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
