"""Files with a fault, and what a tool makes of them.

Each fault is put into one file of folds and one of test items. An answer is right if it is that on
the same file without the fault; a refusal is right, too.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from scoreboard.case import LEFT, RIGHT, Answer, Case, Tool, table

Outcome = str
"""right, refused, wrong number, no number (NaN), or error."""

KEYS = {"items": "item", "folds": "fold"}


def sound() -> dict[str, Case]:
    """A file of each kind; the two models are equal in truth."""
    rng = np.random.default_rng(3)
    n, k = 100, 10
    right = rng.random(n) < 0.8
    answers = {LEFT: right * 1.0, RIGHT: (right ^ (rng.random(n) < 0.1)) * 1.0}
    level = rng.normal(0.8, 0.02, k)
    folds = {name: level + rng.normal(0, 0.01, k) for name in (LEFT, RIGHT)}
    items = table({"dataset": "data", "item": [f"q{i}" for i in range(n)]}, answers)
    return {
        "items": Case(rows="items", frame=items, truth=0.0, keys=("dataset", "item")),
        "folds": Case(
            rows="folds",
            frame=table({"dataset": "data", "run": 1, "fold": np.arange(k) + 1}, folds),
            truth=0.0,
        ),
    }


def _with(case: Case, frame: pd.DataFrame) -> Case:
    return Case(rows=case.rows, frame=frame, truth=case.truth, keys=case.keys)


def _last(frame: pd.DataFrame) -> "pd.Series[bool]":
    return pd.Series(np.arange(len(frame)) == len(frame) - 1, index=frame.index)


def _new(frame: pd.DataFrame) -> "pd.Series[bool]":
    return frame["classifier"] == RIGHT


def _emptied(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(score=frame["score"].where(~_last(frame)))


def _in_percent(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(score=frame["score"].where(~_new(frame), 100 * frame["score"]))


def _equal(frame: pd.DataFrame) -> pd.DataFrame:
    left = frame.loc[~_new(frame), "score"].to_numpy()
    return frame.assign(score=np.concatenate([left, left]))


def _shuffled(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sample(frac=1, random_state=1)


def _others(frame: pd.DataFrame) -> pd.DataFrame:
    """The right model has been tested on other folds, or other items."""
    key = "run" if "run" in frame else "item"
    other = frame[key] + 1 if key == "run" else "other " + frame[key]
    return frame.assign(**{key: frame[key].where(~_new(frame), other)})


FAULTS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "one score absent": lambda frame: frame.iloc[:-1],
    "an empty score": _emptied,
    "a row twice": lambda frame: pd.concat([frame.iloc[:1], frame]),
    "all equal": _equal,
    "percent against fractions": _in_percent,
    "rows shuffled": _shuffled,
    "other folds or items": _others,
}


def _reference(fault: str, case: Case) -> Case | None:
    """The file of which the answer is right, too; None if only a refusal is."""
    if fault in ("one score absent", "an empty score"):
        key = KEYS[case.rows]
        lost = case.frame[key].iloc[-1]
        return _with(case, case.frame[case.frame[key] != lost])
    if fault == "other folds or items":
        return None
    return case


def _alike(one: Answer, other: Answer) -> bool:
    """Whether two answers are the same, but for the noise of a resampling."""
    width = other.high - other.low
    near = [
        bool(np.isnan(a) and np.isnan(b)) or abs(a - b) <= reach
        for a, b, reach in (
            (one.low, other.low, 0.1 * width),
            (one.high, other.high, 0.1 * width),
            (one.value, other.value, 0.02),
        )
    ]
    return one.says == other.says and all(near)


def outcome(tool: Tool, kind: str, fault: str) -> tuple[Outcome, str]:
    """What a tool makes of a file with a fault, and its words if it refuses."""
    case = sound()[kind]
    asked = tool.asked(_with(case, FAULTS[fault](case.frame)))
    if asked.answer is None:
        return asked.failure, asked.words
    if np.isnan(asked.answer.value):
        return "no number", ""
    if fault == "all equal":
        return ("wrong number" if asked.answer.says in ("left", "right") else "right"), ""
    reference = _reference(fault, case)
    expected = None if reference is None else tool.asked(reference).answer
    alike = expected is not None and _alike(asked.answer, expected)
    return ("right" if alike else "wrong number"), ""
