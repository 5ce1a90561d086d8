"""Where the ticks of a horizontal axis are: at round numbers, as many as can be written."""

from collections.abc import Sequence
from typing import Any

from matplotlib.ticker import Formatter, Locator, MaxNLocator

from bcompare.plots.number import at_tick
from bcompare.plots.sheet import text_width

MOST, STEPS = 9, (1, 2, 2.5, 5, 10)
# Between two numbers, in heights of their text.
APART = 0.6


def room_for(at: Sequence[float], words: Sequence[str], size: float) -> list[int]:
    """Which of some texts, centred at such inches, can stand in a line: the first, and so on."""
    found: list[int] = []
    end = -float("inf")
    for k, (middle, text) in enumerate(zip(at, words, strict=True)):
        half = text_width(text, size) / 2
        if middle - half > end:
            found.append(k)
            end = middle + half + APART * size / 72
    return found


class Numbers(Formatter):
    """The numbers at the ticks, with as many digits as tell them apart."""

    def __call__(self, x: float, _: object = None) -> str:
        """Return the number at a tick."""
        axis: Any = self.axis
        return at_tick(x, *sorted(axis.get_view_interval()))


class WhereNumbersFit(Locator):
    """Round numbers, as many as can stand side by side.

    size : of the numbers, in points. reach : how far one may stand out beyond the axis's ends, in
    inches.
    """

    def __init__(self, size: float, reach: float) -> None:
        self._size, self._reach = size, reach
        self._most, self._integer = MOST, False

    def set_params(self, *, nbins: int = MOST, integer: bool = False) -> None:
        """Take other bounds, as `Axes.locator_params` has them."""
        self._most, self._integer = nbins, integer

    def __call__(self) -> Any:
        """Return the ticks of what the axis shows."""
        axis: Any = self.axis
        low, high = axis.get_view_interval()
        return self.tick_values(low, high)

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """The ticks between two values."""
        axis: Any = self.axis
        axes = axis.axes
        length = axes.get_window_extent().width / axes.figure.dpi
        low, high = sorted((vmin, vmax))
        ticks: list[float] = []
        for most in range(self._most, 0, -1):
            locator = MaxNLocator(most, steps=STEPS, integer=self._integer)
            within = [float(x) for x in locator.tick_values(low, high) if low <= x <= high]
            places = [(x, (x - low) / (high - low) * length, at_tick(x, low, high)) for x in within]
            inside = [
                (x, at, words)
                for x, at, words in places
                if text_width(words, self._size) / 2 <= min(at, length - at) + self._reach
            ]
            found = [x for x, _, _ in inside]
            kept = room_for(
                [at for _, at, _ in inside], [words for _, _, words in inside], self._size
            )
            if len(kept) == len(found) > 1:
                return found
            ticks = ticks or found[:1]
        return ticks
