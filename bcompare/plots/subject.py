"""What a picture is about: one pair of a comparison, as the drawing functions want it."""

from collections.abc import Iterator
from typing import cast

import numpy as np

from bcompare.comparing.answers import Comparison
from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import FloatArray, RegionProbabilities, inexact
from bcompare.methods.base import PopulationResult
from bcompare.plots.look import Pair
from bcompare.report.table import printable

# Of the credible intervals, where a picture has room for one.
LEVEL = 0.95


def pair_of(study: ComparisonSet, comparison: Comparison) -> Pair:
    """The names of a pair as they can be written."""
    return Pair(
        printable(comparison.left), printable(comparison.right), study.scores.lower_is_better
    )


def names_of(comparison: Comparison) -> list[str]:
    """The data sets of a pair as they can be written."""
    return [printable(name) for name in comparison.differences.statistics.names]


def title_of(pair: Pair, datasets: list[str] | int) -> list[str]:
    """The title of a picture of one pair, in parts between which a line may break.

    datasets : their names, or how many there are.
    """
    count = datasets if isinstance(datasets, int) else len(datasets)
    on = f"on {count} data sets"
    if count == 1:
        on = "on 1 data set" if isinstance(datasets, int) else f"on {datasets[0]}"
    return [pair.left, f"and {pair.right}", on]


def likeliest_of(comparison: Comparison) -> RegionProbabilities[float]:
    """That each region is the likeliest on the next data set; 0 and 1 only where they are exact."""
    result = cast("PopulationResult", comparison.result)
    return result.likeliest if result.error is None else inexact(result.likeliest)


def score_differences(study: ComparisonSet, comparison: Comparison) -> Iterator[FloatArray]:
    """The differences right - left of the scores, (n_i,) on each of the pair's data sets."""
    index = {name: k for k, name in enumerate(study.scores.classifiers)}
    left, right = index[comparison.left], index[comparison.right]
    tables = {dataset.name: dataset.table for dataset in study.scores.datasets}
    for name in comparison.differences.statistics.names:
        yield np.asarray(tables[name][:, right] - tables[name][:, left])
