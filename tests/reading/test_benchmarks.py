"""What benchmark harnesses write is read without a word, a process or a fork once."""

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from bcompare.basis.messages import InputError
from bcompare.reading.read import read_scores
from tests.command import run

NAMES = ("parse", "write")
# Seconds of each benchmark: 6 processes of 4 measurements.
TIMES = np.random.default_rng(1).normal(1, 0.02, (2, 6, 4)) * np.array([2e-3, 5e-3])[:, None, None]


def jmh(times: np.ndarray, mode: str = "avgt", unit: str = "us/op") -> Any:
    factor = {"us/op": 1e6, "ms/op": 1e3, "ops/ms": 1e-3}[unit]
    values = times * factor if unit.endswith("/op") else factor / times
    return [
        {
            "jmhVersion": "1.37",
            "benchmark": name,
            "mode": mode,
            "params": {"size": "10"},
            "primaryMetric": {"score": 1.0, "scoreUnit": unit, "rawData": rows.tolist()},
        }
        for name, rows in zip(NAMES, values, strict=True)
    ]


def pyperf(times: np.ndarray) -> Any:
    calibration = {"metadata": {}, "warmups": [[1, 0.1]]}
    return {
        "version": "1.0",
        "metadata": {"unit": "second"},
        "benchmarks": [
            {
                "metadata": {"name": f"{name} size=10"},
                "runs": [calibration, *({"values": row.tolist()} for row in rows)],
            }
            for name, rows in zip(NAMES, times, strict=True)
        ],
    }


def dotnet(times: np.ndarray) -> Any:
    def measured(launch: int, seconds: float, stage: str = "Result") -> dict[str, object]:
        return {
            "IterationMode": "Workload",
            "IterationStage": stage,
            "LaunchIndex": launch,
            "Operations": 8,
            "Nanoseconds": 8e9 * seconds,
        }

    benchmarks = []
    for name, rows in zip(NAMES, times, strict=True):
        measurements = [measured(1, 99.0, "Warmup")]
        for launch, row in enumerate(rows.tolist(), 1):
            measurements += [measured(launch, seconds) for seconds in row]
        benchmarks.append({"FullName": f"{name} size=10", "Measurements": measurements})
    return {"Title": "T", "HostEnvironmentInfo": {}, "Benchmarks": benchmarks}


def written(folder: Path, document: object, name: str) -> Path:
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize("program", [jmh, pyperf, dotnet])
def test_a_process_counts_once(tmp_path: Path, program: Any) -> None:
    main = written(tmp_path, program(TIMES), "main")
    pr = written(tmp_path, program(1.1 * TIMES), "pr")
    scores = read_scores(f"main={main}", f"pr={pr}")
    assert [dataset.name for dataset in scores.datasets] == ["parse size=10", "write size=10"]
    assert scores.lower_is_better
    for dataset, rows in zip(scores.datasets, TIMES, strict=True):
        expected = [[fmean(row), 1.1 * fmean(row)] for row in rows.tolist()]
        assert np.abs(dataset.table) == pytest.approx(np.array(expected))
    gate = run("gate", f"main={main}", f"pr={pr}", "--baseline", "main", "--metric", "seconds: 5%")
    assert gate.code == 4
    assert "pr is worse than main in seconds on average (+10.0 %)" in gate.out


def test_units_of_jmh_are_seconds(tmp_path: Path) -> None:
    files = [
        f"{name}={written(tmp_path, jmh(TIMES, unit=unit), name)}"
        for name, unit in (("a", "us/op"), ("b", "ms/op"))
    ]
    for dataset in read_scores(*files).datasets:
        assert dataset.table[:, 0] == pytest.approx(dataset.table[:, 1])


def test_more_throughput_is_better(tmp_path: Path) -> None:
    main = written(tmp_path, jmh(TIMES, "thrpt", "ops/ms"), "main")
    pr = written(tmp_path, jmh(1.1 * TIMES, "thrpt", "ops/ms"), "pr")
    scores = read_scores(f"main={main}", f"pr={pr}")
    assert not scores.lower_is_better
    row = (1 / TIMES[0, 0]).mean()
    assert scores.datasets[0].table[0] == pytest.approx([row, row / 1.1])
    both = written(tmp_path, [*jmh(TIMES), *jmh(TIMES, "thrpt", "ops/ms")], "both")
    with pytest.raises(InputError, match="JMH measured in the modes avgt, thrpt"):
        read_scores(f"main={both}", f"pr={pr}")


def test_one_launch_has_its_iterations(tmp_path: Path) -> None:
    document = {
        "Title": "T",
        "HostEnvironmentInfo": {},
        "Benchmarks": [
            {"FullName": "hash", "Statistics": {"OriginalValues": [1e6, 2e6, 3e6, 4e6]}}
        ],
    }
    files = [f"{name}={written(tmp_path, document, name)}" for name in "ab"]
    scores = read_scores(*files)
    assert np.abs(scores.datasets[0].table[:, 0]) == pytest.approx([1e-3, 2e-3, 3e-3, 4e-3])


def test_pyperf_measures_more_than_time(tmp_path: Path) -> None:
    document = pyperf(TIMES)
    document["metadata"]["unit"] = "byte"
    files = [f"{name}={written(tmp_path, document, name)}" for name in "ab"]
    with pytest.raises(InputError, match="only times are read"):
        read_scores(*files)


def test_criterion_has_a_folder_for_each_benchmark(tmp_path: Path) -> None:
    for side, factor in (("main", 1.0), ("pr", 1.1)):
        for name, rows in zip(NAMES, TIMES, strict=True):
            folder = tmp_path / side / "criterion" / name / "new"
            folder.mkdir(parents=True)
            counts = [*range(10, 130, 10)]
            times = factor * rows.ravel()[:12] * np.array(counts) * 1e9
            sample = {"sampling_mode": "Linear", "iters": counts, "times": times.tolist()}
            written(folder, sample, "sample")
            written(folder, {"mean": 1}, "estimates")
    scores = read_scores(f"main={tmp_path / 'main'}", f"pr={tmp_path / 'pr'}")
    assert [dataset.name for dataset in scores.datasets] == [*NAMES]
    for dataset, rows in zip(scores.datasets, TIMES, strict=True):
        assert np.abs(dataset.table[:, 0]) == pytest.approx(rows.ravel()[:12])
        assert np.abs(dataset.table[:, 1]) == pytest.approx(1.1 * rows.ravel()[:12])


def test_a_folder_of_jmh_has_whole_runs(tmp_path: Path) -> None:
    for side, factor in (("main", 1.0), ("pr", 1.3)):
        folder = tmp_path / side
        folder.mkdir()
        for k in range(5):
            written(folder, jmh(factor * (1 + 0.01 * k) * TIMES), f"run-{k}")
    sides = [f"{side}={tmp_path / side}" for side in ("main", "pr")]
    gate = run("gate", *sides, "--metric", "seconds: 5%", "--config", "none")
    assert gate.code == 4
    assert "rows are whole runs of the baseline" in gate.out
