"""Small result files for tests, the same on every machine."""

import random
from collections.abc import Mapping
from pathlib import Path

HEADER = "dataset,run,fold,classifier,score"


def write_lines(path: Path, *lines: str) -> Path:
    """Write a file of text."""
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def small_csv(
    path: Path,
    classifiers: Mapping[str, float],
    datasets: tuple[str, ...] = ("iris",),
    *,
    runs: int = 2,
    folds: int = 5,
    noise: float = 0.02,
    seed: int = 1,
) -> Path:
    """Write results in which each classifier scores about its mean, on each data set.

    A classifier's gain over the mean differs between data sets by a fixed amount of noise.
    """
    draw = random.Random(seed)
    lines = [HEADER]
    for dataset in datasets:
        level = draw.uniform(0.7, 0.8)
        gains = {name: mean + draw.gauss(0, noise) for name, mean in classifiers.items()}
        for run in range(1, runs + 1):
            for fold in range(1, folds + 1):
                hardness = draw.gauss(0, 0.05)
                for name, gain in gains.items():
                    score = level + hardness + gain + draw.gauss(0, noise)
                    lines.append(f"{dataset},{run},{fold},{name},{score:.3f}")
    return write_lines(path, *lines)
