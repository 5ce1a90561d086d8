"""Limit linear algebra to one thread: in the command, its workers, and functions that compute.

The number of threads determines the order of sums, and so their last digits: the same input must
give the same bytes in every environment. More threads would not help, since the matrices are small:
two wait for each other. Programs and notebooks that import bcompare keep their own setting; while a
function computes it is limited, where threadpoolctl is installed (the extra ``threads``).
"""

import os
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from importlib.util import find_spec
from typing import Any, TypeVar, cast

THREAD_LIMITS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")

Function = TypeVar("Function", bound=Callable[..., Any])

# Whether a function that is running has limited the threads: those that it calls need not.
_is_limited: ContextVar[bool] = ContextVar("is_limited", default=False)


def limit_threads() -> None:
    """Limit linear algebra to one thread; to be called before NumPy is imported."""
    os.environ.update(dict.fromkeys(THREAD_LIMITS, "1"))


def in_one_thread(function: Function) -> Function:
    """Limit linear algebra to one thread while a function runs, if threadpoolctl is installed."""

    @wraps(function)
    def limited(*arguments: Any, **options: Any) -> Any:
        by_environment = all(os.environ.get(name) == "1" for name in THREAD_LIMITS)
        if by_environment or _is_limited.get() or find_spec("threadpoolctl") is None:
            return function(*arguments, **options)
        from threadpoolctl import threadpool_limits

        token = _is_limited.set(True)
        try:
            with threadpool_limits(1, user_api="blas"):
                return function(*arguments, **options)
        finally:
            _is_limited.reset(token)

    return cast("Function", limited)
