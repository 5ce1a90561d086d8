"""The history of a gate: each run appends its verdict as a line of JSON.

If a baseline is measured once and used every night, its random error affects every comparison: the
history knows how often that happened, and how its re-runs differ.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.atomic import append_atomically
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note
from bcompare.basis.records import Record
from bcompare.basis.showable import Showable
from bcompare.data.scores import Scores
from bcompare.gating.anytime import AnytimeGate, Bets
from bcompare.gating.drift import Anchor, Means, means_of
from bcompare.gating.rule import Outcome
from bcompare.gating.verdict import Gate

ANY = "any"
Looks = int | Literal["any"]
"""The declared number of looks."""

LISTS = ("candidates", "metrics", "rows", "sides")


@dataclass(frozen=True, slots=True)
class Entry:
    """One run of a gate.

    time : UTC, ISO 8601. digest : of the baseline's scores, which identifies its run.
    baseline_mean : over the data sets, of the first metric. alpha : for all looks together.
    look, looks : the number of the look, of declared ones. bets : the declared bets, the number
    `seen` for each claim, and a digest of these. id : the candidate's commit, as the user named it;
    rows, sides : of each data set the number of rows, and digests of the scores of the baseline and
    of the candidates, by which later looks know whether they are the same. means : of the baseline,
    by metric and data set.
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
    look: int | None = None
    looks: int | None = None
    bets: Record | None = None
    id: str = ""
    rows: tuple[int, ...] = ()
    sides: tuple[str, ...] = ()
    means: Means = field(default_factory=dict)

    @classmethod
    def of(cls, judged: Gate | AnytimeGate, name: str, summary: str, id: str = "") -> "Entry":
        """Return the entry for a verdict, dated now; id : the candidate's commit, if named."""
        gate = judged if isinstance(judged, Gate) else judged.gate
        first, rows = gate.verdicts[0], _rows_of(gate)
        return cls(
            time=datetime.now(UTC).isoformat(timespec="seconds"),
            name=name,
            outcome=judged.final if isinstance(judged, Gate) else judged.outcome,
            summary=summary,
            baseline=gate.baseline,
            digest=_digest([study.scores for study in gate.studies], gate.baseline),
            baseline_mean=first.means[0],
            candidates=gate.candidates,
            metrics=tuple(metric.name for metric in gate.metrics if metric.name),
            datasets=len(gate.study.scores.datasets),
            fail_if=gate.rule.fail_if,
            alpha=gate.alpha,
            over=gate.over,
            look=None if gate.look is None else gate.look.number,
            looks=None if gate.look is None else gate.look.planned,
            bets=None if isinstance(judged, Gate) else judged.declared(),
            id=id,
            rows=rows,
            sides=_sides_of(gate, rows),
            means=means_of(gate.parts, gate.baseline),
        )


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class History(Showable):
    """The entries of a file, the oldest first; size : of the file, in bytes."""

    path: str
    entries: tuple[Entry, ...]
    size: int = 0

    @classmethod
    def read(cls, path: str) -> "History":
        """Read a file; a missing one is empty.

        Raises
        ------
        InputError : a file that cannot be read, or a line that no gate has written.
        """
        if Path(path).exists() and not Path(path).is_file():
            raise InputError(f"{path}: not a plain file; name one for the history")
        try:
            content = Path(path).read_bytes()
            text = content.decode()
        except FileNotFoundError:
            if not Path(path).absolute().parent.is_dir():
                raise InputError(f"{path}: there is no such folder; make it first") from None
            return cls(path, ())
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read: {error}") from None
        entries = []
        for number, line in enumerate(text.splitlines(), 1):
            try:
                entry = json.loads(line)
                lists = {key: tuple(entry.get(key, ())) for key in LISTS}
                entries.append(Entry(**entry | lists))
            except (ValueError, TypeError, KeyError):
                raise InputError(
                    f"{path}, line {number}: no entry of a gate's history; remove the line, or "
                    "name another file"
                ) from None
        return cls(path, tuple(entries), len(content))

    def _last(self, name: str) -> Entry | None:
        """Return the last entry of the gate of this name, if any."""
        own = [entry for entry in self.entries if entry.name == name]
        return own[-1] if own and (own[-1].look or own[-1].bets) else None

    def next_look(
        self, name: str, alpha: float, looks: Looks | None
    ) -> tuple[int | None, int | None]:
        """Return the number of the next look, None if none are counted, and of declared ones.

        looks : how many are declared now, if they are counted; a history that counts goes on.

        Raises
        ------
        InputError : what contradicts the last look, of which its share of alpha is spent.
        """
        last = self._last(name)
        planned = looks if isinstance(looks, int) else None
        if last is None or last.look is None:
            return None if looks is None else 1, planned
        if (looks is not None and planned != last.looks) or alpha != last.alpha:
            declared = "" if last.looks is None else f" of {last.looks} declared ones"
            raise InputError(
                f"{self.path}: look {last.look}{declared} was made at {arg('alpha', last.alpha)}, "
                "and part of that is spent: go on with the same, or begin another history"
            )
        if last.look == last.looks:
            raise InputError(
                f"{self.path}: all {last.looks} declared looks are made: begin another history, "
                "with new data"
            )
        return last.look + 1, last.looks

    def next_bets(
        self, name: str, alpha: float, bets: Bets | None, seed: int | None
    ) -> Bets | None:
        """Return the bets to continue: as given, or those of the last look.

        Raises
        ------
        InputError : other bets than those of the last look.
        """
        last = self._last(name)
        if last is None or last.bets is None:
            return bets
        before = Bets.of_record(last.bets)
        consistent = bets in (None, Bets(seed=seed), before) and seed in (None, before.seed)
        if not consistent or alpha != last.alpha:
            raise InputError(
                f"{self.path}: bets were declared as {before.describe()} at "
                f"{arg('alpha', last.alpha)}: go on with the same, or begin another history"
            )
        return before

    def check_stream(self, name: str, judged: Gate | AnytimeGate) -> None:
        """Check that data have grown at their end since the last look.

        Raises
        ------
        InputError : another rope, or other first items than at the last look, or their order.
        """
        last = self._last(name)
        if last is None or last.bets is None or isinstance(judged, Gate):
            return
        declared = judged.declared()
        if declared["claims"] != last.bets["claims"]:
            raise InputError(
                f"{self.path}: bets go on with the claims of the last look, which share alpha, and "
                "the candidates, metrics or data sets are others now: go on with the same, or "
                "begin another history"
            )
        if declared["largest_cluster"] > last.bets["largest_cluster"]:
            raise InputError(
                f"{self.path}: a cluster of {declared['largest_cluster']:,} items, and the largest "
                f"before had {last.bets['largest_cluster']:,}, by which bets were made: begin "
                f"another history, and declare the largest one by {arg('largest')}"
            )
        for before, now in zip(last.bets["ropes"], declared["ropes"], strict=True):
            if before != now:
                raise InputError(
                    f"{self.path}: the last look had {arg('rope', tuple(before))}: go on with the "
                    "same, or begin another history"
                )
        seen = last.bets["seen"]
        if judged.digest(seen) != last.bets["digest"]:
            raise InputError(
                f"{self.path}: the last look saw {max(seen):,} {judged.observations}, and these "
                "are not the first ones now, in the same order: bets go on with what comes behind; "
                "append to the results, or begin another history"
            )

    def failed_look(self, name: str, gate: Gate, id: str) -> tuple[Entry, bool] | None:
        """Return the first look of this series that failed, and whether it still counts.

        It does while the baseline and the candidate are the same: by the candidate's commit if it
        is named, else by their scores, which may have grown at their end since.
        """
        own = [entry for entry in self.entries if entry.name == name and entry.look is not None]
        begins = max((i for i, entry in enumerate(own) if entry.look == 1), default=0)
        failed = next((entry for entry in own[begins:] if entry.outcome == "fail"), None)
        if failed is None or gate.look is None or gate.look.number == 1:
            return None
        baseline, *candidates = failed.sides or ("",)
        now, *others = _sides_of(gate, failed.rows)
        same = id == failed.id if id or failed.id else candidates == others
        return failed, same and baseline == now

    def anchor(self, name: str) -> Anchor | None:
        """Return the baseline of the first entry of this gate, from which later ones drift."""
        first = next((e for e in self.entries if e.name == name and e.means), None)
        if first is None:
            return None
        return Anchor(f"the first baseline in {self.path}", first.means)

    def append(self, entry: Entry) -> None:
        """Append an entry.

        Raises
        ------
        InputError : another gate has taken this look in the meantime.
        """
        line = json.dumps(asdict(entry), ensure_ascii=False)
        is_look = entry.look is not None or entry.bets is not None
        append_atomically(self.path, f"{line}\n".encode(), self.size if is_look else None)

    def reuse(self, entry: Entry) -> tuple[Note, ...]:
        """Warn if the same run of the baseline was used before."""
        before = sum(other.digest == entry.digest for other in self.entries)
        if not before or entry.bets is not None:  # bets go on with the same run
            return ()
        message = (
            f"this run of {entry.baseline} was used {times(before)} before: its random error is in "
            "every verdict, so that false alarms are correlated; run the baseline again now and "
            "then"
        )
        return (Note("old-baseline", "warning", message),)


