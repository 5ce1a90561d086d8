"""Columns of names as codes: all that the reading room does to names, it does once a name."""

import re
from collections.abc import Callable, Iterable, Sequence
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
        return cls(np.zeros(rows, dtype=np.int32), (name,))

    @classmethod
    def of(cls, names: Iterable[str]) -> "Coded":
        """The names as given, a row each."""
        coder = Coder()
        codes = np.fromiter((coder.code(name) for name in names), dtype=np.int32)
        return cls(codes, coder.names)

    def renamed(self, rename: Callable[[str], str]) -> "Coded":
        """Each name changed; names that become equal become one."""
        names = tuple(rename(name) for name in self.names)
        if names == self.names:
            return self
        coder = Coder()
        return Coded(coder.recode(self.codes, names), coder.names)

    def rows(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "Coded":
        """Some of the rows, by mask or by index; the names stay."""
        return Coded(self.codes[chosen], self.names)


class Coder:
    """Gives names codes, in the order in which they first come up."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._names: list[str] = []

    @property
    def names(self) -> tuple[str, ...]:
        """All names so far; the position of a name is its code."""
        return tuple(self._names)

    def code(self, name: str) -> int:
        """The code of one name."""
        code = self._codes.setdefault(name, len(self._names))
        if code == len(self._names):
            self._names.append(name)
        return code

    def recode(self, codes: NDArray[Any], names: Sequence[str]) -> Codes:
        """Codes into `names`, turned into codes of this coder."""
        return np.take(self.table(codes, names), codes)

    def table(self, codes: NDArray[Any], names: Sequence[str], ordered: bool = False) -> Codes:
        """(len(names),) this coder's code of each name.

        New names get their codes in the order of the rows, not in that of `names`, unless that
        is known to be the same (`ordered`); names that no row has get none.
        """
        if len(names):
            # Where the names are in the same order as before, comparing is faster than looking up.
            start = self._codes.get(names[0], len(self._names))
            if self._names[start : start + len(names)] == names:
                return np.arange(start, start + len(names), dtype=np.int32)
        known = list(map(self._codes.get, names))
        new: Sequence[int] = [i for i, code in enumerate(known) if code is None]
        if not new:
            return np.array(known, dtype=np.int32)
        if not ordered:
            first = np.full(len(names), len(codes))
            first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the last assignment stays
            new = [i for i in new if first[i] < len(codes)]
            new.sort(key=first.__getitem__)
        table = np.array([code or 0 for code in known], dtype=np.int32)
        table[new] = [self.code(names[i]) for i in new]
        return table


def concatenated(parts: Sequence[Coded]) -> Coded:
    """One column after the other."""
    if len(parts) == 1:
        return parts[0]
    coder = Coder()
    codes = [coder.recode(part.codes, part.names) for part in parts]
    return Coded(np.concatenate(codes), coder.names)


def joined(columns: Sequence[Coded]) -> Coded:
    """Several columns as one, with a blank between their names."""
    first, *others = columns
    for other in others:
        pairs, codes = distinct(first.codes, other.codes, len(other.names))
        left, right = np.divmod(pairs, len(other.names))
        names = [
            f"{first.names[i]} {other.names[j]}"
            for i, j in zip(left.tolist(), right.tolist(), strict=True)
        ]
        coder = Coder()
        first = Coded(coder.recode(codes, names), coder.names)
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
