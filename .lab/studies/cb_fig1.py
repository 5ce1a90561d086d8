"""Corani & Benavoli 2015, Figure 1: the same means, very different certainty.

Ten data sets of ten independent values, five with a positive and five with a negative mean of the
same size; in the second case the negative ones scatter three times as much. Wilcoxon's test sees
means only; the Poisson-binomial test sees that the negative ones prove less. The sizes are missing
from the paper's text: here means of ±0.02 with standard deviation 0.03, exactly so everywhere.
"""

import numpy as np

from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.poisson_binomial import PoissonBinomial
from studies.study import Line, Paper

Q, N, MEAN, SD = 10, 10, 0.02, 0.03


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """No random numbers: the statistics are what the figure is about."""
    del repetitions, seed
    outcome = []
    for case, factor in ((1, 1.0), (2, 3.0)):
        sign = np.repeat([1.0, -1.0], Q // 2)
        sd = np.where(sign > 0, SD, factor * SD)
        statistics = SufficientStatistics(
            names=tuple(str(i + 1) for i in range(Q)),
            n=np.full(Q, N),
            mean=sign * MEAN,
            ss=sd**2 * (N - 1),
            rho=np.zeros(Q),
        )
        result = PoissonBinomial().test(statistics, Rope.symmetric(0.0))
        outcome.append(
            (case, float(result.p_right_majority), float(result.wilcoxon.p_right_better))
        )
    (_, first, p), (_, second, other) = outcome
    return (
        Line("case 1: P(X > q/2)", first),
        Line("case 2: P(X > q/2)", second),
        Line("case 1: Wilcoxon's one-sided p", p),
        Line("case 2: Wilcoxon's one-sided p, less case 1's", other - p, paper=Paper(0.0)),
        Line("P(X > q/2), case 2 less case 1", second - first, paper=Paper(above=0.1)),
    )
