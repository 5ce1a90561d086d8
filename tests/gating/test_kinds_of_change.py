"""Simulated pull requests of every kind that a team meets, each judged as CI does.

Five metrics on six data sets, three seeds of five folds. Where the answer does not depend on luck
a request gets the verdict that is wanted; where it does, two of three do.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.command import Outcome, run

SETS = tuple(f"set-{d}" for d in range(6))
METRICS = ("accuracy", "f1", "fit_s: lower, 5%", "p50_ms: 5%", "size_mb: lower, 2%, advisory")
ROPE = 0.01

Frame = pd.DataFrame


def results(rng: np.random.Generator, sets: Sequence[str] = SETS) -> Frame:
    """One side: folds of a seed share a part, times are skewed, the size never varies."""
    level = np.random.default_rng(7)
    seed, fold = map(np.ravel, np.indices((3, 5)))
    frames = []
    for size, name in enumerate(sets):
        accuracy, time, latency = level.uniform([0.6, 2, 20], [0.9, 20, 60])
        shared = np.random.default_rng([7, size]).normal(0, 0.02, 5)[fold]  # of the data
        right = accuracy + shared + rng.normal(0, 0.006, 15)
        frame = Frame({"dataset": name, "run": seed, "fold": fold, "accuracy": right})
        frame["f1"] = right - 0.02 + rng.normal(0, 0.003, 15)
        frame["fit_s"] = time * np.exp(rng.normal(0, 0.03, 15)) + rng.exponential(0.01 * time, 15)
        frame["p50_ms"] = latency * np.exp(rng.normal(0, 0.02, 15))
        frame["size_mb"] = 100 + 20 * size
        frames.append(frame.round(5))
    return pd.concat(frames, ignore_index=True)


def scored(change: float, where: Sequence[str] = SETS) -> Callable[[Frame], Frame]:
    def changed(frame: Frame) -> Frame:
        frame.loc[frame["dataset"].isin(where), ["accuracy", "f1"]] += change
        return frame

    return changed


def slower(frame: Frame) -> Frame:
    frame[["fit_s", "p50_ms"]] *= 1.12
    return frame


def crashed(frame: Frame) -> Frame:
    frame.loc[3, ["accuracy", "f1"]] = np.nan
    return frame


def with_new_set(frame: Frame) -> Frame:
    more = frame[frame["dataset"] == "set-0"].assign(dataset="set-new")
    return pd.concat([frame, more])


ONE = ("set-3",)
# The change, the exit code wanted, and a pattern of what is said.
KINDS: dict[str, tuple[Callable[[Frame], Frame], int, str]] = {
    "equal": (lambda f: f, 0, ""),
    "half the rope": (scored(-ROPE / 2), 0, ""),
    "-1 % on one": (scored(-ROPE, ONE), 0, ""),
    "-0.10 on one": (scored(-0.1, ONE), 4, r"failed: .*\bset-3\b"),
    "everywhere worse": (scored(-0.04), 4, r" in accuracy on average \("),
    "12 % slower": (slower, 4, r" in fit_s on average \("),
    "larger": (lambda f: f.assign(size_mb=1.05 * f["size_mb"]), 0, "advisory: "),
    "crash": (crashed, 2, "say --failed 'accuracy: zero'"),
    "missing set": (lambda f: f[f["dataset"] != "set-2"], 2, "no row for data set set-2"),
    "new set": (with_new_set, 0, r"the baseline lacks them: pr 15 \(data set set-new"),
    "renamed column": (lambda f: f.rename(columns={"f1": "f1_score"}), 2, "no column 'f1'"),
    "empty file": (lambda f: f[:0], 2, "pr.csv"),
    "other folds": (lambda f: f.assign(fold=f["fold"] + 5), 2, "fold"),
    "other seeds": (lambda f: f.assign(run=f["run"] + 3), 2, "fold"),
    "percent": (
        lambda f: f.assign(accuracy=100 * f["accuracy"]),
        2,
        "say --scale accuracy:pr=0.01",
    ),
}
LUCKY = {"equal", "half the rope", "-1 % on one", "larger", "new set", "-0.10 on one"}
LUCKY |= {"everywhere worse", "12 % slower"}


def judged(folder: Path, kind: str, number: int) -> Outcome:
    rng = np.random.default_rng([number, *map(ord, kind)])
    change = KINDS[kind][0]
    results(rng).to_csv(folder / "main.csv", index=False)
    change(results(rng)).to_csv(folder / "pr.csv", index=False)
    spelled = [word for metric in METRICS for word in ("--metric", metric)]
    return run(
        "gate",
        "main.csv",
        "pr.csv",
        "--baseline",
        "main",
        "--config",
        "none",
        *spelled,
        folder=folder,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_pull_requests_of_a_kind_get_the_verdict_that_is_wanted(tmp_path: Path, kind: str) -> None:
    _, code, says = KINDS[kind]
    count = 3 if kind in LUCKY else 1
    judged_ones = [judged(tmp_path, kind, number) for number in range(count)]
    texts = [said.out + said.err for said in judged_ones if said.code == code]
    assert len(texts) >= max(count - 1, 1)
    for text in texts:
        assert re.search(says, text)
        assert "Traceback" not in text
        assert kind != "12 % slower" or "worse than main in accuracy" not in text
