"""Small results of every picture, from few rows to many, with names from short to odd."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

from bcompare.basis.showable import Showable
from bcompare.comparing.compare import Sweep, compare, sweep
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.units import FOLD, ITEM, Unit
from bcompare.gating.anytime import AnytimeGate, Bets, anytime
from bcompare.gating.judge import gate
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.interface import Method
from bcompare.methods.sign import Sign
from bcompare.planning.outlook import Amount, Case, Outlook, Plan, Prospect
from bcompare.plots.sheet import Sheet
from bcompare.ranking.best import Best
from bcompare.ranking.family import Family, rank
from bcompare.show import draw as draw_result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCREEN = Sheet()

SHORT = ("nbc", "aode")
LONG = ("left_" + "w" * 70 + "_end", "right_" + "m" * 90 + "_end")
# As long as names usually are at the most.
THIRTY = ("left_classifier_with_30_letters", "right_classifier_of_30_letters")
ROPES = (Rope.of(0.01), Rope.of((-0.02, 0.3)), Rope.of(0.0))

Names = Sequence[str]
# A result of classifiers and data sets with such names, under a rope.
Result = Callable[[Names, Rope], Showable]


def many(names: Names, count: int) -> list[str]:
    return [f"{names[k % len(names)]} {k}" for k in range(count)]


def noise(rows: int, columns: int, seed: int = 1) -> FloatArray:
    """Columns of mean 0 and standard deviation 1."""
    values = np.random.default_rng(seed).normal(size=(rows, columns))
    values -= values.mean(axis=0)
    return np.asarray(values / values.std(axis=0, ddof=1))


def scores_of(
    classifiers: Names,
    datasets: Names,
    gains: FloatArray,
    *,
    deviation: float = 0.02,
    folds: int = 10,
    unit: Unit = FOLD,
    lower_is_better: bool = False,
) -> Scores:
    """Scores whose means on each data set exceed 0.7 by (q, c) gains."""
    count = len(classifiers)
    tables = [0.7 + gain + deviation * noise(folds, count, i) for i, gain in enumerate(gains)]
    return Scores(
        tuple(classifiers),
        tuple(
            DatasetScores(name, table, np.ones(count, bool), 1, folds, 0.1)
            for name, table in zip(datasets, tables, strict=True)
        ),
        unit=unit,
        lower_is_better=lower_is_better,
    )


def pair(
    names: Names,
    rope: Rope,
    *,
    test: str | Method,
    means: Sequence[float] = (0.005,),
    deviation: float = 0.02,
    lower_is_better: bool = False,
) -> ComparisonSet:
    """One pair on as many data sets as there are mean differences."""
    gains = np.column_stack([np.zeros(len(means)), means])
    scores = scores_of(
        names[:2],
        many(names, len(means)),
        gains,
        deviation=deviation,
        lower_is_better=lower_is_better,
    )
    return compare(scores, test, rope=rope)


def on_datasets(names: Names, rope: Rope, *, test: str | Method, rows: int) -> ComparisonSet:
    """One pair on `rows` data sets, and more of them for more rows."""
    return pair(names, rope, test=test, means=np.linspace(-0.1, 0.2, rows).tolist())


def single_scores(names: Names, rope: Rope, *, rows: int) -> ComparisonSet:
    """One pair; on the first data set all differences are equal."""
    study = on_datasets(names, rope, test="poisson", rows=rows)
    first = study.scores.datasets[0].table
    first[:, 1] = first[:, 0] + 0.125
    return compare(study.scores, "poisson", rope=rope)


def pairs_of(names: Names, rope: Rope, *, test: str, rows: int) -> ComparisonSet:
    """`rows` pairs of twice as many classifiers."""
    classifiers = many(names, 2 * rows)
    gains = np.zeros((6, 2 * rows))
    spread = [-0.3, -0.01, 0.0, 0.01, 0.02, 0.5]
    gains[:, 1::2] = np.outer(spread, np.arange(1, rows + 1) / rows)
    scores = scores_of(classifiers, [f"set {i}" for i in range(6)], gains)
    pairs = list(zip(classifiers[::2], classifiers[1::2], strict=True))
    return compare(scores, test, rope=rope, pairs=pairs)


def ropes(names: Names, rope: Rope) -> Sweep:
    scores = pair(names, rope, test="sign", means=[-0.1, 0.01, 0.03, 0.2]).scores
    return sweep(scores, Sign(), [Rope.of(width) for width in (0.0, 0.01, 0.05)])


@lru_cache
def ranked(names: Names, rope: Rope, *, rows: int, datasets: int = 9) -> Family:
    """A family of `rows` classifiers, each better than the next."""
    # apart by more than the draws err, whose order would depend on the machine
    steps = np.linspace(max(0.1, 0.01 * rows), 0.0, rows)
    gains = steps + 0.02 * noise(datasets + 1, rows)[:datasets]
    sets = [f"set {i}" for i in range(datasets)]
    scores = scores_of(many(names, rows), sets, gains, folds=30)
    with patch("bcompare.ranking.family.MOST_DRAWN", 0):  # 500 draws are enough to look at
        return rank(scores, rope=rope.high, options=Best(draws=500))


def outlook(names: Names, rope: Rope, *, kinds: int = 1, probability: float = 0.05) -> Plan:
    study = pair(names, rope, test="ttest")
    (comparison,) = study.comparisons
    prospects = [
        Prospect(Amount(of, count), k * p, 0.1 * p, 2 * k * p, 1 - (3 * k + 0.1) * p, 0.01)
        for p in [probability]
        for of, first in (("data sets", 12), ("runs", 10), ("items", 150_000))[:kinds]
        for k, count in enumerate(first * factor for factor in (1, 2, 3, 5, 10))
    ]
    case = Case(names[0], names[1], None, "none", comparison.differences.statistics, None)
    return Plan(study, (Outlook(case, tuple(prospects)),), 0.95, 100, 0)


def wealths(names: Names, rope: Rope, *, n: int = 300) -> AnytimeGate:
    """Bets on items of which the right classifier gets every fifth wrong that the left one has."""
    left = np.ones(n)
    table = np.stack([left, np.where(np.arange(n) % 5 == 1, 0.0, left)], axis=1)
    dataset = DatasetScores("d", table, np.ones(2, bool), 1, n, 0.0, n, np.arange(n))
    scores = Scores(tuple(names), (dataset,), unit=ITEM, baseline=(names[0],))
    return anytime(gate(scores, baseline=names[0], rope=rope), Bets(budget=2 * n))


def example(picture: str, result: Callable[..., Showable], **options: Any) -> tuple[str, Result]:
    return picture, partial(result, **options)


# Without the answer averaged over populations, which takes most of the time.
PAPERS = Hierarchical(second=False)
MEANS = (-0.02, 0.0, 0.01, 0.05)
# By the example's name: the picture's, and what it is of.
PICTURES: dict[str, tuple[str, Result]] = {
    "outlook-1": example("outlook", outlook, kinds=1),
    "outlook-3": example("outlook", outlook, kinds=3),
    "wealths": example("wealths", wealths),
    "wealths-few": example("wealths", wealths, n=3),
    "posterior": example("posterior", pair, test="ttest"),
    "point-posterior": example("posterior", pair, test="ttest", means=(0.125,), deviation=0.0),
    "far-posterior": example("posterior", pair, test="ttest", means=(-5e-7,), deviation=1e-8),
    "forest-1": example("forest", on_datasets, test="ttest", rows=1),
    "forest-60": example("forest", on_datasets, test="ttest", rows=60),
    "shrinkage-2": example("shrinkage", on_datasets, test=PAPERS, rows=2),
    "shrinkage-60": example("shrinkage", on_datasets, test=PAPERS, rows=60),
    "posteriors-1": example("posteriors", on_datasets, test="ttest", rows=1),
    "posteriors-7": example("posteriors", on_datasets, test="ttest", rows=7),
    "densities-1": example("densities", single_scores, rows=1),
    "densities-60": example("densities", single_scores, rows=60),
    "means": example("means", pair, test="signrank", means=MEANS),
    "means-equal": example("means", pair, test="signrank", means=(0.125, 0.125), deviation=0.0),
    "boxplot-1": example("boxplot", pairs_of, test="sign", rows=1),
    "boxplot-60": example("boxplot", pairs_of, test="sign", rows=60),
    "simplex": example("simplex", pair, test="signrank", means=MEANS),
    "counts-2": example("counts", on_datasets, test="poisson", rows=2),
    "counts-61": example("counts", on_datasets, test="poisson", rows=61),
    "ropes": example("ropes", ropes),
    "regret-65": example("regret", ranked, rows=65),
    "against-2": example("against", ranked, rows=2),
    "against-65": example("against", ranked, rows=65),
    "places-2": example("places", ranked, rows=2),
    "places-65": example("places", ranked, rows=65),
    "family-2": example("family", ranked, rows=2),
    "family-65": example("family", ranked, rows=65),
    "pairs-2": example("pairs", ranked, rows=2),
    "pairs-65": example("pairs", ranked, rows=65),
    "critical-difference-2": example("critical-difference", ranked, rows=2),
    "critical-difference-65": example("critical-difference", ranked, rows=65),
    "folds-2": example("folds", ranked, rows=2, datasets=1),
    "folds-7": example("folds", ranked, rows=7, datasets=1),
    "regions-1": example("regions", pairs_of, test="sign", rows=1),
    "regions-60": example("regions", pairs_of, test="sign", rows=60),
    "parameters": example("parameters", pair, test=PAPERS, means=MEANS),
    "parameters-gaussian": example(
        "parameters", pair, test=Hierarchical(prior="gaussian", second=False), means=MEANS
    ),
}


@lru_cache
def result_of(name: str, names: Names, rope: Rope) -> Showable:
    return PICTURES[name][1](names, rope)


def draw(name: str, names: Names = SHORT, rope: Rope = ROPES[0], sheet: Sheet = SCREEN) -> "Figure":
    """Draw the example of this name."""
    return draw_result(result_of(name, tuple(names), rope), PICTURES[name][0], sheet)
