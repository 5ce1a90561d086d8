"""Storage of rows until all pairs are known, since corrected p-values depend on all of them.

Many rows are stored on disk, one file (a part) for each task; an interrupted run resumes from the
parts that exist.
"""

import hashlib
import io
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from bcompare.basis.atomic import write_atomically
from bcompare.basis.errors import ComputationError
from bcompare.comparing.comparison import Placed
from bcompare.comparing.stream import Digest, Task, Work
from bcompare.data.rope import FloatArray
from bcompare.methods.correction import bonferroni, holm
from bcompare.report.comparisons import comparison_rows
from bcompare.report.rows import ColumnType, RowColumn, Rows

# Names of the files in the folder.
PARTS, CORRECTED = f"{'[0-9]' * 12}.part", "corrected.npy"

# The header of a part: its type, and the size of a digest that detects damage.
MAGIC, DIGEST = b"bcompare part 3\n", 32

# The classes allowed in a part, in addition to bcompare's own data classes.
HARMLESS = {("builtins", "set"), ("collections", "Counter"), ("numpy", "dtype"),
            ("numpy", "ndarray")}  # fmt: skip
REBUILDING = {"_frombuffer", "_reconstruct", "scalar"}  # of NumPy's arrays and numbers

# Bytes of p-values that are corrected at once.
AT_ONCE = 8 << 20
# Suffixes of the columns of corrected p-values.
CORRECTIONS = {"p_bonferroni": bonferroni, "p_holm": holm}


@dataclass(frozen=True, eq=False, slots=True)
class Kept:
    """The stored part of a task: rows, and (pairs, k) p-values, NaN if missing."""

    rows: Rows
    p_values: FloatArray


def keep_rows(work: Work, task: Task, placed: Sequence[Placed]) -> Kept:
    """Return the rows of a task, and the p-values to correct."""
    position = {name: k for k, name in enumerate(work.paired.names)}
    answers = work.method.answers(len(position))
    p_values = np.full((len(task.pairs), answers), np.nan)
    for i, comparison in placed:
        names = comparison.differences.statistics.names
        where = [0] if answers == 1 else [position[name] for name in names]
        p_values[i - task.start, where] = comparison.p_values
    return Kept(comparison_rows([comparison for _, comparison in placed]), p_values)


class Parts:
    """The digests of a run with their rows, in memory or in a folder.

    folder : None for memory. resume : keep the parts that exist; else they are deleted.
    kinds : the type of each column, over all parts.
    """

    def __init__(self, folder: Path | None, *, resume: bool = False) -> None:
        self.folder = folder
        self._parts: dict[int, Callable[[], Digest]] = {}
        self.kinds: dict[str, ColumnType] = {}
        self._shapes: dict[int, tuple[int, ...]] = {}
        if folder is not None:
            if not resume:
                self.remove()
            folder.mkdir(exist_ok=True)
            for path in sorted(folder.glob(PARTS)):
                self._add(read_part(path), path)

    def known(self) -> dict[int, Callable[[], Digest]]:
        """Return a function that reads each stored part, by the start of its task."""
        return dict(self._parts)

    def put(self, part: Digest) -> None:
        """Store a part."""
        start = part.task.start
        if start in self._parts:
            return
        path = None
        if self.folder is not None:
            path = self.folder / f"{start:012d}.part"
            write_part(path, part)
        self._add(part, path)

    def rows(self) -> Iterator[Rows]:
        """Yield the rows of all pairs in order, a block for each task, with corrected p-values."""
        starts = sorted(self._parts)
        if not starts:
            return
        ends = np.cumsum([self._shapes[start][0] for start in starts]).tolist()
        corrected = self._corrected(starts, ends[-1])
        for start, (first, end) in zip(starts, pairwise([0, *ends]), strict=True):
            kept: Kept = self._parts[start]().kept
            if kept.rows:
                yield _with_corrections(kept, corrected[first:end])

    def remove(self) -> None:
        """Delete the parts, and the folder unless it holds other files."""
        if self.folder is None:
            return
        for path in [*self.folder.glob(PARTS), self.folder / CORRECTED]:
            path.unlink(missing_ok=True)
        with suppress(OSError):
            self.folder.rmdir()

    def _add(self, part: Digest, path: Path | None) -> None:
        start, kept = part.task.start, part.kept
        self._parts[start] = (lambda: part) if path is None else (lambda: read_part(path))
        self._shapes[start] = kept.p_values.shape
        for name, column in kept.rows.items():
            self.kinds[name] = _wider(self.kinds.get(name, "nothing"), column.kind)

    def _corrected(self, starts: Sequence[int], pairs: int) -> FloatArray:
        """Return the (pairs, k, 2) corrected p-values of all parts, in the folder if there is one.

        Only a few columns are in memory at once.
        """
        k = self._shapes[starts[0]][1]
        corrected: FloatArray
        if self.folder is None:
            corrected = np.empty((pairs, k, len(CORRECTIONS)))
        else:
            corrected = np.lib.format.open_memmap(
                self.folder / CORRECTED, mode="w+", shape=(pairs, k, len(CORRECTIONS))
            )
        step = max(1, AT_ONCE // (8 * pairs))
        for columns in (slice(first, first + step) for first in range(0, k, step)):
            together = np.concatenate(
                [self._parts[start]().kept.p_values[:, columns] for start in starts]
            )
            for c, correct in enumerate(CORRECTIONS.values()):
                corrected[:, columns, c] = correct(together)
        return corrected


def _with_corrections(kept: Kept, corrected: FloatArray) -> Rows:
    """Return the rows with the corrected p-values in their columns."""
    there = ~np.isnan(kept.p_values)
    rows = dict(kept.rows)
    for c, suffix in enumerate(CORRECTIONS):
        for name in rows:
            if name.endswith(suffix):
                rows[name] = RowColumn("float", corrected[..., c][there])
    return rows


def _wider(one: ColumnType, other: ColumnType) -> ColumnType:
    """Return the type that holds the values of both."""
    if "nothing" in (one, other) or one == other:
        return other if one == "nothing" else one
    return "float" if {one, other} == {"int", "float"} else "text"


def write_part(path: Path, part: Digest) -> None:
    """Write a part atomically."""
    content = pickle.dumps(part, protocol=5)
    write_atomically(path, MAGIC + hashlib.sha256(content).digest() + content)


def read_part(path: Path) -> Digest:
    """Read a part; nothing in it is executed.

    Raises
    ------
    ComputationError : it is not what was written.
    """
    try:
        loaded = path.read_bytes()
    except OSError as error:
        raise ComputationError(f"{path}: cannot be read: {error.strerror}") from None
    content = loaded[len(MAGIC) + DIGEST :]
    if loaded[: len(MAGIC) + DIGEST] != MAGIC + hashlib.sha256(content).digest():
        raise ComputationError(f"{path}: a damaged part: delete it, and resume again")
    part: Digest = _Reader(io.BytesIO(content)).load()
    return part


class _Reader(pickle.Unpickler):
    """Unpickles data only, so that a manipulated part cannot run code."""

    def find_class(self, module: str, name: str) -> Any:
        arrays = module.partition(".")[0] == "numpy" and name in REBUILDING
        if arrays or (module, name) in HARMLESS:
            return super().find_class(module, name)
        loaded = super().find_class(module, name) if module.startswith("bcompare.") else None
        if not isinstance(loaded, type) or loaded.__module__ != module:
            raise ComputationError(f"a part holds {module}.{name}: delete it, and resume again")
        return loaded
