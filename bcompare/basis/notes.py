"""Warnings as data: a note travels inside the result that it qualifies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bcompare.basis.arguments import as_keywords

Severity = Literal["info", "warning"]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a reader of the result must know.

    Attributes
    ----------
    code : short stable name for scripts, such as ``zero-variance``.
    severity : ``warning`` if the result should be doubted or the input looked at, else ``info``.
    text : one or two sentences: what was seen, and what to do; arguments in both spellings.
    """

    code: str
    severity: Severity
    text: str

    @property
    def message(self) -> str:
        """The text, with arguments as they are written in Python."""
        return as_keywords(self.text)

    def record(self) -> dict[str, str]:
        """Return the note as it stands in a document."""
        return {"code": self.code, "severity": self.severity, "message": self.text}


def counted(names: Sequence[str], noun: str, shown: int = 10) -> str:
    """The names in words: "data set iris", "3 data sets (a, b, c)", and how many more."""
    if len(names) == 1:
        return f"{noun} {names[0]}"
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return f"{len(names)} {noun}s ({', '.join(names[:shown])}{more})"
