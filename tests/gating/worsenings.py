"""Random results of a baseline and a candidate, and random changes that make the candidate worse.

`python -m tests.gating.worsenings 180` searches for three minutes with a new seed.
"""

import secrets
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

import bcompare
from bcompare.gating.monotone import effective_number, surplus

# No step may turn doubt into a pass. Evidence for "not worse" may grow by this much at most; that
# for "worse" may fall by so much, and by `most_lost`.
SLACK = 0.005
# From these numbers of rows on a failure stays one. With fewer no rule that ever fails is monotone,
# unless it fails in all changes on the border that lie below it everywhere: 2^-n, or more of folds.
ENOUGH, ENOUGH_FOLDS = 6, 8
# The next data set is not monotone.
UNITS = ("fold", "seed", "item", "epochs", "cluster")
POLICIES = ("refuse", "zero", "bounds", "number", "drop")
COLUMNS: dict[str, dict[str, str]] = {
    "fold": {},
    "seed": {"seed_col": "row"},
    "item": {"item_col": "row"},
    "epochs": {"item_col": "row", "epoch_col": "epoch"},
    "cluster": {"item_col": "row", "cluster_col": "cluster"},
}
# What else a gate may judge: several candidates or metrics, whole runs, a bar, a rope in per cent.
SETTINGS = ("plain", "plain", "candidates", "metrics", "runs", "bar", "per cent")
Evidence = dict[tuple[str, str | None], tuple[float, float]]
"""The probabilities of "worse" and "not worse" by metric and data set; None is their average."""


@dataclass(frozen=True)
class Case:
    """A frame of scores, how to read it, and how to judge it.

    lower : whether lower is better. kind : of scores: numbers, or answers that are right or wrong.
    """

    frame: pd.DataFrame
    setting: str
    unit: str
    lower: bool
    kind: str
    policy: str
    options: dict[str, Any]


def random_case(rng: np.random.Generator) -> Case:
    """Return results in which the candidate is about as good, better or worse."""
    setting, unit = str(rng.choice(SETTINGS)), str(rng.choice(UNITS))
    lower = bool(rng.random() < 0.3)
    of_items = unit in ("item", "epochs", "cluster")
    kind = str(rng.choice(["right", "number"])) if of_items and not lower else "number"
    q = int(rng.choice([1, 1, 2, 3]))
    n = int(rng.integers(8, 40)) if of_items else int(rng.choice([3, 4, 5, 5, 6, 8, 10, 15]))
    level = float(rng.choice([0.7, 0.95])) if kind == "right" else 0.7
    shift = float(rng.choice([-0.15, -0.05, -0.02, 0.0, 0.02, 0.05]))
    spread = float(rng.choice([0.002, 0.01, 0.04]))
    rare_losses = rng.random() < 0.3
    sides = _sides(setting, shift, rng)
    rows = []
    for d, row, (who, gain), epoch in product(
        range(q), range(n), sides.items(), range(3 if unit == "epochs" else 1)
    ):
        score = level + gain + spread * (1 - rng.exponential() if rare_losses else rng.normal())
        score = float(rng.random() < score) if kind == "right" else score
        rows.append((f"d{d}", f"r{row}", epoch, who, float(np.clip(score, 0.0, 1.0))))
    frame = pd.DataFrame(rows, columns=["dataset", "row", "epoch", "classifier", "score"])
    if lower:
        frame["score"] = (3.0 * (1.2 - frame["score"])).round(6)
    if unit == "cluster":  # of different sizes
        cluster = {f"r{row}": int(rng.exponential(rng.choice([1.0, 5.0]))) for row in range(n)}
        frame["cluster"] = frame["row"].map(cluster)
    if unit == "fold":
        frame = frame.rename(columns={"row": "fold"}).assign(run=1)
    if setting == "metrics":
        frame["f1"] = 0.7 + spread * rng.normal(size=len(frame))
    options: dict[str, Any] = {"rope": float(rng.choice([0.0, 0.01, 0.05]))}
    if setting == "candidates" and rng.random() < 0.3:
        options["require"] = "any"
    if rng.random() < 0.2:
        options["over"] = "each"
    if rng.random() < 0.2:
        options["fail_if"] = str(rng.choice(["not-better", "not-better-or-equivalent"]))
    policy = "refuse" if setting in ("runs", "metrics") else str(rng.choice(POLICIES))
    case = Case(frame, setting, unit, lower, kind, policy, options)
    return _with_items(case, rng) if kind == "right" and rng.random() < 0.5 else case


