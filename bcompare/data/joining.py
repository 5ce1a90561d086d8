"""Combine the scores of several inputs, and the accounts of their rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from bcompare.basis.messages import InputError, counted
from bcompare.data.account import Account, LeftOut
from bcompare.data.rope import FloatArray
from bcompare.data.scores import DatasetScores, Scores


def join(*parts: Scores) -> Scores:
    """Combine the scores of several inputs, each with its own data sets.

    A classifier that one part lacks is absent from that part's data sets. Folds can only be paired
    if they are read together, so a data set in two parts is refused.

    Raises
    ------
    InputError : nothing to join, a data set in two parts, rows of different units, or scores and
        losses together.

    Examples
    --------
    >>> import bcompare
    >>> one = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    >>> other = bcompare.read_scores("sample_data/results.csv", datasets=("iris",))
    >>> bcompare.join(one, other)
    <Scores: 5 classifiers, 2 data sets, 1,000 rows>
    """
    if not parts:
        raise InputError("no scores to join: give at least one")
    names = [dataset.name for part in parts for dataset in part.datasets]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(
            f"{counted(twice, 'data set')}: in more than one of the scores to join, and their "
            "folds cannot be paired any more; read these files or frames together"
        )
    if len({part.unit for part in parts}) > 1:
        raise InputError(
            f"the rows of the scores to join differ: {', '.join(part.unit.rows for part in parts)}"
        )
    if len({part.lower_is_better for part in parts}) > 1:
        raise InputError("higher is better in some of the scores to join, lower in others")
    classifiers = tuple(dict.fromkeys(name for part in parts for name in part.classifiers))
    datasets: list[DatasetScores] = []
    scaled: dict[str, float] = {}
    for part in parts:
        datasets += [_widened(each, part.classifiers, classifiers) for each in part.datasets]
        scaled |= part.scaled
    first = parts[0]
    is_one_metric = len({part.metric for part in parts}) == 1
    return Scores(
        classifiers=classifiers,
        datasets=tuple(datasets),
        lower_is_better=first.lower_is_better,
        files=tuple(dict.fromkeys(name for part in parts for name in part.files)),
        account=joined([part.account for part in parts]),
        notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        unit=first.unit,
        epochs=first.epochs,
        metric=first.metric if is_one_metric else "",
        meaning=first.meaning if is_one_metric else None,
        percent=all(part.percent for part in parts),
        scaled=scaled,
        costs=_joined_costs(parts, classifiers),
    )


def _joined_costs(parts: Sequence[Scores], classifiers: Sequence[str]) -> FloatArray | None:
    """Return the (c,) mean costs of the classifiers over the parts that have them."""
    costs_of_parts = [
        dict(zip(part.classifiers, part.costs.tolist(), strict=True))
        for part in parts
        if part.costs is not None
    ]
    if len(costs_of_parts) < len(parts):
        return None
    means = []
    for name in classifiers:
        known = [costs[name] for costs in costs_of_parts if name in costs]
        means.append(np.mean(known))
    return np.array(means)


def _widened(
    dataset: DatasetScores, names: tuple[str, ...], classifiers: tuple[str, ...]
) -> DatasetScores:
    """Return a data set with a column for each of the classifiers."""
    columns = [classifiers.index(name) for name in names]
    table = np.full((len(dataset.table), len(classifiers)), np.nan)
    table[:, columns] = dataset.table
    present = np.zeros(len(classifiers), dtype=np.bool_)
    present[columns] = dataset.present
    table.flags.writeable = present.flags.writeable = False
    return replace(dataset, table=table, present=present)


def joined(accounts: Sequence[Account]) -> Account:
    """Combine the accounts of several inputs."""
    parts = [part for account in accounts for part in account.left_out]
    left_out = []
    for reason in dict.fromkeys(part.reason for part in parts):
        alike = [part for part in parts if part.reason == reason]
        rows = sum(part.rows for part in alike)
        classifiers = _summed([part.classifiers for part in alike])
        why = _joined_why([part.why for part in alike])
        left_out.append(LeftOut(reason, rows, classifiers, why))

    # what is one value of an account is that of the first account which has it
    compared_on = next((a.compared_on for a in accounts if a.compared_on), "")
    failed_column = next((a.failed_column for a in accounts if a.failed_column), None)
    assumed_score = next((a.assumed_score for a in accounts if a.assumed), None)
    return Account(
        read=sum(account.read for account in accounts),
        used=sum(account.used for account in accounts),
        left_out=tuple(left_out),
        folds=tuple(chain.from_iterable(account.folds for account in accounts)),
        items=tuple(chain.from_iterable(account.items for account in accounts)),
        datasets=tuple(chain.from_iterable(account.datasets for account in accounts)),
        lacking=_summed([account.lacking for account in accounts]),
        compared_on=compared_on,
        failed=_summed([account.failed for account in accounts]),
        failed_column=failed_column,
        assumed=_summed([account.assumed for account in accounts]),
        fewer_answers=_summed([account.fewer_answers for account in accounts]),
        assumed_score=assumed_score,
        assumed_is_worst=all(account.assumed_is_worst for account in accounts),
    )


def _summed(parts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Return the sums of counts by name."""
    sums: dict[str, int] = {}
    for part in parts:
        for name, count in part.items():
            sums[name] = sums.get(name, 0) + count
    return sums


def _joined_why(parts: Sequence[Mapping[str, Mapping[str, int]]]) -> dict[str, dict[str, int]]:
    """Return the sums of counts by name and reason."""
    counts_by_name: dict[str, list[Mapping[str, int]]] = {}
    for part in parts:
        for name, counts in part.items():
            counts_by_name.setdefault(name, []).append(counts)
    return {name: _summed(counts) for name, counts in counts_by_name.items()}
