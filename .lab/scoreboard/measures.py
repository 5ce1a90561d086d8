"""What is counted: of each tool, over the cases of one truth.

The names, and what they mean, stand in plan.toml.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from studies.study import share

from scoreboard.case import REGIONS, Answer, Asked, Case, Says, Tool, region_of

NEAR = 1e-9


Measure = list[float]
"""A figure, its Monte Carlo error, and the number of cases behind it."""


def truly(case: Case, of: str) -> Says:
    """The region of the true answer, to what a tool speaks of."""
    return case.regions.get(of) or region_of(case.truth, case.rope)


def _border(case: Case) -> bool:
    lost = np.expm1(-case.truth) if case.rows == "timings" else case.truth
    return bool(abs(abs(lost) - case.rope) < NEAR)


def _side(one: Asked) -> Says:
    """Which of two is better, by however little."""
    return region_of(one.case.truth, 0)


def _count(asked: Sequence[Asked], hit: Callable[[Asked, Answer], bool]) -> Measure | None:
    hits = [hit(one, one.answer) for one in asked if one.answer is not None]
    if not hits:
        return None
    p, error = share(hits)
    return [p, error, len(hits)]


def _mean(values: Sequence[float]) -> Measure | None:
    kept = np.array([v for v in values if not np.isnan(v)])
    if not len(kept):
        return None
    error = float(kept.std(ddof=1) / np.sqrt(len(kept))) if len(kept) > 1 else float("nan")
    return [float(kept.mean()), error, len(kept)]


def _of_two(tool: Tool, asked: Sequence[Asked]) -> dict[str, Measure | None]:
    """Of answers on two models."""
    if tool.one_sided:
        asked = [one for one in asked if one.case.truth <= 0]
    equal = [one for one in asked if one.case.truth == 0]
    border = [one for one in asked if one.case.truth and _border(one.case)]
    apart = [one for one in asked if one.case.truth and not _border(one.case)]
    far = [one for one in apart if truly(one.case, tool.of) != "rope"]
    # a probability can only come true as often as stated where truths are drawn at random
    drawn = [one for one in apart if one.case.rows in ("folds", "refits", "suite")]
    spoke = [one for one in drawn if one.answer and one.answer.stated]

    def came_true(one: Asked, answer: Answer) -> bool:
        assert answer.stated is not None
        return REGIONS[int(np.argmax(answer.stated))] == truly(one.case, tool.of)

    found = {
        "false_alarm": _count(equal, lambda _, a: a.says in ("left", "right")),
        "power": _count(far, lambda one, a: a.says == truly(one.case, tool.of)),
        "wrong_way": _count(apart, lambda one, a: a.says not in ("none", "rope", _side(one))),
        "covers": _count(
            [one for one in asked if one.answer and not np.isnan(one.answer.low)],
            lambda one, a: a.low - NEAR <= one.case.truth <= a.high + NEAR,
        ),
        "after": _mean([one.answer.after for one in asked if one.answer]),
        "stated": _mean([one.answer.value for one in spoke if one.answer]),
        "came_true": _count(spoke, came_true),
    }
    if tool.rope:
        found["beyond"] = _count(border, lambda one, a: a.says == _side(one))
    if tool.rope and not tool.one_sided:
        found["equivalent"] = _count(equal, lambda _, a: a.says == "rope")
        found["equivalent_wrongly"] = _count(far, lambda _, a: a.says == "rope")
    return found


def _of_many(tool: Tool, asked: Sequence[Asked]) -> dict[str, Measure | None]:
    """Of leaderboards."""
    equal = [one for one in asked if np.ptp(list(one.case.best.values())) == 0]
    apart = [one for one in asked if np.ptp(list(one.case.best.values())) > 0 and one.answer]

    def lost(one: Asked) -> float:
        worth = one.case.best
        return max(worth.values()) - worth[one.answer.best] if one.answer else np.nan

    return {
        "false_alarm": None if tool.names_only else _count(equal, lambda _, a: a.says == "right"),
        "best": _count(apart, lambda one, _: lost(one) == 0),
        "regret": _mean([100 * lost(one) for one in apart]),
        "p_best": _mean([one.answer.p_best for one in apart if one.answer]),
    }


def measured(tool: Tool, asked: Sequence[Asked]) -> dict[str, Measure]:
    """All figures of a tool on the cases of one truth; those that do not apply are left out."""
    failures = Counter(one.failure for one in asked)
    found = _of_many(tool, asked) if asked[0].case.best else _of_two(tool, asked)
    for failure in ("refused", "error"):
        if failures[failure]:
            p, error = share([one.failure == failure for one in asked])
            found[failure] = [p, error, len(asked)]
    seconds = [one.seconds for one in asked if one.answer]
    if seconds:
        found["milliseconds"] = [1000 * float(np.median(seconds)), 0.0, len(seconds)]
    return {
        name: [float(f"{value:.4g}") for value in figure]
        for name, figure in found.items()
        if figure is not None
    }
