"""The answer of a test on one pair, or the reason why there is none."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bcompare.basis.errors import BcompareError, ComputationError
from bcompare.comparing.decision import Decision, Rule, decide_one
from bcompare.data.differences import Differences
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope, inexact
from bcompare.methods.base import (
    DatasetsResult,
    Estimate,
    Outcome,
    PopulationResult,
    Result,
)
from bcompare.methods.correlated_t import CorrelatedT, CorrelatedTDatasets
from bcompare.methods.student import estimate_of
from bcompare.methods.suite import SuiteAverage


@dataclass(frozen=True, eq=False, slots=True)
class Failure:
    """A pair that could not be computed, and the reason; other pairs are not affected."""

    left: str
    right: str
    error: BcompareError

    @property
    def text(self) -> str:
        """The reason, with arguments in both spellings."""
        return self.error.text

    @property
    def reason(self) -> str:
        """The reason, with arguments as they are written in Python."""
        return str(self.error)

    def record(self) -> dict[str, str]:
        """Return the failure for the JSON document."""
        return {"left": self.left, "right": self.right, "reason": self.text}


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Comparison:
    """One pair: its data, the result of the test, and the decision.

    differences : the pair and its statistics.
    rope, rule : of the decisions.
    result : of the method.
    p_values : (q,) p-values of a test that answers per data set, else (1,); two-sided.
    bonferroni, holm : the same, corrected for the number of pairs.
    decision : over all data sets, or on the only one; None if a test answers per data set and
        there are several.
    """

    differences: Differences
    rope: Rope
    rule: Rule
    result: Result
    p_values: FloatArray
    bonferroni: FloatArray
    holm: FloatArray
    decision: Decision | None

    @property
    def left(self) -> str:
        """Name of the left classifier."""
        return self.differences.left

    @property
    def right(self) -> str:
        """Name of the right classifier."""
        return self.differences.right

    @property
    def n_datasets(self) -> int:
        """The number of data sets that both classifiers have."""
        return len(self.differences.statistics)

    @property
    def dataset_decisions(self) -> tuple[Decision, ...]:
        """The decision on each data set."""
        return decisions_on(self.result.datasets, self.rule)

    @property
    def mean_difference(self) -> float:
        """Mean over the data sets of their mean differences right - left."""
        return float(self.differences.statistics.mean.mean())

    @property
    def average(self) -> Estimate | None:
        """The mean difference with its interval: of these data sets, or of others like them."""
        these = self.over_these if self.result.about_these else None
        if these is not None:
            return these.estimate()
        return self.result.average or estimate_of(self.differences.statistics.mean)

    @property
    def over_these(self) -> SuiteAverage | None:
        """The average over these data sets; None if it is unknown.

        It is None for a single data set, for means, and if no data set has any spread, which may
        happen by chance if there are few scores.
        """
        statistics = self.differences.statistics
        if not statistics.unit.has_spread or len(statistics) < 2:
            return None
        own = self.result.datasets
        if isinstance(own, CorrelatedTDatasets):
            average = SuiteAverage.of(own.posterior)
        else:
            average = SuiteAverage.of(CorrelatedT().posterior(statistics))
        return None if average.by_chance(statistics) else average

    @property
    def probabilities(self) -> RegionProbabilities[float] | None:
        """The probabilities over all data sets, or on the only one; None if each has its own."""
        if isinstance(self.result, PopulationResult):
            return self.result.probabilities
        return self.dataset_probabilities(0) if self.n_datasets == 1 else None

    @property
    def withheld(self) -> str | None:
        """Why the decision is withheld although there are probabilities, or None."""
        if isinstance(self.result, PopulationResult):
            return self.result.withheld
        return self.dataset_withheld(0) if self.n_datasets == 1 else None

    @property
    def shown(self) -> RegionProbabilities[float] | None:
        """The probabilities to show, with 0 and 1 only where they are exact."""
        result = self.result
        if isinstance(result, PopulationResult) and result.error is not None:
            p = inexact(result.probabilities)
            return replace(p, rope=0.0) if self.rope.is_empty else p
        return self.probabilities

    def dataset_probabilities(self, i: int) -> RegionProbabilities[float]:
        """The three probabilities on the i-th data set."""
        return RegionProbabilities(*(float(p[i]) for p in self.result.datasets.probabilities))

    def dataset_withheld(self, i: int) -> str | None:
        """Return why the i-th data set has no verdict although it has probabilities."""
        if not self.result.datasets.withheld[i]:
            return None
        n, mean = (x[i] for x in (self.differences.statistics.n, self.differences.statistics.mean))
        return (
            f"all {n} differences are equal ({abs(mean):.6g}), and few or coarse scores may agree "
            "by chance"
        )

    @property
    def datasets_withheld(self) -> list[str | None]:
        """The reason why each data set has no verdict, or None."""
        return [self.dataset_withheld(i) for i in range(self.n_datasets)]

    def __repr__(self) -> str:
        p = self.probabilities
        p_words = f", p {p.left:.3f} {p.rope:.3f} {p.right:.3f}" if p else ""
        sets = self.n_datasets
        return f"<Comparison {self.left} – {self.right}: {sets} data sets{p_words}>"


def decisions_on(datasets: DatasetsResult, rule: Rule) -> tuple[Decision, ...]:
    """Return the decision on each data set; "none" where it is withheld."""
    return tuple(
        "none" if withheld else decision
        for decision, withheld in zip(
            rule.decide(datasets.probabilities), datasets.withheld, strict=True
        )
    )


def decided(pair: Differences, result: Outcome, rope: Rope, rule: Rule) -> Comparison | Failure:
    """Return the decision on a result; p-values are not yet corrected."""
    if isinstance(result, BcompareError):
        return Failure(pair.left, pair.right, result)
    p: RegionProbabilities[Any] = (
        result.probabilities
        if isinstance(result, PopulationResult)
        else result.datasets.probabilities
    )
    if not all(np.isfinite(part).all() for part in p):
        error = ComputationError(
            f"{pair.left} and {pair.right}: the probabilities are not numbers. Is the prior very "
            "far from the data, or the rope of another size than the scores?"
        )
        return Failure(pair.left, pair.right, error)
    overall = None
    if isinstance(result, PopulationResult):
        overall = decide_one(rule, result.probabilities) if result.withheld is None else "none"
    elif len(pair.statistics) == 1:
        (overall,) = decisions_on(result.datasets, rule)
    p_values = result.p_values
    return Comparison(
        differences=pair,
        rope=rope,
        rule=rule,
        result=result,
        p_values=p_values,
        bonferroni=p_values,
        holm=p_values,
        decision=overall,
    )
