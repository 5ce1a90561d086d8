"""How long a piece of work takes inside one process."""

import statistics
import time
from collections.abc import Callable


def seconds(work: Callable[[], object], runs: int = 7) -> float:
    """Median wall time of a few runs, after one that warms up."""
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])
