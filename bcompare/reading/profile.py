"""A profile of results, also of those that fail the checks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import InputError, Note, Record, arg
from bcompare.basis.showable import Showable
from bcompare.data.account import Account
from bcompare.data.assumed_rope import has_usual_rope
from bcompare.data.rope import DEFAULT_ROPE, LARGEST, BoolArray, FloatArray, IntArray, Rope
from bcompare.data.scales import look_like_percentages, scale_notes
from bcompare.data.scores import Scores
from bcompare.data.units import Unit
from bcompare.files.options import ReadOptions
from bcompare.files.presets import MEANS
from bcompare.files.problems import Problems
from bcompare.files.sources import Readable
from bcompare.files.tables import distinct
from bcompare.reading.asking import columns_in
from bcompare.reading.chosen_rows import Survey
from bcompare.reading.long_table import Long
from bcompare.reading.read import made_of
from bcompare.reading.score_grid import clusters_of
from bcompare.reading.sides import notes_on_groups
from bcompare.reading.task import Task
from bcompare.reading.to_scores import LEAST_SCORES
from bcompare.reading.weights import note_on_ratio

DECIMALS = 12  # relative to the scores: smaller deviations count as equal


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Profile(Showable):
    """The content of some files.

    Attributes
    ----------
    files : as the user named them.
    rows : scores that could be read.
    classifiers : names in the order of their first appearance.
    datasets : names of q of them, in the order of first appearance.
    counts : (q, c) the number of folds of each classifier on each data set.
    columns : (q,) columns: splits, the number of folds in all runs, over all classifiers; runs of
        cross-validation and folds in each, 0 where runs differ; rho, the correlation that the tests
        would use; low and high, the extreme scores as in the file (percentages divided); and
        comparable, whether two classifiers have enough folds in common. NaN where unknown.
    gaps : dataset, run and fold that the classifiers in lacking lack, though they have others.
    duplicates : the number of superfluous scores for a data set, run, fold and classifier.
    constant : dataset, left and right whose difference right - left is the same on all folds.
    lower_is_better : whether the options say so.
    account : of the rows; if the tests cannot run, without what --missing leaves out.
    error : why the tests cannot run; None if they can.
    notes : warnings about the input.
    unit : of the rows. taken_for : a sentence on the unit and the reason for it, with arguments in
        both spellings.
    metrics : metric → data sets, if the file says so.
    answers_an_item : the mean number of epochs; 0 of other units than test items.
    clusters : of test items; 0 where there are none. scores : checked; None if there is an error.
    rope : that is assumed if none is given; None if it must be said.
    """

    files: tuple[str, ...]
    rows: int
    classifiers: tuple[str, ...]
    datasets: tuple[str, ...]
    counts: IntArray
    columns: Mapping[str, NDArray[Any]]
    gaps: tuple[Record, ...]
    duplicates: int
    constant: tuple[Record, ...]
    lower_is_better: bool
    account: Account
    error: InputError | None
    notes: tuple[Note, ...]
    unit: Unit
    taken_for: str
    metrics: Mapping[str, tuple[str, ...]]
    answers_an_item: float
    clusters: int
    scores: Scores | None
    rope: Rope | None

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems with which the tests would fail; empty if they can run."""
        return () if self.error is None else self.error.problems

    @property
    def comparable(self) -> tuple[str, ...]:
        """The data sets on which at least two classifiers can be compared."""
        pairs = zip(self.datasets, self.columns["comparable"].tolist(), strict=True)
        return tuple(name for name, comparable in pairs if comparable)


def profile_results(
    *results: Readable, options: ReadOptions | None = None, **overrides: object
) -> Profile:
    """Return a profile of the files; arguments as for `read_scores`.

    Raises
    ------
    InputError : if a file cannot be read at all, has no rows, or lacks columns; where its header
        is that of a known program, the message says with which options it can be read.

    Examples
    --------
    >>> import bcompare
    >>> profile = bcompare.profile_results("sample_data/results.csv")
    >>> len(profile.datasets), profile.problems
    (25, ())
    """
    task, long, chosen, scores = made_of(Task.of(results, options, **overrides), _read)
    files = task.files
    problem: InputError | None = None
    rope: Rope | None = None
    notes = long.notes
    survey = Survey(long, chosen)
    account = survey.account
    try:
        scores = scores or task.checked(long, chosen)
        account = scores.account
        usual = Rope.symmetric(DEFAULT_ROPE)
        rope = usual if has_usual_rope(scores) else None
        is_spoken_of = rope is not None or look_like_percentages(scores)
        scale = scale_notes(scores, usual if is_spoken_of else Rope(0.0, 0.0))
        groups = () if task.assumed else notes_on_groups(survey.scored)
        ratio = _on_ratio(task, long, chosen)
        notes = (*scores.notes, *groups, *ratio, *account.notes(), *scale)
    except InputError as error:
        problem = error
        if not len(survey.scored):
            raise
    grid = survey.grid
    starts = survey.grid.starts
    readable = np.isfinite(survey.rows.numbers["score"])
    scored = np.zeros_like(grid.filled)
    scored.flat[grid.cell[readable]] = True
    tables = np.split(grid.table / 100 if chosen.percent else grid.table, starts[1:])
    filled = np.split(grid.filled, starts[1:])
    constant: list[Record] = []
    for name, table, has in zip(grid.datasets, tables, filled, strict=True):
        constant += _constant(grid.classifiers, name, table, has)
    cluster = clusters_of(grid, survey.rows, Problems())
    gaps: list[Record] = []
    for row in np.flatnonzero(grid.incomplete):
        lacking = [grid.classifiers[k] for k in np.flatnonzero(grid.gaps[row])]
        dataset = grid.datasets[grid.dataset[row]]
        run = grid.runs[grid.run[row]]
        fold = grid.folds[grid.fold[row]]
        gaps.append({"dataset": dataset, "run": run, "fold": fold, "lacking": lacking})
    answers_an_item = len(survey.scored) / len(survey.rows) if grid.unit.has_answers else 0.0
    return Profile(
        files=files,
        rows=int(readable.sum()),
        classifiers=grid.classifiers,
        datasets=grid.datasets,
        counts=np.add.reduceat(scored, starts, dtype=np.int64),
        columns=_columns(survey, tables, filled),
        gaps=tuple(gaps),
        duplicates=int(readable.sum() - scored.sum()),
        constant=tuple(constant),
        lower_is_better=bool(survey.options.lower_is_better),
        account=account,
        error=problem,
        notes=notes,
        unit=grid.unit,
        taken_for=_taken_for(grid.unit, chosen),
        metrics=_metrics(survey),
        answers_an_item=answers_an_item,
        clusters=0 if cluster is None else len(np.unique(cluster)),
        scores=scores,
        rope=rope,
    )


