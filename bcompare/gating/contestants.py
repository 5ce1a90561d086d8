"""The baseline and the candidates, and the check that they have the same trials."""

from collections.abc import Sequence

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.notes import lacking
from bcompare.data.account import by_classifier
from bcompare.data.pairs import choose_pairs
from bcompare.data.scores import Scores

MOST_NAMED = 3
"""The most classifiers that are proposed as the baseline."""


def contestants(
    classifiers: Sequence[str], baseline: str | None, candidates: Sequence[str] = ()
) -> tuple[str, tuple[str, ...]]:
    """Return the baseline and the candidates, by default all others.

    Raises
    ------
    InputError : no baseline is named; one that is not there, a baseline that is its own candidate,
        or no candidate.
    """
    for name in (baseline, *candidates):
        choose_pairs(classifiers, left=name)  # refuses unknown names
    if baseline is None:
        usual = [arg("baseline", name) for name in classifiers if name not in candidates]
        raise InputError(
            f"which one is the baseline for the others? Say {' or '.join(usual[:MOST_NAMED])}"
        )
    if baseline in candidates:
        raise InputError(f"{baseline} is the baseline and a candidate: name two classifiers")
    chosen = tuple(dict.fromkeys(candidates)) or tuple(n for n in classifiers if n != baseline)
    if not chosen:
        raise InputError(f"there is nothing but {baseline} in these results: nothing to compare")
    return baseline, chosen


def check_terms(scores: Scores, baseline: str, why: str) -> None:
    """Refuse scores that were not read on the terms of the baseline, where that matters.

    why : it does.

    Raises
    ------
    InputError : they were not.
    """
    if baseline not in scores.baseline:
        raise InputError(
            f"{why}: read the scores with {arg('baseline', baseline)}, as by "
            f"from_items(frame, item, baseline={baseline!r})"
        )


def check_candidates(scores: Scores, baseline: Sequence[str], candidates: Sequence[str]) -> None:
    """Refuse whatever could make an absent or failed trial of a candidate count for it.

    Scores that were read on the terms of the baseline lack nothing.

    baseline, candidates : their names, or those of their runs.

    Raises
    ------
    InputError : a candidate that is not there; data sets or trials that it lacks; a score assumed
        for these that is not the worst.
    """
    account, unknown = scores.account, [n for n in candidates if n not in scores.classifiers]
    if unknown:
        raise InputError(f"no scores of {', '.join(unknown)}, and every candidate is judged")
    if not account.assumed_is_worst and any(name in account.assumed for name in candidates):
        raise InputError(
            f"trials without a score ({by_classifier(account.assumed)}) are taken for "
            f"{account.assumed_value} here, and others could score worse: a candidate must not "
            "gain by failing; give a score that no trial can be worse than, such as "
            f"{arg('failed', worst_of(scores))}"
        )
    if not {*baseline} <= {*scores.baseline}:
        _check_gaps(scores, baseline, candidates)


def _check_gaps(scores: Scores, baseline: Sequence[str], candidates: Sequence[str]) -> None:
    """Refuse what candidates lack in scores that were not read on the terms of the baseline."""
    if scores.unit.has_answers and scores.answers_an_item > 1:
        check_terms(scores, baseline[0], "the baseline says how many answers each item has")
    own, others = ([scores.classifiers.index(n) for n in side] for side in (baseline, candidates))
    absent: dict[str, list[str]] = {}
    lacks = dict(scores.account.lacking)
    for part in scores.account.left_out:
        lacks |= part.classifiers if part.reason == "no-score" else {}
    for dataset in scores.datasets:
        needed = np.asarray(~np.isnan(dataset.table[:, own]).all(axis=1))
        gaps = (needed[:, None] & np.isnan(dataset.table[:, others])).sum(axis=0)
        for name, present, n in zip(candidates, dataset.present[others], gaps, strict=True):
            if not present and needed.any():
                absent.setdefault(name, []).append(dataset.name)
            else:
                lacks[name] = lacks.get(name, 0) + int(n)
    if absent:
        gone = {name for names in absent.values() for name in names}
        rest = arg("datasets", [d.name for d in scores.datasets if d.name not in gone])
        raise InputError(
            f"no scores of {lacking(absent)}, where {baseline[0]} has scores: a candidate may be "
            f"absent where it does badly; add them, or judge the others with {rest}"
        )
    own_lacks = {name: lacks[name] for name in candidates if lacks.get(name)}
    if own_lacks:
        raise InputError(
            f"{by_classifier(own_lacks)} without a score, left out: a candidate may fail where it "
            f"does badly; judge it with {arg('failed', 'bounds')}, or name the data sets to judge "
            f"with {arg('datasets')}"
        )


def worst_of(scores: Scores) -> float:
    """Return the worst score, as in the input."""
    lowest = min(float(np.nanmin(dataset.table)) for dataset in scores.datasets)
    return 0.0 - lowest if scores.lower_is_better else lowest
