"""Limits linear algebra to one thread in the command and its workers.

The number of threads decides in which order sums are computed, and so their last digits: the same
input must give the same bytes, whatever the environment says. Nor would more threads help, since
the matrices are small. In a program or notebook of somebody else all stays as its owner set it.
"""

import os

THREAD_LIMITS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


def limit_threads() -> None:
    """Limit linear algebra to one thread; to be called before NumPy is imported."""
    os.environ.update(dict.fromkeys(THREAD_LIMITS, "1"))
