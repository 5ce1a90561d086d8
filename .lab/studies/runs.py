"""`make reproduce`: a gate on times, if whole runs are slower or faster than others.

A run is off by the same factor on all data sets, with a standard deviation of 5 %; its 15 rows on
each scatter by 2 %. The gate has a rope of 5 %. One run is compared with one, row by row, or whole
runs of the baseline with one or two of the candidate.
"""

from dataclasses import dataclass

import numpy as np

import bcompare
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.units import SEED
from studies.study import Line, in_parallel, share

SPREAD, SCATTER, ROWS = 0.05, 0.02, 15
METRIC = "p50_ms: 5%"


@dataclass(frozen=True)
class Case:
    """runs, own : of the baseline and the candidate. change : of the candidate, as a share."""

    sets: int
    runs: int
    change: float
    own: int = 1

    def __str__(self) -> str:
        sets = "1 data set" if self.sets == 1 else f"{self.sets} data sets"
        runs = "1 run" if self.runs == 1 else f"{self.runs} runs"
        return f"{sets}, {runs} with {self.own}, {100 * self.change:g} % slower"


CASES = (
    Case(1, 1, 0.0),
    Case(6, 1, 0.0),
    *(Case(6, runs, change) for change in (0.0, 0.05, 0.2) for runs in (5, 10)),
    *(Case(6, runs, 0.2, own=2) for runs in (5, 10)),
)


def drawn(rng: np.random.Generator, case: Case) -> Scores:
    """Times of the runs, as scores."""
    total = case.runs + case.own
    offset = rng.normal(0, SPREAD, total)
    names = (
        *(f"main/{k}" for k in range(case.runs)),
        *(f"pr/{k}" for k in range(case.own)),
    )
    datasets = []
    for d in range(case.sets):
        usual = np.log(20 + 10 * d)
        table = np.exp(usual + offset + rng.normal(0, SCATTER, (ROWS, total)))
        table[:, case.runs :] *= 1 + case.change
        present = np.ones(total, np.bool_)
        datasets.append(DatasetScores(f"d{d}", -table, present, 1, ROWS, 0.0))
    return Scores(names, tuple(datasets), lower_is_better=True, unit=SEED)


def fails(rng: np.random.Generator, case: Case, repetitions: int) -> list[bool]:
    """Whether the gate fails, of each repetition."""
    result = []
    for _ in range(repetitions):
        scores = drawn(rng, case)
        main = [name for name in scores.classifiers if name.startswith("main/")]
        own = [name for name in scores.classifiers if name.startswith("pr/")]
        if case.runs == 1:
            gate = bcompare.gate({METRIC: scores}, baseline=main[0], candidate=own[0])
        else:
            runs = {"main": main, "pr": own} if case.own > 1 else {"main": main}
            gate = bcompare.gate({METRIC: scores}, baseline="main", runs=runs)
        result.append(gate.outcome == "fail")
    return result


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """How often each case fails."""
    answers = in_parallel(fails, [(case, repetitions) for case in CASES], seed)
    return tuple(
        Line(f"{case}: fails", *share(hits)) for case, hits in zip(CASES, answers, strict=True)
    )
