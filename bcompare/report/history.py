"""Report a gate's history: how often it failed, and the re-runs of the baseline."""

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

from bcompare.basis.notes import number_of
from bcompare.gating.history import Entry, History, times
from bcompare.report.build import Report
from bcompare.report.fields import Field, head, record, table
from bcompare.report.gate_words import WORDS
from bcompare.report.rows import record_rows
from bcompare.report.words import joined

# The number of runs that a table shows.
LAST = 20

ENTRY = (
    Field("time", heading="time (UTC)"),
    Field("name"),
    Field(
        "candidates",
        kind="names",
        heading="candidate",
        printed=lambda entry: ", ".join(entry.candidates),
    ),
    Field("baseline", heading="baseline"),
    Field("digest", heading="its run"),
    Field("baseline_mean", kind="number", heading="its mean", decimals=4),
    Field("outcome", kind="verdict", heading="verdict", printed=lambda entry: WORDS[entry.outcome]),
    Field("metrics", kind="names"),
    Field("datasets", kind="count"),
    Field("fail_if"),
    Field("alpha", kind="number"),
    Field("over"),
    Field("summary"),
    Field("look", kind="count", heading="look", nullable=True),
    Field("looks", kind="count", nullable=True),
    Field("bets", kind="object", nullable=True),
)
SHOWN = ("time", "candidates", "baseline", "digest", "baseline_mean", "outcome")
RUN = (
    Field("", itemgetter(0), heading="run of the baseline"),
    Field("", itemgetter(1), "number", "its mean", decimals=4),
    Field("", itemgetter(2), "count", "verdicts against it"),
    Field("", itemgetter(3), heading="since"),
)


def build_history_report(history: History) -> Report:
    """Return the last runs, the share that failed, and the runs of the baseline."""
    entries = history.entries
    looked = any(entry.look for entry in entries)
    shown = (*SHOWN, "look") if looked else SHOWN
    fields = [field for field in ENTRY if field.name in shown]
    runs = _runs(_of_runs(entries))
    title = "The baseline's own runs: how far it drifts by itself"
    return Report(
        tables=(
            table(f"{history.path}: the last verdicts", fields, entries[-LAST:]),
            *([table(title, RUN, runs)] if len(runs) > 1 else []),
        ),
        sentences=(_summary(entries),),
        settings=joined(history.path),
        document=lambda: {**head("gate"), "history": [record(ENTRY, entry) for entry in entries]},
        rows=lambda: record_rows([record(ENTRY, entry) for entry in entries]),
    )


def _summary(entries: tuple[Entry, ...]) -> str:
    if not entries:
        return "no verdict yet"
    count = Counter(entry.outcome for entry in entries)
    words = ", ".join(f"{count[o]:,} {word}" for o, word in WORDS.items())
    most = max(Counter(entry.digest for entry in _of_runs(entries)).values())
    failed = f"{100 * count['fail'] / len(entries):.0f} % failed"
    return (
        f"{number_of(len(entries), 'verdict')}: {words}; {failed}; one run of a baseline was "
        f"judged against {times(most)}"
    )


def _of_runs(entries: tuple[Entry, ...]) -> list[Entry]:
    """Return the entries without looks at a stream that later looks continue."""
    last = {entry.name: entry for entry in entries if entry.bets}
    return [entry for entry in entries if not entry.bets or entry is last[entry.name]]


def _runs(entries: Sequence[Entry]) -> list[tuple[str, float, int, str]]:
    """Return the runs of a baseline: mean, number of verdicts against it, first use."""
    uses = Counter(entry.digest for entry in entries)
    first = {entry.digest: entry for entry in reversed(entries)}
    return [
        (f"{e.baseline} {digest}", e.baseline_mean, uses[digest], e.time)
        for digest, e in sorted(first.items(), key=lambda item: item[1].time)
    ]
