"""Very many pairs: the same bytes whatever computes them, in bounded memory, and nothing lost."""

import csv
import io
import os
import signal
import subprocess
import sys
import tracemalloc
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import bcompare
from bcompare.basis.messages import ComputationError
from bcompare.comparing.comparison_set import run as run_stream
from bcompare.comparing.comparison_set import select
from bcompare.comparing.workers import processes_for, run_tasks
from bcompare.data.pairs import AllPairs
from bcompare.data.rope import Rope
from bcompare.data.scores import Scores
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods import load_method
from bcompare.methods.correlated_t import CorrelatedT, CorrelatedTResult
from bcompare.report.spool import keep_rows, spooled
from tests.command import refused, run
from tests.examples import scores_from
from tests.results import small_csv

pytestmark = pytest.mark.usefixtures("one_population")

SETS = tuple(f"set-{i}" for i in range(4))
NAMES = {f"model-{i}": 0.01 * (i % 7) for i in range(14)}  # 91 pairs
TOOL = [sys.executable, "-m", "bcompare"]


def made(classifiers: int) -> Scores:
    """Scores in memory; one classifier lacks a data set, two agree on another."""
    draw = np.random.default_rng(3)
    gain = draw.normal(0, 0.02, classifiers)
    tables = 0.7 + gain + draw.normal(0, 0.01, (4, 5, classifiers))
    tables[1, :, 1] = tables[1, :, 2]
    tables[0, :, 3] = np.nan
    names = tuple(f"model-{i}" for i in range(classifiers))
    return scores_from({f"set-{i}": t for i, t in enumerate(tables)}, names, rho=0.2)


@pytest.fixture
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten pairs a task, so that few pairs are many tasks."""
    monkeypatch.setattr("bcompare.comparing.comparison_set.MOST_PAIRS", 10)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return small_csv(tmp_path / "results.csv", NAMES, SETS, runs=1)


@pytest.mark.parametrize("count", [2, 3, 7, 20])
def test_all_pairs_are_the_combinations(count: int) -> None:
    names = [str(i) for i in range(count)]
    pairs, expected = AllPairs(names), list(combinations(names, 2))
    assert list(pairs) == expected
    assert len(pairs) == len(expected)
    assert expected[-1] in pairs
    assert ("0", "0") not in pairs


def test_pairs_of_a_task_are_as_each_alone() -> None:
    scores = made(6)
    for c in bcompare.compare(scores, "ttest").comparisons:
        (alone,) = bcompare.compare(scores, "ttest", left=c.left, right=c.right).comparisons
        assert c.differences.statistics.names == alone.differences.statistics.names
        assert (c.result.notes, c.decisions) == (alone.result.notes, alone.decisions)
        np.testing.assert_allclose(c.p_values, alone.p_values, rtol=1e-9)
        for k in range(c.n_datasets):
            own, other = (x.differences.statistics.differences(k) for x in (c, alone))
            np.testing.assert_array_equal(own, other)


class Broken(CorrelatedT):
    """A test that has no number where the mean difference is large."""

    def whole(self, statistics: SufficientStatistics, rope: Rope) -> CorrelatedTResult:
        result = super().whole(statistics, rope)
        result.datasets.probabilities.left[statistics.mean > 0.1] = np.nan
        return result


def test_a_pair_without_numbers_fails_alone() -> None:
    tables = np.random.default_rng(1).normal([0.7, 0.71, 0.9], 0.01, (4, 10, 3))
    scores = scores_from(dict(zip("wxyz", tables, strict=True)), ("a", "b", "c"))
    study = bcompare.compare(scores, Broken())
    assert [(c.left, c.right) for c in study.comparisons] == [("a", "b")]
    assert [(f.left, f.right) for f in study.failures] == [("a", "c"), ("b", "c")]
    assert "not numbers" in study.failures[0].text


@pytest.mark.usefixtures("small_tasks")
@pytest.mark.parametrize("command", ["ttest", "hier"])
def test_every_sink_gives_the_same_records(command: str, results: Path, tmp_path: Path) -> None:
    """Also the same as the set that is whole in memory, with p-values corrected over all pairs."""
    import pyarrow.parquet as pq

    names = ["-o", "rows.csv", "-o", "rows.parquet"]
    classifiers = [word for i in range(3) for word in ("--classifier", f"model-{i}")]
    chosen = classifiers if command == "hier" else []
    assert run(command, results, *names, *chosen, folder=tmp_path).code == 0
    of_csv = list(csv.DictReader(io.StringIO((tmp_path / "rows.csv").read_text())))
    of_parquet = pq.read_table(tmp_path / "rows.parquet").to_pylist()
    as_csv = [{k: "" if v is None else str(v) for k, v in row.items()} for row in of_parquet]
    assert of_csv == as_csv
    scores = bcompare.read_scores(results, classifiers=tuple(chosen[1::2]))
    whole = bcompare.as_text(bcompare.compare(scores, command), "csv")
    assert whole == (tmp_path / "rows.csv").read_text()


def dying(path: str, task: int) -> int:
    """Die at task 5: always, or once if `path` names a file to remember it by."""
    if task == 5 and not (path and Path(path).exists()):
        if path:
            Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 10 * task


@pytest.mark.long
def test_a_worker_that_dies_costs_its_task_once(tmp_path: Path) -> None:
    flag = str(tmp_path / "died")
    assert list(run_tasks(partial(dying, flag), iter(range(12)), 2)) == [10 * i for i in range(12)]


def holds_interrupts_back(_: int) -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal masks")
def test_workers_never_see_an_interrupt() -> None:
    assert all(run_tasks(holds_interrupts_back, iter(range(4)), 2))
    assert not holds_interrupts_back(0)


def test_a_worker_that_dies_twice_is_an_error_that_names_its_task() -> None:
    answers = run_tasks(partial(dying, ""), iter(range(12)), 2)
    assert [next(answers) for _ in range(5)] == [0, 10, 20, 30, 40]
    with pytest.raises(ComputationError, match="died twice on 5"):
        next(answers)


def test_small_work_stays_in_this_process() -> None:
    assert (processes_for(None, 0.1, 100), processes_for(8, 100.0, 1)) == (1, 1)
    assert processes_for(3, 0.1, 100) == 3


@pytest.mark.usefixtures("small_tasks")
def test_a_full_disk_is_an_error_and_leaves_nothing(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    for place in ("os.fsync", "bcompare.report.spool.np.save"):
        with monkeypatch.context() as patched:
            patched.setattr(place, full)
            error = refused(run("sign", results, "-o", "rows.csv", folder=tmp_path))
        assert "No space left on device" in error
        assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]


@pytest.mark.usefixtures("small_tasks")
def test_an_interrupted_run_leaves_nothing(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bcompare.cli.compare.write", interrupted)
    assert run("sign", results, "-o", "rows.csv", folder=tmp_path).code == 130
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]


def peak(classifiers: int, name: str, folder: Path) -> int:
    """Bytes at most while all pairs go through rows on disk."""
    scores = made(classifiers)
    method = load_method(name)()
    tracemalloc.start()
    pairs, rope = AllPairs(scores.classifiers), Rope.symmetric(0.01)
    with spooled() as spool, (folder / "rows.csv").open("w") as file:
        from bcompare.render.csv import write

        run_stream(scores, method, pairs, rope=rope, top=None, keep=keep_rows, sink=spool.put)
        write(spool.rows(), file)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


GROWTH = """
import sys
from pathlib import Path
from tests.test_scale import peak

