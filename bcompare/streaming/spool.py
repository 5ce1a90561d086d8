"""Rows on disk until all pairs are known: the corrected p-values need all of them.

A part is a file a task, written whole; a run that was cut off goes on from the parts that are
there. Numbers and names only: nothing in a part is executed when it is read.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import numpy as np

from bcompare.basis.atomic import write_atomically
from bcompare.basis.errors import ComputationError
from bcompare.basis.notes import Note
from bcompare.comparing.answers import Task
from bcompare.comparing.summary import Noted, Tally
from bcompare.data.rope import FloatArray
from bcompare.methods.base import ErrorEstimate
from bcompare.methods.correction import bonferroni, holm
from bcompare.report.rows import Column, Kind, Rows

# Names of the files in the folder.
DIGITS = "[0-9]" * 12
PARTS, CORRECTED = f"{DIGITS}.part", f"{DIGITS}.corrected.npy"

# What a part begins with: what it is, and a digest that tells a whole part from a damaged one.
MAGIC, DIGEST = b"bcompare part 1\n", 32

# Bytes of p-values that are corrected at once.
AT_ONCE = 8 << 20
# The columns of the corrected p-values end so.
CORRECTIONS = {"p_bonferroni": bonferroni, "p_holm": holm}


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """What is kept of a task: counts, rows, and (pairs, k) p-values, NaN where there are none."""

    task: Task
    tally: Tally
    rows: Rows
    p_values: FloatArray


class Spool:
    """The parts of a run: in memory where they are few, else in a folder.

    folder : None for memory. resume : take up the parts that are there, else they are deleted.
    """

    def __init__(self, folder: Path | None, *, resume: bool = False) -> None:
        self.folder = folder
        self._parts: dict[int, Callable[[], Part]] = {}
        self._kinds: dict[str, Kind] = {}
        self._shapes: dict[int, tuple[int, ...]] = {}
        if folder is not None:
            if not resume:
                self.remove()
            folder.mkdir(exist_ok=True)
            for path in sorted(folder.glob(PARTS)):
                self._file(path, read_part(path))

    def known(self) -> dict[int, Callable[[], Part]]:
        """The parts so far: where a task begins → reads its part."""
        return dict(self._parts)

    def put(self, part: Part) -> None:
        """Keep one more part."""
        start = part.task.start
        if start in self._parts:
            return
        if self.folder is None:
            self._count(part)
            self._parts[start] = lambda: part
            return
        path = self._path(start)
        write_part(path, part)
        self._file(path, part)

    @property
    def kinds(self) -> dict[str, Kind]:
        """What each column holds, over all parts."""
        return self._kinds

    def rows(self) -> Iterator[Rows]:
        """The rows of all pairs in their order, a block a task, p-values corrected."""
        corrected = dict(self._corrected())
        for start in sorted(self._parts):
            part = self._parts[start]()
            if part.rows:
                yield _with_corrections(part, corrected[start]())

    def remove(self) -> None:
        """Delete the parts, and the folder unless it holds files of somebody else."""
        if self.folder is None:
            return
        for path in [*self.folder.glob(PARTS), *self.folder.glob(CORRECTED)]:
            path.unlink(missing_ok=True)
        with suppress(OSError):
            self.folder.rmdir()

    def _path(self, start: int) -> Path:
        return (self.folder or Path()) / f"{start:012d}.part"

    def _file(self, path: Path, part: Part) -> None:
        self._count(part)
        self._parts[part.task.start] = lambda: read_part(path)

    def _count(self, part: Part) -> None:
        self._shapes[part.task.start] = part.p_values.shape
        for name, column in part.rows.items():
            self._kinds[name] = _wider(self._kinds.get(name, "nothing"), column.kind)

    def _corrected(self) -> Iterator[tuple[int, Callable[[], FloatArray]]]:
        """For each part (pairs, k, 2) corrected p-values, computed some data sets at a time."""
        starts = sorted(self._parts)
        if not starts:
            return
        sizes = [self._shapes[start][0] for start in starts]
        ends = np.cumsum(sizes)
        k = max(self._shapes[start][1] for start in starts)
        step = max(1, AT_ONCE // (8 * int(ends[-1])))
        files = [self._scratch(start, (size, k, len(CORRECTIONS)))
                 for start, size in zip(starts, sizes, strict=True)]  # fmt: skip
        for first in range(0, k, step):
            columns = slice(first, first + step)
            together = np.concatenate(
                [self._parts[start]().p_values[:, columns] for start in starts]
            )
            for c, correct in enumerate(CORRECTIONS.values()):
                adjusted = correct(together)
                for file, end, size in zip(files, ends, sizes, strict=True):
                    file()[:, columns, c] = adjusted[end - size : end]
        yield from zip(starts, files, strict=True)

    def _scratch(self, start: int, shape: tuple[int, ...]) -> Callable[[], FloatArray]:
        """A place for a part's corrected p-values."""
        if self.folder is None:
            array = np.empty(shape)
            return lambda: array
        path = self._path(start).with_suffix(".corrected.npy")
        np.lib.format.open_memmap(path, mode="w+", dtype=np.float64, shape=shape).flush()
        return lambda: cast("FloatArray", np.load(path, mmap_mode="r+"))


