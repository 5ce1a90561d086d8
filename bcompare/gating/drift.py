"""The drift of a candidate from an anchor, a baseline that stays while others are replaced.

A change may be too small for the gate, and so may the next, while the baseline rolls on with each
merge: eight changes of -0.005 lose 0.04 that no verdict has seen. The anchor does not roll. The
drift is a comparison of means over the data sets that both have, and claims no error rate.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bcompare.basis.errors import InputError
from bcompare.data.scores import Scores
from bcompare.gating.metrics import Metric

Means = Mapping[str, Mapping[str, float]]
"""The mean scores of a classifier as in the input, by metric and data set."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A baseline that stays.

    origin : where it comes from, in words. means : of its scores.
    """

    origin: str
    means: Means


@dataclass(frozen=True, slots=True)
class Drift:
    """The drift of one metric, on average over some data sets.

    metric : its name; empty for the only one. candidate : who has drifted. origin : of the anchor.
    change : of the mean score as in the input; a share of it if `relative`.
    worse : the same with the sign turned so that more is worse. threshold : the largest that is
    tolerated; None if the change is only reported. datasets : the number of data sets.
    """

    metric: str
    candidate: str
    origin: str
    change: float
    worse: float
    threshold: float | None
    relative: bool
    datasets: int

    @property
    def fails(self) -> bool:
        """Whether the candidate has drifted further than is tolerated."""
        return self.threshold is not None and self.worse > self.threshold


def means_of(
    parts: Mapping[Metric, Scores], classifier: str | None = None
) -> dict[str, dict[str, float]]:
    """Return the mean scores of a classifier, as in the input, by metric and data set.

    classifier : None for the only one, of which each column may be an epoch.
    """
    means: dict[str, dict[str, float]] = {}
    for metric, scores in parts.items():
        sign, who = -1.0 if scores.lower_is_better else 1.0, range(len(scores.classifiers))
        columns = [k for k in who if classifier in (None, scores.classifiers[k])]
        means[metric.name] = {
            dataset.name: sign * float(np.nanmean(dataset.table[:, columns]))
            for dataset in scores.datasets
            if dataset.present[columns].all()
        }
    return means


def drift_of(
    parts: Mapping[Metric, Scores],
    candidate: str,
    anchor: Anchor,
    thresholds: Mapping[str, Metric],
) -> list[Drift]:
    """Return the drift of each metric on the data sets that candidate and anchor share.

    thresholds : the rope of each metric's drift, as `Metric` parses it.
    """
    drifts = []
    now = means_of(parts, candidate)
    for metric, scores in parts.items():
        before, own = anchor.means.get(metric.name, {}), now[metric.name]
        shared = [name for name in own if name in before]
        usual = None if metric.advisory else thresholds.get("")
        limit = thresholds.get(metric.name, usual)
        rope = metric if limit is None else limit
        relative = rope.relative is not None
        pairs = np.array([(before[name], own[name]) for name in shared]).reshape(-1, 2)
        if not len(pairs) or (relative and (pairs <= 0).any()):
            continue
        steps = np.log(pairs) if relative else pairs
        step = float((steps[:, 1] - steps[:, 0]).mean())
        drifts.append(
            Drift(
                metric.name,
                candidate,
                anchor.origin,
                change=math.expm1(step) if relative else step,
                worse=step if scores.lower_is_better else -step,
                threshold=_limit(limit),
                relative=relative,
                datasets=len(pairs),
            )
        )
    return drifts


def parse_thresholds(
    texts: Sequence[str], metrics: Sequence[Metric], option: str = "drift"
) -> dict[str, Metric]:
    """Return the size of the drift, or of a loss, by metric; under "" that of all metrics.

    texts : such as 0.02, 5%, or accuracy: 0.02 for one of several metrics.

    Raises
    ------
    InputError : no rope, a metric that is not judged, or the same one twice.
    """
    thresholds: dict[str, Metric] = {}
    for text in texts:
        name, _, rope = text.rpartition(":")
        parsed = Metric.parse(f"{name or 'score'}: {rope}")
        if _limit(parsed) is None:
            raise InputError(f"--{option} {text}: give its size, such as 0.02 or 5%")
        if name.strip() not in ("", *(metric.name for metric in metrics)):
            raise InputError(f"--{option} {text}: no metric {name.strip()} is judged")
        if name.strip() in thresholds:
            raise InputError(f"--{option} {text}: give one for a metric")
        thresholds[name.strip()] = parsed
    return thresholds


def _limit(rope: Metric | None) -> float | None:
    """Return a threshold on the scale of the steps: logarithms if it is relative."""
    if rope is None or rope.relative is None:
        return None if rope is None else rope.rope
    return math.log1p(rope.relative)
