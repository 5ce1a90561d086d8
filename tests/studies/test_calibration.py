"""The committed calibration says that the posterior is right, and the script still runs."""

import json

import numpy as np
from scipy.stats import chisquare
from studies.calibration import BINS, PARAMETERS, RESULT, replicate


def test_true_values_are_uniform_within_their_posteriors() -> None:
    """By χ² on tenths; a true model fails one of the four at 0.001 in 0.4 % of runs."""
    record = json.loads(RESULT.read_text(encoding="utf-8"))
    assert record["replicates"] >= 500
    assert set(record["parameters"]) == set(PARAMETERS)
    for result in record["parameters"].values():
        assert sum(result["histogram"]) == record["replicates"]
        assert len(result["histogram"]) == BINS
        assert chisquare(result["histogram"]).pvalue > 0.001
        assert result["kolmogorov_smirnov_p"] > 0.001


def test_the_script_still_gives_distribution_functions() -> None:
    rng = np.random.default_rng(1)
    for _ in range(3):
        ranks = replicate(rng)
        assert len(ranks) == len(PARAMETERS)
        assert all(0 <= rank <= 1 for rank in ranks)
