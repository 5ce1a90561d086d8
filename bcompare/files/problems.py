"""Problems in results, collected so that all are shown at once, and helpers for messages."""

import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from bcompare.basis.messages import InputError, arg, listed

SHOWN = 10  # the most names in a message
WIDTH = 40  # the most characters of a cell in a message
UNPAIRED = (
    "these are different splits of the data, whose folds cannot be paired: test all classifiers on "
    "the same folds"
)
MISSING_ROWS = f"{UNPAIRED}, or give each fold that is missing a row without a score"
OR_APART = (
    "or, if both sides share nothing and each is a sample of its own, say "
    f"{arg('unpaired', True)} in place of the column that pairs them"
)
SAVE_AS_UTF8 = (
    "save the file as UTF-8: in Excel as CSV UTF-8, elsewhere for example by "
    "iconv -f latin1 -t utf-8 OLD.csv > NEW.csv"
)


class LacksColumnsError(InputError):
    """A file without columns that are needed, whose others may serve."""


@dataclass(slots=True)
class Problems:
    """Problems by kind, in the order of first occurrence.

    Problems with the same advice are of one kind: the first text is kept, all are counted.
    `known` are complete messages.
    """

    known: list[str] = field(default_factory=list)
    first: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, text: str, advice: str, count: int = 1) -> None:
        """Add a problem, the first of `count`, with the advice for its kind."""
        self.counts[advice] += count
        self.first.setdefault(advice, text)

    def tell(self, message: str) -> None:
        """Add a complete message, once."""
        if message not in self.known:
            self.known.append(message)

    def refuse(self, message: str) -> NoReturn:
        """Raise an error with this message, too; what follows would make no sense."""
        self.tell(message)
        raise InputError(self.messages())

    def include(self, other: "Problems") -> "Problems":
        """Add the problems of another file, and return all."""
        self.known += other.known
        for advice, text in other.first.items():
            self.add(text, advice, other.counts[advice])
        return self

    def messages(self) -> tuple[str, ...]:
        """Return all messages: for each kind the first, how many more, and the advice."""
        lines = list(self.known)
        for advice, text in self.first.items():
            more = self.counts[advice] - 1
            lines += [text, f"… and {more:,} more like it"] if more else [text]
            lines[-1] += f"; {advice}"
        return tuple(lines)

    def raise_any(self) -> None:
        """Raise an error if there are any problems."""
        if self.known or self.first:
            raise InputError(self.messages())


def quoted(cell: str) -> str:
    """Return a cell in quotes, shortened if it is long."""
    return repr(cell if len(cell) <= WIDTH else cell[: WIDTH - 1] + "…")


def clipped(name: str, longest: int = 2 * WIDTH) -> str:
    """Return a printable name: no control characters, shortened if it is very long."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def named(names: Sequence[str], shown: int = SHOWN) -> str:
    """Return a few names, and how many more there are."""
    return listed([*map(clipped, names)], shown)


def alike(names: Sequence[str], plainly: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return the names that are plainly the same as one before, each after that one."""
    first = {plainly(name): name for name in reversed(names)}
    return [(first[plainly(name)], name) for name in names if first[plainly(name)] != name]


def shell_word(text: str) -> str:
    """Return text as one word for the shell."""
    return shlex.quote(clipped(text))


def seeds_or_anew(as_seeds: str) -> str:
    """Return the choice between seeds, by this option, and folds with a given correlation."""
    return (
        f"say {as_seeds} if they are independent runs on one split (ρ 0), or {arg('rho', 0.1)} if "
        "each splits the data anew (0.1 stands for the share of test cases)"
    )


def place(title: str, line: int) -> str:
    """Return the place of a row for messages."""
    return f"{title}, line {line:,}"
