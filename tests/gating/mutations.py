"""Random results of a baseline and a candidate, and random changes that make the candidate worse.

`python -m tests.gating.mutations 5000` runs many cases; the tests run a few.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

import bcompare
from bcompare.methods import monotone
from bcompare.methods.monotone import effective_number, surplus

ORDER = ("fail", "undecided", "pass")
UNITS = ("fold", "seed", "item", "epochs", "clusters", "mean")
POLICIES = ("refuse", "zero", "bounds", "number", "drop")
COLUMNS: dict[str, dict[str, str]] = {
    "fold": {},
    "seed": {"seed_col": "row"},
    "item": {"item_col": "row"},
    "epochs": {"item_col": "row", "epoch_col": "epoch"},
    "clusters": {"item_col": "row", "cluster_col": "cluster"},
    "mean": {"dataset_col": "dataset"},
}


@dataclass(frozen=True)
class Case:
    """A frame of scores, how to read it, and how to judge it.

    lower : whether lower is better. binary : whether scores are 0 or 1.
    """

    frame: pd.DataFrame
    unit: str
    lower: bool
    binary: bool
    policy: str
    options: dict[str, Any]


def random_case(rng: np.random.Generator) -> Case:
    """Return results in which the candidate is about as good, better or worse."""
    unit = str(rng.choice(UNITS))
    lower = bool(rng.random() < 0.4)
    binary = unit in ("item", "epochs", "clusters") and not lower and bool(rng.random() < 0.7)
    q = int(rng.integers(4, 9)) if unit == "mean" else int(rng.integers(1, 4))
    n = 1 if unit == "mean" else int(rng.integers(8, 25))
    shift = float(rng.choice([-0.15, -0.05, -0.02, 0.0, 0.0, 0.02, 0.05]))
    spread = float(rng.choice([0.002, 0.01, 0.04]))
    rows = []
    for d in range(q):
        for row in range(n):
            level = 0.7 + 0.1 * rng.normal() if unit in ("item", "epochs", "clusters") else 0.7
            for who, gain in (("main", 0.0), ("pr", shift)):
                for epoch in range(3 if unit == "epochs" else 1):
                    score = level + gain + spread * rng.normal()
                    score = float(rng.random() < score) if binary else score
                    value = float(np.clip(score, 0.0, 1.0))
                    rows.append((f"d{d}", f"r{row}", epoch, row // 3, who, value))
    columns = ["dataset", "row", "epoch", "cluster", "classifier", "score"]
    frame = pd.DataFrame(rows, columns=columns)
    if lower:
        frame["score"] = (3.0 * (1.2 - frame["score"])).round(6)
    if unit == "fold":
        frame = frame.rename(columns={"row": "fold"}).assign(run=1)
    options: dict[str, Any] = {}
    if unit != "mean" and rng.random() < 0.2:
        options["over"] = "each"
    if rng.random() < 0.2:
        options["fail_if"] = str(rng.choice(["not-better", "not-better-or-equivalent"]))
    options["rope"] = float(rng.choice([0.0, 0.01, 0.03]))
    return Case(frame, unit, lower, binary, str(rng.choice(POLICIES)), options)


def made_worse(case: Case, rng: np.random.Generator) -> tuple[str, pd.DataFrame]:
    """Return the frame with the candidate made worse at random, and how."""
    frame = case.frame.copy()
    own = frame.index[frame["classifier"] == "pr"].to_numpy()
    at = rng.choice(own, size=min(int(rng.integers(1, 4)), len(own)), replace=False)
    kinds = ["lower", "lower", "crash", "drop"] + ([] if case.binary else ["slow"])
    kind = str(rng.choice(kinds))
    step = (1.0 if case.lower else -1.0) * float(rng.exponential() * rng.choice([0.01, 0.1, 1.0]))
    if kind == "crash":
        frame.loc[at, "score"] = np.nan
    elif kind == "drop":
        frame = frame.drop(index=list(at))
    elif kind == "slow":
        where = own[frame.loc[own, "dataset"] == frame.loc[at[0], "dataset"]]
        frame.loc[where, "score"] += step
    elif case.binary:
        frame.loc[at, "score"] = 0.0
    else:
        frame.loc[at, "score"] += step
    if not case.lower:
        frame["score"] = frame["score"].clip(lower=0.0)
    return kind, frame


def verdict(case: Case, frame: pd.DataFrame) -> tuple[str, int]:
    """Return the outcome of the gate, or "refused", and the number of its claims."""
    policy = {"refuse": None, "number": 9.0 if case.lower else 0.0}.get(case.policy, case.policy)
    reading: dict[str, Any] = {
        **COLUMNS[case.unit],
        "lower_is_better": case.lower,
        "failed": policy,
    }
    try:
        scores = bcompare.from_frame(frame, **reading)
        gate = bcompare.gate(scores, baseline="main", candidate="pr", **case.options)
    except bcompare.InputError:
        return "refused", 0
    return gate.outcome, len(gate.verdicts)


def found_by_signs(case: Case, claims: int) -> bool:
    """Return whether so few scores may let a failure become a doubt, as the topic explains."""
    sizes = case.frame[case.frame["classifier"] == "pr"].groupby("dataset").size()
    fewest = int(sizes.min()) // (3 if case.unit in ("epochs", "clusters") else 1)
    effective = effective_number(fewest, 1 / fewest) if case.unit == "fold" else fewest
    return surplus(fewest, effective) > 0.05 * 0.05 / max(claims, 1)


def is_by_skewness(case: Case, worse: pd.DataFrame) -> bool:
    """Return whether only the skewness that the data sets have in common has changed the outcome.

    That of half the data sets may grow where trials get worse, as the topic explains.
    """
    with patch.object(monotone, "common_skewness", return_value=0.0):
        before, after = (verdict(case, frame)[0] for frame in (case.frame, worse))
    return ORDER.index(after) <= ORDER.index(before)


def wrong_passes(count: int, seed: int) -> Iterator[str]:
    """Yield each case in which a worse candidate is nearer to passing."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        case = random_case(rng)
        kind, worse = made_worse(case, rng)
        before, claims = verdict(case, case.frame)
        after, _ = verdict(case, worse)
        if "refused" in (before, after) or ORDER.index(after) <= ORDER.index(before):
            continue
        if (before, after) == ("fail", "undecided") and (
            found_by_signs(case, claims) or is_by_skewness(case, worse)
        ):
            continue
        if case.unit == "mean" and case.options["rope"]:  # the likeliest of three is not monotone
            continue
        yield (
            f"case {number}: {kind}, {case.unit}, lower {case.lower}, 0/1 {case.binary}, "
            f"{case.policy}, {case.options}: {before} → {after}"
        )


def tally(count: int, seed: int) -> Counter[str]:
    """Count how often candidates are refused, and each outcome before the change."""
    rng = np.random.default_rng(seed)
    counts: Counter[str] = Counter()
    for _ in range(count):
        case = random_case(rng)
        _, worse = made_worse(case, rng)
        counts[f"{verdict(case, case.frame)[0]} → {verdict(case, worse)[0]}"] += 1
    return counts


if __name__ == "__main__":
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    found = list(wrong_passes(total, seed=7))
    print(*found, sep="\n")
    print(f"{len(found)} of {total:,} candidates are nearer to passing for being worse")
    print(dict(tally(min(total, 300), seed=7)))
