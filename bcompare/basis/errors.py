"""The exceptions of bcompare, each with its exit code on the command line.

Exit codes: 0 success; 2 usage or input; 3 the computation failed. A gate has two more, which are
not errors: 4 failed, 5 undecided under the policy "fail". Python itself uses 1 for unexpected
exceptions.
"""

from collections.abc import Sequence

from bcompare.basis.arguments import as_keywords


class BcompareError(Exception):
    """Base class of the errors that bcompare raises on purpose.

    The message says what is wrong, where, and what to do about it. `str()` gives it with arguments
    as they are written in Python, `messages` with both of their spellings.

    advice : lines that follow the messages, such as commands, to be copied.
    """

    exit_code = 3

    def __init__(self, message: str | Sequence[str], advice: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.messages: tuple[str, ...] = (message,) if isinstance(message, str) else tuple(message)
        self.advice = tuple(advice)

    @property
    def text(self) -> str:
        """The message with both spellings, to be part of another one."""
        return "\n".join(self.messages)

    def __str__(self) -> str:
        return as_keywords("\n".join([*self.messages, *self.advice]))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class InputError(BcompareError, ValueError):
    """The results or an argument cannot be used as they are (exit code 2).

    `problems` holds one message per problem; `str()` joins them, a line each.
    """

    exit_code = 2

    @property
    def problems(self) -> tuple[str, ...]:
        """One message per problem."""
        return tuple(map(as_keywords, self.messages))


class ComputationError(BcompareError, RuntimeError):
    """The input is fine, but no trustworthy number could be computed from it (exit code 3)."""

    exit_code = 3


class PairError(ComputationError):
    """One pair of classifiers could not be computed; the others are not affected."""