def _with_items(case: Case, rng: np.random.Generator) -> Case:
    """Return a case that is also judged item by item; sometimes with one run of the candidate."""
    if case.setting not in ("plain", "candidates", "runs"):
        return case
    frame = case.frame
    if case.unit == "epochs" and case.setting == "plain" and rng.random() < 0.3:
        frame = frame[(frame["classifier"] == "main") | (frame["epoch"] < 1)]
    return replace(case, frame=frame.reset_index(drop=True), options=case.options | {"items": True})


def _sides(setting: str, shift: float, rng: np.random.Generator) -> dict[str, float]:
    """Return the classifiers, each with what it scores more than the baseline."""
    if setting == "bar":
        return {"pr": shift}
    sides = {"main": 0.0, "pr": shift}
    if setting == "runs":
        own = float(rng.choice([0.0, 0.01]))
        return {f"{side} {k}": sides[side] + own * rng.normal() for side in sides for k in "123"}
    if setting == "candidates":
        sides["other"] = float(rng.choice([-0.05, 0.0, 0.05]))
    return sides


def made_worse(case: Case, rng: np.random.Generator) -> tuple[str, pd.DataFrame]:
    """Return the frame with the candidate made worse at random, and how."""
    frame = case.frame.copy()
    own = frame.index[frame["classifier"].str.startswith("pr")].to_numpy()
    at = rng.choice(own, size=min(int(rng.integers(1, 4)), len(own)), replace=False)
    # as far as the median: the scores that are left are more alike, and must not seem surer
    sign, how = (1.0 if case.lower else -1.0), ["lower", "lower", "median", "crash", "drop", "more"]
    how += ["flip", "graded"] if case.kind == "right" else ["all"]
    if case.setting == "bar":  # there is no baseline that shows what is missing
        how = [kind for kind in how if kind not in ("drop", "more")]
    kind = str(rng.choice(how))
    step = float(rng.exponential() * rng.choice([0.01, 0.1, 1.0]))
    if kind == "median":
        scores = frame.loc[own, "score"]
        best = scores.sort_values(ascending=case.lower).index[0]
        frame.loc[best, "score"] = scores.median()
    elif kind == "crash":
        frame.loc[at, "score"] = np.nan
    elif kind == "drop":
        frame = frame.drop(index=list(at))
    elif kind == "more":  # what only the candidate has is no gain, nor is the order of rows
        more = frame.loc[own].assign(dataset="only pr", score=0.0 if case.lower else 1.0)
        frame = pd.concat([frame, more]).sample(frac=1, random_state=rng, ignore_index=True)
    elif kind == "all":
        where = own[frame.loc[own, "dataset"] == frame.loc[at[0], "dataset"]]
        frame.loc[where, "score"] += sign * step
    elif kind == "flip":
        frame.loc[at, "score"] = 0.0
    elif kind == "graded":
        frame.loc[at[0], "score"] *= 0.9
    else:
        frame.loc[at, "score"] += sign * step
    if not case.lower:
        frame["score"] = frame["score"].clip(lower=0.0)
    return kind, frame


def judged(case: Case, frame: pd.DataFrame) -> tuple[str, Evidence] | None:
    """Return the outcome of the gate and its evidence; None if it refuses to judge."""
    policy = {"refuse": None, "number": 9.0 if case.lower else 0.0}.get(case.policy, case.policy)
    reading: dict[str, Any] = {**COLUMNS[case.unit], "failed": policy}
    if case.setting == "bar":
        reading["fewest"] = 1
    else:
        reading["baseline"] = "main 1" if case.setting == "runs" else "main"
    options = dict(case.options)
    if case.setting == "runs":
        names = sorted(frame["classifier"].unique())
        options["runs"] = {
            side: [n for n in names if n.startswith(side)] for side in ("main", "pr")
        }
    if case.setting != "bar":
        options |= {"baseline": "main"}
    if case.setting not in ("bar", "candidates"):
        options |= {"candidate": "pr"}
    direction, rope = "lower" if case.lower else "higher", options["rope"]
    try:
        scores = bcompare.from_frame(frame, lower_is_better=case.lower, **reading)
        given: Any = scores
        if case.setting == "per cent":
            given = {f"score: {direction}, 5%": scores}
        elif case.setting == "bar":
            bar = 1.5 if case.lower else 0.7
            given = {f"score: {direction}, bar {bar}, {rope}": scores}
        elif case.setting == "metrics":
            rest = frame.drop(columns="score")
            second = bcompare.from_frame(rest, score_col="f1", **reading)
            given = {f"score: {direction}, {rope}": scores, f"f1: higher, {rope}": second}
        gate = bcompare.gate(given, **options)
    except bcompare.InputError:
        return None
    return gate.outcome, _evidence(gate)


