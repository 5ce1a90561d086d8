"""What a gate claims of data sets by the correlated t-test: of each, and of their average.

The published posterior, but monotone in each score and, for scores other than 0/1 items, with an
allowance for skewed differences and for folds more alike than assumed; see
`bcompare.gating.monotone`. Those of 0/1 items are exact, however many they are, with
one item more on the less probable side of each border of the rope.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bcompare.data.rope import BoolArray, FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.gating import monotone
from bcompare.methods.correlated_t import NO_SPREAD
from bcompare.methods.paired_binary import (
    CAUTIOUS,
    PairedBinaryPosterior,
    item_posterior,
    matching_posterior,
    scored_01,
)
from bcompare.methods.student import StudentPosterior
from bcompare.methods.suite import SuiteAverage

# A probability of chance that changes no verdict.
NEGLIGIBLE = 1e-9


def exact_regions(
    tails: Sequence[PairedBinaryPosterior], rope: Rope, moved: float = 0.0
) -> list[RegionProbabilities[float]]:
    """Return the regions of items that are right or wrong, under a rope that is moved by so much.

    tails : the posteriors that speak for being below a border, and above it.
    """
    worse, better = tails

    def sides(border: float) -> Iterator[monotone.Sides]:
        edge = np.full(len(worse.left), moved + border)
        return map(monotone.cautious, 1 - worse.above(edge), better.above(edge))

    both = zip(sides(rope.low), sides(rope.high), strict=True)
    return [monotone.cut(low, high, rope) for low, high in both]


@dataclass(frozen=True, eq=False, slots=True)
class Suite:
    """The claims on q data sets.

    posterior : of each.
    matching : (q,) which are Student's under the matching prior; and student : of these, which
        vary.
    items : (q,) which are of 0/1 items.
    """

    posterior: StudentPosterior
    statistics: SufficientStatistics
    matching: BoolArray
    student: BoolArray
    items: BoolArray
    allowance: monotone.Allowance

    @classmethod
    def of(cls, posterior: StudentPosterior, statistics: SufficientStatistics) -> "Suite":
        """Return the claims."""
        items = scored_01(statistics)
        matching = (posterior.dof == statistics.dof) & (posterior.location == statistics.mean)
        matching = np.asarray(matching & ~items)
        # the rows of clusters of different sizes are mixtures, whose skewness says little
        equal = np.flatnonzero(~items & (statistics.lost == 0)).tolist()
        allowance = monotone.Allowance(
            monotone.common_skewness([statistics.differences(i) for i in equal]),
            # one data set has the level that its correlation gives it
            monotone.SPREAD if len(statistics) > 1 and statistics.unit.has_rho else 0.0,
        )
        # not of whole runs, of which a worse candidate shifts all differences alike
        student = matching & (posterior.scale > 0) & (not statistics.unit.has_offset)
        return cls(posterior, statistics, matching, np.asarray(student), items, allowance)

    def on_each(
        self, regions: list[RegionProbabilities[float]], rope: Rope
    ) -> list[RegionProbabilities[float]]:
        """Return the regions of each data set; those given where they are neither of both kinds."""
        regions = list(regions)
        statistics = self.statistics
        for i in np.flatnonzero(self.student | self._equal).tolist():
            rho = float(statistics.rho[i])
            differences = statistics.differences(i)
            sizes = statistics.sizes(i)
            regions[i] = monotone.regions(differences, rho, rope, self.allowance, sizes)
        if self.items.any():
            places = np.flatnonzero(self.items).tolist()
            of_dataset = statistics.chosen(places)
            tails = [PairedBinaryPosterior.of(of_dataset, prior) for prior in CAUTIOUS]
            for i, p in zip(places, exact_regions(tails, rope), strict=True):
                regions[i] = p
        return regions

    def suspects(self, rope: Rope, alpha: float) -> BoolArray:
        """Return (q,) on which data sets only what is deducted may keep the candidate from failing.

        The deduction (`monotone.surplus`) is not monotone: a claim that failed by Student's own
        evidence may lose it by a score that gets worse, and must not pass then.
        """
        suspects = np.zeros(len(self.student), np.bool_)
        statistics = self.statistics
        for i in np.flatnonzero(self.student & (self.posterior.location < rope.low)).tolist():
            rho = float(statistics.rho[i])
            y = statistics.differences(i) - rope.low
            best = monotone.tails(y, rho, self.allowance, statistics.sizes(i))[1]
            suspects[i] = best < alpha / (len(suspects) + 1)
        return suspects

    @property
    def _equal(self) -> BoolArray:
        """(q,) which are of equal differences, and count by their signs."""
        return np.asarray(self.matching & (self.posterior.scale == 0))

    @property
    def _chance(self) -> float:
        """How probable it is that values which only seem equal are above the border on average.

        As for one data set, signs limit what equal values prove. Several need not all be above it:
        of normal values as widely spread on q data sets, their smallest ones are on average with a
        probability of 0.051 for q = 2 and n = 3, 0.021 for 3 and 3, 0.015 for 2 and 4.
        """
        n = self.statistics.dof[self.matching] + 1
        return math.pow(0.5, float(n.sum()) / math.sqrt(len(n)))

    def average(self, rope: Rope) -> tuple[RegionProbabilities[float], str | None]:
        """Return the regions of the average, and why they are withheld: whole runs do not vary.

        What is measured in whole runs may be off on all data sets together, so that only the runs'
        own averages show the error of their mean.
        """
        if not self.statistics.unit.has_offset:
            return self._on_average(rope), None
        each = [self.statistics.differences(i) for i in range(len(self.statistics))]
        average = np.mean(each, axis=0)
        if np.ptp(average) == 0:
            return self._on_average(rope), NO_SPREAD
        one = SufficientStatistics.from_differences([average], float(self.statistics.rho[0]))
        p = matching_posterior(one).regions(rope)
        return RegionProbabilities(*(float(region[0]) for region in p)), None

    def _on_average(self, rope: Rope) -> RegionProbabilities[float]:
        """Return the regions of the average by the spread on each data set."""
        if self.student.any() or self.items.any():
            p = monotone.cut(self._sides(rope.low), self._sides(rope.high), rope)
        elif self._equal.all():
            p = self._by_signs(rope)
        else:
            p = SuiteAverage.of(self.posterior).regions(rope)
        return self._without_chance_losses(p, rope)

    def _by_signs(self, rope: Rope) -> RegionProbabilities[float]:
        """Return the regions of the average of equal differences: no side is surer than signs are.

        As for one data set, each border may be on the other side of the true average by chance.
        """
        tail = self._chance
        regions = rope.shares(self.posterior.location.mean())
        left = _mixed(float(regions.left), 1 - tail, tail)
        right = _mixed(float(regions.right), 1 - tail, tail)
        middle = 0.0 if rope.is_empty else max(1 - left - right, 0.0)
        return RegionProbabilities(left, middle, right)

    def _without_chance_losses(
        self, p: RegionProbabilities[float], rope: Rope
    ) -> RegionProbabilities[float]:
        """Return the regions, less sure of "worse" where equal differences may be so by chance.

        A data set on which all differences are equal, and below 0, may have them by chance. It then
        says nothing, and is taken to have no difference, unless that helped the candidate.
        """
        location = self.posterior.location
        points = self._equal & (location < 0)
        chance = min(float((0.5 ** self.statistics.n[points]).sum()), 1.0)
        if p.left <= 0.5 or chance <= NEGLIGIBLE:
            return p
        without = replace(self.posterior, location=np.where(points, 0, location))
        others = SuiteAverage.of(without).regions(rope)
        left = max(_mixed(chance, others.left, p.left), 0.5)
        rest = (1 - left) / 2
        if rope.is_empty:
            return RegionProbabilities(left, 0.0, 2 * rest)
        return RegionProbabilities(left, rest, rest)

    def _sides(self, border: float) -> monotone.Sides:
        """Return the probabilities that the average is below and above a border.

        Of the sample at hand, or of that with the most evidence on its side of the border. All data
        sets are more alike than assumed by the same factor: they are judged by the same learners.
        """
        if not self.student.any():
            return self._around(border, self.posterior)
        n = self.statistics.dof[self.student] + 1
        rho = self.statistics.rho[self.student]
        errors, weights = self.allowance.errors(self.statistics.n[self.student], rho)
        of_sample, best = (weights @ [self._tails(border, error) for error in errors]).tolist()
        total = float(n.sum())
        effective = sum(map(monotone.effective_number, n.tolist(), rho.tolist()))
        if float(self.posterior.location.mean()) > border:
            tail = max(best, self._chance)
            return tail, 1 - tail
        tail = min(of_sample, best + monotone.surplus(total, effective, self.allowance.skewness))
        return 1 - tail, tail

    def _tails(self, border: float, error: FloatArray) -> tuple[float, float]:
        """Return the smaller side, of the sample at hand and of that with the most evidence.

        error : of the mean of each Student data set, in standard deviations.
        """
        statistics = self.statistics
        student = self.student
        places = np.flatnonzero(self.student)
        posterior = self._sampled(statistics.mean[student], statistics.sd[student] * error)
        of_sample = self._unskewed(border, error, posterior)
        others = ~student
        rest = float(posterior.location[others].sum())
        variance_of_rest = float((posterior.scale[others] ** 2).sum())
        best = monotone.tempered(
            [statistics.differences(i) for i in places.tolist()],
            error,
            (len(student) * border - rest) / len(places),
            [statistics.sizes(i) for i in places.tolist()],
            variance_of_rest,
        )
        if best is None:
            return of_sample, of_sample
        location, ss = best
        raised = self._sampled(location, np.sqrt(ss / (statistics.n[student] - 1)) * error)
        # best by a normal distribution, where items are averaged
        return of_sample, min(of_sample, self._unskewed(border, error, raised))

    def _sampled(self, location: FloatArray, scale: FloatArray) -> StudentPosterior:
        """Return the posteriors with these means and their errors on Student data sets."""
        locations = self.posterior.location.copy()
        scales = self.posterior.scale.copy()
        locations[self.student], scales[self.student] = location, scale
        return replace(self.posterior, location=locations, scale=scales)

    def _unskewed(self, border: float, error: FloatArray, posterior: StudentPosterior) -> float:
        """Return the probability that the average is on the other side of a border.

        Where it is below, the border is moved to where the average would be for Hall's statistic,
        with the third moments of the data sets' means added up.
        """
        q = len(posterior.location)
        mean = float(posterior.location.mean())
        if mean > border:
            return self._around(border, posterior)[0]
        spread = math.sqrt(float((posterior.scale**2).sum())) / q
        if spread == 0:
            return self._around(border, posterior)[1]
        cubes = float((posterior.scale[self.student] ** 3) @ error) / q**3
        t = np.asarray((mean - border) / spread)
        common = self.allowance.skewness
        of_mean = np.asarray(common * cubes / spread**3)
        border -= float(monotone.hall(t, of_mean) - t) * spread
        dof = float(self.statistics.dof[self.student].sum())
        beyond = float(monotone.beyond(t, of_mean, common, dof))
        return self._around(border, posterior)[1] * beyond

    def _around(self, border: float, posterior: StudentPosterior) -> monotone.Sides:
        """Return the probabilities that the average of posteriors is below and above a border."""
        if not self.items.any():
            return SuiteAverage.of(posterior).sides(border)
        for_worse, for_better = CAUTIOUS
        below, _ = self._with_prior(posterior, for_worse).sides(border)
        _, above = self._with_prior(posterior, for_better).sides(border)
        return monotone.cautious(below, above)

    def _with_prior(self, posterior: StudentPosterior, prior: tuple[float, ...]) -> SuiteAverage:
        """Return the average if the items that are right or wrong have this prior."""
        return SuiteAverage.of(item_posterior(posterior, self.statistics, self.items, prior))


def _mixed(share: float, first: float, second: float) -> float:
    """Return the mean of two numbers, of which the first has this share."""
    return (1 - share) * second + share * first
