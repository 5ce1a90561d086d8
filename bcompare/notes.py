"""Warnings as data: a note travels inside the result that it qualifies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bcompare.wording import worded

Severity = Literal["info", "warning"]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a reader of the result must know.

    Attributes
    ----------
    code : short stable name for scripts, such as ``zero-variance``.
    severity : ``warning`` if the result should be doubted or the input looked at, else ``info``.
    message : one or two sentences: what was seen, and what to do.
    """

    code: str
    severity: Severity
    message: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", worded(self.message))


def counted(names: Sequence[str], noun: str, shown: int = 10) -> str:
    """The names in words: "data set iris", "3 data sets (a, b, c)", and how many more."""
    if len(names) == 1:
        return f"{noun} {names[0]}"
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return f"{len(names)} {noun}s ({', '.join(names[:shown])}{more})"
