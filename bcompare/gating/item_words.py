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


def ids_of(found: ItemFindings) -> list[str]:
    """Return what to run again, one text an item; of several data sets with theirs and a tab."""
    if has_datasets(found.runs):
        return [f"{dataset}\t{name}" for dataset, name in found.to_rerun()]
    return [name for _, name in found.to_rerun()]


def items_in_words(gate: Gate, found: ItemFindings) -> str:
    """Return what is claimed of a candidate's items, in a clause of the first line."""
    total = len(found.p)
    who = f" of {found.candidate}" if len(gate.candidates) > 1 else ""
    where = f" in {found.metric}" if found.metric else ""
    broken = np.flatnonzero(found.broken).tolist()
    if broken:
        names = [item_name(found.runs, i) for i in broken]
        return f"{len(broken)} of {total} items{who} broke{where} ({listed(names, MOST_NAMED)})"
    text = _doubt(gate, found) or f"no item{who} is shown to have broken{where}"
    if not found.suspect.any() or found.runs.again.size:
        return text
    names = [item_name(found.runs, i) for i in np.flatnonzero(found.suspect).tolist()]
    return f"{text}; run these again: {listed(names, MOST_NAMED)}"


def _doubt(gate: Gate, found: ItemFindings) -> str:
    """Return that something broke, or may have, of items that are not named; "" if it did not."""
    where = f" in {found.metric}" if found.metric else ""
    if found.something_lost and found.lost is not None:
        what = "something broke"
        if not found.runs.is_repeated:
            what = f"something broke, or the run of {found.candidate} failed as a whole"
        elif not found.is_loss_shown:
            what = "something may have broken"
        return f"{what}{where}: {lost_in_words(gate, found.candidate, found.lost)}"
    if found.outcome == "undecided":
        who = f" of {found.candidate}" if len(gate.candidates) > 1 else ""
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


def item_sentences(gate: Gate, found: ItemFindings, shown: int) -> Iterator[str]:
    """Yield what the table does not show.

    shown : how many items the table has.
    """
    rest = int((found.broken | found.suspect).sum()) - shown
    if rest:
        yield f"{number_of(rest, 'more item')} that broke or are suspect: see --format json"
    if found.lost is not None and found.lost.lost and not found.something_lost:
        text = lost_in_words(gate, found.candidate, found.lost)
        yield text[0].upper() + text[1:]
    flaky = int(found.flaky.sum())
    if flaky:
        yield (
            f"{flaky:,} of {len(found.p):,} items are flaky in {gate.baseline}: each counts by its "
            "rate"
        )


def item_sentence(gate: Gate, found: ItemFindings, position: int) -> str:
    """Return what is said of an item."""
    is_rerun = bool(found.runs.again.size and found.suspect[position])
    word = "suspect, to be run again"
    if found.broken[position]:
        word = "broken"
    elif is_rerun:
        word = "not shown to be broken"
    main = fraction(found.runs.main[position])
    rate = fraction(found.runs.own[position])
    text = (
        f"{word}: {item_name(found.runs, position)}, passed {main} in {gate.baseline} "
        f"and {rate} in {found.candidate}"
    )
    if is_rerun:
        text += f", {fraction(found.runs.again[position])} again"
    return f"{text}, p {probability(float(found.p[position]))}"


def fraction(runs: np.ndarray) -> str:
    """Return the number of runs that passed, of all."""
    answered = runs[~np.isnan(runs)]
    return f"{int(answered.sum())}/{len(answered)}"
