"""Problems in what was read, collected so that all of them are told at once, and their parts."""

import difflib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

from bcompare.basis.errors import InputError

SHOWN = 10  # how many problems of one kind, and how many names, are spelt out
WIDTH = 40  # how much of a cell is shown


@dataclass(frozen=True, slots=True)
class Kind:
    """A problem that a file may have many times.

    text : with the place and the particulars to fill in. advice : what to do about it.
    """

    text: str
    advice: str


@dataclass(slots=True)
class Problems:
    """Problems by kind, in the order in which the kinds came up.

    Only the first few of a kind are kept in words; all are counted. `known` are problems
    already in words.
    """

    known: list[str] = field(default_factory=list)
    found: dict[Kind, list[str]] = field(default_factory=dict)
    counts: dict[Kind, int] = field(default_factory=dict)

    def add(self, kind: Kind, *details: object, place: str = "") -> None:
        """Note one problem."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        shown = self.found.setdefault(kind, [])
        if len(shown) < SHOWN:
            shown.append(kind.text.format(*details, place=place))

    def messages(self) -> tuple[str, ...]:
        """All of them, as they are to be printed: of each kind the first few and what to do."""
        lines = list(self.known)
        for kind, shown in self.found.items():
            count = self.counts[kind]
            if count == 1:
                lines.append(f"{shown[0]}; {kind.advice}")
                continue
            more = [f"… and {count - len(shown):,} more like these"] if count > len(shown) else []
            lines += [*shown, *more, kind.advice]
        return tuple(lines)

    def raise_any(self) -> None:
        """Raise them, if there are any."""
        if self.known or self.found:
            raise InputError(self.messages())


def quoted(cell: str) -> str:
    """A cell as it stands in the file, cut if it is long."""
    return repr(cell if len(cell) <= WIDTH else cell[: WIDTH - 1] + "…")


def named(names: Sequence[str], shown: int = SHOWN) -> str:
    """A few names, and how many more."""
    more = f" and {len(names) - shown:,} more" if len(names) > shown else ""
    return ", ".join(clipped(name) for name in names[:shown]) + more


def clipped(name: str) -> str:
    """A name fit to print: no control characters, cut if it is very long."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)
    return text if len(text) <= 2 * WIDTH else text[: 2 * WIDTH - 1] + "…"


def number(count: int, noun: str) -> str:
    """A number of things."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def nearest(name: str, names: Sequence[str]) -> str | None:
    """The name that was probably meant."""
    folded = {candidate.casefold(): candidate for candidate in reversed(names)}
    found = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return folded[found[0]] if found else None


def shell_word(text: str) -> str:
    """Text as one word for the shell."""
    return shlex.quote(clipped(text))


def place(title: str, line: int) -> str:
    """Where a row begins."""
    return f"{title}, line {line:,}"
