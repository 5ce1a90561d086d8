"""How many runs name one item that broke, as a gate's claims about items do.

The baseline's runs at hand say how the rates of items are distributed. New runs of both sides are
drawn at rates from the posterior of each item; one item that always passed has broken, so that it
passes one run in twenty.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bcompare.basis.messages import InputError, arg
from bcompare.basis.progress import Progress, no_progress
from bcompare.data.rope import FloatArray, IntArray, RegionProbabilities
from bcompare.data.scores import ScoresLike
from bcompare.gating.items import ItemRuns, named_in, passed_and_runs
from bcompare.gating.judge import gate
from bcompare.gating.plan import ENOUGH
from bcompare.gating.rule import Claim, GateRule
from bcompare.gating.runs import NO_RUNS, Runs
from bcompare.gating.verdict import Gate
from bcompare.methods.binomial_mixture import RATES, RateMixture

# The rate of an item that broke.
BROKEN = 0.05
# Numbers of runs to try.
LADDER = (2, 3, 4, 5, 7, 10, 15, 20)
REPLICATES = 100
# A claim on the average that says nothing, beside those about items.
OPEN = Claim(RegionProbabilities(0.5, 0.0, 0.5))


@dataclass(frozen=True, slots=True)
class ItemChance:
    """The shares of simulated candidates in which items are named.

    baseline_runs, candidate_runs : of every item.
    named : the item that broke.
    others : any item, if nothing broke.
    """

    baseline_runs: int
    candidate_runs: int
    named: float
    others: float


@dataclass(frozen=True, eq=False, slots=True)
class ItemPlan:
    """The plan of a gate that names items.

    judged : the results at hand.
    metric : whose items these are.
    items : their number.
    now : runs of the baseline.
    rows : with the baseline's runs as they are, and then with equally many.
    """

    judged: Gate
    metric: str
    items: int
    now: int
    rows: tuple[ItemChance, ...]
    replicates: int
    seed: int

    def fewest(self, *, equal: bool) -> ItemChance | None:
        """Return the row of fewest runs that name the item with probability 0.8, or None.

        equal : with equally many runs of both sides, else with the baseline's at hand.
        """
        enough = [row for row in self.rows if row.named >= ENOUGH]
        if equal:
            enough = [row for row in enough if row.baseline_runs == row.candidate_runs]
        else:
            enough = [row for row in enough if row.baseline_runs == self.now]
        return min(enough, key=lambda row: row.candidate_runs, default=None)


def plan_items(
    scores: "ScoresLike | Mapping[str, ScoresLike]",
    *,
    baseline: str | None = None,
    candidate: str | None = None,
    alpha: float = 0.05,
    runs: Runs = NO_RUNS,
    replicates: int | None = None,
    seed: int = 0,
    progress: Progress = no_progress,
) -> ItemPlan:
    """Simulate a gate's claims about items with other numbers of runs, if one item broke.

    Parameters
    ----------
    scores, baseline, candidate, alpha, runs : as for `bcompare.gate` with its `items`. The rates of
        the items are those of the baseline.
    replicates : simulations of each number of runs.

    Raises
    ------
    InputError : as `bcompare.gate` does; several candidates; no item that always passed.

    Examples
    --------
    >>> import bcompare
    >>> scores = bcompare.read_scores(
    ...     "main=sample_data/main_runs.csv",
    ...     "pr=sample_data/pr_runs.csv",
    ...     item_col="case",
    ...     epoch_col="run",
    ...     score_col="passed",
    ...     baseline="main",
    ... )
    >>> plan = bcompare.plan_items(scores, baseline="main", replicates=5)
    >>> plan.items, plan.now
    (60, 5)
    """
    judged = gate(
        scores, baseline=baseline, candidate=candidate, alpha=alpha, runs=runs, items=True
    )
    if len(judged.items) > 1:
        raise InputError(
            f"a plan is for the items of one candidate and metric: name one by "
            f"{arg('candidate', judged.items[0].candidate)}"
        )
    (findings,) = judged.items
    passed, count = passed_and_runs(findings.runs.main)
    if not (passed == count).any():
        raise InputError(
            f"no item has passed all runs of {judged.baseline}, so that none can be planned for"
        )
    total = replicates or REPLICATES
    now = int(count.max())
    rates = _Rates.of(passed, count)
    as_now = [(now, m) for m in LADDER if m <= now]
    equal = [(m, m) for m in LADDER if m != now]
    rows: list[ItemChance] = []
    for pairs in (as_now, equal):
        for n, m in pairs:
            rows.append(rates.chance(n, m, total, seed, judged.rule))
            progress(len(rows), len(as_now) + len(equal))
            if rows[-1].named >= ENOUGH:
                break
    return ItemPlan(judged, findings.metric, len(passed), now, tuple(rows), total, seed)


@dataclass(frozen=True, eq=False, slots=True)
class _Rates:
    """The posterior of the items' rates. passed, runs : (q,) in the pilot."""

    passed: IntArray
    runs: IntArray
    posterior: FloatArray

    @classmethod
    def of(cls, passed: IntArray, runs: IntArray) -> "_Rates":
        mixture = RateMixture.of(passed, runs, fits=1)
        return cls(passed, runs, mixture.posterior(passed, runs)[0])

    def chance(self, n: int, m: int, replicates: int, seed: int, rule: GateRule) -> ItemChance:
        """Return how often the item is named that broke, and any item if none did."""
        rng = np.random.default_rng([seed, n, m])
        cumulative = self.posterior.cumsum(axis=1)
        always = np.flatnonzero(self.passed == self.runs)
        named = 0
        others = 0
        for _ in range(replicates):
            uniform = rng.random((len(cumulative), 1))
            rates = RATES[(cumulative < uniform).sum(axis=1).clip(max=len(RATES) - 1)]
            broken = int(rng.choice(always))
            main = _drawn(rng, rates, n)
            candidate = _drawn(rng, rates, m)
            others += bool(named_in(ItemRuns((), main, candidate), rule, [OPEN]).any())
            candidate[broken] = rng.random(m) < BROKEN
            named += bool(named_in(ItemRuns((), main, candidate), rule, [OPEN])[broken])
        return ItemChance(n, m, named / replicates, others / replicates)


def _drawn(rng: np.random.Generator, rates: FloatArray, runs: int) -> FloatArray:
    return np.asarray(rng.random((len(rates), runs)) < rates[:, None], np.float64)
