"""Whole commands, from a cold start: wall time and peak memory of the process."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

BCOMPARE = [sys.executable, "-m", "bcompare"]
MIB = 2**20


@dataclass(frozen=True)
class Measured:
    """Median wall and processor seconds and the largest peak memory, in bytes, of several runs.

    The processor time is that of all processes, the memory that of the largest.
    """

    seconds: float
    processor: float
    memory: int


def measure(
    command: Sequence[str | Path],
    runs: int = 5,
    folder: Path | None = None,
    *,
    warm: bool = True,
    environment: Mapping[str, str] | None = None,
    exit_code: int = 0,
) -> Measured:
    """Run a command several times, after one run that warms the file cache.

    environment : of the process; by default this one's. exit_code : the one that it should have.
    """
    seconds, processor, memory = [], [], []
    for _ in range(runs + warm):
        start = time.perf_counter()
        with subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds.append(time.perf_counter() - start)
        if process.returncode != exit_code:
            raise RuntimeError(f"exit code {process.returncode}: {command}")
        processor.append(usage.ru_utime + usage.ru_stime)
        memory.append(usage.ru_maxrss * 1024)
    median = statistics.median
    return Measured(median(seconds[warm:]), median(processor[warm:]), max(memory))
