"""The JSON document and the flat rows of pairs and of their data sets."""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from bcompare.basis.messages import Record
from bcompare.comparing.comparison import Comparison
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.comparing.decision import ACTIONS, ExpectedLoss, Rule
from bcompare.data.pairs import Pair
from bcompare.data.rope import IntArray, RegionProbabilities
from bcompare.report.fields import (
    Field,
    RowColumn,
    Rows,
    composed,
    head,
    leaves,
    nested,
    own_fields,
    plain,
    record,
    record_rows,
)
from bcompare.report.input_record import common_settings, input_record
from bcompare.report.pair_fields import (
    ADJUSTED,
    DATASET,
    DECISION,
    EXPECTED_LOSS,
    NAMES,
    PROBABILITIES,
    SUMMARY,
    WITHHELD,
)


def document(study: ComparisonSet) -> Record:
    """Return the JSON document of a set of comparisons."""
    lone = study.comparisons[0] if study.total == 1 and study.comparisons else None
    changed = None
    if lone is not None and study.scores.unit.has_answers:
        from bcompare.report.changed import changed_record

        changed = changed_record(lone, study.scores)
    return {
        **head(study.method.name),
        "settings": {
            **common_settings(study.scores, study.rope, study.rule, study.alpha),
            "seed": None,
            **own_fields(study.method),
        },
        "input": input_record(study.scores),
        "comparisons": [_comparison(study, i) for i in range(len(study.comparisons))],
        "changed": changed,
        "failed": [failure.record() for failure in study.failures],
        "notes": [note.record() for note in study.notes],
    }


def comparison_rows(comparisons: Sequence[Comparison]) -> Rows:
    """Return the flat rows of comparisons by one test."""
    counts = np.array([c.n_datasets for c in comparisons], np.int64)
    return rows_of([(c.left, c.right) for c in comparisons], counts, comparisons)


def rows_of(pairs: Sequence[Pair], datasets: IntArray, parts: Sequence[Comparison]) -> Rows:
    """Return the flat rows of pairs by one test.

    datasets : the number of each pair's data sets. parts : a comparison for each pair, or a single
    one of all their data sets.
    """
    if not parts or not parts[0].result.by_dataset:
        return record_rows([_pair(comparison) for comparison in parts])
    names = zip(NAMES, zip(*pairs, strict=True), strict=True)
    rows = {field.name: RowColumn.of(values).repeated(datasets) for field, values in names}
    for field in dataset_fields(parts[0]):
        if len(field.raw(parts[0])):  # an empty list stays in the JSON
            rows[field.name] = RowColumn.joined([field.raw(part) for part in parts])
    return rows


def dataset_fields(comparison: Comparison) -> list[Field]:
    """Return the fields of a pair's data sets as arrays or lists."""
    result = comparison.result.datasets
    of_method = [
        Field(path, composed(attrgetter("result.datasets"), get))
        for path, get in leaves(result, ("probabilities", "withheld"))
    ]
    if comparison.result.by_dataset:  # the p-values are those of data sets
        positions = [i for i, field in enumerate(of_method) if field.path[0] == "nhst"] or [
            len(of_method) - 1
        ]
        of_method[positions[-1] + 1 : positions[-1] + 1] = ADJUSTED
    return [*DATASET, *_losses(comparison.rule), *of_method]


def _losses(rule: Rule) -> list[Field]:
    if not isinstance(rule, ExpectedLoss):
        return [Field("expected_loss", lambda c: [None] * c.n_datasets)]
    return [
        Field(f"expected_loss.{action}", partial(_loss, k), "number")
        for k, action in enumerate(ACTIONS)
    ]


def _loss(k: int, comparison: Comparison) -> object:
    expected = comparison.rule.expected(comparison.result.datasets.probabilities)
    return None if expected is None else expected[:, k]


def _comparison(study: ComparisonSet, i: int) -> Record:
    comparison = study.comparisons[i]
    entry = _pair(comparison)
    if not comparison.result.by_dataset:
        entry["also"] = [
            {"test": name, **_overall(other.comparisons[i])} for name, other in study.also.items()
        ]
    fields = dataset_fields(comparison)
    columns = nested((field.path, plain(field.raw(comparison))) for field in fields)
    return entry | {
        "over_these": _over_these(comparison),
        "datasets": _transposed(columns, comparison.n_datasets),
        "notes": [note.record() for note in comparison.result.notes],
    }


def _over_these(comparison: Comparison) -> Record | None:
    """Return the average over these data sets, if the test has the posterior of each."""
    average = comparison.over_these
    if average is None:
        return None
    p = average.regions(comparison.rope)
    return {
        **p.record(),
        "error": average.error,
        **plain(average.estimate()),
    }


def _pair(comparison: Comparison) -> Record:
    """Return the fields of a pair as a whole."""
    result = comparison.result
    fields = [*NAMES]
    if comparison.probabilities is not None:
        fields += [*PROBABILITIES, DECISION, WITHHELD, EXPECTED_LOSS]
    entry = record([*fields, *SUMMARY], comparison)
    if result.nhst is not None:
        adjusted = nested((f.path, float(f.cell(comparison))) for f in ADJUSTED)
        varied = result.sensitivity
        triples = np.array([[*p] for p in varied.values()]).reshape(-1, 3).T
        decisions = comparison.rule.decide(RegionProbabilities(*triples))
        sensitivity = []
        for (name, p), decision in zip(varied.items(), decisions, strict=True):
            sensitivity.append({"prior": name, **p.record(), "decision": decision})
        entry |= {
            "error": plain(result.error),
            "nhst": plain(result.nhst) | adjusted["nhst"],
            "sensitivity": sensitivity,
        }
    return entry | {name: plain(value) for name, value in result.own_fields().items()}


def _overall(comparison: Comparison) -> Record:
    if comparison.probabilities is None:
        return {}
    return record((*PROBABILITIES, DECISION), comparison)


def _transposed(columns: Record, count: int) -> list[Record]:
    """Turn a record of columns, each with `count` entries, into as many records."""
    entries = [_entries(value, count) for value in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*entries, strict=True)]


def _entries(value: object, count: int) -> list[Any]:
    """Return one entry for each row of a column, a record of columns, or a list of records."""
    if isinstance(value, dict):
        return _transposed(value, count)
    if not isinstance(value, list) or not value:
        return [value] * count
    if isinstance(value[0], dict):
        columns = [_transposed(each, count) for each in value]
        return [list(row) for row in zip(*columns, strict=True)]
    return value
