"""The sheet of a picture: its width and the size of its text.

Margins, line heights, line breaks and the heights of curves follow from these.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from bcompare.basis.messages import InputError

# The width of a journal's column and of its page, in inches.
WIDTHS = {"column": 3.5, "page": 7.0}
# Lengths in this package are for text of the usual size. No text is smaller than the smallest,
# except in a matrix, where the least is allowed.
USUAL_TEXT, SMALLEST_TEXT, LEAST_TEXT = 9.0, 7.0, 5.0
# The most rows of a picture; the most classifiers of a matrix, the least height of its rows in
# inches, and the share of the width for its cells.
MOST_ROWS = 400
MOST_IN_MATRIX = 150
LEAST_ROW = 1.04 * LEAST_TEXT / 72
OF_MATRIX = 0.73
# The sizes of numbers in a small panel and of titles, relative to other text.
SMALL = 7.5 / 9
LARGE = 11 / 9
LINE, TITLE_LINE, LABEL_LINE, TICKS = 0.2, 0.23, 0.155, 0.3
# The height of a curve on a sheet of width 0, relative to that on a page.
KEPT_HEIGHT = 0.4
# The distance of baselines, in heights of the higher line.
LEADING = 1.2
# Characters after which names without spaces are preferably broken.
SEPARATORS = "_-./:,;+=&|\\"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet of a picture.

    width : of the whole file, in inches.
    is_asked : whether that width was requested; if not, a matrix of many rows may be wider.
    text : its size, in points.
    margin : in inches.
    titled : whether the picture has a title; above a caption it needs none.
    pixels : of a PNG, per inch.
    """

    width: float = WIDTHS["page"]
    is_asked: bool = False
    text: float = USUAL_TEXT
    margin: float = 0.2
    titled: bool = True
    pixels: int = 150

    @classmethod
    def of(cls, width: str | None = None, style: str | None = None) -> "Sheet":
        """Return the sheet for a name in `WIDTHS` and one in `STYLES`.

        Raises
        ------
        InputError : there is none of that name.
        """
        for kind, name, known in (("width", width, WIDTHS), ("style", style, STYLES)):
            if name is not None and name not in known:
                raise InputError(f"there is no {kind} {name!r}; there are {', '.join(known)}")
        sheet = STYLES[style or "screen"]
        return sheet if width is None else replace(sheet, width=WIDTHS[width], is_asked=True)

    def at_least(self, width: float) -> "Sheet":
        """Return a sheet of at least this width, unless a width was requested."""
        return self if self.is_asked else replace(self, width=max(width, self.width))

    def scaled(self, inches: float) -> float:
        """Convert a length for text of the usual size to this sheet's text."""
        return inches * self.text / USUAL_TEXT

    def tall(self, inches: float) -> float:
        """Convert a height on a page to this sheet; narrow sheets have lower curves."""
        share = min(1.0, self.width / WIDTHS["page"])
        return inches * (KEPT_HEIGHT + (1 - KEPT_HEIGHT) * share)

    @property
    def inner(self) -> float:
        """The width between the margins."""
        return self.width - 2 * self.margin

    @property
    def small(self) -> float:
        """The size of numbers in a small panel."""
        return max(SMALLEST_TEXT, SMALL * self.text)

    @property
    def large(self) -> float:
        """The size of titles and of important numbers."""
        return LARGE * self.text

    @property
    def line(self) -> float:
        """The height of a single line."""
        return self.scaled(LINE)

    @property
    def label_line(self) -> float:
        """The height of a line within a paragraph."""
        return self.scaled(LABEL_LINE)

    @property
    def ticks(self) -> float:
        """The height of ticks with their numbers."""
        return self.scaled(TICKS)

    def block(self, lines: Sequence[str]) -> float:
        """Return the height of separate lines."""
        return self.line + (len(lines) - 1) * self.label_line if lines else 0.0

    def height(self, lines: Sequence[str]) -> float:
        """Return the height of a paragraph; high characters need more."""
        usual = measured("lp", self.text)[1]
        beyond = sum(max(0.0, measured(line, self.text)[1] - usual) for line in lines)
        return len(lines) * self.label_line + LEADING * beyond

    def widest(
        self, texts: Sequence[str], size: float | None = None, weight: Any = "normal"
    ) -> float:
        """Return the width in inches of the widest line."""
        return max((text_width(text, size or self.text, weight) for text in texts), default=0.0)

    def widest_of(self, texts: Sequence[Sequence[str]], size: float | None = None) -> float:
        """Return the width in inches of the widest line of several texts."""
        return self.widest([line for lines in texts for line in lines], size)

    def lines(
        self,
        parts: str | Sequence[str],
        width: float,
        size: float | None = None,
        weight: Any = "normal",
    ) -> list[str]:
        """Put text in as few lines as fit; nothing is cut.

        parts : lines break between them; a part that is too wide breaks between words, and a word
            that is too wide breaks inside.
        """
        lines: list[str] = []

        def fits(text: str) -> bool:
            return text_width(text, size or self.text, weight) <= width

        def put(part: str) -> None:
            if lines and fits(f"{lines[-1]} {part}"):
                lines[-1] += f" {part}"
            elif fits(part):
                lines.append(part)
            elif len(words := part.split()) > 1:
                for word in words:
                    put(word)
            else:
                if lines and fits(2 * lines[-1]):  # avoid nearly empty lines
                    part = f"{lines.pop()} {part}"
                while len(part) > 1 and not fits(part):
                    most = bisect_left(
                        range(1, len(part)), x=True, key=lambda k: not fits(part[:k])
                    )
                    cut = _cut(part, max(most, 1))
                    lines.append(part[:cut])
                    part = part[cut:]
                lines.append(part)

        for part in [parts] if isinstance(parts, str) else parts:
            put(part)
        return lines


def most_in_matrix(sheet: Sheet) -> int:
    """Return the most classifiers of a matrix with legible names."""
    return int(OF_MATRIX * sheet.inner / LEAST_ROW) if sheet.is_asked else MOST_IN_MATRIX


# Pictures for the screen have a title; those for print have a caption instead, and the resolution
# that journals require.
STYLES = {"screen": Sheet(), "paper": Sheet(text=8.0, margin=0.04, titled=False, pixels=300)}


@lru_cache(maxsize=20_000)
def measured(text: str, size: float, weight: str = "normal") -> tuple[float, float]:
    """Return the width and the height of a line of text in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size, weight=weight)
    width, height, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width) / 72, float(height) / 72


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """Return the width of a line of text in inches."""
    return measured(text, size, weight)[0]


def _cut(word: str, most: int) -> int:
    """Return where to break a word if `most` characters fit; accents stay with their letter."""
    behind = [k for k in range(most // 2 + 1, most + 1) if word[k - 1] in SEPARATORS]
    cut = max(behind, default=most)
    while cut > 1 and unicodedata.combining(word[cut]):
        cut -= 1
    return cut
