"""A set of comparisons as plain dicts and lists: the JSON contract, at full precision.

Keys are stable; a change that breaks a reader raises SCHEMA_VERSION.
"""

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from bcompare.comparing.answers import Comparison
from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.decision import ACTIONS, ExpectedLoss, Rule, as_array, decide_one
from bcompare.data.account import Account
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.scores import Scores
from bcompare.methods.base import Alternative, PopulationResult
from bcompare.report.words import sentence
from bcompare.version import __version__

SCHEMA_VERSION = 1

Record = dict[str, Any]


def document(study: ComparisonSet) -> Record:
    """Return everything about the comparisons, ready for a JSON writer."""
    return {
        "schema_version": SCHEMA_VERSION,
        "bcompare": __version__,
        "command": study.method.name,
        "settings": _settings(study),
        "input": input_record(study.scores),
        "comparisons": [_comparison(study, i) for i in range(len(study.comparisons))],
        "failed": [failure.record() for failure in study.failures],
        "notes": [note.record() for note in study.notes],
    }


def input_record(scores: Scores) -> Record:
    """Return what was read, and what was left out of it."""
    return {
        "files": list(scores.files),
        "rows": scores.rows,
        "datasets": len(scores.datasets),
        "classifiers": list(scores.classifiers),
        **_items_record(scores),
        **account_record(scores.account),
    }


def _items_record(scores: Scores) -> Record:
    """Return what the rows are, if they are answers to test items."""
    if scores.unit != "item":
        return {}
    clusters = sum(len(dataset.table) for dataset in scores.datasets)
    return {
        "items": scores.items,
        "clusters": clusters if scores.is_clustered else None,
        "answers_an_item": scores.answers_an_item,
    }


def account_record(account: Account) -> Record:
    """Return what became of the rows, and what was left out by name."""
    return {
        "dropped": {
            "folds": plain(account.folds),
            "items": plain(account.items),
            "datasets": list(account.datasets),
            "rows": account.rows_left_out,
        },
        "account": {
            "read": account.read,
            "used": account.used,
            "left_out": plain(account.left_out),
            "lacking": plain(account.lacking),
            "failed": plain(account.failed),
        },
    }


def dataset_columns(comparison: Comparison, rule: Rule) -> Record:
    """Return what is known of the data sets, a column a field: raw data, then the method's own."""
    statistics = comparison.differences.statistics
    own = _own_fields(comparison.result.datasets, ("probabilities", "withheld"))
    p = comparison.result.datasets.probabilities
    losses = rule.expected(p)
    columns: Record = {
        "dataset": list(statistics.names),
        "n": statistics.n.tolist(),
        "rho": statistics.rho.tolist(),
        "mean_difference": statistics.mean.tolist(),
        "p_left": p.left.tolist(),
        "p_rope": p.rope.tolist(),
        "p_right": p.right.tolist(),
        "decision": list(comparison.dataset_decisions),
        "withheld": [comparison.dataset_withheld(i) for i in range(len(statistics))],
        "expected_loss": None if losses is None else _losses(losses),
        **own,
    }
    if not isinstance(comparison.result, PopulationResult):
        columns["nhst"] |= _adjusted(comparison)
    return columns


def plain(value: Any) -> Any:
    """Return a result's field as JSON knows it: dataclasses to dicts, arrays to lists.

    What JSON has no word for (infinity, not a number) becomes null.
    """
    if isinstance(value, RegionProbabilities):
        return {"left": plain(value.left), "rope": plain(value.rope), "right": plain(value.right)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _own_fields(value)
    if isinstance(value, np.ndarray):
        values = value.tolist()
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            return plain(values)
        return values
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict) and value and all(isinstance(key, float) for key in value):
        # intervals by their level; low and high are the last axis
        return [
            {"level": level, "low": plain(ends[..., 0]), "high": plain(ends[..., 1])}
            for level, ends in ((level, np.asarray(pair)) for level, pair in value.items())
        ]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _own_fields(value: Any, shared: Sequence[str] = ()) -> Record:
    names = [field.name for field in dataclasses.fields(value)]
    return {name: plain(getattr(value, name)) for name in names if name not in shared}


