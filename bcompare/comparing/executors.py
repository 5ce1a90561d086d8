"""Run tasks on an executor of `concurrent.futures`, such as one of Dask, mpi4py or joblib.

The function that all tasks share holds the scores. A task goes without it, and a worker that lacks
it says so; it is then sent there with that task, so once a worker and not once a task.
"""

import os
import socket
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar

from bcompare.basis.messages import BcompareError, ComputationError
from bcompare.version import __version__

Task = TypeVar("Task")
Answer = TypeVar("Answer")

# The most tasks that are sent and not yet yielded, which bounds memory.
MOST_IN_FLIGHT = 1_000

# The most functions that a worker keeps: several users may share it.
MOST_KEPT = 4


@dataclass(frozen=True, eq=False, slots=True)
class Job:
    """The function for all tasks, or only the key by which a worker finds it.

    version : of the package that sends it.
    """

    key: str
    version: str
    function: Callable[[Any], object] | None


@dataclass(frozen=True, slots=True)
class Lacking:
    """The answer of a worker that has not got the function."""

    worker: str


@dataclass(frozen=True, slots=True)
class _Sent:
    """A task on its way; carries_to : the worker that lacked the function, if it goes with it."""

    number: int
    task: Any
    carries_to: str | None = None


def on_executor(
    function: Callable[[Task], Answer], tasks: Iterator[Task], executor: Executor
) -> Iterator[Answer]:
    """Yield `function(task)` for each task, in the order of the tasks.

    Tasks whose worker dies are the executor's to repeat. It stays open.

    Raises
    ------
    ComputationError : the executor gave up a task.
    """
    flight = _Flight(executor, Job(uuid.uuid4().hex, __version__, function))
    ready: dict[int, Answer] = {}
    numbered = enumerate(tasks)
    first = 0
    try:
        while True:
            for number, task in islice(numbered, MOST_IN_FLIGHT - len(flight) - len(ready)):
                flight.send(_Sent(number, task))
            if not flight.sent:
                return
            ready |= flight.landed()
            while first in ready:
                yield ready.pop(first)
                first += 1
    finally:
        flight.cancel()


class _Flight:
    """The tasks that were sent, and those that wait until their worker has the function."""

    def __init__(self, executor: Executor, job: Job) -> None:
        self.executor = executor
        self.job = job
        self.sent: dict[Future[Any], _Sent] = {}
        self.waiting: dict[str, list[_Sent]] = {}

    def __len__(self) -> int:
        return len(self.sent) + sum(map(len, self.waiting.values()))

    def send(self, sent: _Sent) -> None:
        job = self.job if sent.carries_to is not None else replace(self.job, function=None)
        with _given_up(sent.task):
            self.sent[self.executor.submit(call, job, sent.task)] = sent

    def landed(self) -> dict[int, Any]:
        """Wait for some of the tasks; return their answers by number."""
        answers = {}
        done = wait(self.sent, return_when=FIRST_COMPLETED).done
        for future in sorted(done, key=lambda future: self.sent[future].number):
            sent = self.sent.pop(future)
            with _given_up(sent.task):
                answer = future.result()
            for held in self.waiting.pop(sent.carries_to or "", ()):
                self.send(held)
            if not isinstance(answer, Lacking):
                answers[sent.number] = answer
            elif answer.worker in self.waiting:
                self.waiting[answer.worker].append(replace(sent, carries_to=None))
            else:
                self.waiting[answer.worker] = []
                self.send(replace(sent, carries_to=answer.worker))
        return answers

    def cancel(self) -> None:
        """Give up the tasks that have not begun."""
        for future in self.sent:
            future.cancel()


@contextmanager
def _given_up(task: object) -> Iterator[None]:
    """Name the task that the executor could not take, or has no answer to.

    Raises
    ------
    ComputationError : of the task, or because there is no answer.
    """
    try:
        yield
    except BcompareError:
        raise
    except Exception as error:  # each engine has its own for workers that died
        why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise ComputationError(f"the executor gave up {task}: {why}") from error


# The functions that a worker has got, by key.
_functions: dict[str, Callable[[Any], object]] = {}


def call(job: Job, task: object) -> object:
    """Compute a task on a worker, or say that it lacks the function.

    Raises
    ------
    ComputationError : another version of this package.
    """
    if job.version != __version__:
        raise ComputationError(
            f"a worker has bcompare {__version__}, this is {job.version}: install one version"
        )
    # what other threads of the worker forget meanwhile is still at hand
    function = _functions.get(job.key, job.function)
    if function is None:
        return Lacking(f"{socket.gethostname()}:{os.getpid()}")
    if job.key not in _functions:
        for key in list(_functions)[: 1 - MOST_KEPT]:
            _functions.pop(key, None)
        _functions[job.key] = function
    return function(task)
