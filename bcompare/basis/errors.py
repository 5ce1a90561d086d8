"""The exceptions of bcompare, each with its exit code, and the name that was probably meant.

Exit codes: 0 success; 2 usage or input; 3 the computation failed. A gate has two more, which are
not errors: 4 failed, 5 undecided under the policy "fail". Python itself uses 1 for unexpected
exceptions.
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

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


class PairError(ComputationError):
    """One pair of classifiers could not be computed; the others are not affected."""


# The least similarity of two names, from 0 to 1: one letter of three may be wrong. The least length
# of a name that another one begins or ends with.
ALIKE, ALIKE_IF_SHORT, SHORT = 0.7, 0.6, 3


def nearest(name: str, names: Iterable[str], most: int = 1) -> list[str]:
    """Return the names most similar to an unknown one, the most similar first.

    Names that differ only in case come first, then similar ones, then those of which one begins or
    ends with the other.

    most : how many names.
    """
    folded_name = name.casefold()
    known = {other: other.casefold() for other in names}
    same = [other for other, folded in known.items() if folded == folded_name]
    folded_names = {folded: other for other, folded in reversed(known.items())}
    alike = ALIKE_IF_SHORT if len(folded_name) <= SHORT else ALIKE
    close = [folded_names[f] for f in get_close_matches(folded_name, folded_names, most, alike)]
    within = [
        other for other, folded in known.items() if _within(*sorted((folded, folded_name), key=len))
    ]
    return list(dict.fromkeys([*same, *close, *within]))[:most]


def _within(short: str, long: str) -> bool:
    return len(short) >= SHORT and (long.startswith(short) or long.endswith(short))