def _settings(study: ComparisonSet) -> Record:
    return {
        **scores_settings(study.scores, study.rope, study.alpha, study.alternative, study.rule),
        "seed": None,
        **_own_fields(study.method),
    }


def scores_settings(
    scores: Scores, rope: Rope, alpha: float, alternative: Alternative, rule: Rule
) -> Record:
    """Return the settings that do not depend on the method."""
    rhos = {dataset.rho for dataset in scores.datasets}
    return {
        "unit": scores.unit,
        "rope": [rope.low, rope.high],
        "alpha": alpha,
        "alternative": alternative,
        "decision": _rule(rule),
        "rho": rhos.pop() if len(rhos) == 1 else None,
        "lower_is_better": scores.lower_is_better,
    }


def _rule(rule: Rule) -> Record:
    if isinstance(rule, ExpectedLoss):
        return {"rule": "expected-loss", "loss": rule.matrix.tolist()}
    return {"rule": "threshold"}


def _comparison(study: ComparisonSet, i: int) -> Record:
    comparison = study.comparisons[i]
    record = comparison_record(comparison, study.rule, study.rope)
    if isinstance(comparison.result, PopulationResult):
        record["also"] = [
            {"test": name, **_overall(other.comparisons[i])} for name, other in study.also.items()
        ]
    columns = dataset_columns(comparison, study.rule)
    return record | {
        "datasets": _rows(columns, len(comparison.dataset_decisions)),
        "notes": [note.record() for note in comparison.result.notes],
    }


def comparison_record(comparison: Comparison, rule: Rule, rope: Rope) -> Record:
    """Return what is known of a pair as a whole."""
    result = comparison.result
    record: Record = {"left": comparison.left, "right": comparison.right}
    if comparison.probabilities is not None:
        record |= _overall(comparison) | {
            "withheld": comparison.withheld,
            "expected_loss": _expected_loss(rule, comparison.probabilities),
        }
    record |= {
        "verdict": sentence(comparison, rope, rule),
        "mean_difference": comparison.mean_difference,
        "n_datasets": len(comparison.differences.statistics),
    }
    if isinstance(result, PopulationResult):
        record |= {
            "error": plain(result.error),
            "nhst": plain(result.nhst) | _rows(_adjusted(comparison), 1)[0],
            "sensitivity": [
                {"prior": name, **_regions(p), "decision": decide_one(rule, p)}
                for name, p in result.sensitivity.items()
            ],
        }
    return record | {name: plain(value) for name, value in result.own_fields().items()}


def _overall(comparison: Comparison) -> Record:
    if comparison.probabilities is None:
        return {}
    return {**_regions(comparison.probabilities), "decision": comparison.decision}


def _expected_loss(rule: Rule, p: RegionProbabilities[float]) -> Record | None:
    losses = rule.expected(as_array(p))
    return None if losses is None else _rows(_losses(losses), 1)[0]


def _losses(expected: FloatArray) -> Record:
    """The (q, 4) expected losses as a column an action."""
    return dict(zip(ACTIONS, expected.T.tolist(), strict=True))


def _regions(p: RegionProbabilities[float]) -> Record:
    return {"p_left": float(p.left), "p_rope": float(p.rope), "p_right": float(p.right)}


def _adjusted(comparison: Comparison) -> Record:
    return {
        "p_bonferroni": plain(comparison.adjusted.bonferroni),
        "p_holm": plain(comparison.adjusted.holm),
    }


def _rows(columns: Record, count: int) -> list[Record]:
    """Turn a record of columns, each with `count` entries, into as many records."""
    entries = [_entries(value, count) for value in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*entries, strict=True)]


def _entries(value: Any, count: int) -> list[Any]:
    """One entry a row: of a column, of a record of columns, of a list of such records."""
    if isinstance(value, dict):
        return _rows(value, count)
    if not isinstance(value, list) or not value:
        return [value] * count
    if isinstance(value[0], dict):
        return [list(row) for row in zip(*(_rows(item, count) for item in value), strict=True)]
    return value
