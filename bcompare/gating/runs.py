"""The baseline and the candidates; several whole runs, whose spread is a comparison's error.

All that one run measures may be off together, because of a slow machine or a busy service, which
the rows within a run cannot show. With m runs of the baseline and one of the candidate, the
difference of the candidate from their mean has the variance s² (1 + 1/m), with s² that of the runs.
That is the correlated t-test of the m differences with ρ = 1/2, as these share the candidate's run;
of a candidate with m' runs ρ = 1/(1 + m').

Where the candidate has several runs, too, their own spread counts against what is good for it, by
Welch's test (Biometrika 34, 1947): `by_spread_of_both`.

Runs with fixed seeds may repeat their scores exactly, and say nothing of how a change scatters over
folds. So a claim must also hold by the rows, each the mean over the runs of a side.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy.special import stdtr

from bcompare.basis.messages import InputError, arg, lacking, number_of
from bcompare.columns.direction import no_better
from bcompare.data.account import by_classifier
from bcompare.data.pairs import choose_pairs
from bcompare.data.rope import FloatArray, Rope, read_only
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import RUN
from bcompare.gating.metrics import BAR
from bcompare.methods.interface import Scope

# The most classifiers that are proposed as the baseline.
MOST_NAMED = 3


def contestants(
    classifiers: Sequence[str], baseline: str | None, candidates: Sequence[str] = ()
) -> tuple[str, tuple[str, ...]]:
    """Return the baseline and the candidates, by default all others.

    Raises
    ------
    InputError : no baseline is named; one that is not there, a baseline that is its own candidate,
        or no candidate.
    """
    for name in (baseline, *candidates):
        choose_pairs(classifiers, left=name)  # refuses unknown names
    if baseline is None:
        usual = [arg("baseline", name) for name in classifiers if name not in candidates]
        raise InputError(
            f"which one is the baseline for the others? Say {' or '.join(usual[:MOST_NAMED])}"
        )
    if baseline in candidates:
        raise InputError(f"{baseline} is the baseline and a candidate: name two classifiers")
    chosen = tuple(dict.fromkeys(candidates)) or tuple(n for n in classifiers if n != baseline)
    if not chosen:
        raise InputError(f"these results have only {baseline}: nothing to compare")
    return baseline, chosen


def check_terms(scores: Scores, baseline: str, why: str) -> None:
    """Refuse scores that were not read on the terms of the baseline, where that matters.

    why : it does.

    Raises
    ------
    InputError : they were not.
    """
    if baseline not in scores.baseline:
        raise InputError(
            f"{why}: read the scores with {arg('baseline', baseline)}, as by "
            f"from_items(frame, item, baseline={baseline!r})"
        )


def check_candidates(scores: Scores, baseline: Sequence[str], candidates: Sequence[str]) -> None:
    """Refuse whatever could make an absent or failed trial of a candidate count for it.

    Scores that were read on the terms of the baseline lack nothing.

    baseline, candidates : their names, or those of their runs.

    Raises
    ------
    InputError : a candidate that is not there; data sets or trials that it lacks; a score assumed
        for these that is not the worst.
    """
    account = scores.account
    unknown = [n for n in candidates if n not in scores.classifiers]
    if unknown:
        raise InputError(f"no scores of {', '.join(unknown)}, and every candidate is judged")
    if not account.assumed_is_worst and any(name in account.assumed for name in candidates):
        lowest = min(float(np.nanmin(dataset.table)) for dataset in scores.datasets)
        lower = scores.lower_is_better
        worst = no_better(0.0 - lowest if lower else lowest, lower_is_better=lower)
        raise InputError(
            f"trials without a score ({by_classifier(account.assumed)}) count as "
            f"{account.assumed_value} here, but others could score worse: a candidate must not "
            "gain by failing; give a score that no trial can be worse than, such as "
            f"{arg('failed', worst)}"
        )
    if not {*baseline} <= {*scores.baseline}:
        _check_gaps(scores, baseline, candidates)


def _check_gaps(scores: Scores, baseline: Sequence[str], candidates: Sequence[str]) -> None:
    """Refuse what candidates lack in scores that were not read on the terms of the baseline."""
    if scores.unit.has_answers and scores.answers_an_item > 1 and baseline[0] != BAR:
        check_terms(scores, baseline[0], "the baseline says how many answers each item has")
    baseline_columns = [scores.classifiers.index(n) for n in baseline]
    others = [scores.classifiers.index(n) for n in candidates]
    absent: dict[str, list[str]] = {}
    left_out = dict(scores.account.lacking)
    for part in scores.account.left_out:
        if part.reason == "no-score":
            left_out |= part.classifiers
    in_tables = dict.fromkeys(candidates, 0)  # where they are not left out with their item or fold
    for dataset in scores.datasets:
        needed = np.asarray(~np.isnan(dataset.table[:, baseline_columns]).all(axis=1))
        gaps = (needed[:, None] & np.isnan(dataset.table[:, others])).sum(axis=0)
        if scores.unit.is_unpaired:  # a side may have fewer trials than the other
            gaps[:] = 0
        for name, present, n in zip(candidates, dataset.present[others], gaps, strict=True):
            if not present and needed.any():
                absent.setdefault(name, []).append(dataset.name)
            else:
                in_tables[name] += int(n)
    if absent:
        gone = {name for names in absent.values() for name in names}
        rest = arg("datasets", [d.name for d in scores.datasets if d.name not in gone])
        raise InputError(
            f"no scores of {lacking(absent)}, where {baseline[0]} has scores: a candidate may be "
            f"absent where it does badly; add them, or judge the others with {rest}"
        )
    lost = {name: max(n, left_out.get(name, 0)) for name, n in in_tables.items()}
    lost = {name: n for name, n in lost.items() if n}
    if lost:
        raise InputError(
            f"{by_classifier(lost)} without a score, left out: a candidate may fail where it "
            f"does badly; judge it with {arg('failed', 'bounds')}, or name the data sets to judge "
            f"with {arg('datasets')}"
        )


# The classifiers that are runs of one side, by the name of the side.
Runs = Mapping[str, Sequence[str]]

NO_RUNS: Runs = {}

# Notes on the rows within a run.
OF_ROWS = {"fixed-split", "few-folds"}


def sides_of(classifiers: Sequence[str], runs: Runs) -> tuple[str, ...]:
    """Return the names of the sides, in the order of their first run."""
    side_of = {run: side for side, its_runs in runs.items() for run in its_runs}
    return tuple(dict.fromkeys(side_of.get(name, name) for name in classifiers))


def check_runs(parts: Collection[Scores], scope: Scope, runs: Runs, baseline: str) -> None:
    """Check that the results can be judged by whole runs.

    Raises
    ------
    InputError : another question than that about these data sets, bounded trials, or means alone;
        fewer than three runs of the baseline, which show no spread.
    """
    if scope != "these":
        raise InputError(
            f"{arg('over', scope)}: a whole run may be off on all data sets at once, so that runs "
            f"say nothing about other data sets: leave out {arg('over')}, and {arg('test')}"
        )
    if any(scores.extremes for scores in parts):
        raise InputError(
            f"{arg('failed', 'bounds')} does not go with several runs: give the score of a trial "
            f"that failed, such as {arg('failed', 'zero')}"
        )
    m = len(runs.get(baseline, (baseline,)))
    if m < RUN.fewest:
        raise InputError(
            f"{baseline} has {number_of(m, 'whole run')}, and their spread needs at least "
            f"{RUN.fewest}: put more files into its folder"
        )


def _columns(scores: Scores, runs: Runs) -> tuple[tuple[str, ...], list[list[int]]]:
    """Return the names of the sides, and the columns of each one's runs."""
    sides = sides_of(scores.classifiers, runs)
    place_of = scores.classifiers.index
    return sides, [list(map(place_of, runs.get(side, (side,)))) for side in sides]


