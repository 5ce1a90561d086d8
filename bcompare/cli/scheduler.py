"""Compute on the workers of a Dask scheduler."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from bcompare.basis.errors import ComputationError, InputError
from bcompare.version import install_command

PATIENCE = 10.0
"""Seconds to wait for the scheduler, and for a first worker."""


@contextmanager
def executor_at(address: str | None, jobs: int | None = None) -> Iterator[Executor | None]:
    """Connect to a scheduler, such as ``tcp://localhost:8786``; None without an address.

    jobs : of this machine, which exclude a scheduler.

    Raises
    ------
    InputError : both, or no address. ComputationError : Dask is not installed, or nobody answers.
    """
    if address is None:
        yield None
        return
    if jobs is not None:
        raise InputError("--jobs is for processes of this machine: leave it out with --scheduler")
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise ComputationError(
            f"--scheduler needs Dask, which is not installed: {install_command('dask')}"
        ) from None
    # the scores are sent once to each worker, as they must be
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
        try:
            client = Client(address, timeout=PATIENCE)
        except ValueError as error:
            raise InputError(f"--scheduler {address}: {error}") from None
        except OSError:
            raise ComputationError(
                f"--scheduler {address}: no Dask scheduler answers there; `dask scheduler` starts "
                "one and prints its address"
            ) from None
        with client:
            try:
                client.wait_for_workers(1, timeout=PATIENCE)
            except TimeoutError:
                raise ComputationError(
                    f"--scheduler {address}: it has no workers; `dask worker {address}` starts some"
                ) from None
            yield client.get_executor(pure=False)
