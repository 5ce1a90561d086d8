"""Several metrics in one column of scores, which no test may mix."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.data.rope import FloatArray
from bcompare.reading.advice import METRIC_COLUMNS, METRICS, called, plain
from bcompare.reading.columns import Coded
from bcompare.reading.options import ReadOptions
from bcompare.reading.presets import AMLB, is_loss
from bcompare.reading.problems import clipped, number, quoted

KINDS = {"binary", "multiclass", "classification", "regression", *METRICS}
"""Values by which a column called ``type`` is known to tell metrics apart."""


@dataclass(frozen=True, slots=True)
class MetricColumn:
    """A column that tells which metric a score is.

    name : of the column. filled : the scores are its own where it has any, and of another metric
    where it is empty, as in results of the AutoML Benchmark of 2019. others : columns of metrics.
    """

    name: str
    filled: bool = False
    others: tuple[str, ...] = ()

    def metric(self, cell: str, na: Sequence[str]) -> str:
        """Return the metric that a cell of the column tells."""
        if not self.filled:
            return cell
        return "another metric" if cell in ("", *na) else self.name


def find_metric_column(
    free: Sequence[str], score: str | None, options: ReadOptions
) -> MetricColumn | None:
    """Find the column that tells the metric of the scores, if their own name does not.

    free : columns that play no part. score : the column of scores, where there is one.
    """
    if score is None or plain(score) in METRICS:
        return None
    name = called(METRIC_COLUMNS, free)
    if name is None and options.preset == AMLB and "auc" in free:
        others = ("auc", *(name for name in free if plain(name) in METRICS - {"auc"}))
        return MetricColumn("auc", filled=True, others=others)
    chosen = any(text.partition("~")[0].strip() == name for text in options.where)
    return None if name is None or chosen else MetricColumn(name)


def several_metrics(column: MetricColumn, metric: Coded, scores: FloatArray) -> str | None:
    """Say what is wrong with scores of several metrics in one column; None if there is one."""
    rows = np.bincount(metric.codes[~np.isnan(scores)], minlength=len(metric.names))
    counts = {name: n for name, n in zip(metric.names, rows.tolist(), strict=True) if name and n}
    if len(counts) < 2:
        return None
    if plain(column.name) == "type" and len(KINDS & set(map(plain, counts))) < 2:
        return None
    name = column.name
    if column.filled:
        choices = " or ".join(
            f"{arg('score_col', other)}{_lower(other)}" for other in column.others
        )
        return (
            f"the scores are {name} where column {quoted(name)} has one, and another metric where "
            f"it is empty; choose one for all: {choices}"
        )
    first = next((metric for metric in counts if not is_loss(metric)), next(iter(counts)))
    listed = ", ".join(f"{clipped(metric)} ({number(n, 'row')})" for metric, n in counts.items())
    both = "|".join(map(re.escape, list(counts)[:2]))
    return (
        f"column {quoted(name)} says that the scores are of several metrics: {listed}; choose one, "
        f"such as {arg('where', [f'{name}={first}'])}{_lower(first)}, or name those that are on "
        f"one scale, such as {arg('where', [f'{name}~^({both})$'])}"
    )


def _lower(metric: str) -> str:
    """The option that goes with a metric of which less is better."""
    return f" {arg('lower_is_better', True)}" if is_loss(metric) else ""
