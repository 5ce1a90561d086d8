"""Words on the items of a gate: which broke, what was lost, and what to run again."""

from collections.abc import Iterator

import numpy as np

from bcompare.basis.messages import listed, number_of
from bcompare.gating.items import ItemFindings, ItemRuns, LostRuns
from bcompare.gating.verdict import Gate
from bcompare.report.table import probability

# The most items that a line names.
MOST_NAMED = 10


def item_name(runs: ItemRuns, position: int) -> str:
    """Return the name of an item; of several data sets with its own before it."""
    dataset, name = runs.items[position]
    return f"{dataset}/{name}" if has_datasets(runs) else name


def has_datasets(runs: ItemRuns) -> bool:
    """Return whether the items are those of several data sets, which are not items themselves."""
    names = {dataset for dataset, _ in runs.items}
    return 1 < len(names) < len(runs.items)


def ids_of(findings: ItemFindings) -> list[str]:
    """Return what to run again, one text an item; of several data sets with theirs and a tab."""
    if has_datasets(findings.runs):
        return [f"{dataset}\t{name}" for dataset, name in findings.to_rerun()]
    return [name for _, name in findings.to_rerun()]


def items_in_words(gate: Gate, findings: ItemFindings) -> str:
    """Return what is claimed of a candidate's items, in a clause of the first line."""
    total = len(findings.p)
    who = f" of {findings.candidate}" if len(gate.candidates) > 1 else ""
    where = f" in {findings.metric}" if findings.metric else ""
    broken = np.flatnonzero(findings.broken).tolist()
    if broken:
        names = [item_name(findings.runs, i) for i in broken]
        return f"{len(broken)} of {total} items{who} broke{where} ({listed(names, MOST_NAMED)})"
    text = _doubt(gate, findings) or f"no item{who} is shown to have broken{where}"
    if not findings.suspect.any() or findings.runs.again.size:
        return text
    names = [item_name(findings.runs, i) for i in np.flatnonzero(findings.suspect).tolist()]
    return f"{text}; run these again: {listed(names, MOST_NAMED)}"


def _doubt(gate: Gate, findings: ItemFindings) -> str:
    """Return that something broke, or may have, of items that are not named; "" if it did not."""
    where = f" in {findings.metric}" if findings.metric else ""
    if findings.something_lost and findings.lost is not None:
        what = "something broke"
        if not findings.runs.is_repeated:
            what = f"something broke, or the run of {findings.candidate} failed as a whole"
        elif not findings.is_loss_shown:
            what = "something may have broken"
        return f"{what}{where}: {lost_in_words(gate, findings.candidate, findings.lost)}"
    if findings.outcome == "undecided":
        who = f" of {findings.candidate}" if len(gate.candidates) > 1 else ""
        return f"an item{who} may have broken{where}"
    return ""


def lost_in_words(gate: Gate, candidate: str, lost: LostRuns) -> str:
    """Return how many runs were lost, and how many an unchanged candidate loses."""
    apart = f" ({candidate}'s worst run apart)" if lost.without is not None else ""
    return (
        f"items that {gate.baseline} always passed lost {lost.lost:,} of {lost.runs:,} runs"
        f"{apart}, where an unchanged candidate loses up to {lost.expected:.1f} "
        f"(p {probability(lost.p)})"
    )


def item_sentences(gate: Gate, findings: ItemFindings, shown: int) -> Iterator[str]:
    """Yield what the table does not show.

    shown : how many items the table has.
    """
    rest = int((findings.broken | findings.suspect).sum()) - shown
    if rest:
        yield f"{number_of(rest, 'more item')} that broke or are suspect: see --format json"
    if findings.lost is not None and findings.lost.lost and not findings.something_lost:
        text = lost_in_words(gate, findings.candidate, findings.lost)
        yield text[0].upper() + text[1:]
    flaky = int(findings.flaky.sum())
    if flaky:
        yield (
            f"{flaky:,} of {len(findings.p):,} items are flaky in {gate.baseline}: each counts by "
            "its rate"
        )


def item_sentence(gate: Gate, findings: ItemFindings, position: int) -> str:
    """Return what is said of an item."""
    is_rerun = bool(findings.runs.again.size and findings.suspect[position])
    word = "suspect, to be run again"
    if findings.broken[position]:
        word = "broken"
    elif is_rerun:
        word = "not shown to be broken"
    main = fraction(findings.runs.main[position])
    rate = fraction(findings.runs.own[position])
    text = (
        f"{word}: {item_name(findings.runs, position)}, passed {main} in {gate.baseline} "
        f"and {rate} in {findings.candidate}"
    )
    if is_rerun:
        text += f", {fraction(findings.runs.again[position])} again"
    return f"{text}, p {probability(float(findings.p[position]))}"


def fraction(runs: np.ndarray) -> str:
    """Return the number of runs that passed, of all."""
    answered = runs[~np.isnan(runs)]
    return f"{int(answered.sum())}/{len(answered)}"
