"""The whole family of classifiers: ranks over the data sets that all have, and every pair."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bcompare.comparison import ComparisonSet, compare
from bcompare.decision import Rule
from bcompare.differences import mean_scores
from bcompare.errors import InputError
from bcompare.methods.base import Alternative, Method, Progress, no_progress
from bcompare.methods.ranks import FamilyResult, rank_family
from bcompare.rope import FloatArray, Rope
from bcompare.scores import Scores


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Family:
    """Ranks of all classifiers, and a test on every pair.

    ranks : over `datasets`, those that all classifiers have.
    mean_score : (c,) over the same data sets, with the sign that the scores had in the file.
    study : every pair, on all data sets that the two have.
    """

    ranks: FamilyResult
    mean_score: FloatArray
    datasets: tuple[str, ...]
    study: ComparisonSet

    def __repr__(self) -> str:
        return (
            f"<Family: {len(self.ranks.classifiers)} classifiers, {len(self.datasets)} data sets>"
        )


def compare_family(
    scores: Scores,
    method: Method | str,
    *,
    rope: Rope | float | tuple[float, float] = 0.01,
    rule: Rule | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    also: Sequence[Method] = (),
    progress: Progress = no_progress,
) -> Family:
    """Rank all classifiers, and compare every pair by `method`; see `rank_family`, `compare`.

    Raises
    ------
    InputError : fewer than two data sets that all classifiers have.
    """
    common = [dataset for dataset in scores.datasets if dataset.present.all()]
    if len(common) < 2:
        raise InputError(
            f"all {len(scores.classifiers)} classifiers have {len(common)} of the "
            f"{len(scores.datasets)} data sets in common, and ranks need at least 2: choose fewer "
            "classifiers by --classifier, or compare pairs by another test"
        )
    means = np.array([mean_scores(dataset) for dataset in common])
    ranks = rank_family(means, scores.classifiers, rope=rope, alpha=alpha)
    study = compare(
        scores,
        method,
        rope=rope,
        rule=rule,
        alpha=alpha,
        alternative=alternative,
        also=also,
        progress=progress,
    )
    return Family(
        ranks=ranks,
        mean_score=-ranks.mean_score if scores.lower_is_better else ranks.mean_score,
        datasets=tuple(dataset.name for dataset in common),
        study=study,
    )
