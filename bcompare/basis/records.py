"""Values by name, of any kind: JSON objects, rows of files, keyword arguments."""

from collections.abc import Callable
from typing import Any

Record = dict[str, Any]


def with_texts(value: object, convert: Callable[[str], str]) -> Any:
    """Return a record with all its texts converted, but for the keys."""
    match value:
        case str():
            return convert(value)
        case dict():
            return {key: with_texts(inner, convert) for key, inner in value.items()}
        case list() | tuple():
            return [with_texts(inner, convert) for inner in value]
        case _:
            return value
