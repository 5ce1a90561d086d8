"""The baseline and the candidates, and the check that they have the same data sets."""

from collections.abc import Iterator, Sequence

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note, counted, lacking
from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.account import by_classifier
from bcompare.data.pairs import choose_pairs
from bcompare.data.scores import Scores


def contestants(
    classifiers: Sequence[str], baseline: str | None, candidates: Sequence[str] = ()
) -> tuple[str, tuple[str, ...]]:
    """Return the baseline and the candidates, by name or by order.

    Raises
    ------
    InputError : one that is not there, a baseline that is its own candidate, or no candidate.
    """
    for name in (baseline, *candidates):
        choose_pairs(classifiers, left=name)  # refuses unknown names
    if baseline is not None and baseline in candidates:
        raise InputError(f"{baseline} is the baseline and a candidate: name two classifiers")
    first = baseline or next((name for name in classifiers if name not in candidates), None)
    if first is None:
        raise InputError("every classifier is a candidate, and a gate needs a baseline, too")
    chosen = tuple(dict.fromkeys(candidates)) or tuple(n for n in classifiers if n != first)
    if not chosen:
        raise InputError(f"there is nothing but {first} in these results: nothing to compare")
    return first, chosen


def check_candidates(scores: Scores, candidates: Sequence[str]) -> None:
    """Refuse whatever could make an absent or failed trial of a candidate count for it.

    Raises
    ------
    InputError : scores left out that a candidate lacks, a score assumed for them that is not the
        worst, or fewer answers to some items than to others.
    """
    account = scores.account
    left_out = dict(account.lacking)
    for part in account.left_out:
        if part.reason == "no-score":
            left_out |= part.classifiers
    lacks = {name: left_out[name] for name in candidates if left_out.get(name)}
    if lacks:
        raise InputError(
            f"{by_classifier(lacks)} without a score, left out: a candidate may fail where it does "
            f"badly; judge it with {arg('failed', 'bounds')} (give trials that are absent a row "
            f"without a score), or name the data sets to judge with {arg('datasets')}"
        )
    if not account.assumed_is_worst and any(name in account.assumed for name in candidates):
        assumed = account.assumed_value
        raise InputError(
            f"trials without a score ({by_classifier(account.assumed)}) are taken for {assumed} "
            "here, and others could score worse: a candidate must not gain by failing; give a "
            f"score that no trial can be worse than, such as {arg('failed', worst_of(scores))}"
        )
    fewer = {name: n for name in candidates if (n := account.fewer_answers.get(name))}
    if fewer:
        raise InputError(
            f"fewer answers to some test items than to others ({by_classifier(fewer)} items): a "
            "candidate may fail where it does badly; give each answer that is absent a row without "
            f"a score, and say {arg('failed', 'bounds')}"
        )


def worst_of(scores: Scores) -> float:
    """Return the worst score, as in the input."""
    lowest = min(float(np.nanmin(dataset.table)) for dataset in scores.datasets)
    return 0.0 - lowest if scores.lower_is_better else lowest


def new_datasets(study: ComparisonSet) -> Iterator[Note]:
    """Say which data sets a candidate has and the baseline lacks."""
    first = study.scores.classifiers.index(study.comparisons[0].left)
    judged = [study.scores.classifiers.index(c.right) for c in study.comparisons]
    new = [
        d.name for d in study.scores.datasets if not d.present[first] and d.present[judged].any()
    ]
    if new:
        message = (
            f"not judged: {counted(new, 'data set')}, as {study.comparisons[0].left} has no scores "
            "there"
        )
        yield Note("new-datasets", "info", message)


def check_gaps(study: ComparisonSet) -> None:
    """Refuse data sets that a candidate lacks: it may be absent where it does badly.

    Raises
    ------
    InputError : a candidate lacks data sets of the baseline, or all of them.
    """
    if study.tally.n_apart:
        names = [f"{left} and {right}" for left, right in study.tally.apart]
        raise InputError(f"no data set in common: {'; '.join(names)}: nothing to compare there")
    index = {name: k for k, name in enumerate(study.scores.classifiers)}
    absent: dict[str, list[str]] = {}
    pairs = [(c.left, c.right) for c in study.comparisons]
    for left, right in (*pairs, *((f.left, f.right) for f in study.failures)):
        for d in study.scores.datasets:
            if d.present[index[left]] and not d.present[index[right]]:
                absent.setdefault(right, []).append(d.name)
    if absent:
        gone = {name for names in absent.values() for name in names}
        others = arg("datasets", [d.name for d in study.scores.datasets if d.name not in gone])
        raise InputError(
            f"no scores of {lacking(absent)}, where {study.comparisons[0].left} has scores: a "
            "candidate may be absent where it does badly; add them, or judge the others with "
            f"{others}"
        )
