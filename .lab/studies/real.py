"""`make reproduce`: what is said of the next data set, on real results.

Half of a collection's data sets are given to the tests, and the other half is the truth, for many
random halves and pairs of classifiers. The collections are the sample data, and every file of
results in the folder DATA that has enough data sets.

What is scored is where the mean differences of the held-out data sets fall, left of the rope, in
it, or right of it.
Of `rank` it is p(best) on the held-out data sets, of all classifiers that share enough of them.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np

import bcompare
from bcompare.basis.messages import BcompareError
from bcompare.data.differences import mean_scores
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.scores import Scores
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import AveragedPopulations, Hierarchical
from bcompare.methods.interface import Method
from bcompare.methods.sign import Sign
from bcompare.methods.signed_rank import SignedRank
from bcompare.ranking.best import Best, best_of
from bcompare.ranking.family import posterior
from studies.study import Line, in_parallel, share

SAMPLE = Path(__file__).parents[2] / "sample_data" / "results.csv"
FEWEST = 16  # data sets of a collection
ROPE = Rope.of(0.01)
NEEDED = 0.95
# Added to plain shares: half a data set on which the two tie, split between both sides.
PSEUDO = np.array([0.25, 0.5, 0.25])
# The least probability in a log score, for those that say 0.
LEAST = 1e-3

TESTS: dict[str, Method] = {
    "sign": Sign(),
    "signrank": SignedRank(),
    "hier": Hierarchical(),
    "hier, averaged": AveragedPopulations(),
}


# Data sets on which all classifiers tie, added to the shares of wins next to p(best).
TIES = (0.5, 4.0)


@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """What one test said of one half, and what the other half was.

    chances : (3,) stated of the next data set; NaN where a test states none. shares : (3,) of the
    other half. region : of the verdict, or None. likeliest : the region with most probability.
    """

    test: str
    chances: FloatArray
    shares: FloatArray
    region: int | None
    likeliest: int

    @property
    def is_right(self) -> bool:
        """Whether the verdict is the most frequent region of the other half."""
        return self.region == int(self.shares.argmax())

    @property
    def log_score(self) -> float:
        """The mean log probability that was stated of what came true."""
        return float(self.shares @ np.log(np.maximum(self.chances, LEAST)))


def collections() -> Iterator[tuple[str, Scores]]:
    """Yield the collections that are here, with their names."""
    files = sorted(Path(os.environ.get("DATA", ".")).glob("*.csv"))
    for file in (SAMPLE, *files):
        try:
            scores = bcompare.read_scores(str(file))
        except BcompareError:
            continue  # another kind of file
        if len(scores.datasets) >= FEWEST and scores.unit.has_spread:
            yield ("sample data" if file == SAMPLE else file.stem), scores


def regions(means: FloatArray) -> FloatArray:
    """(3,) shares of means left of the rope, in it, and right of it."""
    return np.array(
        [
            (means < ROPE.low).mean(),
            ((means >= ROPE.low) & (means <= ROPE.high)).mean(),
            (means > ROPE.high).mean(),
        ]
    )


def of_halves(rng: np.random.Generator, statistics: SufficientStatistics) -> list[Split]:
    """Return what each test said of one random half."""
    order = rng.permutation(len(statistics))
    known, held = np.split(order, [len(order) // 2])
    half, shares = statistics.chosen(np.sort(known).tolist()), regions(statistics.mean[held])
    plain = (regions(half.mean) * len(half) + PSEUDO) / (len(half) + PSEUDO.sum())
    answers = [Split("plain shares", plain, shares, None, int(plain.argmax()))]
    for name, test in TESTS.items():
        result = test.test(half, ROPE)
        p = np.array([*result.regions]) if result.regions is not None else np.full(3, np.nan)
        chances = np.full(3, np.nan) if result.chances is None else np.array([*result.chances])
        likeliest = int(p.argmax())
        region = likeliest if p[likeliest] > NEEDED else None
        answers.append(Split(name, chances, shares, region, likeliest))
    return answers


def pairs(scores: Scores) -> list[SufficientStatistics]:
    """Return the differences of every pair that shares enough data sets."""
    study = bcompare.compare(scores, "sign", pairs=list(combinations(scores.classifiers, 2)))
    found = [comparison.differences.statistics for comparison in study.comparisons]
    return [statistics for statistics in found if len(statistics) >= FEWEST]


def winners(rng: np.random.Generator, scores: Scores) -> tuple[float, ...]:
    """The mean log p(best) of the winners of a random half, by the other: `rank`, then shares."""
    order = rng.permutation(len(scores.datasets))
    known, held = ([scores.datasets[i] for i in half] for half in np.array_split(order, 2))
    best = best_of(
        [posterior(dataset, scores) for dataset in known],
        scores.classifiers,
        options=Best(draws=2_000),
    )
    won, later = (_shares([mean_scores(dataset) for dataset in half]) for half in (known, held))
    q, c = len(known), len(scores.classifiers)
    stated = (best.p_best, *((q * won + ties / c) / (q + ties) for ties in TIES))
    return tuple(float(later @ np.log(np.maximum(p, LEAST))) for p in stated)


def _shares(means: Sequence[FloatArray]) -> FloatArray:
    """(c,) shares of the data sets that each wins; ties are shared."""
    table = np.array(means)
    won = table == table.max(axis=1, keepdims=True)
    return np.asarray((won / won.sum(axis=1, keepdims=True)).mean(axis=0))


def complete(scores: Scores) -> Scores | None:
    """Return the data sets that all classifiers share, if these are enough."""
    shared = tuple(dataset for dataset in scores.datasets if dataset.present.all())
    return replace(scores, datasets=shared) if len(shared) >= FEWEST else None


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Repeat the halves for each pair of each collection."""
    known = [(name, scores, pairs(scores)) for name, scores in collections()]
    tasks = [(one,) for *_, own in known for one in own]
    if not tasks:
        return ()
    splits = in_parallel(of_halves, tasks * repetitions, seed)
    by_test: dict[str, list[Split]] = {split.test: [] for split in splits[0]}
    for answers in splits:
        for split in answers:
            by_test[split.test].append(split)
    families = [(whole,) for _, scores, _ in known if (whole := complete(scores)) is not None]
    stated = np.array(in_parallel(winners, families * repetitions, seed))
    best = [Line("rank: log score of p(best)", *_mean(stated[:, 0]))]
    for k, ties in enumerate(TIES, 1):
        what = f"rank: log score of p(best), over shares of wins with {ties:g} ties"
        best.append(Line(what, *_mean(stated[:, 0] - stated[:, k])))
    named = [Line(f"pairs: {name}", float(len(own)), 0.0) for name, _, own in known]
    return (*named, *(line for name in by_test for line in _lines(name, by_test)), *best)


