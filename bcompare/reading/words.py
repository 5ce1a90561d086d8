"""Parts of messages: names, cells and numbers, fit to be printed."""

import difflib
import shlex
from collections.abc import Sequence

SHOWN = 10  # how many problems of one kind, and how many names, are spelt out
WIDTH = 40  # how much of a cell is shown


def listed(shown: Sequence[str], count: int, advice: str) -> tuple[str, ...]:
    """Problems of one kind: the first few, how many more, and what to do."""
    if count == 1:
        return (f"{shown[0]}; {advice}",)
    more = (f"… and {count - len(shown):,} more like these",) if count > len(shown) else ()
    return (*shown, *more, advice)


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