def _evidence(gate: bcompare.Gate) -> Evidence:
    """Return the evidence against the candidate; that about items under their names."""
    evidence: Evidence = {
        (v.metric, v.dataset): (v.p.left, 1 - v.p.left)
        for v in gate.verdicts
        if v.candidate == "pr"
    }
    for found in gate.items:
        if found.candidate == "pr":
            for name, claim in zip(("items", "lost"), found.claims(), strict=True):
                evidence[found.metric, name] = (claim.p.left, 1 - claim.p.left)
            for (dataset, item), p in zip(found.runs.items, found.adjusted.tolist(), strict=True):
                evidence[found.metric, f"item {dataset} {item}"] = (1 - p, p)
    return evidence


def fewest_rows(case: Case) -> float:
    """Return the number of the candidate's rows, or as many equal clusters as say the same.

    On the data set that has the fewest.
    """
    own = case.frame[case.frame["classifier"].str.startswith("pr")]
    if case.unit == "cluster":
        sizes = own.groupby(["dataset", "cluster"]).size().groupby("dataset")
        return float(sizes.agg(lambda size: size.sum() ** 2 / (size**2).sum()).min())
    row = "fold" if case.unit == "fold" else "row"
    return float(own.groupby(["dataset", "classifier"])[row].nunique().min())


def most_lost(case: Case) -> float:
    """Return by how much the evidence for "worse" may fall; with the skewness of few values."""
    fewest = fewest_rows(case)
    effective = effective_number(fewest, 1 / fewest) if case.unit == "fold" else fewest
    if case.unit == "cluster":
        fewest = effective = 3.0
    return surplus(fewest, effective, skewness=2.0)


def nearer(case: Case, before: tuple[str, Evidence], after: tuple[str, Evidence]) -> str | None:
    """Return how a candidate that got worse is nearer to passing than it may be."""
    if after[0] == "pass" != before[0]:
        return f"{before[0]} → pass"
    enough = ENOUGH_FOLDS if case.unit == "fold" else ENOUGH
    if (before[0], after[0]) == ("fail", "undecided") and fewest_rows(case) >= enough:
        return "fail → undecided"
    of_items = {name for name in before[1] if str(name[1]).startswith(("item", "lost"))}
    for name, (worse, fine) in before[1].items():
        now, still_fine = after[1].get(name, (worse, fine))
        if fine > 0.5 and still_fine > fine + SLACK:  # else it is that for "worse"
            return f"{fine:.3f} → {still_fine:.3f} of not worse on {name}"
        allowed = 0.0 if name in of_items else most_lost(case) + SLACK
        if worse > 0.5 and now < worse - allowed:
            return f"{worse:.3f} → {now:.3f} of worse on {name}"
    return None


def found(seconds: float, seed: int) -> Iterator[str]:
    """Yield each step by which a worse candidate is nearer to passing than it may be."""
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        number += 1
        rng = np.random.default_rng([seed, number])
        case = random_case(rng)
        before = judged(case, case.frame)
        for _ in range(4):
            kind, frame = made_worse(case, rng)
            after = judged(case, frame)
            if before is None or after is None:
                break
            how = nearer(case, before, after)
            if how is not None:
                yield (
                    f"seed {seed}, case {number}: {how}; {kind}, {case.setting}, {case.unit}, "
                    f"lower {case.lower}, {case.kind}, {case.policy}, {case.options}"
                )
            if kind in ("crash", "drop", "more"):
                break
            case, before = replace(case, frame=frame), after


if __name__ == "__main__":
    new = int(sys.argv[2]) if len(sys.argv) > 2 else secrets.randbelow(2**32)
    print(f"seed {new}")
    print(*found(float(sys.argv[1]), new), sep="\n")
