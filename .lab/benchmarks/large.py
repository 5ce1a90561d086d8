"""Large files of results, made quickly."""

from pathlib import Path

import numpy as np


def write_large_csv(
    path: Path,
    datasets: int = 200,
    runs: int = 10,
    folds: int = 10,
    classifiers: int = 50,
    seed: int = 0,
) -> None:
    """Write datasets × runs × folds × classifiers rows, a data set at a time."""
    rng = np.random.default_rng(seed)
    gains = rng.normal(0, 0.01, classifiers)
    keys = [
        f"{run},{fold},classifier-{classifier:02d}"
        for run in range(1, runs + 1)
        for fold in range(1, folds + 1)
        for classifier in range(classifiers)
    ]
    with path.open("w", encoding="utf-8") as file:
        file.write("dataset,run,fold,classifier,score\n")
        for dataset in range(datasets):
            scores = (
                rng.uniform(0.6, 0.9) + rng.normal(0, 0.03, (runs * folds, classifiers)) + gains
            )
            file.writelines(
                f"data-set-{dataset:03d},{key},{score:.5f}\n"
                for key, score in zip(keys, scores.ravel().tolist(), strict=True)
            )
