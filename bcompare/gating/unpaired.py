"""What a gate claims of data sets on which baseline and candidate share nothing.

For numbers it is the posterior of Behrens and Fisher, made monotone in the candidate's scores and
with an allowance for skewed ones, as `bcompare.gating.monotone` has it for differences. The
evidence is the largest over all samples of the candidate that are nowhere better (or worse), with
the baseline's as they are. What fails a gate is the lesser of that and of Hall's transformed
statistic, of two samples: with g the skewness of scores and s²/n the variance of a mean, the
difference of means has the skewness g (s_c³/n_c² - s_b³/n_b²) / (s_c²/n_c + s_b²/n_b)^(3/2).

Right or wrong: as for paired items, one trial more on the less probable side of each border of the
rope, half of it on each side. These are the melded confidence limits of Fay, Proschan & Brittain
2015 (Biometrics 71:146), by those of Clopper and Pearson; without a rope, Fisher's exact test. A
quarter of a trial on each side would give more power, and fails on the border up to twice as often
as it may (200 trials against 2).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri, stdtrit

from bcompare.data.rope import BoolArray, FloatArray, IntArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SampleSource, Sides, SufficientStatistics
from bcompare.gating import monotone
from bcompare.gating.rule import Claim, GateRule
from bcompare.methods.result_parts import part_of
from bcompare.methods.suite import SuiteAverage
from bcompare.methods.unpaired import LESS, MORE, UnpairedPosterior, unpaired_posterior

# The scores of baseline and candidate on each data set.
Both = tuple[FloatArray, FloatArray]
# Levels at which the tails of few scores are compared with those of many.
LEVELS = (0.05, 0.3, 0.002)
# The columns of the baseline and of the candidate in `Sides`.
BASELINE, CANDIDATE = 0, 1


def sides_of(both: Sequence[Both], lowest: float) -> Sides:
    """Return the statistics of scores. lowest : as of `Sides`."""
    n = np.array([[len(base), len(candidate)] for base, candidate in both])
    mean = np.array([[base.mean(), candidate.mean()] for base, candidate in both])
    ss = np.array(
        [[base.var() * len(base), candidate.var() * len(candidate)] for base, candidate in both]
    )
    return Sides(n, mean, ss, SampleSource([*both].__getitem__), lowest)


@dataclass(frozen=True, eq=False, slots=True)
class UnpairedSuite:
    """The claims on q data sets.

    worse, better : the posteriors that speak for being below a border, and above it; they differ
        where scores are right or wrong.
    samples : of the candidate, and its distances from the baseline's mean.
    skewness : of the baseline's scores, and of both sides'.
    limits : the claims on scores called right or wrong, for the candidate and against it, where
        they may be.
    """

    statistics: SufficientStatistics
    sides: Sides
    worse: UnpairedPosterior
    better: UnpairedPosterior
    differences: tuple[FloatArray, ...]
    skewness: tuple[float, float]
    limits: "tuple[UnpairedSuite, UnpairedSuite] | None" = None

    @classmethod
    def of(cls, statistics: SufficientStatistics) -> "UnpairedSuite | None":
        """Return the claims; None if both sides share something."""
        sides = statistics.sides
        if sides is None:
            return None
        suite = cls._by_scores(statistics, sides)
        if not suite.may_be_rounded.any():
            return suite
        return replace(suite, limits=(suite._rounded(up=True), suite._rounded(up=False)))

    @classmethod
    def _by_scores(cls, statistics: SufficientStatistics, sides: Sides) -> "UnpairedSuite":
        """Return the claims by the scores as they are."""
        both = [sides.samples(i) for i in range(len(statistics))]
        numbers = np.flatnonzero(~statistics.binary).tolist()
        of_baseline = monotone.common_skewness([both[i][BASELINE] for i in numbers])
        of_both = monotone.skewness_of_sides([both[i] for i in numbers])
        return cls(
            statistics,
            sides,
            unpaired_posterior(statistics, left=MORE, right=LESS),
            unpaired_posterior(statistics, left=LESS, right=MORE),
            tuple(candidate - base.mean() for base, candidate in both),
            (of_baseline, of_both),
        )

    @property
    def varies(self) -> BoolArray:
        """(q,) where scores are numbers of which some differ."""
        return ~self.statistics.binary & (self.statistics.ss > 0)

    def on_each(self, rope: Rope) -> list[RegionProbabilities[float]]:
        """Return the regions of each data set."""
        regions = []
        for i in range(len(self.statistics)):
            low = self._sides([i], rope.low)
            high = self._sides([i], rope.high)
            regions.append(monotone.cut(low, high, rope))
        return regions

    def average(self, rope: Rope) -> RegionProbabilities[float]:
        """Return the regions of the average."""
        every = list(range(len(self.statistics)))
        low = self._sides(every, rope.low)
        high = low if rope.is_empty else self._sides(every, rope.high)
        return monotone.cut(low, high, rope)

    def suspects(self, rope: Rope, alpha: float) -> BoolArray:
        """Return (q,) on which data sets only what is deducted may keep the candidate from failing.

        See `bcompare.gating.suites.Suite.suspects`.
        """
        are_suspects = np.zeros(len(self.statistics), np.bool_)
        for i in np.flatnonzero(self.varies & (self.statistics.mean < rope.low)).tolist():
            _, best = self._tails([i], rope.low)
            are_suspects[i] = best < alpha / (len(are_suspects) + 1)
        return are_suspects

    def _sides(self, datasets: list[int], border: float) -> monotone.Sides:
        """Return the probabilities that the average over data sets is below and above a border.

        Scores from 0 to 1 are no surer than if each is called right or wrong: few that differ a
        little from 1 have next to no spread, and show as little as if all were 1.
        """
        below, above = self._unlimited(datasets, border)
        if self.limits is None or not self.may_be_rounded[datasets].any():
            return below, above
        for_it, against_it = self.limits
        if below < above:
            limit, _ = for_it._unlimited(datasets, border)
            tail = min(max(below, limit), 0.5)
            return tail, 1 - tail
        _, limit = against_it._unlimited(datasets, border)
        tail = min(max(above, limit), 0.5)
        return 1 - tail, tail

    @property
    def may_be_rounded(self) -> BoolArray:
        """(q,) where all scores are between those of right and wrong, but are not these."""
        lowest = self.sides.lowest
        within = []
        for i in range(len(self.statistics)):
            both = np.concatenate(self.sides.samples(i))
            within.append(bool((both >= lowest).all() and (both <= lowest + 1).all()))
        return np.array(within) & ~self.statistics.binary

    def _rounded(self, *, up: bool) -> "UnpairedSuite":
        """Return the claims on scores called right or wrong: for the candidate, or against it."""
        rounded = self.may_be_rounded
        samples = []
        for i in range(len(self.statistics)):
            base, candidate = self.sides.samples(i)
            if rounded[i]:
                base = np.floor(base) if up else np.ceil(base)
                candidate = np.ceil(candidate) if up else np.floor(candidate)
            samples.append((base, candidate))
        sides = sides_of(samples, self.sides.lowest)
        mean = sides.mean[:, CANDIDATE] - sides.mean[:, BASELINE]
        binary = self.statistics.binary | rounded
        names, unit = self.statistics.names, self.statistics.unit
        statistics = SufficientStatistics.of_sides(names, sides, mean, binary, unit)
        return UnpairedSuite._by_scores(statistics, sides)

    def _unlimited(self, datasets: list[int], border: float) -> monotone.Sides:
        """Return the same, by the scores as they are."""
        chosen = np.array(datasets)
        mean = float(self.statistics.mean[chosen].mean())
        if not self.varies[chosen].any():
            if self.statistics.binary[chosen].any():
                return self._around(datasets, border)
            return self._by_signs(datasets, mean - border)
        of_sample, best = self._tails(datasets, border)
        n = float(self.sides.n[chosen].min(axis=1).sum())
        if mean > border:
            tail = max(best, math.pow(0.5, n))
            return tail, 1 - tail
        tail = min(of_sample, best + monotone.surplus(n))
        return 1 - tail, tail

    def _by_signs(self, datasets: list[int], distance: float) -> monotone.Sides:
        """Return the sides where no score of a side differs from its others."""
        if distance == 0:
            return 0.5, 0.5
        n = self.sides.n[datasets].min(axis=1)
        tail = math.pow(0.5, float(n.sum()) / math.sqrt(len(datasets)))
        return (tail, 1 - tail) if distance > 0 else (1 - tail, tail)

    def _tails(self, datasets: list[int], border: float) -> tuple[float, float]:
        """Return the smaller side, of the scores at hand and of those that tell most.

        Which tell most depends on the level, as few scores have long tails: several are tried.
        """
        of_sample = self._unskewed(datasets, border, self.worse, self.better)
        levels = LEVELS if len(datasets) > 1 else LEVELS[:1]
        best = of_sample
        for level in levels:
            raised = self._raised(datasets, border, level)
            if raised is not None:
                best = min(best, self._unskewed(datasets, border, *raised))
        return of_sample, best

    def _raised(
        self, datasets: list[int], border: float, level: float
    ) -> tuple[UnpairedPosterior, UnpairedPosterior] | None:
        """Return the posteriors of the scores that tell most; None if they are those at hand.

        level : at which the tails of few scores count for as much spread.
        """
        varying = [i for i in datasets if self.varies[i]]
        rest = [i for i in datasets if not self.varies[i]]
        places = np.array(varying)
        n = self.sides.n[places]
        tails = stdtrit(n - 1.0, level) / ndtri(level)
        others = float((self.sides.variance[places] * tails**2)[:, BASELINE].sum())
        others += float((self.worse.scale[rest] ** 2).sum())
        location_of_rest = float(self.worse.location[rest].sum())
        moments = monotone.tempered(
            [self.differences[i] for i in varying],
            tails[:, CANDIDATE] / np.sqrt(n[:, CANDIDATE]),
            (len(datasets) * border - location_of_rest) / len(varying),
            (),
            others,
        )
        if moments is None:
            return None
        location, squares = moments
        scale = np.sqrt(squares / (n[:, CANDIDATE] - 1) / n[:, CANDIDATE])
        worse = self._with(self.worse, places, location, scale)
        return worse, self._with(self.better, places, location, scale)

    @staticmethod
    def _with(
        posterior: UnpairedPosterior, places: IntArray, location: FloatArray, scale: FloatArray
    ) -> UnpairedPosterior:
        """Return a posterior with other differences, and other scales of the candidate."""
        locations = posterior.location.copy()
        locations[places] = location
        scales = posterior.right.scale.copy()
        scales[places] = scale
        return replace(posterior, location=locations, right=replace(posterior.right, scale=scales))

    def _unskewed(
        self,
        datasets: list[int],
        border: float,
        worse: UnpairedPosterior,
        better: UnpairedPosterior,
    ) -> float:
        """Return the probability that the average is on the other side of a border.

        Where it is below, the border is moved to where the average would be for Hall's statistic.
        """
        chosen = np.array(datasets)
        mean = float(worse.location[chosen].mean())
        if mean > border:
            return _around(worse, better, chosen, border)[0]
        q = len(datasets)
        numbers = chosen[self.varies[chosen]]
        rest = chosen[~self.varies[chosen]]
        squares = worse.left.scale[numbers] ** 2 + worse.right.scale[numbers] ** 2
        spread = math.sqrt(float(squares.sum() + (worse.scale[rest] ** 2).sum())) / q
        if spread == 0:
            return _around(worse, better, chosen, border)[1]
        of_mean = np.asarray(self._skewness_of_mean(numbers))
        t = np.asarray((mean - border) / spread)
        border -= float(monotone.hall(t, of_mean) - t) * spread
        return _around(worse, better, chosen, border)[1]

    def _skewness_of_mean(self, datasets: IntArray) -> float:
        """Return the skewness of the average difference of means, if the spreads are equal.

        Few skewed scores that lie close together by chance show neither their skewness nor their
        spread; an unchanged candidate has those of the baseline. Where the candidate has more
        scores, and skewness counts the other way round, it is the baseline's alone, so that no
        score of a candidate that gets worse can raise it.
        """
        n = self.sides.n[datasets].astype(np.float64)
        variance = self.sides.ss[datasets].sum(axis=1) / (n.sum(axis=1) - 2)
        more = n[:, CANDIDATE] ** -2.0 - n[:, BASELINE] ** -2.0
        skewness = np.where(more > 0, self.skewness[CANDIDATE], self.skewness[BASELINE])
        cubes = float((skewness * more * variance**1.5).sum())
        total = float((variance / n[:, CANDIDATE] + variance / n[:, BASELINE]).sum())
        return cubes / total**1.5 if total > 0 else 0.0

    def _around(self, datasets: list[int], border: float) -> monotone.Sides:
        return _around(self.worse, self.better, np.array(datasets), border)


def _around(
    worse: UnpairedPosterior, better: UnpairedPosterior, datasets: IntArray, border: float
) -> monotone.Sides:
    """Return the probabilities that the average of posteriors is below and above a border.

    The smaller one decides; as the most that both may have add up to at least 1, the other one is
    needed only where the first is no smaller than a half.
    """
    if float(worse.location[datasets].mean()) > border:
        below = _below(part_of(worse, datasets), border)
        if below < 0.5:
            return below, 1 - below
        return monotone.cautious(below, _below(part_of(better, datasets).mirrored(), -border))
    above = _below(part_of(better, datasets).mirrored(), -border)
    if above < 0.5:
        return 1 - above, above
    return monotone.cautious(_below(part_of(worse, datasets), border), above)


def _below(posterior: UnpairedPosterior, border: float) -> float:
    """Return the probability that the average of posteriors is below a border."""
    if len(posterior.location) == 1:
        return float(posterior.below(np.array([border]))[0])
    return SuiteAverage.of(posterior).sides(border)[0]


def unpaired_claims(suite: UnpairedSuite, rope: Rope, rule: GateRule) -> list[Claim]:
    """Return the claims: the average over several data sets, and each."""
    several = len(suite.statistics) > 1
    suspects = suite.suspects(rope, rule.alpha).tolist()
    claims = [
        Claim(p, main=rule.each or not several, suspect=suspect)
        for p, suspect in zip(suite.on_each(rope), suspects, strict=True)
    ]
    return [Claim(suite.average(rope)), *claims] if several else claims
