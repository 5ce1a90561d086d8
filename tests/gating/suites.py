"""Results of a whole suite with two metrics, the same on every machine."""

import random
from collections.abc import Mapping

import pandas as pd

SETS = tuple(f"d{k}" for k in range(6))
KEYS = ["dataset", "run", "fold", "classifier"]


def suite(gains: Mapping[str, float], slower: float = 1.0) -> pd.DataFrame:
    """Ten folds of main and pr, which gains on the data sets named, and is slower everywhere."""
    draw = random.Random(1)
    rows = []
    for k, name in enumerate(SETS):
        level = draw.uniform(0.6, 0.7)
        for fold in range(1, 11):
            for who, gain, factor in (("main", 0.0, 1.0), ("pr", gains.get(name, 0.0), slower)):
                accuracy = level + gain + draw.gauss(0, 0.003)
                time = 10 * (1 + k) * factor * (1 + draw.gauss(0, 0.01))
                rows.append((name, 1, fold, who, round(accuracy, 4), round(time, 4)))
    return pd.DataFrame(rows, columns=[*KEYS, "accuracy", "fit_time"])


def column(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """One metric, as a frame of scores."""
    return frame[[*KEYS, name]].rename(columns={name: "score"})
