"""Parse a prior on the command line: a name, and terms such as ``delta0=-1..1``."""

from collections.abc import Mapping
from typing import Any, Literal, get_origin

from bcompare.basis.errors import InputError


def parse_prior(text: str | None, kinds: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of each term.

    kinds : the known terms with the types of their values: text, a number, or two numbers as
    LOW..HIGH; the empty term stands for a word without a key.

    Raises
    ------
    InputError : an unknown term, one given twice, or a value that does not fit.
    """
    terms: dict[str, Any] = {}
    for part in [] if text is None else text.split(","):
        before, equals, after = (word.strip() for word in part.partition("="))
        key, value = (before, after) if equals else ("", before)
        if key not in kinds:
            known = ", ".join(f"{term}=…" if term else "a name" for term in kinds)
            raise InputError(f"--prior {text}: {part.strip()!r} is not known here; give {known}")
        if key in terms:
            raise InputError(f"--prior {text}: {key or 'a name'} is given twice: give it once")
        terms[key] = _value(value, kinds[key], f"--prior {text}: {part.strip()}")
    return terms


def _value(text: str, kind: Any, place: str) -> Any:
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
