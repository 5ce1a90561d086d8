"""Work on executors: the same bytes, scores sent once a worker, and lost workers."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import bcompare
from bcompare.basis.messages import ComputationError, InputError
from bcompare.comparing import executors
from bcompare.comparing.executors import Job, call, on_executor
from tests.command import run
from tests.results import small_csv
from tests.test_scale import NAMES, SETS, dying, made, small_tasks

__all__ = ["small_tasks"]


class Recording(Executor):
    """Passes all to another executor, and records what was sent."""

    def __init__(self, inner: Executor) -> None:
        self.inner = inner
        self.carried = 0
        self.futures: list[Future[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        job, _ = args
        self.carried += job.function is not None
        self.futures.append(self.inner.submit(fn, *args, **kwargs))
        return self.futures[-1]


def slowly(task: int) -> int:
    time.sleep(0.05)
    return 10 * task


def backwards(most: int, task: int) -> int:
    """The first tasks take longest."""
    time.sleep(0.02 * (most - task))
    return 10 * task


def failing(error: type[Exception], task: int) -> int:
    if task == 3:
        raise error("no such thing")
    return task


@pytest.mark.usefixtures("small_tasks")
@pytest.mark.parametrize(
    ("test", "pool"), [("ttest", ProcessPoolExecutor), ("sign", ThreadPoolExecutor)]
)
def test_executors_give_the_same_bytes(test: str, pool: Callable[[int], Executor]) -> None:
    scores = made(10)
    alone = bcompare.as_text(bcompare.compare(scores, test, also=("sign",)), "json")
    with pool(2) as inner:
        executor = Recording(inner)
        study = bcompare.compare(scores, test, also=("sign",), executor=executor)
        assert inner.submit(abs, -1).result() == 1  # it stays open
    assert bcompare.as_text(study, "json") == alone
    assert len(executor.futures) > 4


def test_plans_and_ranks_compute_there_too() -> None:
    scores = made(4)
    pairs = [("model-0", "model-1")]
    with ThreadPoolExecutor(2) as inner:
        for command in (
            partial(bcompare.plan, scores, pairs=pairs, test="sign", replicates=200),
            partial(bcompare.rank, scores, "sign"),
        ):
            executor = Recording(inner)
            there = bcompare.as_text(command(executor=executor), "json")
            assert executor.futures
            assert there == bcompare.as_text(command(), "json")


def test_answers_come_in_the_order_of_the_tasks() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert list(on_executor(partial(backwards, 8), iter(range(8)), pool)) == [
            10 * i for i in range(8)
        ]


def test_the_function_is_sent_once_a_worker() -> None:
    with ProcessPoolExecutor(2) as pool:
        executor = Recording(pool)
        assert list(on_executor(slowly, iter(range(60)), executor)) == [10 * i for i in range(60)]
    # another worker may take what was meant for one that lacks the function
    assert 1 <= executor.carried <= 6


def test_what_is_in_flight_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "MOST_IN_FLIGHT", 5)
    drawn = 0

    def tasks() -> Iterator[int]:
        nonlocal drawn
        while drawn < 40:
            drawn += 1
            yield drawn

    with ThreadPoolExecutor(2) as pool:
        for yielded, _ in enumerate(on_executor(slowly, tasks(), pool)):
            assert drawn - yielded <= 5
    assert drawn == 40


def test_who_stops_listening_leaves_no_tasks_behind() -> None:
    with ThreadPoolExecutor(1) as pool:
        executor = Recording(pool)
        answers = on_executor(slowly, iter(range(50)), executor)
        assert next(answers) == 0
        del answers
        assert sum(future.cancelled() for future in executor.futures) > 40


def test_errors_of_a_task_are_told_as_they_are() -> None:
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(InputError, match=r"^no such thing$"):
            list(on_executor(partial(failing, InputError), iter(range(5)), pool))
        with pytest.raises(ComputationError, match="gave up 3: KeyError: 'no such thing'"):
            list(on_executor(partial(failing, KeyError), iter(range(5)), pool))


@pytest.mark.usefixtures("small_tasks")
def test_a_lost_worker_is_an_error_that_names_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    # such a pool breaks as a whole: any task that is on its way, or the next one, may be named
    lost = pytest.raises(ComputationError, match=r"gave up \d+: BrokenProcessPool")
    with ProcessPoolExecutor(2) as pool, lost:
        list(on_executor(partial(dying, ""), iter(range(12)), pool))
    refused = ThreadPoolExecutor(1)
    refused.shutdown()
    with pytest.raises(ComputationError, match="gave up 0: RuntimeError: cannot schedule"):
        list(on_executor(slowly, iter(range(3)), refused))
    with ThreadPoolExecutor(1) as threads:
        monkeypatch.setattr(executors, "call", lambda job, task: 1 / 0)
        with pytest.raises(ComputationError, match=r"gave up pairs 1 to 10 \(model-0 – model-1 to"):
            bcompare.compare(made(14), "sign", executor=threads)


def test_workers_with_another_version_are_refused() -> None:
    with pytest.raises(ComputationError, match=r"a worker has bcompare .*, this is 0\.0\.1"):
        call(Job("key", "0.0.1", slowly), 1)


def test_workers_keep_few_functions() -> None:
    for key in map(str, range(20)):
        call(Job(key, bcompare.__version__, slowly), 1)
    assert len(executors._functions) <= executors.MOST_KEPT
    assert isinstance(call(Job("0", bcompare.__version__, None), 1), executors.Lacking)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hier", "--scheduler", "nowhere"), "--scheduler nowhere: missing port"),
        (("hier", "--scheduler", "tcp://h:1", "--jobs", "2"), "leave it out with --scheduler"),
        (("rank", "--scheduler", "tcp://h:1"), "name a test for them, such as --test hier"),
    ],
)
def test_a_scheduler_that_cannot_be_used_is_refused(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    pytest.importorskip("distributed")
    command, *options = arguments
    outcome = run(command, small_csv(tmp_path / "results.csv", NAMES, SETS, runs=1), *options)
    assert outcome.code == 2
    assert message in outcome.err


def test_without_dask_the_advice_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    results = small_csv(tmp_path / "results.csv", NAMES, SETS, runs=1)
    outcome = run("hier", results, "--scheduler", "tcp://localhost:8786")
    assert outcome.code == 3
    assert "needs Dask, which is not installed: pip install '.[dask]'" in outcome.err


class Cluster:
    """A Dask scheduler on the loopback, with worker processes that nobody starts again."""

    def __init__(self, folder: Path) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []
        self.file = folder / "scheduler.json"
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[1]),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        for _ in range(600):
            if self.file.exists() and self.file.read_text():
                break
            time.sleep(0.1)
        self.address = json.loads(self.file.read_text())["address"]

    def start(self, kind: str, *options: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "dask", kind, "--scheduler-file", str(self.file), *options]
        process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.processes.append(process)
        return process

    def workers(self, count: int) -> "list[subprocess.Popen[bytes]]":
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        return [self.start("worker", *options) for _ in range(count)]

    def close(self, keep: int = 0) -> None:
        """End all processes but the first ones."""
        while len(self.processes) > keep:
            process = self.processes.pop()
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    one = Cluster(tmp_path_factory.mktemp("dask"))
    yield one
    one.close()


@pytest.fixture
def cluster(scheduler: Cluster) -> Iterator[Cluster]:
    """The scheduler without workers; those that a test starts end with it."""
    yield scheduler
    scheduler.close(keep=1)


@pytest.mark.long
def test_the_command_line_computes_at_a_scheduler(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = small_csv(tmp_path / "results.csv", NAMES, SETS, runs=1)
    there = ("--scheduler", cluster.address)
    with monkeypatch.context() as patched:
        patched.setattr("bcompare.cli.compare.PATIENCE", 0.5)
        outcome = run("hier", results, *there)
    assert outcome.code == 3
    assert f"it has no workers; `dask worker {cluster.address}` starts some" in outcome.err
    cluster.workers(2)
    for command, *options in (
        ("ttest", "-o", "-", "--format", "csv"),
        ("sign", "--rope", "0.01", "--rope", "0.02"),
        ("plan", "--test", "sign", "--candidate", "model-3", "--replicates", "200"),
        ("rank", "--test", "sign"),
    ):
        alone = run(command, results, *options)
        assert (alone.code, run(command, results, *options, *there)) == (0, alone)
    unused = run("hier", results, "--scheduler", "tcp://127.0.0.1:9")
    assert unused.code == 3
    assert "no Dask scheduler answers there" in unused.err


@pytest.mark.long
def test_dask_repeats_what_a_killed_worker_had(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Client

    first, _ = cluster.workers(2)
    monkeypatch.setattr("bcompare.comparing.comparison_set.MOST_PAIRS", 2)
    scores = made(5)
    steps: list[int] = []

    def kill_once(done: int, _: int) -> None:
        steps.append(done)
        if len(steps) == 2:
            first.kill()

    with Client(cluster.address) as client:
        client.wait_for_workers(2)
        executor = Recording(client.get_executor(pure=False))
        study = bcompare.compare(scores, "hier", executor=executor, progress=kill_once)
        assert len(client.scheduler_info()["workers"]) == 1
    assert steps[-1] == 10
    assert first.wait() != 0
    assert executor.carried <= 6
    alone = bcompare.compare(scores, "hier")
    assert bcompare.as_text(study, "csv") == bcompare.as_text(alone, "csv")


@pytest.mark.long
def test_what_kills_every_worker_is_an_error_in_the_end(cluster: Cluster) -> None:
    from distributed import Client

    cluster.workers(3)
    with Client(cluster.address) as client:
        client.wait_for_workers(3)
        answers = on_executor(partial(dying, ""), iter(range(8)), client.get_executor(pure=False))
        with pytest.raises(ComputationError, match="the executor gave up 5: KilledWorker"):
            list(answers)