def _rows_of(gate: Gate) -> tuple[int, ...]:
    """Return the number of rows of each data set of each metric."""
    return tuple(len(d.table) for study in gate.studies for d in study.scores.datasets)


def _sides_of(gate: Gate, rows: Sequence[int]) -> tuple[str, ...]:
    """Return digests of the first rows of each data set, of the baseline and of each candidate."""
    datasets = [
        (study.scores.classifiers, dataset)
        for study in gate.studies
        for dataset in study.scores.datasets
    ]
    if len(datasets) != len(rows):
        return ()
    digests = []
    for name in (gate.baseline, *gate.candidates):
        digest = hashlib.sha256()
        for (classifiers, dataset), n in zip(datasets, rows, strict=True):
            table = dataset.in_order()[0] if len(dataset.order) else dataset.table
            own = table[:n, classifiers.index(name)]
            digest.update(repr((dataset.name, len(own))).encode() + np.round(own, 12).tobytes())
        digests.append(digest.hexdigest()[:12])
    return tuple(digests)


def _digest(parts: list[Scores], baseline: str) -> str:
    digest = hashlib.sha256()
    for scores in parts:
        column = scores.classifiers.index(baseline)
        for dataset in scores.datasets:
            digest.update(dataset.name.encode())
            digest.update(np.ascontiguousarray(dataset.table[:, column]).tobytes())
    return digest.hexdigest()[:12]


def times(count: int) -> str:
    """Return a count as text, such as "twice"."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")
