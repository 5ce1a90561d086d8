"""A stated probability of being best comes true as often as it says; a short `best.py`."""

import pytest
from studies.best import calibration

# The Dirichlet process takes the data sets for all there is: it does not shrink the classifiers
# towards one another, as somebody would who knew how far skills usually lie apart. What it says of
# a further data set may be off by so much.
PROMISED = 0.05


@pytest.mark.slow
def test_what_is_stated_of_the_best_comes_true_as_often() -> None:
    *further, regret = calibration(150, draws=500)
    for low, high in ((0.0, 0.3), (0.3, 1.0)):
        gap, error = regret.gap(low, high)
        assert abs(gap) < 4 * error
        for result in further:
            gap, error = result.gap(low, high)
            assert abs(gap) < PROMISED + 4 * error, (result.what, low, high)
