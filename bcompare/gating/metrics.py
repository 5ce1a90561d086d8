"""Several metrics in one decision: what each asks, and the probability that all of it holds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.scores import Scores
from bcompare.methods.joint_means import StudentMeans

DRAWS = 20_000


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of a decision.

    name : of its scores; empty where there is one metric. lower : less is better; None if the
    name tells. rope : differences that do not matter, in its unit; None for that of the gate.
    relative : the same as a share of the score, such as 0.05 for 5 %. aim : whether it must be
    better; else it must not be worse.
    """

    name: str = ""
    lower: bool | None = None
    rope: float | None = None
    relative: float | None = None
    aim: bool = False

    @classmethod
    def parse(cls, text: str) -> "Metric":
        """Read ``NAME`` or ``NAME: part, part``: lower or higher, better, and a rope.

        Raises
        ------
        InputError : a part that is none of these.
        """
        name, _, rest = text.partition(":")
        metric = cls(name.strip())
        for part in filter(None, map(str.strip, rest.split(","))):
            known: dict[str, Metric] = {
                "lower": replace(metric, lower=True),
                "higher": replace(metric, lower=False),
                "better": replace(metric, aim=True),
            }
            metric = known[part] if part in known else metric._with_rope(part, text)
        if not metric.name:
            raise InputError(f"{arg('metric', text)}: begin with its name, such as f1: better")
        return metric

    def _with_rope(self, part: str, text: str) -> "Metric":
        try:
            number = float(part.removesuffix("%"))
        except ValueError:
            number = np.nan
        if not 0 <= number < (100 if part.endswith("%") else np.inf):
            raise InputError(
                f"{arg('metric', text)}: {part!r} is none of lower, higher, better, and no rope "
                "such as 0.01 or 5%"
            )
        if part.endswith("%"):
            return replace(self, relative=number / 100, rope=None)
        return replace(self, rope=number, relative=None)

    def borders(self, usual: Rope) -> Rope:
        """The rope on the scale that is compared: of logarithms where it is relative."""
        if self.relative is not None:
            return Rope.symmetric(float(np.log1p(self.relative)))
        return usual if self.rope is None else Rope.symmetric(self.rope)

    def prepared(self, scores: Scores) -> Scores:
        """The scores to compare: their logarithms where the rope is relative.

        Raises
        ------
        InputError : scores that have no logarithm.
        """
        if self.relative is None:
            return scores
        sign = -1.0 if scores.lower_is_better else 1.0
        datasets = []
        for dataset in scores.datasets:
            positive = sign * dataset.table
            lowest = float(np.nanmin(positive))
            if lowest <= 0:
                raise InputError(
                    f"metric {self.name}, data set {dataset.name}: a score of {lowest:g}, and a "
                    "rope in per cent needs positive scores: give it in the unit of the scores"
                )
            table = sign * np.log(positive)
            table.flags.writeable = False
            datasets.append(replace(dataset, table=table))
        return replace(scores, datasets=tuple(datasets))


@dataclass(frozen=True, slots=True)
class Joint:
    """The probability that a candidate meets all demands at once, on average over these data sets.

    p, error : estimated from draws of the joint posterior, and its standard error.
    """

    p: float
    error: float


def joint_probability(
    metrics: Sequence[Metric], parts: Sequence[Scores], usual: Rope, left: str, right: str
) -> Joint | None:
    """The probability that every metric's average meets its demand; None if it is unknown.

    On the same folds or items the metrics go together: the joint posterior of their mean
    differences on a data set is that of `StudentMeans`. It is unknown where the metrics do not
    rest on the same rows.
    """
    rng = np.random.default_rng(0)
    names = [dataset.name for dataset in parts[0].datasets]
    if any([d.name for d in part.datasets] != names for part in parts):
        return None
    total = np.zeros((DRAWS, len(parts)))
    for k in range(len(names)):
        columns = [_differences(part, k, left, right) for part in parts]
        if len({len(column) for column in columns}) > 1 or len(columns[0]) < 2:
            return None
        table = np.stack(columns, axis=1)
        means = StudentMeans.of(table, np.arange(len(parts)), parts[0].datasets[k].rho)
        drawn, _ = means.draw(rng, DRAWS)
        total += drawn[:, means.expand]
    holds = np.ones(DRAWS, np.bool_)
    for metric, average in zip(metrics, (total / len(names)).T, strict=True):
        rope = metric.borders(usual)
        holds &= average > rope.high if metric.aim else average >= rope.low
    p = float(holds.mean())
    return Joint(p, float(np.sqrt(max(p * (1 - p), 1 / DRAWS) / DRAWS)))


def _differences(scores: Scores, k: int, left: str, right: str) -> FloatArray:
    one, other = (scores.classifiers.index(name) for name in (left, right))
    table = scores.datasets[k].table
    return np.asarray(table[:, other] - table[:, one])
