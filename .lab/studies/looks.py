"""`make reproduce`: a gate that looks again and again at data that accumulate.

A gate after every batch of items, or after every run of cross-validation, 50 times; it stops at
the first "worse". How often has it cried by then? Under fixed truths (equal, on the rope's border,
worse by two ropes), where a test that looks once errs in at most 5 %, and under truths drawn at
random, for which a posterior's promise holds however often one looks: of those that it calls
worse, at most 5 % are not.
"""

import sys
from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import FOLD, ITEM, Unit
from bcompare.methods.correlated_t import CorrelatedT

LOOKS, PROB, R = 50, 0.95, 0.01
METHOD = CorrelatedT(interval_levels=())
ROPE = Rope.of(R)


@dataclass(frozen=True)
class Stream:
    """What comes in between two looks.

    batch : scores. sd : of a difference, τ without what all runs share. rho : correlation.
    """

    name: str
    unit: Unit
    batch: int
    sd: float
    rho: float


STREAMS = (
    Stream("100 items a look", ITEM, 100, 0.3, 0.0),
    Stream("a run of 10 folds a look", FOLD, 10, 0.02, 0.1),
)
# The truth in every sequence; "random" ones are normal with a standard deviation of five ropes.
TRUTHS = {"equal": 0.0, "on the border": -R, "worse by two ropes": -2 * R}
RANDOM = 5 * R


def p_worse(stream: Stream, truth: FloatArray, rng: np.random.Generator) -> FloatArray:
    """(sequences, looks) p(worse) at every look."""
    count = len(truth)
    shared = stream.sd * np.sqrt(stream.rho / (1 - stream.rho)) * rng.standard_normal(count)
    level = (truth + shared)[:, None, None]
    scores = level + stream.sd * rng.standard_normal((count, LOOKS, stream.batch))
    n = stream.batch * np.arange(1, LOOKS + 1)
    mean = scores.sum(axis=2).cumsum(axis=1) / n
    ss = (scores**2).sum(axis=2).cumsum(axis=1) - n * mean**2
    total = mean.size
    statistics = SufficientStatistics(
        names=("",) * total,
        n=np.broadcast_to(n, mean.shape).ravel(),
        mean=mean.ravel(),
        ss=ss.ravel(),
        rho=np.full(total, stream.rho),
        unit=stream.unit,
    )
    return METHOD.test(statistics, ROPE).datasets.probabilities.left.reshape(mean.shape)


@dataclass(frozen=True)
class Cried:
    """Shares of sequences that were called worse: at the first look, the last, and ever."""

    first: float
    last: float
    ever: float


def cried(stream: Stream, truth: float, replicates: int, rng: np.random.Generator) -> Cried:
    """Under a fixed truth."""
    called = p_worse(stream, np.full(replicates, truth), rng) > PROB
    return Cried(
        float(called[:, 0].mean()), float(called[:, -1].mean()), float(called.any(axis=1).mean())
    )


@dataclass(frozen=True)
class Promise:
    """Under random truths: sequences called worse at some look, and how many of them are not.

    expected : what the probabilities themselves say of that, at the looks that stopped.
    """

    called: int
    wrong: float
    expected: float


def promise(stream: Stream, replicates: int, rng: np.random.Generator) -> Promise:
    """Stop at the first "worse", and ask how often it is wrong."""
    truth = rng.normal(0, RANDOM, replicates)
    p = p_worse(stream, truth, rng)
    called = (p > PROB).any(axis=1)
    stopped = (p > PROB).argmax(axis=1)
    text = p[np.arange(replicates), stopped][called]
    wrong = float((truth[called] >= -R).mean())
    return Promise(int(called.sum()), wrong, float((1 - text).mean()))


def main(replicates: int = 4000) -> None:
    """Print a table a stream."""
    rng = np.random.default_rng(1)
    error = 100 * np.sqrt(0.05 * 0.95 / replicates)
    print(f'called "worse" in {LOOKS} looks, {replicates:,} sequences each (± {error:.1f} at 5 %)')
    for stream in STREAMS:
        print(f"\n{stream.name:28}  first look  last look   ever")
        for name, truth in TRUTHS.items():
            result = cried(stream, truth, replicates, rng)
            shares = (100 * share for share in (result.first, result.last, result.ever))
            print("{:28}  {:8.1f} % {:8.1f} % {:6.1f} %".format(name, *shares))
        found_promise = promise(stream, replicates, rng)
        print(
            f"random truths: {found_promise.called:,} called worse, {100 * found_promise.wrong:.1f}"
            f" % of them wrongly; {100 * found_promise.expected:.1f} % by their probabilities"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
