"""Warnings as data: a note travels inside the result that it qualifies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bcompare.basis.arguments import as_keywords

Severity = Literal["info", "warning"]

ON_THE_RULE = ("configured", "metrics")
"""Codes of notes on a gate's rule, which every output has."""


@dataclass(frozen=True, slots=True, repr=False)
class Note:
    """A warning or a remark on a result.

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

    def __repr__(self) -> str:
        return f"<{self.word} {self.code}: {self.message}>"

    @property
    def word(self) -> str:
        """The severity as it is printed."""
        return "warning" if self.severity == "warning" else "note"

    @property
    def line(self) -> str:
        """The note as a line of text; its code leads to its explanation."""
        return f"{self.word}: {self.text} [{self.code}]"

    def record(self) -> dict[str, str]:
        """Return the note for the JSON document."""
        return {"code": self.code, "severity": self.severity, "message": self.text}


def lacking(absent: Mapping[str, Sequence[str]], shown: int = 10) -> str:
    """Return who lacks which data sets: "tree, svm on 2 data sets (a, b); knn on data set c"."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, datasets in absent.items():
        groups.setdefault(tuple(datasets), []).append(name)
    few = shown if len(groups) == 1 else 3
    parts = [
        f"{listed(names, shown)} on {counted(datasets, 'data set', few)}"
        for datasets, names in groups.items()
    ]
    more = f"; and {len(parts) - shown:,} more like these" if len(parts) > shown else ""
    return "; ".join(parts[:shown]) + more


def likewise(text: str, pairs: Sequence[str], count: int) -> str:
    """Return a message on the first of several pairs, with the number of the others."""
    first = f"{pairs[0]}: {text}"
    if count == 1:
        return first
    names = f"{', '.join(pairs[1:])}{', …' * (count > len(pairs))}"
    more = number_of(count - 1, "more pair")
    return f"{first}. Likewise for {more} ({names})"


def number_of(count: int, noun: str) -> str:
    """Return a number of things as text, such as "1 row" or "12,500 rows"."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def counted(names: Sequence[str], noun: str, shown: int = 10) -> str:
    """Return names with their number: "data set iris", "3 data sets (a, b, c)"."""
    if len(names) == 1:
        return f"{noun} {names[0]}"
    return f"{number_of(len(names), noun)} ({listed(names, shown)})"


def listed(names: Sequence[str], shown: int = 10) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - shown:,} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