def _with_corrections(part: Part, corrected: FloatArray) -> Rows:
    """The rows with the corrected p-values in their columns."""
    there = ~np.isnan(part.p_values)
    rows = dict(part.rows)
    for c, suffix in enumerate(CORRECTIONS):
        for name in rows:
            if name.endswith(suffix):
                rows[name] = Column("float", corrected[..., c][there])
    return rows


def _wider(one: Kind, other: Kind) -> Kind:
    """The kind that holds the values of both."""
    if "nothing" in (one, other) or one == other:
        return other if one == "nothing" else one
    return "float" if {one, other} == {"int", "float"} else "text"


def write_part(path: Path, part: Part) -> None:
    """Write a part as a file of arrays, whole or not at all."""
    arrays: dict[str, Any] = {"p_values": part.p_values}
    header: dict[str, Any] = {
        "start": part.task.start,
        "pairs": part.task.pairs,
        "tally": _tally_record(part.tally),
        "columns": {name: [c.kind, c.names] for name, c in part.rows.items()},
    }
    for i, column in enumerate(part.rows.values()):
        arrays[f"values{i}"] = column.values
        if column.missing is not None:
            arrays[f"missing{i}"] = column.missing
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    buffer = BytesIO()
    np.savez(buffer, **arrays)
    content = buffer.getvalue()
    write_atomically(path, MAGIC + hashlib.sha256(content).digest() + content)


def read_part(path: Path) -> Part:
    """Read a part.

    Raises
    ------
    ComputationError : the file is damaged.
    """
    with np.load(BytesIO(_content(path)), allow_pickle=False) as file:
        header = json.loads(file["header"].tobytes())
        rows = {
            name: Column(kind, file[f"values{i}"], tuple(names), file.get(f"missing{i}"))
            for i, (name, (kind, names)) in enumerate(header["columns"].items())
        }
        p_values = file["p_values"]
    task = Task(header["start"], tuple((left, right) for left, right in header["pairs"]))
    return Part(task, _tally_of(header["tally"]), rows, p_values)


def _content(path: Path) -> bytes:
    """What was written as a part, if all of it is still there.

    Raises
    ------
    ComputationError : it is not.
    """
    try:
        found = path.read_bytes()
    except OSError as error:
        raise ComputationError(f"{path}: cannot be read: {error.strerror}") from None
    content = found[len(MAGIC) + DIGEST :]
    if found[: len(MAGIC) + DIGEST] != MAGIC + hashlib.sha256(content).digest():
        raise ComputationError(f"{path}: a damaged part: delete it, and resume again")
    return content


def _tally_record(tally: Tally) -> dict[str, Any]:
    """A tally as JSON knows it."""
    return {
        "alpha": tally.alpha,
        "pairs": tally.pairs,
        "decisions": tally.decisions,
        "crossed": [[small, decision, n] for (small, decision), n in tally.crossed.items()],
        "beaten": sorted(tally.beaten),
        "failures": [[pair, error.text] for pair, error in tally.failures],
        "apart": tally.apart,
        "n_apart": tally.n_apart,
        "notes": [asdict(noted) for noted in tally.notes.values()],
        "used": sorted(tally.used),
        "error": None if tally.error is None else asdict(tally.error),
        "p_values": [[start, values.tolist()] for start, values in tally.p_values],
    }


def _tally_of(record: dict[str, Any]) -> Tally:
    notes = [
        Noted(
            first=Note(**noted["first"]),
            count=noted["count"],
            same=noted["same"],
            named=[Note(**note) for note in noted["named"]],
        )
        for noted in record["notes"]
    ]
    return Tally(
        alpha=record["alpha"],
        pairs=record["pairs"],
        decisions=Counter(record["decisions"]),
        crossed=Counter({(small, decision): n for small, decision, n in record["crossed"]}),
        beaten=set(record["beaten"]),
        failures=[((pair[0], pair[1]), ComputationError(why)) for pair, why in record["failures"]],
        apart=[(left, right) for left, right in record["apart"]],
        n_apart=record["n_apart"],
        notes={noted.first.code: noted for noted in notes},
        used=set(record["used"]),
        error=None if record["error"] is None else ErrorEstimate(**record["error"]),
        p_values=[(start, np.array(values)) for start, values in record["p_values"]],
    )
