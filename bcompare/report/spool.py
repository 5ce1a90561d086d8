"""Storage of rows until all pairs are known, since corrected p-values depend on all of them.

Rows and p-values wait in temporary files, so that memory does not grow with the number of pairs.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from tempfile import TemporaryFile
from typing import IO

import numpy as np

from bcompare.comparing.comparison import Batch
from bcompare.comparing.comparison_set import Work
from bcompare.data.rope import FloatArray
from bcompare.methods.correction import bonferroni, holm
from bcompare.report.fields import ColumnType, RowColumn, Rows
from bcompare.report.pair_records import rows_of

# Bytes of p-values that are corrected at once.
AT_ONCE = 8 << 20
# Suffixes of the columns of corrected p-values.
CORRECTIONS = {"p_bonferroni": bonferroni, "p_holm": holm}


@dataclass(frozen=True, eq=False, slots=True)
class Kept:
    """What is stored of a task: rows, and (pairs, k) p-values, NaN if missing."""

    rows: Rows
    p_values: FloatArray


def keep_rows(work: Work, batch: Batch) -> Kept:
    """Return the rows of a task, and the p-values to correct."""
    answers = work.method.answers(len(work.paired.names))
    p_values = np.full((len(batch.differences.pairs), answers), np.nan)
    of_shown = np.concatenate([np.empty(0), *(part.p_values for part in batch.parts)])
    if answers == 1:
        p_values[batch.at, 0] = of_shown
    else:
        present = np.zeros(p_values.shape, np.bool_)
        present[batch.at] = batch.shared
        p_values[present] = of_shown
    pairs = [batch.differences.pairs[k] for k in batch.at]
    return Kept(rows_of(pairs, batch.sizes, batch.parts), p_values)


@contextmanager
def spooled() -> Iterator["Spool"]:
    """Open a spool whose files are deleted on exit."""
    with TemporaryFile() as rows, TemporaryFile() as p_values, TemporaryFile() as corrections:
        yield Spool(rows, p_values, corrections)


class Spool:
    """The rows of a run, in temporary files; see `spooled`.

    kinds : the type of each column, over all tasks.
    """

    def __init__(self, rows: IO[bytes], p_values: IO[bytes], corrections: IO[bytes]) -> None:
        self.kinds: dict[str, ColumnType] = {}
        self._rows, self._p_values, self._corrections = rows, p_values, corrections
        self._ends = [0]
        self._k = 1

    def put(self, kept: Kept) -> None:
        """Store what `keep_rows` kept of the next task, in the order of the pairs."""
        pairs, self._k = kept.p_values.shape
        self._ends.append(self._ends[-1] + pairs)
        np.save(self._rows, np.array(kept.rows, dtype=object))
        self._p_values.write(kept.p_values.tobytes())
        for name, column in kept.rows.items():
            self.kinds[name] = _wider(self.kinds.get(name, "nothing"), column.kind)

    def rows(self) -> Iterator[Rows]:
        """Yield the rows of all pairs in order, a block for each task, with corrected p-values."""
        self._p_values.flush()
        p_values = np.memmap(self._p_values, np.float64, "r", shape=(self._ends[-1], self._k))
        corrected = self._corrected(p_values)
        self._rows.seek(0)
        for first, end in pairwise(self._ends):
            rows: Rows = np.load(self._rows, allow_pickle=True).item()  # what `put` wrote
            if rows:
                there = ~np.isnan(p_values[first:end])
                yield _with_corrections(rows, corrected[:, first:end][:, there])

    def _corrected(self, p_values: FloatArray) -> FloatArray:
        """Return the (2, pairs, k) corrected p-values; only a few columns are in memory at once."""
        shape = p_values.shape
        corrected = np.memmap(self._corrections, np.float64, "w+", shape=(len(CORRECTIONS), *shape))
        step = max(1, AT_ONCE // (8 * shape[0]))
        for columns in (slice(first, first + step) for first in range(0, self._k, step)):
            for of_correction, correct in zip(corrected, CORRECTIONS.values(), strict=True):
                of_correction[:, columns] = correct(np.array(p_values[:, columns]))
        return corrected


def _with_corrections(rows: Rows, corrected: FloatArray) -> Rows:
    """Return the rows with the corrected p-values in their columns."""
    return rows | {
        name: RowColumn("float", values)
        for values, suffix in zip(corrected, CORRECTIONS, strict=True)
        for name in rows
        if name.endswith(suffix)
    }


def _wider(one: ColumnType, other: ColumnType) -> ColumnType:
    """Return the type that holds the values of both."""
    if "nothing" in (one, other) or one == other:
        return other if one == "nothing" else one
    return "float" if {one, other} == {"int", "float"} else "text"
