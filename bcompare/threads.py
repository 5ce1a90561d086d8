"""One thread for linear algebra in the processes that are ours: the command and its workers.

The matrices are small, and a second thread only waits for the first: twice the processor time for
the same answer. In a program or notebook of somebody else all stays as its owner set it.
"""

import os

THREAD_LIMITS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


def limit_threads() -> None:
    """One thread, unless the user says otherwise; to be called before NumPy is imported."""
    for name in THREAD_LIMITS:
        os.environ.setdefault(name, "1")
