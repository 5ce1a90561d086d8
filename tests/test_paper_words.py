"""What is pasted into papers: units, priors, and what a number is of."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bcompare
from bcompare.data.rope import REGIONS, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.explain import explained
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.model import POPULATION_COUNTS, default_sigma0_bound
from bcompare.report.pair_tables import next_dataset
from bcompare.report.paper import irrelevant
from bcompare.report.table import percent
from tests.command import run

ROPE = Rope.of(0.01)


def statistics(q: int, centre: float = 0.02) -> SufficientStatistics:
    rng = np.random.default_rng(q)
    return SufficientStatistics.from_differences(
        [centre + 0.02 * rng.standard_normal(10) for _ in range(q)], 0.1
    )


@pytest.fixture
def percentages(tmp_path: Path) -> str:
    rng = np.random.default_rng(2)
    rows = [
        (f"d{d}", k, who, base + (3 + rng.normal() if who == "b" else 0))
        for d in range(6)
        for k, base in enumerate(80 + rng.standard_normal(10))
        for who in ("a", "b")
    ]
    path = str(tmp_path / "results.csv")
    frame = pd.DataFrame(rows, columns=["dataset", "fold", "classifier", "accuracy (%)"])
    frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("form", ["sentence", "latex"])
@pytest.mark.parametrize("command", ["hier", "rank"])
def test_scores_in_per_cent_have_a_rope_in_points(
    percentages: str, form: str, command: str
) -> None:
    options = ("--col", "score=accuracy (%)", "--scale", "percent", "--format", form)
    result = run(command, percentages, *options)
    words = result.out
    assert "of at most 1 percentage point as irrelevant" in words
    assert "at most 0.01" not in words
    assert "more than 0.01" not in words


def test_ropes_in_points() -> None:
    assert irrelevant(Rope.of(0.02), "acc", percent=True).endswith(
        "of at most 2 percentage points as irrelevant"
    )
    assert irrelevant(Rope(-0.01, 0.03), "acc", percent=True).endswith(
        "from -1 to 3 percentage points as irrelevant"
    )
    assert irrelevant(Rope.of(0.01), "acc").endswith("of at most 0.01 as irrelevant")
    assert irrelevant(Rope.of(0.0), percent=True) == ""


def test_the_small_table_says_what_the_model_alone_says() -> None:
    """Beside chances that count the data sets, too: (15 p + n)/(15 + q)."""
    scores = bcompare.read_scores("sample_data/results.csv")
    study = bcompare.compare(scores, "hier", pairs=[("knn", "forest")])
    (comparison,) = study.comparisons
    result = comparison.result
    assert result.chances is not None
    assert result.model_alone is not None
    table = next_dataset(comparison)
    assert table is not None
    assert [column.header for column in table.columns] == [
        "outcome",
        "chance",
        "by the model alone",
    ]
    for row, region in zip(table.rows, REGIONS, strict=True):
        assert row[1] == f"{percent(getattr(result.chances, region))} %"
        assert row[2] == f"{percent(getattr(result.model_alone, region))} %"
    mean = comparison.differences.statistics.mean
    counted = (mean < -0.01).sum(), (np.abs(mean) <= 0.01).sum(), (mean > 0.01).sum()
    total = POPULATION_COUNTS + len(mean)
    # what the populations say of an observed mean
    populations = [
        (getattr(result.chances, region) * total - n) / POPULATION_COUNTS
        for region, n in zip(REGIONS, counted, strict=True)
    ]
    assert sum(populations) == pytest.approx(1)
    assert all(0 < p < 1 for p in populations)


def test_two_names_for_two_averages() -> None:
    """δ0 is the centre of differences; `rank` speaks of means, which few large ones move."""
    average = Hierarchical(over="average").test(statistics(6), ROPE)
    assert average.scope == " on a typical data set like these"
    assert "typical data set like these" in explained("next")


def test_the_prior_of_hier_is_as_stated() -> None:
    words = " ".join(explained("prior").split())
    for term in ("δ₀ and σᵢ are uniform without bounds", "σ₀ ~ Uniform(0, 1000 s)", "ν = 1 + ν′"):
        assert term in words
    own = statistics(8)
    spread = float(own.mean.std(ddof=1))
    error = float(own.standard_error.mean())
    assert default_sigma0_bound(own) == pytest.approx(1000 * max(spread, error))


def test_a_centre_within_one_matters_with_two_data_sets_only() -> None:
    moved = []
    for q in (2, 25):
        p = [
            Hierarchical(delta0_bounds=bounds).test(statistics(q), ROPE).next_dataset
            for bounds in (None, (-1.0, 1.0))
        ]
        moved.append(max(abs(getattr(p[0], r) - getattr(p[1], r)) for r in REGIONS))
    assert moved[1] < 0.002 < 0.01 < moved[0]