name, small, large, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
peak(10, name, folder)  # what is imported on the way counts once
print(peak(large, name, folder) - peak(small, name, folder))
"""


@pytest.mark.long
def test_memory_grows_by_less_than_100_bytes_a_pair(tmp_path: Path) -> None:
    """In a process of its own, where no other test has left anything to be collected."""
    small, large = 60, 140
    command = [sys.executable, "-c", GROWTH, "ttest", str(small), str(large), str(tmp_path)]
    result = subprocess.run(
        command, cwd=Path(__file__).parents[1], check=True, capture_output=True, text=True
    )
    pairs = (large * (large - 1) - small * (small - 1)) // 2
    assert int(result.stdout) < 100 * pairs


def shown(scores: Scores, top: int) -> list[tuple[str, str]]:
    """The pairs that a stream of tasks keeps for a table."""
    pairs = AllPairs(scores.classifiers)
    study = run_stream(scores, load_method("sign")(), pairs, rope=Rope(-0.01, 0.01), top=top)
    return [(c.left, c.right) for c in study.comparisons]


@pytest.mark.usefixtures("small_tasks")
def test_the_decided_pairs_of_all_come_first() -> None:
    scores = made(14)
    decided = shown(scores, 90)
    assert shown(scores, 7) == decided[:7]
    assert shown(scores, 0) == list(AllPairs(scores.classifiers))


def test_selection_breaks_ties_by_the_files_order() -> None:
    study = bcompare.compare(made(12), "sign")
    best = select(enumerate(study.comparisons), study.total - 1, study.total)
    keys = [
        (c.decision == "none", -max(p.left, p.rope, p.right), i)
        for i, c in best
        if (p := c.probabilities)
    ]
    assert keys == sorted(keys)


def test_too_many_pairs_for_json_are_refused_before_the_work(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bcompare.cli.compare.MOST_IN_JSON", 90)
    outcome = run("hier", results, "--format", "json")
    assert (outcome.code, outcome.out) == (2, "")
    assert "91 pairs are too many for one JSON document" in outcome.err
    assert "-o pairs.parquet" in outcome.err


def test_parquet_goes_through_a_pipe(results: Path, tmp_path: Path) -> None:
    command = [*TOOL, "sign", str(results), "-q", "--format", "parquet"]
    piped = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout
    assert run("sign", results, "-o", tmp_path / "file.parquet", "-q").code == 0
    assert piped == (tmp_path / "file.parquet").read_bytes()
    assert not (tmp_path / "-").exists()


@pytest.mark.usefixtures("small_tasks")
def test_notes_and_bytes_from_other_processes_are_the_same(results: Path, tmp_path: Path) -> None:
    written = []
    few = [word for name in [*NAMES][:6] for word in ("--classifier", name)]  # 15 pairs: two tasks
    for jobs in ("1", "2"):
        targets = [tmp_path / f"{jobs}.{form}" for form in ("json", "parquet")]
        options = [word for target in targets for word in ("-o", str(target))]
        result = run("signrank", results, *few, "--draws", "300", "--jobs", jobs, *options)
        assert "take more draws (--draws)" in result.err
        written.append((result.err, *(target.read_bytes() for target in targets)))
    assert written[0] == written[1]
