"""Numbers in cells as people write them: with a deviation, marks, a percent sign, or in bold."""

import re
from typing import NamedTuple

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_NUMBER = NUMBER.pattern
_GROUPED = r"[+-]?[1-9]\d{0,2}(?:,\d{3})+\.\d+"  # without decimals a comma may be a decimal mark
_DRESS = re.compile(r"\\pm|\\[a-zA-Z]+\s*|[{}$*†‡§¶↑↓▲▼]|\^\{?[a-z\d]\}?|(?<!\w)_+|_+(?!\w)")
_DRESSED = re.compile(
    rf"(?P<number>{_GROUPED}|{_NUMBER})\s*(?P<percent>%)?\s*"
    rf"(?P<spread>(?:±|\+/?-)\s*{_NUMBER}|\(\s*(?:±|\+/?-)?\s*{_NUMBER}\s*%?\s*\))?\s*"
    r"(?P<more>%)?",
    re.ASCII,
)
# Words for scores, in any case, if a column has no others.
TRUTH = {"true": 1.0, "false": 0.0}
# Texts that stand for a missing number, in lower case.
MARKERS = {"", "-", "--", "–", "—", "?", "na", "n/a", "#n/a", "nan", "null", "none", "missing"}
# A number with a decimal comma, or a percentage with one.
DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+\s*%?")
# Trials that were ended for their time, in the place of their scores.
_TIMED_OUT = [f"{word}{mark}out" for word in ("time", "timed") for mark in ("", " ", "_", "-")]
TIMED_OUT = (
    *_TIMED_OUT,
    *(word.upper() for word in _TIMED_OUT),
    *(word.capitalize() for word in _TIMED_OUT),
)
# Numbers that often stand for a missing score.
SENTINELS = (-1.0, -9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0, 99999.0)
# Longer cells hold more than a number.
LONGEST = 80


class Written(NamedTuple):
    """A number as written.

    percent : with a percent sign.
    more : with marks or a deviation.
    """

    number: float
    percent: bool = False
    more: bool = False


def number_in(text: str) -> Written | None:
    r"""Return the number in a cell; None if there is none, or more than one.

    The decimal mark is a point. Marks of bold type and of significance are left out, as are
    thousands separators where decimals follow.

    Examples
    --------
    >>> number_in(r"\textbf{91.2} $\pm$ 0.4")
    Written(number=91.2, percent=False, more=True)
    >>> [number_in(text).number for text in ("**91.2%**", "1,234.5*")]
    [91.2, 1234.5]
    """
    if NUMBER.fullmatch(text):
        return Written(float(text))
    if len(text) > LONGEST:
        return None
    if text.count("$") % 2:  # of dollars, not of a formula
        return None
    text = text.replace("−", "-").replace(r"\%", "%").strip()
    plain = _DRESS.sub(lambda match: "±" if match[0] == r"\pm" else "", text).strip()
    match = _DRESSED.fullmatch(plain)
    if match is None:
        return None
    percent = bool(match["percent"] or match["more"])
    more = plain != text or match["spread"] is not None
    return Written(float(match["number"].replace(",", "")), percent, more)
