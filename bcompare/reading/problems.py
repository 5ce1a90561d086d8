"""Problems, collected so that all of them can be told at once."""

from dataclasses import dataclass, field

from bcompare.basis.errors import InputError
from bcompare.reading import messages, words


@dataclass(slots=True)
class Problems:
    """Problems by kind, in the order in which the kinds came up.

    Only the first few of a kind are kept in words; all are counted. `known` are problems
    already in words.
    """

    known: list[str] = field(default_factory=list)
    found: dict[messages.Kind, list[str]] = field(default_factory=dict)
    counts: dict[messages.Kind, int] = field(default_factory=dict)

    def add(self, kind: messages.Kind, *details: object, place: str = "") -> None:
        """Note one problem."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        shown = self.found.setdefault(kind, [])
        if len(shown) < words.SHOWN:
            shown.append(kind.text.format(*details, place=place))

    def add_unshown(self, kind: messages.Kind, count: int) -> None:
        """Count more of a kind that has been shown often enough."""
        self.counts[kind] += count

    def messages(self) -> tuple[str, ...]:
        """All of them, as they are to be printed."""
        listed = (
            line
            for kind, shown in self.found.items()
            for line in words.listed(shown, self.counts[kind], kind.advice)
        )
        return (*self.known, *listed)

    def raise_any(self) -> None:
        """Raise them, if there are any."""
        if self.known or self.found:
            raise InputError(self.messages())
