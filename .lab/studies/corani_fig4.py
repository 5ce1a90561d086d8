"""Corani et al. 2017, Figure 4: two classifiers that differ, by more and more.

50 data sets, δ_i ~ Cauchy(δ0, 0.01), δ0 = 0.01, 0.02, 0.03: the medians of p(rope) and p(right),
how often p(right) exceeds 0.95, and how often Wilcoxon's test rejects. By the paper the power is
below the signed-rank test's, and equal to it at 0.03.
"""

from studies.equivalence import GENERATORS, answers
from studies.study import Line, Paper, median, share

CENTRES, SCALE, Q = (0.01, 0.02, 0.03), 0.01, 50
READINGS = ("next", "average")
# Medians of 500 probabilities that fill the unit interval have such an error.
PRINTED = {("p(rope)", 0.01): Paper(0.56, error=0.03), ("p(right)", 0.01): Paper(0.44, error=0.03)}
NEXT = "the paper's figures fit the average over data sets, not the next data set"


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Both readings, by both generators."""
    result = []
    for generator in GENERATORS:
        for centre in CENTRES:
            got = answers(generator, centre, SCALE, Q, repetitions, seed + round(1000 * centre))
            rejects, spread = share(got.p_value <= 0.05)
            for reading in READINGS:
                p = getattr(got, reading)
                where = f"{generator}, δ0 = {centre:g}, {reading}"
                for name, column in (("p(rope)", 1), ("p(right)", 2)):
                    ours, error = median(p[:, column])
                    paper = PRINTED.get((name, centre))
                    note = NEXT if paper is not None and reading == "next" else ""
                    series = f"{generator}, {reading}, median {name}"
                    result.append(
                        Line(f"{where}: median {name}", ours, error, paper, series, centre, note)
                    )
                power, error = share(p[:, 2] > 0.95)
                # "Below", and at 0.03 "equal", which is below a margin of five points.
                most = rejects + (0.05 if centre == 0.03 else 0.0)
                result.append(
                    Line(
                        f"{where}: power", power, error, Paper(below=round(most, 3), error=spread),
                        f"{generator}, {reading}, power", centre,
                    )
                )  # fmt: skip
            what = f"{generator}, δ0 = {centre:g}: signed-rank rejects"
            series = f"{generator}, signed-rank"
            result.append(Line(what, rejects, spread, None, series, centre))
    return tuple(result)
