"""Every exception of bcompare, each with the exit code it becomes on the command line.

Exit codes: 0 done; 2 usage or input; 3 the computation could not be done. A gate has two more,
which are no errors: 4 it says no, 5 it could not decide and was told to fail then. 1 is left to
Python itself, which uses it for an exception that nobody expected.
"""

from collections.abc import Sequence

from bcompare.wording import worded


class BcompareError(Exception):
    """Base of all errors that bcompare raises on purpose.

    The message says what is wrong, where, and what to do about it.
    """

    exit_code = 3

    def __init__(self, message: str) -> None:
        super().__init__(worded(message))


class InputError(BcompareError, ValueError):
    """The results or an argument cannot be used as they are (exit code 2).

    `problems` holds one message per problem; `str()` joins them, a line each.
    """

    exit_code = 2

    def __init__(self, problems: str | Sequence[str]) -> None:
        several = (problems,) if isinstance(problems, str) else problems
        self.problems: tuple[str, ...] = tuple(map(worded, several))
        super().__init__("\n".join(self.problems))


class ComputationError(BcompareError, RuntimeError):
    """The input is fine, but no trustworthy number could be computed from it (exit code 3)."""

    exit_code = 3


class PairError(ComputationError):
    """One pair of classifiers could not be computed; it does not take the others with it."""
