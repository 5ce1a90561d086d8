"""Run tasks in this process, in several, or on an executor.

Results always come in the order of the tasks.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Any, TypeVar

from bcompare.basis.messages import ComputationError, arg
from bcompare.basis.threads import THREAD_LIMITS

Task = TypeVar("Task")
Answer = TypeVar("Answer")

# Tasks running or queued for each process: enough to keep it busy, few enough for memory.
PENDING = 2
# Longer work is worth the start of further processes.
LONG = 4.0


def processes_for(jobs: int | None, seconds: float, tasks: int) -> int:
    """Return the number of processes for tasks that take about `seconds` in total.

    jobs : as requested; 0 is one per core; None decides by the work.
    """
    if jobs is None:
        jobs = 0 if seconds > LONG else 1
    return max(1, min(jobs or os.cpu_count() or 1, tasks))


def run_tasks(
    function: Callable[[Task], Answer], tasks: Iterator[Task], workers: int | Executor = 1
) -> Iterator[Answer]:
    """Yield `function(task)` for each task, in the order of the tasks.

    workers : processes on this machine, with one thread each; 1 for this process. Others receive
    the function once, pickled; a task whose process dies is tried once more, alone. Or an executor;
    see `on_executor`.

    Raises
    ------
    ComputationError : a process was lost with a task, twice, or the executor gave one up.
    """
    if isinstance(workers, Executor):
        from bcompare.comparing.executors import on_executor

        yield from on_executor(function, tasks, workers)
        return
    if workers == 1:
        yield from map(function, tasks)
        return
    waiting: deque[Task] = deque()
    while True:
        try:
            with _pool(function, workers) as pool:
                yield from _in_order(pool, tasks, waiting, PENDING * workers)
        except BrokenProcessPool:
            # Each of the running tasks may have killed the process: repeat them one by one.
            again = waiting
            waiting = deque()
        else:
            return
        try:
            with _pool(function, 1) as pool:
                yield from _in_order(pool, iter(again), waiting, 1)
        except BrokenProcessPool:
            raise ComputationError(
                f"a worker process died twice on {waiting[0]}: was it killed, or is there too "
                f"little memory? {arg('jobs', 1)} computes in one process"
            ) from None


@contextmanager
def _pool(function: Callable[[Any], object], processes: int) -> Iterator[Executor]:
    """Open a pool of processes, and close it at the end; immediately after an exception."""
    before = {name: os.environ.get(name) for name in THREAD_LIMITS}
    os.environ.update(dict.fromkeys(THREAD_LIMITS, "1"))
    pool = ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin,
        initargs=(function,),
    )
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.kill()
        raise
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _in_order(
    pool: Executor, tasks: Iterator[Task], waiting: deque[Task], most: int
) -> Iterator[Any]:
    """Yield answers in order; `waiting` holds the tasks without an answer."""
    futures: deque[Future[object]] = deque()
    for task in tasks:
        waiting.append(task)
        with _interrupts_held_back():
            futures.append(pool.submit(_call, task))
        if len(futures) >= most:
            yield _next(futures, waiting)
    while futures:
        yield _next(futures, waiting)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Hold Ctrl-C back for a moment; processes that start then inherit that, and never see it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _next(futures: deque[Future[object]], waiting: deque[Task]) -> object:
    answer = futures[0].result()
    futures.popleft()
    waiting.popleft()
    return answer


# The function that a worker computes.
_job: list[Callable[[object], object]] = []


def _begin(function: Callable[[object], object]) -> None:
    """Prepare a worker, which ignores Ctrl-C and ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    _job[:] = [function]


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _call(task: object) -> object:
    (function,) = _job
    return function(task)
