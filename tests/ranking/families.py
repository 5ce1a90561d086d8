"""Families for tests: judged once, and with numbers put in their place."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.ranking.best import Best
from bcompare.ranking.family import Family, rank
from tests.examples import scores_from

NAMES = ("a", "b", "c")
FEW = Best(draws=1_000)


def folds(q: int, n: int = 10) -> dict[str, FloatArray]:
    """Return scores of three classifiers on the folds of each data set, b the best of them."""
    rng = np.random.default_rng(0)
    return {f"set-{i}": rng.normal([0.70, 0.75, 0.72], 0.02, (n, 3)) for i in range(q)}


@cache
def family_on(q: int) -> Family:
    """Judge the three on so many data sets."""
    return rank(scores_from(folds(q), NAMES), rope=0.01, options=FEW)


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
