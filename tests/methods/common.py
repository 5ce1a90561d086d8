"""What the tests of several methods share."""

import numpy as np
from hypothesis import strategies as st

from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics

REPLICATES = 2000
# Four standard errors of a rejection rate of 5 % in so many replicates.
FOUR_ERRORS = 4 * (0.05 * 0.95 / REPLICATES) ** 0.5

decimals = st.lists(st.integers(-5, 5).map(lambda i: i / 100), min_size=1, max_size=9).map(np.array)
ropes = st.sampled_from([Rope(0, 0), Rope(-0.01, 0.01), Rope(-0.01, 0.03), Rope(0, 0.02)])


def several_sizes(seed: int = 7) -> list[SufficientStatistics]:
    """Pairs of classifiers on differing numbers of data sets."""
    rng = np.random.default_rng(seed)
    return [
        SufficientStatistics.from_differences(rng.normal(0.005, 0.02, (q, 10)), 0.1)
        for q in (30, 3, 30, 7)
    ]