def _read(task: Task) -> tuple[Task, Long, ReadOptions, Scores | None]:
    """Return the task and the long table; checked, too, where names decide how it is read."""
    long, chosen = task.long()
    return task, long, chosen, task.checked(long, chosen) if task.assumed else None


def _on_ratio(task: Task, long: Long, options: ReadOptions) -> list[Note]:
    """Return what the mean of items means, where their scores are a ratio of other columns."""
    score = long.titles.get("score")
    if score is None or not long.unit.has_answers or options.weight_col is not None:
        return []
    note = note_on_ratio(columns_in(task, task.tables()), score)
    return [] if note is None else [note]


def _metrics(survey: Survey) -> dict[str, tuple[str, ...]]:
    """Return the data sets of each metric, by the column of metrics."""
    long = survey.scored
    if "measure" not in long.keys:
        title = long.titles.get("score", "score")
        return {} if title == "score" else {title: ()}
    measure = long.keys["measure"]
    dataset = long.keys["dataset"]
    pairs, _ = distinct(measure.codes, dataset.codes, len(dataset.names))
    metrics: dict[str, tuple[str, ...]] = {}
    for metric, name in (divmod(pair, len(dataset.names)) for pair in pairs.tolist()):
        metric_name = measure.names[metric]
        metrics[metric_name] = (*metrics.get(metric_name, ()), dataset.names[name])
    return metrics


def _columns(
    survey: Survey, tables: Sequence[FloatArray], filled: Sequence[BoolArray]
) -> dict[str, NDArray[Any]]:
    """Return the columns of a profile; `tables` and `filled` are (n, c), for each data set."""
    designs = survey.designs
    least = survey.grid.unit.fewest
    low = []
    high = []
    comparable = []
    for table, has in zip(tables, filled, strict=True):
        scores = table[np.isfinite(table)]
        low.append(scores.min() if len(scores) else np.nan)
        high.append(scores.max() if len(scores) else np.nan)
        in_common = has.astype(np.int64).T @ has
        comparable.append((np.triu(in_common, 1) >= least).any())
    return {
        "splits": np.array([*map(len, tables)]),
        "runs": np.array([design.runs for design in designs]),
        "folds": np.array([design.folds for design in designs]),
        "rho": np.array([design.rho for design in designs], dtype=np.float64),
        "low": np.array(low),
        "high": np.array(high),
        "comparable": np.array(comparable),
    }


def _constant(
    classifiers: Sequence[str], dataset: str, table: FloatArray, filled: BoolArray
) -> list[Record]:
    """Return the pairs with a constant difference on the folds that all classifiers have.

    Their scores agree after subtraction of the first fold's, up to rounding.
    """
    present = np.flatnonzero(filled.any(axis=0))
    scores = table[:, present]
    scores = scores[(np.abs(scores) < LARGEST).all(axis=1)]
    if len(scores) < LEAST_SCORES:
        return []
    scale = 10.0 ** np.ceil(np.log10(max(float(np.abs(scores).max()), 1e-300)))
    shapes = np.round((scores - scores[0]) / scale, DECIMALS) + 0.0
    alike: dict[bytes, list[int]] = {}
    for column, shape in enumerate(shapes.T):
        alike.setdefault(shape.tobytes(), []).append(column)
    pairs: list[Record] = []
    for columns in alike.values():
        for i, j in combinations(columns, 2):
            left = classifiers[present[i]]
            right = classifiers[present[j]]
            rounded = np.round((scores[0, j] - scores[0, i]) / scale, DECIMALS)
            difference = float(rounded * scale)
            pairs.append(
                {"dataset": dataset, "left": left, "right": right, "difference": difference}
            )
    return pairs


def _taken_for(unit: Unit, options: ReadOptions) -> str:
    """Return a sentence on the unit of the rows and the reason for it."""
    return f"Rows are read as {unit.rows}: {_why_taken_for(unit, options)}"


def _why_taken_for(unit: Unit, options: ReadOptions) -> str:
    """Return the reason for the unit of the rows."""
    if unit.has_folds:
        return (
            "by the columns of runs and folds; for test items or seeds say "
            f"{arg('item_col')} or {arg('seed_col')}"
        )
    if options.preset is not None and (unit.has_spread or options.preset == MEANS):
        return f"by {arg('preset', options.preset)}"
    if not unit.has_spread:
        return "there is one score per data set and classifier, and no column of runs or folds"
    column = options.columns.get(unit)
    if unit.is_unpaired:
        return "as counts" if options.successes_col is not None else f"by {arg('unpaired', True)}"
    return f"{arg(f'{unit}_col', column)}" if column else f"by the group '{unit}' of the expression"
