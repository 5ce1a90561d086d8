"""The plan of a gate: its shares are those of theory, and of gates that are simulated by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bcompare
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import ITEM
from bcompare.gating.metrics import Metric
from bcompare.gating.plan import ENOUGH, GatePlan, Loss, LossShares, plan_gate
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
