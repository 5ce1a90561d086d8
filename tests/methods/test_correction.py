"""Bonferroni and Holm."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bcompare.data.rope import FloatArray
from bcompare.methods.correction import bonferroni, holm

NAN = float("nan")

p_values = st.lists(
    st.one_of(st.floats(0, 1), st.sampled_from([0.01, 0.05, NAN])), max_size=12
).map(np.array)  # fmt: skip


def test_worked_example() -> None:
    """p = 0.01, 0.02, 0.03, 0.04: Holm multiplies by 4, 3, 2, 1 and keeps the order."""
    p = np.array([0.04, 0.01, 0.03, 0.02])
    np.testing.assert_allclose(holm(p), [0.06, 0.04, 0.06, 0.06])
    np.testing.assert_allclose(bonferroni(p), [0.16, 0.04, 0.12, 0.08])


@given(p_values, st.floats(0.001, 0.999))
def test_holm_rejects_what_the_step_down_procedure_rejects(p: FloatArray, alpha: float) -> None:
    """Demšar 2006, §3.2.2: go up from the smallest p while p_i ≤ α/(m - i + 1)."""
    tested = [float(x) for x in p if not np.isnan(x)]
    rejected = set()
    for i, x in enumerate(sorted(tested)):
        if x * (len(tested) - i) > alpha:
            break
        rejected.add(x)
    adjusted = holm(p)
    for x, a in zip(p, adjusted, strict=True):
        assert np.isnan(a) if np.isnan(x) else (a <= alpha) == (x in rejected)


@given(p_values)
def test_holm_lies_between_the_p_value_and_bonferroni(p: FloatArray) -> None:
    keep = ~np.isnan(p)
    assert np.all(p[keep] <= holm(p)[keep])
    assert np.all(holm(p)[keep] <= bonferroni(p)[keep])
    assert np.all(bonferroni(p)[keep] <= 1)


def test_families_along_further_axes_do_not_mix() -> None:
    p = np.array([[[0.01, NAN], [0.5, 0.02]], [[0.04, 0.03], [NAN, 0.01]]])
    for correct in (bonferroni, holm):
        for i in range(2):
            for j in range(2):
                np.testing.assert_array_equal(correct(p)[:, i, j], correct(p[:, i, j]))