def by_run(scores: Scores, runs: Runs, side: str, *, median: bool) -> Scores:
    """Return the scores with the runs of a side as rows, beside each the mean of the others' runs.

    median : whether the median summarises what a run has measured on a data set, not the mean.
    """
    sides, columns = _columns(scores, runs)
    first = sides.index(side)
    m = len(columns[first])
    fewest = min(len(of_side) for k, of_side in enumerate(columns) if k != first)
    summary = np.median if median else np.mean

    def summarised(dataset: DatasetScores) -> DatasetScores:
        of_runs = np.full(len(scores.classifiers), np.nan)
        of_runs[dataset.present] = summary(dataset.table[:, dataset.present], axis=0)
        table = np.tile([of_runs[of_side].mean() for of_side in columns], (m, 1))
        table[:, first] = of_runs[columns[first]]
        return DatasetScores(
            name=dataset.name,
            table=read_only(table),
            present=np.array([dataset.present[of_side].all() for of_side in columns]),
            runs=1,
            folds=m,
            rho=1 / (1 + fewest),
        )

    return replace(
        scores,
        notes=tuple(note for note in scores.notes if note.code not in OF_ROWS),
        classifiers=sides,
        datasets=tuple(map(summarised, scores.datasets)),
        unit=RUN,
        costs=None,
    )


