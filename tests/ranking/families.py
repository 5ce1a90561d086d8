"""Families for tests: judged once, and with numbers put in their place."""

from dataclasses import replace
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.data.scores import Scores
from bcompare.ranking.best import Best
from bcompare.ranking.family import Family, rank
from tests.examples import scores_from

NAMES = ("a", "b", "c")
FEW = Best(draws=1_000)


def folds(q: int, n: int = 10) -> dict[str, FloatArray]:
    """Return scores of three classifiers on the folds of each data set, b the best of them."""
    rng = np.random.default_rng(0)
    return {f"set-{i}": rng.normal([0.70, 0.75, 0.72], 0.02, (n, 3)) for i in range(q)}


def rank_once(scores: Scores, **options: Any) -> Family:
    """Judge with a thousand draws, also where more could decide."""
    with patch("bcompare.ranking.family.MOST_DRAWN", 0):
        return rank(scores, rope=0.01, options=FEW, **options)


@cache
def family_on(q: int) -> Family:
    """Judge the three on so many data sets."""
    return rank_once(scores_from(folds(q), NAMES))


def means(effects: tuple[float, float, float], q: int = 12) -> Scores:
    """Return scores on data sets whose means differ by these effects and by chance."""
    rng = np.random.default_rng(3)
    of_sets = 0.7 + np.array(effects) + rng.normal(0, 0.02, (q, 3))
    tables = {f"d{i:02}": row + rng.normal(0, 0.02, (10, 3)) for i, row in enumerate(of_sets)}
    return scores_from(tables, NAMES)


def with_best(family: Family, **fields: Any) -> Family:
    """Return the family with these fields of its posterior."""
    return replace(family, best=replace(family.best, **fields))


def with_lead(family: Family, p: float) -> Family:
    """Return the family with this probability that the leader has the smallest regret."""
    shares = np.full(3, (1 - p) / 2)
    shares[family.best.leader] = p
    return with_best(family, p_least_regret=shares)


def with_pairs(family: Family, region: str, of_leader: dict[str, float]) -> Family:
    """Return the family with these probabilities of a region for the leader and others.

    What is left is that of another region.
    """
    other = {"left": "rope", "rope": "left"}[region]
    tables = {name: np.zeros((3, 3)) for name in ("left", "rope", "right")}
    lead = family.best.leader
    for name, p in of_leader.items():
        k = family.best.classifiers.index(name)
        tables[region][lead, k] = p
        tables[other][lead, k] = 1 - p
    return with_best(family, pairs=replace(family.best.pairs, **tables))
