"""What a study is: a function of its repetitions, and the lines that it reports."""

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

# Standard errors that two figures may lie apart: of 300 pairs that agree, about one does.
FAR = 3.0

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Paper:
    """What a paper prints: a value, or that it is above or below one.

    value, above, below : one of them. digits : decimals printed. error : Monte Carlo error of the
    paper's own figure, as far as its repetitions tell.
    """

    value: float | None = None
    above: float | None = None
    below: float | None = None
    digits: int = 2
    error: float = 0.0

    def __str__(self) -> str:
        if self.above is not None:
            return f"> {self.above:g}"
        if self.below is not None:
            return f"< {self.below:g}"
        return f"{self.value:.{self.digits}f}"

    def agrees(self, ours: float, error: float) -> bool:
        """Whether ours lies within both Monte Carlo errors and the paper's rounding."""
        reach = FAR * math.hypot(error, self.error)
        if self.above is not None:
            return ours + reach > self.above
        if self.below is not None:
            return ours - reach < self.below
        assert self.value is not None
        return abs(ours - self.value) <= reach + 0.5 * 10.0**-self.digits


@dataclass(frozen=True, slots=True)
class Line:
    """One figure of a study.

    what : in words. ours, error : the figure and its Monte Carlo standard error, 0 for none.
    paper : what is printed, or None where nothing is. series, x : its place in the picture.
    note : what is known where the two differ.
    """

    what: str
    ours: float
    error: float = 0.0
    paper: Paper | None = None
    series: str = ""
    x: float = 0.0
    note: str = ""

    @property
    def agrees(self) -> bool | None:
        """Whether ours is the paper's, but for chance; None where the paper says nothing."""
        return None if self.paper is None else self.paper.agrees(self.ours, self.error)

    def record(self) -> dict[str, Any]:
        """The line for a JSON file."""
        return {
            "what": self.what,
            "ours": self.ours,
            "error": self.error,
            "paper": None if self.paper is None else str(self.paper),
            "agrees": self.agrees,
            "series": self.series,
            "x": self.x,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Study:
    """A study of the registry.

    source : paper and figure. short, whole : repetitions of a quick run, and the paper's.
    lines : repetitions and seed → the lines. axis : what `x` is; "" for no picture.
    designs : what was tried, in words, where it is more than the lines name.
    """

    name: str
    source: str
    short: int
    whole: int
    lines: Callable[[int, int], tuple[Line, ...]]
    axis: str = ""
    designs: Callable[[], list[str]] = list


def share(hits: Sequence[bool] | np.ndarray) -> tuple[float, float]:
    """A share, and its standard error; never 0, though none or all were hit (Agresti & Coull)."""
    n, k = len(hits), int(np.sum(hits))
    p = (k + 2) / (n + 4)
    return k / n, math.sqrt(p * (1 - p) / (n + 4))


def median(values: np.ndarray) -> tuple[float, float]:
    """A median, and its standard error: half the distance of the order statistics around it."""
    n = len(values)
    ordered = np.sort(values)
    reach = math.sqrt(n) / 2
    low, high = (ordered[int(np.clip(n / 2 + side * reach, 0, n - 1))] for side in (-1, 1))
    return float(np.median(values)), float(high - low) / 2


# Where `in_parallel` computes, instead of on this machine's cores.
elsewhere: list[Executor] = []


def in_parallel(
    answer: Callable[..., Answer], tasks: Sequence[tuple[Any, ...]], seed: int
) -> list[Answer]:
    """Call a function for each task, over all cores; its first argument is a generator.

    Each task has a stream of its own, so that the answers do not depend on where it is computed.
    """
    streams = np.random.SeedSequence(seed).spawn(len(tasks))
    given = [
        (np.random.default_rng(stream), *task) for stream, task in zip(streams, tasks, strict=True)
    ]
    if elsewhere:
        return list(elsewhere[0].map(answer, *zip(*given, strict=True)))
    cores = os.cpu_count() or 1
    if cores == 1 or len(tasks) == 1:
        return [answer(*one) for one in given]
    with ProcessPoolExecutor(cores) as pool:
        return list(pool.map(answer, *zip(*given, strict=True)))


def portions(repetitions: int, most: int) -> list[int]:
    """Repetitions in portions of at most so many."""
    whole, rest = divmod(repetitions, most)
    return [most] * whole + ([rest] if rest else [])