def by_row(scores: Scores, runs: Runs) -> Scores:
    """Return the scores of each side, row by row the mean of its runs."""
    sides, columns = _columns(scores, runs)

    def averaged(dataset: DatasetScores) -> DatasetScores:
        table = np.column_stack([dataset.table[:, of_side].mean(axis=1) for of_side in columns])
        present = np.array([dataset.present[of_side].all() for of_side in columns])
        return replace(dataset, table=read_only(table), present=present)

    datasets = tuple(map(averaged, scores.datasets))
    return replace(scores, classifiers=sides, datasets=datasets, costs=None)


def likeness(statistics: SufficientStatistics) -> float:
    """Return the correlation of the runs' differences between data sets, on average.

    That of claims on the data sets, and at most that of one on a data set and one on the average.
    """
    x = np.array([statistics.differences(i) for i in range(len(statistics))])
    q = len(x)
    variances = x.var(axis=1, ddof=1)
    if q < 2 or not variances.all():
        return 0.0
    standard = x / np.sqrt(variances)[:, None]
    shared = q * float(standard.mean(axis=0).var(ddof=1)) - 1  # (q - 1) times the mean correlation
    return float(np.clip(shared / (q - 1), 0.0, 0.99))


def by_spread_of_both(
    base: FloatArray, candidate: FloatArray, rope: Rope, factors: tuple[float, float]
) -> tuple[float, float]:
    """Return the least p(worse), and the most p(better), that the candidate's own runs allow.

    They raise doubt, and so neither says more than ½. By Welch's test of (m,) runs of the baseline
    and (k,) of the candidate, each the larger of all samples in which some of the candidate's runs
    are worse: one that is much better than the others raises their spread, and must not cost it
    the verdict that it would have without.

    Where no run differs from another of its side, runs say nothing, and leave no doubt.

    rope : between their means; factors : of the baseline at its borders.
    """
    if not (np.ptp(base) or np.ptp(candidate)):
        return 0.0, 1.0
    candidate = np.sort(candidate)
    steps = np.linspace(0, 1, 9)
    caps = np.unique(candidate[:-1, None] + np.diff(candidate)[:, None] * steps)
    lowered = np.minimum(candidate, caps[:, None])
    parts = lowered.var(axis=1, ddof=1) / len(candidate)
    above = []
    for border, factor in zip(rope.borders, factors, strict=True):
        part = factor**2 * base.var(ddof=1) / len(base)
        with np.errstate(divide="ignore", invalid="ignore"):
            dof = (parts + part) ** 2 / (
                parts**2 / (len(candidate) - 1) + part**2 / (len(base) - 1)
            )
            t = (lowered.mean(axis=1) - factor * base.mean() - border) / np.sqrt(parts + part)
        above.append(float(np.nanmax(stdtr(dof, t), initial=0.5)))
    return 1 - above[0], above[1]
