"""Columns of names as codes: all that the reading room does to names, it does once a name."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]

DENSE = 1 << 24  # a range of codes that may always be looked up in a table

CHUNK = 1 << 20

MANY = 10_000  # names

WHOLE_NUMBER = re.compile(r"[+-]?(\d+)(?:\.0*)?", re.ASCII)


@dataclass(frozen=True, eq=False, slots=True)
class Coded:
    """A column of names: row i holds ``names[codes[i]]``; names are distinct."""

    codes: Codes
    names: tuple[str, ...]

    @classmethod
    def constant(cls, name: str, rows: int) -> "Coded":
        """The same name in every row."""
        return cls(np.zeros(rows, dtype=np.int32), (name,) if rows else ())

    @classmethod
    def of(cls, codes: NDArray[Any], names: Sequence[str]) -> "Coded":
        """Codes into names, of which some may be equal or have no row.

        The names come in the order of their first appearance.
        """
        first = np.full(len(names), len(codes))
        for start in reversed(range(0, len(codes), CHUNK)):  # in pieces, to spare memory
            chunk = codes[start : start + CHUNK]
            first[chunk[::-1]] = np.arange(start, start + len(chunk))[::-1]  # the last one stays
        table = np.zeros(len(names), dtype=np.int32)
        known: dict[str, int] = {}
        for i in np.argsort(first)[: np.count_nonzero(first < len(codes))].tolist():
            table[i] = known.setdefault(names[i], len(known))
        return cls(np.take(table, codes), tuple(known))

    def renamed(self, rename: Callable[[str], str]) -> "Coded":
        """Each name changed; names that become equal become one."""
        names = tuple(map(rename, self.names))
        return self if names == self.names else Coded.of(self.codes, names)

    def rows(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "Coded":
        """Some of the rows, by mask or by index; the names stay."""
        return Coded(self.codes[chosen], self.names)

    def which(self, holds: Callable[[str], bool]) -> NDArray[np.bool_]:
        """The rows for whose name something holds."""
        return np.array([holds(name) for name in self.names], dtype=np.bool_)[self.codes]


def concatenated(parts: Sequence[Coded]) -> Coded:
    """One column after the other, of each of which the names are in the order of the rows."""
    if len(parts) == 1:
        return parts[0]
    known: dict[str, int] = {}
    codes = np.empty(sum(len(part.codes) for part in parts), dtype=np.int32)
    end = 0
    for part in parts:
        table = np.array([known.setdefault(name, len(known)) for name in part.names], np.int32)
        start, end = end, end + len(part.codes)
        np.take(table, part.codes, out=codes[start:end], mode="clip")
    return Coded(codes, tuple(known))


def joined(columns: Sequence[Coded]) -> Coded:
    """Several columns as one, with a blank between their names."""
    first, *others = columns
    for other in others:
        pairs, codes = distinct(first.codes, other.codes, len(other.names))
        names = [
            f"{first.names[i]} {other.names[j]}"
            for i, j in (divmod(pair, len(other.names)) for pair in pairs.tolist())
        ]
        first = Coded.of(codes, names)
    return first


def whole_number(name: str) -> str:
    """Runs and folds are numbers: "01", "1.0" and "1" are the same. Other names stay."""
    matched = WHOLE_NUMBER.fullmatch(name)
    if matched is None:
        return name
    digits = matched[1].lstrip("0") or "0"
    return f"-{digits}" if name.startswith("-") and digits != "0" else digits


def natural_order(names: Sequence[str]) -> Codes:
    """(len(names),) the rank of each name, with numbers inside names in numerical order.

    More names than anybody reads are put in plain order, which is as good for everything else.
    """
    key = _natural_key if len(names) <= MANY else str
    rank = np.zeros(len(names), dtype=np.int32)
    rank[sorted(range(len(names)), key=lambda i: key(names[i]))] = np.arange(len(names))
    return rank


def _natural_key(name: str) -> tuple[list[tuple[str, int, str]], str]:
    """Numbers by their length, then by their digits, however many; no number comes first."""
    pieces = re.findall(r"(\D*)(\d*)", name, re.ASCII)
    numbers = [(text, digits, digits.lstrip("0")) for text, digits in pieces]
    return [(text, len(number) if digits else -1, number) for text, digits, number in numbers], name


def distinct(
    major: NDArray[Any], minor: NDArray[Any], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct values of ``major * size + minor``, sorted, and the position of each row's.

    Without sorting where the values are dense, as they are in every regular design.
    """
    keys = major * np.int64(size)
    keys += minor
    span = (int(major.max(initial=-1)) + 1) * size
    if span > 4 * len(keys) + DENSE:
        distinct, position = np.unique(keys, return_inverse=True)
        return distinct, position
    occurs = np.zeros(span, dtype=np.bool_)
    occurs[keys] = True
    rank = np.cumsum(occurs, dtype=np.int64)
    rank -= 1
    for start in range(0, len(keys), CHUNK):  # in place, to spare memory
        chunk = keys[start : start + CHUNK]
        chunk[:] = rank[chunk]
    return np.flatnonzero(occurs).astype(np.int64), keys
