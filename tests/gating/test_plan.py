"""The plan of a gate: its shares are those of theory, and of gates that are simulated by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bcompare
from bcompare.data.rope import read_only
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import ITEM
from bcompare.gating import plan as plan_module
from bcompare.gating.metrics import Metric
from bcompare.gating.plan import (
    ENOUGH,
    GatePlan,
    Loss,
    LossShares,
    _Noise,
    _Sample,
    plan_gate,
)
from bcompare.gating.plan_report import build_gate_plan_report
from bcompare.methods.paired_binary import CAUTIOUS, PairedBinaryPosterior


def seeds(n: int, sets: int = 1, spread: float = 0.03) -> pd.DataFrame:
    """Two classifiers, whose differences on each data set have exactly this spread."""
    frames = []
    for d in range(sets):
        noise = stats.norm.ppf((np.arange(n) + 0.5) / n)
        noise *= spread / noise.std(ddof=1)
        for who, score in (("main", np.full(n, 0.8)), ("pr", 0.8 + noise)):
            frames.append(
                pd.DataFrame(
                    {"dataset": f"d{d}", "seed": np.arange(n), "classifier": who, "score": score}
                )
            )
    return pd.concat(frames)


def shares(plan: GatePlan, *, lost: bool) -> dict[int, LossShares]:
    return {row.count: row for row in plan.rows if (row.loss is not None) == lost}


def test_shares_are_those_of_the_noncentral_t() -> None:
    scores = bcompare.from_frame(seeds(40), seed_col="seed")
    plan = plan_gate(scores, baseline="main", worse=["0.03"], replicates=200)
    assert (plan.of, plan.now) == ("seeds", 40)
    for count, row in shares(plan, lost=True).items():
        error = 0.03 * np.sqrt(1 / count)
        crit = stats.t.isf(0.05, count - 1)
        fails = float(stats.nct.sf(crit, count - 1, (0.03 - 0.01) / error))
        assert row.fail == pytest.approx(fails, abs=3.5 * np.sqrt(0.25 / 200))
        assert row.fail + row.undecided + row.passed == pytest.approx(1)
    for count, row in shares(plan, lost=False).items():
        passes = float(
            stats.nct.sf(stats.t.isf(0.05, count - 1), count - 1, 0.01 * np.sqrt(count) / 0.03)
        )
        assert row.passed == pytest.approx(passes, abs=3.5 * np.sqrt(0.25 / 200))
        assert row.fail <= 0.05


def test_items_have_the_power_of_their_discordant_pairs() -> None:
    rng = np.random.default_rng(1)
    n, apart, loss = 400, 0.1, 0.05
    main = (rng.random(n) < 0.8).astype(int)
    pr = np.where(rng.random(n) < apart, 1 - main, main)
    rows = [(k, who, s) for k in range(n) for who, s in (("main", main[k]), ("pr", pr[k]))]
    frame = pd.DataFrame(rows, columns=["item", "classifier", "score"])
    plan = plan_gate(
        bcompare.from_items(frame, "item", baseline="main"),
        baseline="main",
        worse=[str(loss)],
        replicates=200,
    )
    # of every number of losses and wins: its probability, and whether the gate fails
    seen = float(np.mean(main != pr))
    won = (seen - loss) / 2
    losses, wins = (np.ravel(own) for own in np.indices((90, 60)))
    chance = stats.multinomial.pmf(
        np.stack([losses, n - losses - wins, wins], axis=1), n, [won + loss, 1 - seen, won]
    )
    assert chance.sum() > 0.999
    posterior = PairedBinaryPosterior.of(
        SufficientStatistics(
            names=tuple(map(str, losses)),
            n=np.full(len(losses), n),
            mean=(wins - losses) / n,
            ss=wins + losses - (wins - losses) ** 2 / n,
            rho=np.zeros(len(losses)),
            binary=np.ones(len(losses), np.bool_),
            unit=ITEM,
        ),
        CAUTIOUS[0],
    )
    fails = 1 - posterior.above(np.full(len(losses), -0.01)) > 0.95
    power = chance @ fails
    assert shares(plan, lost=True)[n].fail == pytest.approx(power, abs=3.5 * np.sqrt(0.25 / 200))


def test_the_fewest_lie_between_two_numbers_that_were_tried() -> None:
    scores = bcompare.from_frame(seeds(12, 2), seed_col="seed")
    plan = plan_gate(scores, baseline="main", worse=["0.03"], replicates=25)
    (loss,) = plan.losses
    lost = shares(plan, lost=True)
    fewest = plan.fewest(loss)
    enough = [count for count, row in lost.items() if row.fail >= ENOUGH]
    if enough:
        assert fewest is not None
        assert min(lost) <= fewest <= min(enough)
    else:
        assert fewest is None
    rows = tuple(LossShares(n, loss, p, 1 - p, 0.0) for n, p in ((5, 0.2), (10, 0.6), (20, 1.0)))
    by_hand = GatePlan(plan.judged, "seeds", 10, (loss,), rows, 100, 0)
    assert by_hand.fewest(loss) == 15  # 10 · 2^(1/2), rounded up
    assert Loss(Metric("t", relative=0.05), 0.1).describe() == "10 % worse in t"


def test_the_spread_is_drawn_from_its_posterior_and_its_ends_are_quantiles() -> None:
    """σ² = s² ν/χ²_ν, and 95 % of that between the ends."""
    sample = sample_of(seeds(5))
    drawn = sample.factors("drawn", 100_000, np.random.default_rng(1)) ** 2
    posterior = stats.invgamma(2, scale=2)  # of ν/χ²_ν for ν = 4
    assert stats.kstest(drawn, posterior.cdf).pvalue > 0.001
    least, most = (
        float(sample.factors(end, 1, np.random.default_rng(1))[0]) ** 2 for end in ("least", "most")
    )
    assert [least, most] == pytest.approx(posterior.ppf([0.025, 0.975]).tolist())


def test_many_data_sets_say_more_about_the_spread_than_one() -> None:
    one, many = (
        sample_of(seeds(5, sets)).factors("drawn", 20_000, np.random.default_rng(1))
        for sets in (1, 10)
    )
    assert np.var(many) < np.var(one) / 5
    dof = 40  # of ten data sets with four each, all equal
    assert np.mean(many**2) == pytest.approx(dof / (dof - 2), rel=0.02)


@pytest.mark.parametrize("n", [5, 40])
def test_new_rows_have_the_covariances_of_the_pilot(n: int) -> None:
    rng = np.random.default_rng(3)
    first = rng.standard_normal(n)
    second = 0.5 * first + rng.standard_normal(n)
    residuals = [(x - x.mean()) * np.sqrt(n / (n - 1)) for x in (first, second)]
    noise = _Noise.drawn(rng, 4_000, n, 50)
    assert (noise.mixed is None) == (n >= 30)
    drawn = [noise.of(own).ravel() for own in residuals]
    expected = np.cov(first, second)
    assert np.cov(drawn[0], drawn[1]) == pytest.approx(expected, rel=0.03, abs=0.02)


def test_a_pilot_of_five_leaves_a_wide_range_open_and_one_of_forty_a_narrow_one() -> None:
    ranges = []
    for n in (5, 40):
        scores = bcompare.from_frame(seeds(n, spread=0.02), seed_col="seed")
        plan = plan_gate(scores, baseline="main", replicates=400)
        least, fewest, most = (plan.fewest(None, s) for s in ("least", "drawn", "most"))
        assert least is not None
        assert fewest is not None
        assert least <= fewest <= (most or np.inf)
        ranges.append((most or np.inf) / least)
        # the ends are those of a gate whose spread is known
        for spread, end in (("least", least), ("most", most)):
            if end is None or end <= 3:
                continue
            factor = stats.invgamma((n - 1) / 2, scale=(n - 1) / 2).ppf(
                0.025 if spread == "least" else 0.975
            )
            assert passes(0.02 * np.sqrt(factor), end) == pytest.approx(0.8, abs=0.12)
    assert ranges[0] > 4 * ranges[1]
    words = shown(bcompare.from_frame(seeds(5, spread=0.02), seed_col="seed"))
    assert "A pilot of 5 seeds leaves open " in words


def passes(sd: float, count: int) -> float:
    """The share of unchanged candidates that pass with normal differences, by gates one by one."""
    rng = np.random.default_rng(9)
    x = sd * rng.standard_normal((2_000, count))
    low = stats.t.sf((x.mean(axis=1) + 0.01) / x.std(axis=1, ddof=1) * np.sqrt(count), count - 1)
    return float((low < 0.05).mean())


def shown(scores: bcompare.Scores) -> str:
    plan = plan_gate(scores, baseline="main", replicates=100)
    return " ".join(build_gate_plan_report(plan).sentences)


def sample_of(frame: pd.DataFrame) -> _Sample:
    judged = bcompare.gate(bcompare.from_frame(frame, seed_col="seed"), baseline="main")
    return _Sample.of(judged, judged.metrics[0])


def test_a_plan_by_a_bar_has_candidates_at_the_bar() -> None:
    """As against a baseline that always scores just that."""
    frame = seeds(10, spread=0.02)
    scores = bcompare.from_frame(frame, seed_col="seed")
    against = plan_gate(scores, baseline="main", candidate="pr", replicates=400)
    by_bar = plan_gate(only_pr(scores), candidate="pr", bar=0.8, replicates=400)
    for one, other in zip(against.rows, by_bar.rows, strict=True):
        assert (one.count, one.fail, one.passed) == (other.count, other.fail, other.passed)
    assert "at the bar: " in " ".join(build_gate_plan_report(by_bar).sentences)


def only_pr(scores: bcompare.Scores) -> bcompare.Scores:
    column = scores.classifiers.index("pr")
    datasets = tuple(
        replace(d, table=read_only(d.table[:, [column]].copy()), present=d.present[[column]])
        for d in scores.datasets
    )
    return replace(scores, classifiers=("pr",), datasets=datasets)


def test_a_plan_for_answers_by_a_bar_is_that_of_clopper_and_pearson() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {
            "item": [*range(300)] * 2,
            "classifier": ["main"] * 300 + ["pr"] * 300,
            "score": (rng.random(600) < 0.85).astype(float),
        }
    )
    scores = only_pr(bcompare.from_items(frame, "item", lower_is_better=False))
    plan = plan_gate(scores, candidate="pr", bar=0.85, rope=0.05, worse=["0.1"], replicates=200)
    for row in plan.rows:
        wins = np.arange(row.count + 1)
        truth = 0.85 if row.loss is None else 0.75
        p = stats.binom.pmf(wins, row.count, truth)
        # p(not below 0.80) with one wrong item more
        shown_ = stats.beta.sf(0.8, wins, row.count - wins + 1) > 0.95
        expected = float(p @ shown_)
        error = np.sqrt(expected * (1 - expected) / 200) + 1e-9
        assert row.passed == pytest.approx(expected, abs=4 * error + 0.01)


def test_suites_that_are_judged_at_once_come_out_as_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scores = bcompare.from_frame(seeds(6, sets=3, spread=0.02), seed_col="seed")
    for ladder in ("LADDER", "SLOW_LADDER"):
        monkeypatch.setattr(plan_module, ladder, (1.0, 2.0))
    at_once = plan_gate(scores, baseline="main", replicates=100)
    monkeypatch.setattr(_Sample, "is_batched", property(lambda _: False))
    monkeypatch.setattr(plan_module, "SLOW_BATCH", 100)
    one_by_one = plan_gate(scores, baseline="main", replicates=100)
    for one, other in zip(at_once.rows, one_by_one.rows, strict=True):
        # a verdict may differ where a probability is within the batch's error of a level
        assert abs(one.fail - other.fail) <= 0.02
        assert abs(one.passed - other.passed) <= 0.02
