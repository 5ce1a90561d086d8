"""Corani et al. 2017, Figures 2 and 3: two classifiers that are practically equivalent.

δ_i ~ Cauchy(δ0, 1/6 of the rope's length), δ0 = 0 (Figure 2) or 0.005 (Figure 3), q = 10 … 50 data
sets: the median of p(rope), how often it exceeds 0.95 (power), how often p(left) or p(right) does,
which would be an error; and how often Wilcoxon's test rejects.
"""

import numpy as np

from studies.equivalence import GENERATORS, LENGTH, Answers, answers
from studies.study import Line, Paper, median, share

SIZES = (10, 20, 30, 40, 50)
READINGS = ("next", "average")
PAPERS_ERROR = np.sqrt(0.25 / 500)  # at most, of a share in 500 repetitions


def figure2(repetitions: int, seed: int) -> tuple[Line, ...]:
    """With δ0 = 0."""
    printed = {
        ("median p(rope)", 50): Paper(above=0.9, error=0.02),
        ("power", 50): Paper(0.7, digits=1, error=PAPERS_ERROR),
    }
    rejects = dict.fromkeys(SIZES, Paper(0.05, error=np.sqrt(0.05 * 0.95 / 500)))
    return _lines(0.0, printed, rejects, repetitions, seed)


def figure3(repetitions: int, seed: int) -> tuple[Line, ...]:
    """With δ0 = 0.005: not equal, but equivalent."""
    rejects = {50: Paper(0.25, error=np.sqrt(0.25 * 0.75 / 500))}
    return _lines(0.005, {}, rejects, repetitions, seed)


def _lines(
    centre: float,
    printed: dict[tuple[str, int], Paper],
    rejects: dict[int, Paper],
    repetitions: int,
    seed: int,
) -> tuple[Line, ...]:
    result: list[Line] = []
    for generator in GENERATORS:
        for q in SIZES:
            got = answers(generator, centre, LENGTH / 6, q, repetitions, seed + q)
            for reading in READINGS:
                result += _reading(generator, q, reading, got, printed)
            ours, error = share(got.p_value <= 0.05)
            what = f"{generator}, q = {q}: signed-rank rejects"
            result.append(Line(what, ours, error, rejects.get(q), f"{generator}, signed-rank", q))
    return tuple(result)


def _reading(
    generator: str, q: int, reading: str, got: Answers, printed: dict[tuple[str, int], Paper]
) -> list[Line]:
    """One reading of the hierarchical answer: of the next data set, or of the average."""
    p = getattr(got, reading)
    where = f"{generator}, q = {q}, {reading}"
    wrong = (p[:, [0, 2]] > 0.95).any(axis=1)
    figures = (
        ("median p(rope)", median(p[:, 1])),
        ("power", share(p[:, 1] > 0.95)),
        ("wrongly called different", share(wrong)),
    )
    return [
        Line(
            what=f"{where}: {name}",
            ours=ours,
            error=error,
            paper=Paper(below=0.005) if name.startswith("wrongly") else printed.get((name, q)),
            series=f"{generator}, {reading}, {name}",
            x=q,
        )
        for name, (ours, error) in figures
    ]
