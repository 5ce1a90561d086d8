"""Studies: generators have the right moments, agreement is judged rightly, results are kept."""

import json
import math

import numpy as np
import pytest
from scipy.stats import chisquare
from studies.calibration import BINS, PARAMETERS, RESULT, replicate
from studies.generators import (
    FOLDS,
    RHO,
    RUNS,
    SIGMA2,
    VARIANCE_OF_MEAN,
    cauchy,
    correlated_normal,
    cross_validated,
)
from studies.run import RESULTS, STUDIES, main
from studies.study import Line, Paper, in_parallel, median, portions, share
from studies.topic import BEST, TOPIC, of_best, results, section

from bcompare.version import __version__

FAR = 4.0


def test_correlated_folds_have_the_moments_of_the_model() -> None:
    rng = np.random.default_rng(3)
    result = correlated_normal(rng, np.full(20_000, 0.01))
    q = len(result)
    assert result.mean.mean() == pytest.approx(0.01, abs=FAR * math.sqrt(VARIANCE_OF_MEAN / q))
    assert result.mean.var() == pytest.approx(VARIANCE_OF_MEAN, rel=FAR * math.sqrt(2 / q))
    within = result.ss / (FOLDS * RUNS - 1)
    assert within.mean() == pytest.approx(SIGMA2 * (1 - RHO), rel=FAR * math.sqrt(2 / 99 / q))
    # The same by whole folds, a shared and an own part each.
    shared = rng.normal(0, math.sqrt(RHO * SIGMA2), (20_000, 1))
    own = rng.normal(0, math.sqrt((1 - RHO) * SIGMA2), (20_000, FOLDS * RUNS))
    folds = shared + own
    assert folds.mean(axis=1).var() == pytest.approx(VARIANCE_OF_MEAN, rel=FAR * math.sqrt(2 / q))


@pytest.mark.parametrize("theta", [0.5, 0.55, 0.9])
def test_cross_validated_accuracies_are_those_of_the_network(theta: float) -> None:
    rng = np.random.default_rng(4)
    q, cases = 1_500, 1_000
    result = cross_validated(rng, np.full(q, theta), np.full(q, cases))
    network = result.network.mean(axis=1)
    error = FAR * network.std() / math.sqrt(q)
    if theta > 0.5:  # learned from 900 cases, the network's prediction is nearly always right
        assert network.mean() == pytest.approx(theta, abs=error + 1e-3)
    # A test fold's classes are independent of the training folds', and equally likely.
    majority = result.majority.mean(axis=1)
    assert majority.mean() == pytest.approx(0.5, abs=FAR * majority.std() / math.sqrt(q))


def test_folds_deal_out_every_case_once() -> None:
    rng = np.random.default_rng(5)
    result = cross_validated(rng, np.array([1.0]), np.array([37]), runs=3)
    # With θ = 1 the feature tells the class, so every case of every fold is predicted rightly.
    assert (result.network == 1).all()


def test_small_and_large_differences_are_capped() -> None:
    n = 20_000
    values = cauchy(np.random.default_rng(6), n, 0.01, 0.01)
    error = 0.01 * math.pi / 2 / math.sqrt(n)  # of a Cauchy distribution's median
    assert np.abs(values).max() == 0.5
    assert np.median(values) == pytest.approx(0.01, abs=FAR * error)


def test_agreement_knows_errors_and_rounding() -> None:
    assert Paper(0.56).agrees(0.5649, 0)
    assert not Paper(0.56).agrees(0.5651, 0)
    assert Paper(0.56, error=0.01).agrees(0.594, 0)
    assert not Paper(0.56, error=0.01).agrees(0.596, 0)
    assert Paper(above=0.9).agrees(0.88, 0.01)
    assert not Paper(above=0.9).agrees(0.86, 0.01)
    assert Paper(below=0.05).agrees(0.06, 0.004)
    assert not Paper(below=0.05).agrees(0.06, 0.003)
    assert Line("x", 1.0).agrees is None


def test_errors_of_shares_and_medians_are_those_of_simulation() -> None:
    rng = np.random.default_rng(7)
    drawn = rng.random((2_000, 200))
    medians = [median(row) for row in drawn]
    spread = np.std([value for value, _ in medians])
    assert np.mean([error for _, error in medians]) == pytest.approx(spread, rel=0.1)
    shares = [share(row < 0.3) for row in drawn]
    assert np.mean([e for _, e in shares]) == pytest.approx(np.std([s for s, _ in shares]), rel=0.1)
    assert share(np.zeros(50, np.bool_))[1] > 0


def _drawn(rng: np.random.Generator, count: int) -> list[float]:
    return list(rng.random(count))


def test_cores_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [(r,) for r in portions(7, 3)]
    assert [r for (r,) in tasks] == [3, 3, 1]
    result = in_parallel(_drawn, tasks, 5)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert in_parallel(_drawn, tasks, 5) == result


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_every_study_runs_at_a_handful_of_repetitions(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reps = {"tutorial": "20000", "looks": "50"}.get(name, "2")
    main([name, "--reps", reps])
    out = capsys.readouterr().out.splitlines()
    assert out[0].split() == ["study", "figure", "paper", "ours", "agrees?"]
    assert len(out) > 2
    for line in out[2:]:
        assert "nan" not in line


@pytest.mark.parametrize("name", STUDIES)
def test_the_results_at_the_papers_repetitions_are_kept(name: str) -> None:
    record = json.loads((RESULTS / f"{name}.json").read_text("utf-8"))
    assert record["repetitions"] == STUDIES[name].whole
    assert record["bcompare"] == __version__
    assert record["lines"]
    if STUDIES[name].axis:
        assert (RESULTS / f"{name}.svg").is_file()


def test_the_topic_is_made_of_the_results() -> None:
    assert {record["study"] for record in results()} == set(STUDIES)
    assert section() in TOPIC.read_text("utf-8")
    assert of_best() in BEST.read_text("utf-8")


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
