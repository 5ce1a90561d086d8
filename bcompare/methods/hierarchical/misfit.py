"""Whether the data sets at hand look like those that the model expects.

The δ_i are taken for draws from a Student distribution, which has one peak and is symmetric. Where
they are not, what is said of the next data set leans on a shape that the data do not have.
"""

import math

import numpy as np

from bcompare.methods.hierarchical.model import HierarchicalResult
from bcompare.notes import Note

# Standard errors apart. Of 120 families of data from the model itself the largest was 1.2.
FAR = 3.0
WORDS = {"left": "left better", "rope": "equivalent", "right": "right better"}


def misfit_notes(result: HierarchicalResult) -> tuple[Note, ...]:
    """A warning if a region holds far more or fewer data sets than a posterior check expects.

    What the data sets at hand say, each in the light of the others, is set against the expected
    share of further ones.
    """
    q = len(result.datasets.mean_difference)
    far, note = FAR, None
    for region, words in WORDS.items():
        expected = float(getattr(result.theta_mean, region))
        found = float(np.mean(getattr(result.datasets.probabilities, region)))
        error = math.sqrt(max(expected * (1 - expected), 1 / q) / q)
        if abs(found - expected) > far * error:
            far = abs(found - expected) / error
            note = Note(
                "misfit",
                "warning",
                f"{words} on {100 * found:.0f} % of the {q} data sets at hand, where the model "
                f"expects {100 * expected:.0f} % of further ones: it knows one peak with equal "
                "sides only, so take what it says of the next data set with care, and see what "
                "other tests say with --also",
            )
    return () if note is None else (note,)
