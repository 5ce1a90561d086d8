"""Estimate how much more data would settle an undecided verdict, in one line."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bcompare.data.rope import RegionProbabilities
from bcompare.gating.rule import NOT_BETTER, GateRule
from bcompare.gating.verdict import Gate, Verdict
from bcompare.methods.base import AverageOfThese, Method, Progress, no_progress
from bcompare.planning.outlook import Amount, Case, cases_of, whole_case
from bcompare.planning.simulation import FAST, SLOW, Draw, Simulation, usual_replicates

# The probability of an answer at which a verdict counts as settled.
ENOUGH = 0.8
# The most verdicts to examine, and the factors of more data; fewer for slow tests.
MOST_VERDICTS = 3
LADDER = tuple(float(f) for f in 2 ** np.arange(0.5, 8.1, 0.5))
SHORT_LADDER, SHORTEST_LADDER = (2.0, 4.0, 8.0), (2.0, 4.0)
# This share of the usual simulations is enough, but no fewer than these.
FEWER, LEAST_REPLICATES = 5, 50


def with_settle(
    gate: Gate, *, seed: int = 0, jobs: int | None = 1, progress: Progress = no_progress
) -> Gate:
    """Return the gate with a line on each of the first few verdicts in doubt."""
    at = [
        i
        for i, verdict in enumerate(gate.verdicts)
        if gate.in_doubt(verdict)
        and not verdict.advisory
        and verdict.outcome != "pass"
        and verdict.outcome == gate.outcome
        # a share against a bar is judged exactly, and simulated results by Student's t
        and not (gate.metric_of(verdict).bar is not None and gate.study.scores.unit.has_answers)
    ][:MOST_VERDICTS]
    if gate.study.scores.unit.has_offset:  # further runs of both sides, in unknown shares
        return gate
    if not at or (gate.passed and gate.rule.undecided == "pass"):
        return gate
    verdicts = list(gate.verdicts)
    for i in at:
        case, method = _case_of(gate, verdicts[i])
        rule, rope = gate.metric_of(verdicts[i]).demand(gate.rule), gate.study_of(verdicts[i]).rope
        quick = method.economical()
        slow = quick.effort(len(case.now)) > SLOW
        usual = usual_replicates(quick, len(case.now)) // FEWER
        replicates = max(usual, LEAST_REPLICATES)
        simulation = Simulation(quick, rope, replicates, seed, jobs, progress)
        claims = len(gate.claims_beside(verdicts[i]))
        there = "" if verdicts[i].dataset is None else " there"
        words = _SettlingSearch(case, rule, claims, simulation, slow).describe(there)
        verdicts[i] = replace(verdicts[i], settle=words)
    return replace(gate, verdicts=tuple(verdicts))


def _case_of(gate: Gate, verdict: Verdict) -> tuple[Case, Method]:
    """Return the data of a verdict, and its test."""
    study = gate.study_of(verdict)
    (pair,) = (c for c in study.comparisons if c.right == verdict.candidate)
    if verdict.datasets:
        return whole_case(pair, study.scores), AverageOfThese(study.method)
    first, *others = cases_of(pair, study.scores)
    return next((c for c in others if c.dataset == verdict.dataset), first), study.method


@dataclass(frozen=True, eq=False, slots=True)
class _SettlingSearch:
    """Search for the least data of each kind that probably settles a verdict."""

    case: Case
    rule: GateRule
    claims: int
    simulation: Simulation
    slow: bool

    def describe(self, there: str) -> str:
        """Describe the data that would settle the verdict; `there` says of which data set."""
        case, method = self.case, self.simulation.method
        short = SHORTEST_LADDER if self.slow else SHORT_LADDER
        fast = method.simulation_effort(len(case.now)) < FAST
        ladder = LADDER if fast else short
        enough, cannot = [], []
        for steps, now in (
            (case.with_datasets(short, method, self.simulation.rope), len(case.now)),
            (self._scores(ladder), (case.scores.count or 0) if case.scores else 0),
        ):
            if not steps:
                continue
            of = steps[0][0].of
            least = self._least(steps, now)
            if least is not None:
                more = _round(least - now)
                one = of.replace("s ", " ").removesuffix("s")
                enough.append(f"about {more:,} more {one if more == 1 else of}{there}")
            elif steps[0][0].count is None:
                cannot.append(f"any number of {of} (they all share their data: ρ)")
            else:
                times = (steps[-1][0].count or 0) / now
                cannot.append(f"{times:g} times as many {of}")
        error = math.sqrt(ENOUGH * (1 - ENOUGH) / self.simulation.replicates)
        asked = "better" if self.rule.fail_if == NOT_BETTER else "worse"
        shown = f"{100 * ENOUGH:.0f} ± {max(100 * error, 1):.0f} %"
        surely = f"tell whether it is {asked} in {shown} of simulated cases"
        if not enough:
            return f"{_none_of(cannot)} would {surely}"
        return "; ".join([f"{' or '.join(enough)} would {surely}", *(f"not {c}" for c in cannot)])

    def _scores(self, ladder: Sequence[float]) -> list[tuple[Amount, Draw]]:
        """Return the amounts of scores to try; only the infinite one if even that fails."""
        if (self.case.now.rho > 0).any():
            endless = self.case.with_scores([math.inf])
            if endless and self._share(endless[0][1]) < ENOUGH:
                return endless
        return self.case.with_scores(ladder)

    def _least(self, steps: Sequence[tuple[Amount, Draw]], now: int) -> float | None:
        """Return the total number needed, interpolated between two steps on a log scale."""
        if steps[-1][0].count is None or self._share(steps[-1][1]) < ENOUGH:
            return None
        before, share_before = float(now), 0.0
        for amount, draw in steps:
            count, share = amount.count or now, self._share(draw)
            if share >= ENOUGH:
                part = (ENOUGH - share_before) / (share - share_before)
                return before * math.pow(count / before, part)
            before, share_before = float(count), share
        return None

    def _share(self, draw: Draw) -> float:
        """Return the probability that the rule then has an answer."""
        (answers,) = self.simulation.run([draw], 3 * len(self.case.now))
        decided = [
            not (math.isnan(p[0]) or self.rule.in_doubt(RegionProbabilities(*p), self.claims))
            for p in zip(*(part.tolist() for part in answers), strict=True)
        ]
        return float(np.mean(decided))


def _none_of(cannot: Sequence[str]) -> str:
    """Return the data that would not settle the verdict, as the subject of a sentence."""
    if len(cannot) > 1:
        return f"neither {' nor '.join(cannot)}"
    lone = cannot[0] if cannot else "any more data"
    return f"no{lone.removeprefix('any')}" if lone.startswith("any") else f"not even {lone}"


def _round(count: float) -> int:
    """Round up to two digits, and to at least 1."""
    whole = max(math.ceil(count), 1)
    size = int(10.0 ** max(len(str(whole)) - 2, 0))
    return math.ceil(whole / size) * size