def _lines(name: str, by_test: dict[str, list[Split]]) -> Iterator[Line]:
    own, plain, sign = by_test[name], by_test["plain shares"], by_test["sign"]
    if not np.isnan(own[0].chances).any() and name != "plain shares":
        better = [a.log_score - b.log_score for a, b in zip(own, plain, strict=True)]
        yield Line(f"{name}: log score of the region, over plain shares", *_mean(better))
        stated = [float(s.chances[s.likeliest]) for s in own]
        true = [float(s.shares[s.likeliest]) for s in own]
        yield Line(f"{name}: chance of the likeliest region, stated", *_mean(stated))
        yield Line(f"{name}: chance of the likeliest region, came true", *_mean(true))
    if name == "plain shares":
        return
    decided = [split for split in own if split.region is not None]
    yield Line(f"{name}: verdicts", *share([split.region is not None for split in own]))
    if decided:
        yield Line(f"{name}: right verdicts", *share([split.is_right for split in decided]))
    alone = [a for a, b in zip(own, sign, strict=True) if a.region is not None and b.region is None]
    if alone and name != "sign":
        right = share([split.is_right for split in alone])
        yield Line(f"{name}: right verdicts where sign has none ({len(alone)})", *right)


def _mean(values: Sequence[float] | FloatArray) -> tuple[float, float]:
    """A mean and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))


if __name__ == "__main__":
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 1, 1):
        print(f"{line.what}: {line.ours:.3f} ± {line.error:.3f}")
