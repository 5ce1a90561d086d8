"""Bounds for trials without a score: the worst and the best possible score."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bcompare.basis.messages import number_of
from bcompare.data.account import by_classifier
from bcompare.data.pairs import Pair, choose_pairs
from bcompare.data.rope import read_only
from bcompare.data.scores import Scores


def bounded(worst: Scores, best: Scores) -> Scores:
    """Return scores with each classifier that has such trials listed twice.

    worst, best : the same results, with the lowest and the highest possible scores filled in.
    """
    failed = worst.account.assumed
    twice = [k for k, name in enumerate(worst.classifiers) if name in failed]
    extremes = {
        name: (f"{name} (failed: worst)", f"{name} (failed: best)")
        for name in worst.classifiers
        if name in failed
    }
    datasets = tuple(
        replace(
            low,
            table=read_only(np.hstack([low.table, high.table[:, twice]])),
            present=np.concatenate([low.present, low.present[twice]]),
        )
        for low, high in zip(worst.datasets, best.datasets, strict=True)
    )
    return replace(
        worst,
        classifiers=(
            *(extremes.get(name, (name,))[0] for name in worst.classifiers),
            *(high for _, high in extremes.values()),
        ),
        datasets=datasets,
        costs=None if worst.costs is None else np.append(worst.costs, worst.costs[twice]),
        extremes=extremes,
    )


def bounding_pairs(
    scores: Scores, *, left: str | None = None, right: str | None = None
) -> Sequence[Pair]:
    """Return the pairs to compare, as `choose_pairs` does by the names in the file.

    A pair with extremes comes twice: at the worst and at the best for its right classifier.
    """
    if not scores.extremes:
        return choose_pairs(scores.classifiers, left=left, right=right)
    names = original_names(scores)
    pairs = choose_pairs(names, left=left, right=right)
    return list(dict.fromkeys(pair for one in pairs for pair in extremes_of(scores, *one)))


def original_names(scores: Scores) -> tuple[str, ...]:
    """Return the classifiers by their names in the file."""
    of = {extreme: name for name, pair in scores.extremes.items() for extreme in pair}
    return tuple(dict.fromkeys(of.get(name, name) for name in scores.classifiers))


def extremes_of(scores: Scores, left: str, right: str) -> tuple[Pair, Pair]:
    """Return the pair at the worst and at the best for the right classifier."""
    low, high = (scores.extremes.get(name, (name, name)) for name in (left, right))
    return (low[1], high[0]), (low[0], high[1])


def at_extreme(scores: Scores, best: Sequence[str]) -> Scores:
    """Return the scores under the names in the file, with such trials at their worst or best.

    best : the classifiers whose trials are at their best.
    """
    names = original_names(scores)
    own = [scores.extremes.get(name, (name, name))[name in best] for name in names]
    columns = [scores.classifiers.index(name) for name in own]
    datasets = tuple(dataset.of(columns) for dataset in scores.datasets)
    costs = None if scores.costs is None else scores.costs[columns]
    return replace(scores, classifiers=names, datasets=datasets, costs=costs, extremes={})


def assumed_trials(scores: Scores) -> str:
    """Return the assumed trials as text: "7 trials without a score (gpt 5, claude 2)"."""
    assumed = scores.account.assumed
    trials = number_of(sum(assumed.values()), "trial")
    return f"{trials} without a score ({by_classifier(assumed)})"
