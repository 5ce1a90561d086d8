"""The chance of each region to hold the mean difference that the next data set shows.

It is the chance of what the same experiment would show, with the noise of its scores, so it can be
scored. A population counts like some data sets beside those at hand, a Dirichlet process around it:

    chance = (w P(x̄ in the region) + number of x̄_i in it)/(w + q).
"""

import numpy as np
from scipy.special import ndtri

from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.values import Fact

# w, chosen by the log score on real results.
POPULATION_COUNTS = 15.0
# With more data sets the papers' population stands in for the average over several, which takes
# long and would count for a fourteenth at most.
MOST_AVERAGED = 200
# Equally probable errors of an observed mean, of variance 1: it is a mean, so they are normal.
ERRORS = ndtri((np.arange(15) + 0.5) / 15)
ERRORS /= ERRORS.std()


def mixed(
    population: RegionProbabilities[float], statistics: SufficientStatistics, rope: Rope
) -> RegionProbabilities[float]:
    """Return the chances by what a population says of the mean, and by the means at hand."""
    counts, w = rope.shares(statistics.mean), POPULATION_COUNTS
    return RegionProbabilities(
        *(
            (w * p + float(seen.sum())) / (w + len(statistics))
            for p, seen in zip(population, counts, strict=True)
        )
    )


def with_noise(
    grid: FloatArray, cdf: FloatArray, statistics: SufficientStatistics, rope: Rope
) -> RegionProbabilities[float]:
    """Return the probabilities of the regions of x̄, from the distribution of the next δ.

    The noise is that of one of the data sets.
    """
    errors = np.multiply.outer(ERRORS, statistics.standard_error)
    low, high = (
        float(np.interp(border - errors, grid, cdf).mean()) for border in (rope.low, rope.high)
    )
    return RegionProbabilities(left=low, rope=high - low, right=1 - high)


def chance_facts(chances: RegionProbabilities[float]) -> tuple[Fact, ...]:
    """Return the lines of a table of details."""
    heading = "chance that the next data set shows"
    return (
        Fact(f"{heading} left better", chances.left, "probability"),
        Fact(f"{heading} equivalent", chances.rope, "probability"),
        Fact(f"{heading} right better", chances.right, "probability"),
    )
