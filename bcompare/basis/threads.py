"""Limit linear algebra to one thread in the command and its workers.

The number of threads determines the order of sums, and so their last digits: the same input must
give the same bytes in every environment. More threads would not help, since the matrices are small.
Programs and notebooks that import bcompare keep their own setting.
"""

import os

THREAD_LIMITS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


def limit_threads() -> None:
    """Limit linear algebra to one thread; to be called before NumPy is imported."""
    os.environ.update(dict.fromkeys(THREAD_LIMITS, "1"))
