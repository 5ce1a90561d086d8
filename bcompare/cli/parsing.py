"""Parse the values of options: a rope, other borders, losses, and a prior."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_origin, overload

from bcompare.basis.messages import InputError

if TYPE_CHECKING:
    from bcompare.comparing.decision import ExpectedLoss
    from bcompare.data.rope import Rope


@overload
def parse_rope(text: str) -> "Rope": ...


@overload
def parse_rope(text: None) -> None: ...


@overload
def parse_rope(text: str | None) -> "Rope | None": ...


def parse_rope(text: str | None) -> "Rope | None":
    """Return the rope from a half-width, or from both borders separated by a comma; None for None.

    Raises
    ------
    InputError : not one number or two.
    """
    from bcompare.data.rope import Rope

    if text is None:
        return None
    borders = _numbers(text)
    if len(borders) == 2:
        return Rope(*borders)
    if len(borders) == 1:
        return Rope.symmetric(borders[0])
    more = "for several ropes repeat the option"
    if "%" in text:
        more = "in per cent it is for a metric of a gate, as in --metric 'seconds: 5%'"
    raise InputError(
        f"--rope {text}: give a half-width such as 0.01, or both borders as --rope=-0.01,0.02; "
        f"{more}"
    )


def parse_range(text: str) -> tuple[float, float]:
    """Return the least and the largest score from two numbers separated by a comma.

    Raises
    ------
    InputError : not two numbers.
    """
    ends = _numbers(text)
    if len(ends) != 2:
        raise InputError(f"--range {text}: give the least and the largest score, as in --range 0,1")
    return ends[0], ends[1]


def parse_words(name: str, texts: Sequence[str] | None, known: Sequence[str]) -> tuple[str, ...]:
    """Return the words that a repeated option of this name gives.

    Raises
    ------
    InputError : one that is not known.
    """
    for text in texts or ():
        if text not in known:
            raise InputError(f"{name} {text}: choose from {', '.join(known)}")
    return tuple(dict.fromkeys(texts or ()))


def parse_sizes(name: str, text: str | None) -> tuple[int, ...]:
    """Return the numbers behind an option of this name; empty without it.

    Raises
    ------
    InputError : not whole numbers.
    """
    if text is None:
        return ()
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"{name} {text}: give whole numbers, such as 10,20,50") from None


def _numbers(text: str) -> list[float]:
    """Return the numbers separated by commas; empty if one of them is not a number."""
    if "_" in text or not text.isascii():  # float() accepts these, too
        return []
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        return []


def parse_loss(argument: str) -> "ExpectedLoss":
    """Return the loss matrix that two numbers give, or a file with the whole matrix.

    Raises
    ------
    InputError : neither two numbers nor a readable matrix.
    """
    import numpy as np

    from bcompare.comparing.decision import ACTIONS, ExpectedLoss
    from bcompare.data.rope import REGIONS

    try:
        wrong, none = (float(part) for part in argument.split(","))
    except ValueError:
        pass
    else:
        return ExpectedLoss.simple(wrong, none)
    try:
        text = Path(argument).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"--loss {argument}: neither two numbers such as 20,1 nor a file that can be read"
        ) from error
    table = list(csv.DictReader(text.splitlines()))
    rows = {row.get("truth"): row for row in table}
    try:
        if len(table) != len(rows) or set(rows) != set(REGIONS):
            rows = {}
        losses = [[float(rows[truth][action]) for action in ACTIONS] for truth in REGIONS]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"--loss {argument}: not a loss matrix: expected a header truth,{','.join(ACTIONS)} "
            f"and a row each for {', '.join(REGIONS)}, such as: left,0,20,20,1"
        ) from error
    return ExpectedLoss(np.array(losses))


def parse_prior(text: str | None, kinds: Mapping[str, object]) -> dict[str, object]:
    """Return the value of each term.

    kinds : the known terms with the types of their values: text, a number, or two numbers as
    LOW..HIGH; the empty term stands for a word without a key.

    Raises
    ------
    InputError : an unknown term, one given twice, or a value that does not fit.
    """
    terms: dict[str, object] = {}
    for part in [] if text is None else text.split(","):
        key, equals, value = part.partition("=")
        if not equals:  # a word without a key
            key = ""
            value = part
        key = key.strip()
        if key not in kinds:
            terms_known = ", ".join(f"{term}=…" if term else "a name" for term in kinds)
            raise InputError(
                f"--prior {text}: {part.strip()!r} is not known here; give {terms_known}"
            )
        if key in terms:
            raise InputError(f"--prior {text}: {key or 'a name'} is given twice: give it once")
        terms[key] = _value(value.strip(), kinds[key], f"--prior {text}: {part.strip()}")
    return terms


def _value(text: str, kind: object, place: str) -> object:
    if kind is str or get_origin(kind) is Literal:
        return text
    try:
        if kind is float:
            return float(text)
        low, high = (float(end) for end in text.split(".."))
    except ValueError:
        expected = "a number" if kind is float else "two numbers, such as 0.5..5"
        raise InputError(f"{place}: give {expected}") from None
    return low, high
