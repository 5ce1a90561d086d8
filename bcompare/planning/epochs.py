"""More items, or more epochs? The probability of each verdict in new comparisons."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from bcompare.basis.arguments import arg, spelled
from bcompare.basis.errors import InputError
from bcompare.comparing.compare import as_method
from bcompare.data.defaults import DEFAULT_ROPE
from bcompare.data.pairs import Pair, choose_pairs
from bcompare.data.rope import RopeLike
from bcompare.data.scores import Scores
from bcompare.files.options import ReadOptions
from bcompare.files.problems import Problems
from bcompare.files.sources import Readable
from bcompare.methods import check_over
from bcompare.methods.base import Method, Progress, no_progress
from bcompare.planning.outlook import (
    Amount,
    Case,
    Outlook,
    Plan,
    Prospect,
    cases_to_plan,
    check_levels,
    prospects_of,
)
from bcompare.planning.power import ENOUGH
from bcompare.planning.predictive import Components, NewComparison
from bcompare.planning.simulation import Simulation, usual_replicates
from bcompare.reading.grid import by_cluster, clusters_of
from bcompare.reading.read import Task
from bcompare.reading.survey import Survey
from bcompare.reading.validate import to_scores

LEAST_ROWS = 3
POWER = spelled(
    "bcompare power --effect 0.02 --sd 0.4 --items 200,1000",
    "bcompare.power(0.02, 0.4, items=[200, 1000])",
)


@dataclass(frozen=True, eq=False, slots=True)
class Repeated:
    """Test items with several answers (epochs) each.

    scores : the items' means, the input of the tests. survey : the single answers.
    """

    scores: Scores
    survey: Survey

    def components(self, case: Case) -> Components:
        """Estimate the variances of a pair on a data set, from the epochs that both models have.

        Raises
        ------
        InputError : no epoch is repeated, or clusters have incomplete epochs.
        """
        grid, options = self.survey.answers, self.survey.options
        (name,) = case.now.names
        at = grid.datasets.index(name)
        rows = grid.rows(at)
        left, right = (grid.classifiers.index(model) for model in (case.left, case.right))
        table = np.full((len(grid.folds), len(grid.runs)), np.nan)
        scale = (-1 if options.lower_is_better else 1) / (100 if options.percent else 1)
        differences = grid.table[rows, right] - grid.table[rows, left]
        table[grid.fold[rows], grid.run[rows]] = scale * differences
        there = ~np.isnan(table)
        if np.minimum(there.sum(axis=1), 2).sum() <= there.any(axis=1).sum():
            raise InputError(
                f"data set {name}: no item has two epochs of both {case.left} and {case.right}, so "
                "how much an item's answers vary is not known: let both models answer items "
                f"twice, and name the column of epochs, alike for both, with {arg('epoch_col')}"
            )
        kept = there.any(axis=1)
        table = table[kept]
        clusters = clusters_of(self.survey.grid, self.survey.rows, Problems())
        if clusters is not None:
            table = table[:, there.any(axis=0)]
            if np.isnan(table).any():
                raise InputError(
                    f"data set {name}: with clusters every item needs the same epochs of "
                    f"{case.left} and {case.right}: choose complete ones with {arg('where')}"
                )
            own = self.survey.grid.rows(at)
            cluster = np.zeros(len(kept), np.int64)
            cluster[self.survey.grid.fold[own]] = clusters[own]
            table = by_cluster(table, cluster[kept])
        binary = clusters is None and bool(
            np.isin(differences[~np.isnan(differences)], (-1, 0, 1)).all()
        )
        result = Components.of(table, int(kept.sum()), binary=binary)
        if not result.variance:
            raise InputError(
                f"data set {name}: all mean differences of {case.left} and {case.right} are equal, "
                f"so there is no variance to plan with: assume one by {POWER}"
            )
        return result


def read_repeated(
    *results: Readable, options: ReadOptions | None = None, **overrides: object
) -> Repeated:
    """Read answers of models to test items, with their epochs; as `read_scores` does.

    Raises
    ------
    InputError : with every problem that was found.
    """
    task = Task.of(results, options, **overrides)
    with task.advised():
        long, chosen = task.long()
        survey = Survey(long, chosen)
        return Repeated(to_scores(long, survey, task.files), survey)


def plan_epochs(
    repeated: Repeated,
    *,
    epochs: Sequence[int],
    items: Sequence[int] = (),
    answers: int | None = None,
    pairs: Sequence[Pair] | None = None,
    rope: RopeLike = DEFAULT_ROPE,
    alpha: float = 0.05,
    test: Method | str | None = None,
    replicates: int | None = None,
    seed: int = 0,
    jobs: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = no_progress,
) -> Plan:
    """Compute the probability of each verdict of new comparisons of several sizes.

    The true difference and the variances are drawn from their posteriors, then the results of a
    comparison of other items, which is judged by itself.

    Parameters
    ----------
    epochs, items : numbers of epochs of each item, and of items; every combination is planned.
        By default as many items as `answers` allows, or as there are now.
    answers : the most of each model; the plan names the best combination within it, or else the one
        with the fewest answers that decides with probability `ENOUGH`.
    pairs, rope, alpha, test, replicates, seed, jobs, executor : as for `plan`.

    Raises
    ------
    InputError : no repeated epochs, a test over data sets, or a size outside its range.

    Examples
    --------
    >>> import bcompare, pandas, tempfile, pathlib
    >>> places = [(i, k, e) for i in range(12) for k in range(2) for e in range(3)]
    >>> rows = [(f"q{i}", "ab"[k], e, int((i + k * e) % 3 > 0)) for i, k, e in places]
    >>> answers = pandas.DataFrame(rows, columns=["item", "classifier", "epoch", "score"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "answers.csv")
    ...     answers.to_csv(file, index=False)
    ...     repeated = bcompare.read_repeated(file, item_col="item", epoch_col="epoch")
    >>> bcompare.plan_epochs(repeated, epochs=[1, 4], items=[100], replicates=20)
    <Plan: 1 outlook, 20 futures each>
    """
    check_levels(alpha, replicates)
    scores = repeated.scores
    method = as_method(test or "ttest", scores)
    check_over(method, "epochs of test items", one=True)
    if not scores.unit.has_answers:
        raise InputError(
            f"{arg('epochs', tuple(epochs))}: epochs are answers to test items: name these with "
            f"{arg('item_col')}"
        )
    chosen = choose_pairs(scores.classifiers) if pairs is None else pairs
    study, cases = cases_to_plan(scores, method, chosen, rope, alpha)
    components = [repeated.components(case) for case in cases]
    quick = method.economical()
    count = replicates or usual_replicates(quick, 1)
    simulation = Simulation(quick, study.rope, count, seed, jobs, progress, executor)
    futures = [
        [
            (Amount("items", i, k), NewComparison(c, i, k))
            for i, k in _sizes(c, items, epochs, answers)
        ]
        for c in components
    ]
    prospects = prospects_of(futures, simulation, alpha, 1)
    outlooks = [
        Outlook(case, own, c, _best(c, own, answers))
        for case, c, own in zip(cases, components, prospects, strict=True)
    ]
    return Plan(study, tuple(outlooks), alpha, count, seed, answers)


def _sizes(
    components: Components, items: Sequence[int], epochs: Sequence[int], answers: int | None
) -> list[tuple[int, int]]:
    """Return the (items, epochs) of each combination."""
    ks = list(dict.fromkeys(epochs))
    if not ks or min(ks) < 1:
        raise InputError(f"{arg('epochs', tuple(epochs))}: give positive numbers, such as 1,3,5")
    if items:
        sizes = [(i, k) for k in ks for i in dict.fromkeys(items)]
    else:
        sizes = [(components.items if answers is None else answers // k, k) for k in ks]
    few = min(sizes, key=lambda size: components.rows_of(size[0]))
    if components.rows_of(few[0]) < LEAST_ROWS:
        noun = "items" if components.rows == components.items else "clusters of the present size"
        raise InputError(
            f"{few[0]:,} items in {few[1]:,} epochs: at least {LEAST_ROWS} {noun} are needed; ask "
            "for more items, or for more answers"
        )
    return sizes


def _best(
    components: Components, prospects: Sequence[Prospect], answers: int | None
) -> Prospect | None:
    """Return the combination with the smallest error within the limit, or the fewest answers."""
    if answers is None:
        enough = [p for p in prospects if 1 - p.undecided >= ENOUGH]
        return min(enough, key=lambda p: p.amount.answers, default=None)
    within = [p for p in prospects if p.amount.answers <= answers]
    return min(within, key=lambda p: (_error(components, p), p.amount.answers), default=None)


def _error(components: Components, prospect: Prospect) -> float:
    return components.error(prospect.amount.count or 0, prospect.amount.epochs or 1)
