"""Equal models are told apart as rarely as they should be; a short version of `units.py`."""

import numpy as np
import pytest
from studies.units import DESIGNS, NOMINAL, Design, rates

REPLICATES = 200


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_rows_named_for_what_they_are(design: Design) -> None:
    own, _, independent = rates(design, REPLICATES, np.random.default_rng(7))
    error = np.sqrt(NOMINAL * (1 - NOMINAL) / REPLICATES)
    assert own < NOMINAL + 3 * error
    if not design.exact:
        assert own > NOMINAL - 3 * error
    if design.epochs > 1 or design.items[0] > 5:
        assert independent > 2 * NOMINAL
