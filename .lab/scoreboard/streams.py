"""The generators of cases: what is drawn, and what is true of it.

A stream is a function of a random generator, the number of cases, the truth and its settings; the
plan names it. Twenty lines are enough for another one.
"""

from collections.abc import Iterator

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.planning.power import draw
from scoreboard.case import LEFT, REGIONS, RIGHT, Case, Says, region_of, stream, table
from scoreboard.learners import (
    CASES,
    EQUAL,
    NAMES,
    PAIRS,
    POPULATIONS,
    differences_by_case,
    truths,
)
from scoreboard.pool import pool

Rng = np.random.Generator
BASE = 0.8


def _true(name: str, k: int, pair: tuple[str, str]) -> float:
    return truths()[name][str(k)][" | ".join(pair)][0]


def _chosen(kind: str) -> tuple[tuple[str, str], ...]:
    return EQUAL if kind == "equal" else PAIRS[len(EQUAL) :]


def _most_frequent(differences: FloatArray) -> Says:
    """The region in which most differences lie."""
    regions = [region_of(d, 0.01) for d in differences]
    return max(REGIONS, key=regions.count)


@stream
def learners(
    rng: Rng, count: int, truth: str, *, k: int, runs: int, pool_size: int, pool_seed: int
) -> Iterator[Case]:
    """Cross-validations of two real learners on one data set: equal, or others, on the border.

    truth : "equal" for pairs that are equal by construction, "apart" for the others; of "border"
    the rope is the true difference.
    """
    kept = pool(pool_size, pool_seed)
    run, fold = (index.ravel() + 1 for index in np.indices((runs, k)))
    pairs = _chosen(truth)
    for i in range(count):
        pair, name = pairs[i % len(pairs)], list(POPULATIONS)[i // len(pairs) % len(POPULATIONS)]
        accuracies = kept[name][k]
        one = accuracies[rng.integers(len(accuracies)), :runs].reshape(runs * k, -1)
        scores = {c: one[:, NAMES.index(p)] for c, p in zip((LEFT, RIGHT), pair, strict=True)}
        true = _true(name, k, pair)
        if truth == "border" and abs(true) < 0.005:  # the truth itself has an error of 0.001
            continue
        yield Case(
            rows="folds",
            frame=table({"dataset": "data", "run": run, "fold": fold}, scores),
            truth=true,
            rope=abs(true) if truth == "border" else 0.01,
        )


@stream
def suites(
    rng: Rng, count: int, truth: str, *, q: int, k: int, pool_size: int, pool_seed: int
) -> Iterator[Case]:
    """Suites of q data sets, of populations drawn at random; one run of cross-validation each."""
    kept = pool(pool_size, pool_seed)
    pairs = _chosen(truth)
    names = list(POPULATIONS)
    for i in range(count):
        pair = pairs[i % len(pairs)]
        drawn = [names[j] for j in rng.integers(len(names), size=q)]
        folds = [kept[name][k][rng.integers(len(kept[name][k])), 0] for name in drawn]
        at = [NAMES.index(p) for p in pair]
        true = np.array([_true(name, k, pair) for name in names])
        of_two = (true[:, None] + true).ravel() / 2
        of_all = np.concatenate(folds)
        columns = {
            "dataset": np.repeat([f"d{j}" for j in range(q)], k),
            "run": 1,
            "fold": np.tile(np.arange(k) + 1, q),
        }
        yield Case(
            rows="suite",
            frame=table(columns, {LEFT: of_all[:, at[0]], RIGHT: of_all[:, at[1]]}),
            truth=float(np.mean([true[names.index(name)] for name in drawn])),
            regions={"next": _most_frequent(true), "two": _most_frequent(of_two)},
        )


@stream
def refits(rng: Rng, count: int, truth: str, *, k: int, repeats: int) -> Iterator[Case]:
    """As `learners`, one run of k folds, with the cases' losses and nested cross-validation.

    nested : (repeats × k, 4) for each fold that is set apart: the mean difference by
    cross-validation without it and that on it, the variance of the latter, and the variance of the
    differences of the cases in the former.
    """
    pairs = _chosen(truth)
    for i in range(count):
        pair, name = pairs[i % len(pairs)], list(POPULATIONS)[i // len(pairs) % len(POPULATIONS)]
        data = POPULATIONS[name](CASES, rng)
        losses, accuracies, nested = differences_by_case(rng, pair, data, k, repeats)
        both = dict(zip((LEFT, RIGHT), accuracies, strict=True))
        yield Case(
            rows="refits",
            frame=table({"dataset": "data", "run": 1, "fold": np.arange(k) + 1}, both),
            truth=_true(name, k, pair),
            further={"losses": losses, "nested": nested},
        )


def _noise(rng: Rng, shape: str, size: tuple[int, ...]) -> FloatArray:
    """Variables of mean 0 and variance 1; skewed ones have their long tail on the left."""
    if shape == "skewed":
        return 1 - rng.exponential(size=size)
    return rng.standard_normal(size)


@stream
def seeds(rng: Rng, count: int, truth: float, *, n: int, shape: str, sd: float) -> Iterator[Case]:
    """Two models trained with n seeds on one split; the right one's scores may be skewed."""
    for _ in range(count):
        both = {
            LEFT: BASE + sd * _noise(rng, "normal", (n,)),
            RIGHT: BASE + truth + sd * _noise(rng, shape, (n,)),
        }
        frame = table({"dataset": "data", "seed": np.arange(n)}, both)
        yield Case(rows="seeds", frame=frame, truth=truth, keys=("dataset", "seed"))


@stream
def items(
    rng: Rng, count: int, truth: float, *, passages: int, per: int = 1, epochs: int = 1
) -> Iterator[Case]:
    """Two models answer the same items, of passages that suit one or the other; right or wrong.

    truth : by how much the right one is better on each item; not positive.
    """
    n = passages * per
    passage = np.repeat(np.arange(passages), per)
    columns = {
        "dataset": "data",
        "item": np.repeat([f"q{i}" for i in range(n)], epochs),
        "epoch": np.tile(np.arange(epochs), n),
        "passage": np.repeat([f"p{i}" for i in passage], epochs),
    }
    keys = [key for key, used in (("epoch", epochs > 1), ("passage", per > 1)) if used]
    for _ in range(count):
        ease = rng.normal(1.0, 2.0, n)
        scores = {}
        for model, more in ((LEFT, 0.0), (RIGHT, truth)):
            strength = rng.normal(0, 1.0, passages)[passage] + rng.normal(0, 0.5, n)
            p = 0.02 - truth + (0.96 + truth) / (1 + np.exp(-(ease + strength))) + more
            scores[model] = (rng.random((n, epochs)) < p[:, None]).astype(float).ravel()
        frame = table(columns, scores)
        yield Case(rows="items", frame=frame, truth=truth, keys=("dataset", "item", *keys))


@stream
def growing(rng: Rng, count: int, truth: float, *, n: int, discordant: float) -> Iterator[Case]:
    """Answers that come in one by one, n at last; `discordant` of them differ."""
    columns = {"dataset": "data", "item": [f"q{i}" for i in range(n)]}
    for x in draw(truth, np.sqrt(discordant - truth**2), (count, n), rng):
        scores = {LEFT: (x <= 0) * 1.0, RIGHT: (x >= 0) * 1.0}
        keys = ("dataset", "item")
        yield Case(rows="looks", frame=table(columns, scores), truth=truth, rope=0, keys=keys)


@stream
def losses(rng: Rng, count: int, truth: float, *, n: int) -> Iterator[Case]:
    """The right model loses a few items, and wins none: its expected loss is the truth."""
    for _ in range(count):
        right = (rng.random(n) < 0.9).astype(float)
        lost = right * (rng.random(n) < -truth / 0.9)
        columns = {"dataset": "data", "item": [f"q{i}" for i in range(n)]}
        frame = table(columns, {LEFT: right, RIGHT: right - lost})
        yield Case(rows="items", frame=frame, truth=truth, keys=("dataset", "item"))


@stream
def timings(
    rng: Rng, count: int, truth: float, *, runs: int, rows: int, offset: float, outliers: float
) -> Iterator[Case]:
    """Times of several runs of the baseline and one of the candidate, of which each is off as one.

    truth : how much slower the candidate is, 0.05 for 5 %. offset : the standard deviation of a
    whole run; outliers : the share of values that are two to five times too large.
    """
    for _ in range(count):
        names = [f"{LEFT}{i}" for i in range(runs)] + [RIGHT]
        level = rng.normal(0, offset, (len(names), 1)) + rng.normal(0, 0.03, (len(names), rows))
        off = rng.random(level.shape) < outliers
        times = 100 * np.exp(level) * np.where(off, rng.uniform(2, 5, level.shape), 1)
        times[-1] *= 1 + truth
        frame = table(
            {"dataset": "task", "seed": np.arange(rows)}, dict(zip(names, times, strict=True))
        )
        keys = ("dataset", "seed")
        yield Case(rows="timings", frame=frame, truth=-np.log1p(truth), rope=0.05, keys=keys)


@stream
def leaderboards(
    rng: Rng, count: int, truth: float, *, models: int, datasets: int, sd: float, folds: int
) -> Iterator[Case]:
    """Scores of many models on data sets that suit some of them, with `folds` values on each.

    truth : the standard deviation of what a model is worth on average, as a multiple of `sd`, that
    of how data sets suit it.
    """
    for _ in range(count):
        names = [f"m{i:02}" for i in range(models)]
        worth = BASE + truth * sd * rng.standard_normal(models)
        means = (
            worth
            + sd * rng.standard_normal((datasets, models))
            + 0.05 * rng.standard_normal((datasets, 1))
        )
        scores = means[:, None] + sd * rng.standard_normal((datasets, folds, models))
        columns = {
            "dataset": np.repeat([f"d{i}" for i in range(datasets)], folds),
            "run": 1,
            "fold": np.tile(np.arange(folds) + 1, datasets),
        }
        flat = scores.reshape(-1, models)
        yield Case(
            rows="leaderboard",
            frame=table(columns, {name: flat[:, i] for i, name in enumerate(names)}),
            best=dict(zip(names, worth.tolist(), strict=True)),
        )
