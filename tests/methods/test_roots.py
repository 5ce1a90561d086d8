"""Roots of several functions at once: against SciPy, one by one."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm, t

from bcompare.data.rope import FloatArray
from bcompare.methods.roots import CLOSE, crossing

P = np.array([1e-6, 0.025, 0.5, 0.975, 1 - 1e-6])


@pytest.mark.parametrize("distribution", [norm(0.3, 0.02), t(2, 0, 1), t(1, -5, 3)])
def test_quantiles_are_those_of_scipy(distribution: Any) -> None:
    def excess(x: FloatArray) -> FloatArray:
        return np.asarray(distribution.cdf(x) - P)

    ends = np.full(len(P), 1e8)
    result = crossing(excess, -ends, ends)
    assert np.abs(excess(result)).max() < CLOSE


def test_each_root_is_in_its_own_interval() -> None:
    shift = np.array([0.1, 2.0, 7.5])

    def excess(x: FloatArray) -> FloatArray:
        return np.asarray(x**3 - shift)

    low, high = np.zeros(3), np.array([1.0, 2.0, 3.0])
    expected = [
        brentq(lambda x, s=s: x**3 - s, a, b, xtol=1e-14)
        for s, a, b in zip(shift, low, high, strict=True)
    ]
    # the function rises by at least 0.6 a unit at these roots
    np.testing.assert_allclose(crossing(excess, low, high), expected, rtol=0, atol=CLOSE / 0.6)
