"""What a process that is ours alone takes of the machine: one thread, and memory that it keeps.

Only the command and the workers are that. In a program or notebook of somebody else all stays as
its owner set it.
"""

import ctypes
import os
import sys

# Threads that the libraries of linear algebra would start: our matrices are too small for two.
THREAD_LIMITS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")

# Parameters of glibc's mallopt, and bytes of freed memory that it may keep, and of one array that
# may come from them.
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
KEPT, OF_ONE_ARRAY = 64 * 2**20, 16 * 2**20


def limit_threads() -> None:
    """One thread, unless the user says otherwise; to be called before NumPy is imported."""
    for name in THREAD_LIMITS:
        os.environ.setdefault(name, "1")


def keep_memory() -> None:
    """Keep memory that is freed for the next array, where the C library is glibc.

    Otherwise each array of some 100 kB comes as fresh pages from the system, which clears them
    first: a sixth of the time of the hierarchical test.
    """
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(TRIM_THRESHOLD, KEPT)
        mallopt(MMAP_THRESHOLD, OF_ONE_ARRAY)
