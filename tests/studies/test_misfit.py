"""A short version of the study of the note `misfit`."""

import numpy as np
import pytest
from studies.misfit import RATE, SHAPES, of_the_model, spoken

pytestmark = pytest.mark.slow


def test_hardly_ever_of_the_models_own_families() -> None:
    count = 60
    rates = spoken(of_the_model, 20, count, np.random.default_rng(3))
    error = np.sqrt(RATE * (1 - RATE) / count)
    assert (rates[:2] < RATE + 4 * error).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_other_shapes_of_54_data_sets_are_found(shape: str) -> None:
    assert spoken(SHAPES[shape], 54, 10, np.random.default_rng(3))[2] >= 0.7
