"""The history of a gate: a line of JSON a verdict, appended by each run.

A baseline that is measured once and judged against every night brings its luck into every
comparison: the history knows how often that happened, and how its own re-runs differ.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from bcompare.basis.atomic import append_atomically
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note
from bcompare.basis.showable import Showable
from bcompare.data.scores import Scores
from bcompare.gating.rule import Outcome
from bcompare.gating.verdict import Gate


@dataclass(frozen=True, slots=True)
class Entry:
    """One run of a gate.

    time : UTC, ISO 8601. digest : of the baseline's scores; the same where they are the same run.
    baseline_mean : over the data sets, of the first metric.
    """

    time: str
    name: str
    outcome: Outcome
    summary: str
    baseline: str
    digest: str
    baseline_mean: float
    candidates: tuple[str, ...]
    metrics: tuple[str, ...]
    datasets: int
    fail_if: str
    alpha: float
    over: str

    @classmethod
    def of(cls, gate: Gate, name: str, summary: str) -> "Entry":
        """The entry for a verdict, dated now."""
        first = gate.verdicts[0]
        return cls(
            time=datetime.now(UTC).isoformat(timespec="seconds"),
            name=name,
            outcome=gate.outcome,
            summary=summary,
            baseline=gate.baseline,
            digest=_digest([study.scores for study in gate.studies], gate.baseline),
            baseline_mean=first.means[0],
            candidates=gate.candidates,
            metrics=tuple(metric.name for metric in gate.metrics if metric.name),
            datasets=len(gate.study.scores.datasets),
            fail_if=gate.rule.fail_if,
            alpha=gate.rule.alpha,
            over=gate.over,
        )


@dataclass(frozen=True, eq=False, slots=True)
class History(Showable):
    """The entries of a file, the oldest first."""

    path: str
    entries: tuple[Entry, ...]

    @classmethod
    def read(cls, path: str) -> "History":
        """Read a file; one that is not there is empty.

        Raises
        ------
        InputError : a file that cannot be read, or a line that no gate has written.
        """
        try:
            text = Path(path).read_text(encoding="utf-8")
        except FileNotFoundError:
            if not Path(path).absolute().parent.is_dir():
                raise InputError(f"{path}: there is no such folder; make it first") from None
            return cls(path, ())
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read: {error}") from None
        entries = []
        for number, line in enumerate(text.splitlines(), 1):
            try:
                said = json.loads(line)
                lists = {key: tuple(said[key]) for key in ("candidates", "metrics")}
                entries.append(Entry(**said | lists))
            except (ValueError, TypeError, KeyError):
                raise InputError(
                    f"{path}, line {number}: no entry of a gate's history; remove the line, or "
                    "name another file"
                ) from None
        return cls(path, tuple(entries))

    def append(self, entry: Entry) -> None:
        """Write an entry behind the others."""
        line = json.dumps(asdict(entry), ensure_ascii=False)
        append_atomically(self.path, f"{line}\n".encode())

    def reuse(self, entry: Entry) -> tuple[Note, ...]:
        """Warn that the same run of the baseline was judged against before."""
        before = sum(other.digest == entry.digest for other in self.entries)
        if not before:
            return ()
        message = (
            f"this run of {entry.baseline} was judged against {before:,} times before: its luck is "
            "in every verdict, so that false alarms come together; measure it again from time to "
            "time"
        )
        return (Note("old-baseline", "warning", message),)


def older(baseline: str, files: Sequence[str]) -> tuple[Note, ...]:
    """Warn where the baseline's file is older than a candidate's by more than a day.

    files : as they were named, each a classifier's where a label or its own name says so.
    """
    labelled = [name.rpartition("=")[::2] for name in files]
    when = {
        label or Path(path).stem: (path, Path(path).stat().st_mtime)
        for label, path in labelled
        if Path(path).is_file()
    }
    if baseline not in when:
        return ()
    path, measured = when.pop(baseline)
    days = int(max((time - measured for _, time in when.values()), default=0) // 86_400)
    if days < 1:
        return ()
    message = (
        f"{path} is {days:,} days older than what is judged against it: whatever has changed "
        "since, and not only the change, is in the difference"
    )
    return (Note("old-baseline", "warning", message),)


def _digest(parts: list[Scores], baseline: str) -> str:
    digest = hashlib.sha256()
    for scores in parts:
        column = scores.classifiers.index(baseline)
        for dataset in scores.datasets:
            digest.update(dataset.name.encode())
            digest.update(np.ascontiguousarray(dataset.table[:, column]).tobytes())
    return digest.hexdigest()[:12]
