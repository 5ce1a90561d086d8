"""`make reproduce`: how few folds or seeds can pass a gate, whatever they show.

Equal differences, or nearly equal ones, are the strongest evidence that rows can give. Every design
of up to four data sets with three to six rows on each is judged on the best results there are.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np

import bcompare
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.units import FOLD, SEED, Unit
from studies.study import Line

MOST_SETS = 4
FEWEST_ROWS, MOST_ROWS = 3, 6
UNITS = (FOLD, SEED)
# Differences on all data sets, and how far rows scatter around them.
DIFFERENCES = (0.0, -0.005, 0.1)
SCATTERS = (0.0, 1e-6)


def designs() -> list[tuple[int, ...]]:
    """Return the numbers of rows on each data set, of every design."""
    rows = range(FEWEST_ROWS, MOST_ROWS + 1)
    return [
        design
        for sets in range(1, MOST_SETS + 1)
        for design in combinations_with_replacement(rows, sets)
    ]


def described() -> list[str]:
    """Return the designs in words."""
    return [" + ".join(map(str, design)) for design in designs()]


def results(design: tuple[int, ...], unit: Unit) -> Iterator[Scores]:
    """Yield the strongest results of a design; the baseline's own scores vary."""
    for difference in DIFFERENCES:
        for scatter in SCATTERS:
            datasets = []
            for d, n in enumerate(design):
                base = 0.8 + 0.01 * np.arange(n)
                own = base + difference + scatter * np.sin(np.arange(n))
                rho = 1 / n if unit.has_folds else 0.0
                table = np.column_stack([base, own])
                present = np.ones(2, np.bool_)
                datasets.append(DatasetScores(f"d{d}", table, present, 1, n, rho))
            yield Scores(("main", "pr"), tuple(datasets), unit=unit)


def can_pass(design: tuple[int, ...], unit: Unit) -> bool:
    """Return whether any of the strongest results passes."""
    gates = (bcompare.gate(scores, baseline="main") for scores in results(design, unit))
    return any(gate.outcome == "pass" for gate in gates)


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """The fewest rows on each of so many data sets that pass; nothing here is random."""
    del repetitions, seed
    passing = {unit: [d for d in designs() if can_pass(d, unit)] for unit in UNITS}
    result = []
    for unit, found in passing.items():
        for sets in range(1, MOST_SETS + 1):
            of_size = [design for design in found if len(design) == sets]
            fewest = min(design[0] for design in of_size if len(set(design)) == 1)
            least = " + ".join(map(str, min(of_size, key=sum)))
            what = f"{unit}s, {sets} data sets: fewest on each that can pass"
            result.append(Line(what, float(fewest), note=f"least in all: {least}"))
    return tuple(result)
