"""The chosen rows, their grid and their designs, computed once for checks and profile."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bcompare.basis.messages import InputError, Note, arg
from bcompare.columns.direction import direction_of, is_share, no_better
from bcompare.columns.vocabulary import (
    USUAL_NAMES,
    ended_badly,
    is_about,
    plain,
    sums_up,
    sums_up_many,
    sums_up_rows,
    words_of,
)
from bcompare.data.account import Account, LeftOut, Reason
from bcompare.data.rope import BoolArray, FloatArray, IntArray
from bcompare.files.options import ReadOptions
from bcompare.files.problems import WIDTH, Problems, clipped, quoted
from bcompare.files.tables import whole_number
from bcompare.reading.absent import Reasons, with_absent
from bcompare.reading.long_table import Long
from bcompare.reading.score_grid import EpochEstimate, Grid, combine_epochs, split_epochs

NO_ERRORS = ("", "0", "-", "NA", "NaN", "nan", "None", "none", "null", "False", "false")
MOST_CASES = 1e15  # sums of larger numbers are not exact
DROPPED = ("drop-folds", "drop-datasets")
LEAST_OTHERS = 2  # test items or folds that some name may sum up
FAR = 10.0  # times as large as the scores of others: another thing


@dataclass(frozen=True, slots=True)
class FoldDesign:
    """The cross-validation design of a data set.

    runs : of cross-validation.
    least, most : the number of folds in a run.
    rho : the correlation: given, n_test / (n_train + n_test), or 1/folds; None if unknown, NaN if
        n_train and n_test are not numbers of cases.
    """

    runs: int
    least: int
    most: int
    rho: float | None

    @property
    def folds(self) -> int:
        """Folds in each run; 0 where runs differ."""
        return self.most if self.least == self.most else 0


class Survey:
    """The chosen rows with a score, by fold and classifier.

    Attributes are computed on first use.

    options : of reading.
    scored : the rows.
    account : of all rows.
    unpaired : what shows that rows of a candidate and of a gate's baseline do not belong together.
    names : what the scores are called.
    directed : whether the user says which scores are better.
    told : whether that or the names do.
    accepted : what was kept since the user accepts it, and what that is.
    """

    def __init__(self, long: Long, options: ReadOptions) -> None:
        drops = options.failed == "drop" and long.unit.has_spread and not options.baseline
        if drops and options.missing != "drop-datasets":
            options = replace(options, missing=long.unit.policy)
        if drops and long.unit.has_rho:  # folds are not asked several times
            options = replace(options, failed=None)
        self.names = names_of_scores(long, options)
        directions = {direction_of(name) for name in self.names}
        self.directed = options.lower_is_better is not None
        self.told = self.directed or directions in ({"lower"}, {"higher"})
        if not self.directed:
            options = replace(options, lower_is_better=directions == {"lower"})
        self.options = options
        self.unpaired = Problems()
        self.accepted: dict[str, str] = {}
        self.scored, self.account = _scored_only(long, self)

    def accepts(self, name: str, what: str) -> bool:
        """Return whether the user accepts what is refused otherwise, and remember it.

        name : by which it is accepted; a number in any form. what : it is, for the note.
        """
        for text in self.options.accept:
            if text == name or _as_number(text) == _as_number(name):
                self.accepted[text] = what
                return True
        return False

    def notes_on_accepted(self) -> Iterator[Note]:
        """Yield a note on what was accepted, and on what was not needed."""
        for text in self.options.accept:
            what = self.accepted.get(text, "there was nothing of that name to accept")
            yield Note("accepted", "info", f"{arg('accept', [text])}: {what}")

    @cached_property
    def answers(self) -> Grid:
        """The grid of all rows, with a row for each epoch of an item."""
        return Grid.of(self.scored)

    @property
    def epochs_apart(self) -> bool:
        """Whether each epoch of the only classifier counts as a classifier."""
        return self.options.lone and self.scored.unit.has_answers and len(self.answers.runs) > 1

    @cached_property
    def rows(self) -> Long:
        """The rows with the epochs of each item and classifier combined, or separated."""
        if not self.scored.unit.has_answers:
            return self.scored
        if self.epochs_apart:
            return split_epochs(self.scored)
        return combine_epochs(self.scored, EpochEstimate.parse(self.options.epochs))

    @cached_property
    def grid(self) -> Grid:
        """The grid of these rows."""
        return self.answers if self.rows is self.scored else Grid.of(self.rows)

    @property
    def fewer_answers(self) -> dict[str, int]:
        """The items to which each classifier has fewer answers than another."""
        if "answers" not in self.rows.numbers:
            return {}
        grid = self.grid
        counts = np.zeros(grid.table.shape, np.int64)
        counts.ravel()[grid.cell] = self.rows.numbers["answers"]
        few = grid.filled & (counts < counts.max(axis=1, keepdims=True))
        pairs = zip(grid.classifiers, few.sum(axis=0).tolist(), strict=True)
        return {name: n for name, n in pairs if n}

    @cached_property
    def designs(self) -> list[FoldDesign]:
        """The design of each data set; of other units than folds, all rows count as one run."""
        grid = self.grid
        options = self.options
        if not grid.unit.has_folds:
            counts = np.bincount(grid.dataset, minlength=len(grid.datasets)).tolist()
            return [FoldDesign(runs=1, least=n, most=n, rho=options.rho or 0.0) for n in counts]
        per_run = folds_per_run(grid.dataset, grid.run)
        designs = []
        for folds, share in zip(per_run, _test_shares(grid, self.rows), strict=True):
            least = int(folds.min())
            most = int(folds.max())
            rho = 1 / most if least == most > 1 else None
            if options.missing in DROPPED and str(options.folds) in grid.folds:
                rho = 1 / int(options.folds or 1)  # also if all classifiers lack a fold
            if options.rho is not None or share is not None:
                rho = share if options.rho is None else options.rho
            designs.append(FoldDesign(runs=len(folds), least=least, most=most, rho=rho))
        return designs


def _as_number(text: str) -> float:
    """Return the number that a text is, or NaN, which equals none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def names_of_scores(long: Long, options: ReadOptions) -> tuple[str, ...]:
    """Return what the scores are called: by their metrics, else by their column or headers."""
    roles = [role for role in ("metric", "measure") if role in long.keys]
    names = [name.partition(" of ")[0] for role in roles for name in long.keys[role].used()[0]]
    names += [
        value
        for column, operator, value in options.conditions
        if operator == "=" and plain(column) in USUAL_NAMES["metric"]
    ]
    wide = re.sub(r"\(.*\)|\\.", " ", options.wide or "").strip("_ ")
    return tuple(filter(None, names)) or (long.titles.get("score", wide),)


def has_bounds(long: Long, options: ReadOptions) -> float | None:
    """Return the largest possible score, of scores of which the least is 0; None if unknown."""
    if not options.bounded:
        return None
    score = long.numbers["score"]
    finite = score[np.isfinite(score)]
    top = 100.0 if options.percent else 1.0
    are_answers = long.unit.has_answers and np.isin(finite, (0, top)).all()
    if not (are_answers or all(map(is_share, names_of_scores(long, options)))):
        return None
    return top if ((finite >= 0) & (finite <= top)).all() else None


def score_if_failed(long: Long, options: ReadOptions) -> str | float:
    """Return how a failed trial counts without an advantage: as 0, or as the worst score seen."""
    score = long.numbers["score"]
    worst = _worst(score[np.isfinite(score)], options)
    if _is_no_better(0.0, worst, options):
        return "zero"
    return no_better(worst, lower_is_better=bool(options.lower_is_better))


def as_failed(long: Long, options: ReadOptions) -> str:
    """Return the advice to count failed trials so that failing is no advantage."""
    return f"{arg('failed', score_if_failed(long, options))} (or another score)"


def _worst(scores: FloatArray, options: ReadOptions) -> float:
    """Return the worst of some scores; 0 if there is none."""
    if not len(scores):
        return 0.0
    return float(scores.max() if options.lower_is_better else scores.min())


def _is_no_better(score: float, worst: float, options: ReadOptions) -> bool:
    return score >= worst if options.lower_is_better else score <= worst


def folds_per_run(dataset: IntArray, run: IntArray) -> list[IntArray]:
    """Return the number of folds in each run of each data set; rows are sorted by both."""
    starts = np.flatnonzero((np.diff(dataset, prepend=-1) != 0) | (np.diff(run, prepend=-1) != 0))
    counts = np.diff(starts, append=len(dataset))
    return np.split(counts, np.flatnonzero(np.diff(dataset[starts])) + 1)


def _test_shares(grid: Grid, long: Long) -> list[float | None]:
    """Return n_test / (n_train + n_test) of each data set; None if unknown.

    Folds may differ by a case, so sums are used; sums of whole numbers are exact, so that the order
    of rows does not matter. NaN for numbers that are not whole.
    """
    q = len(grid.datasets)
    if "train" not in long.numbers:
        return [None] * q
    cases = np.stack([long.numbers["train"], long.numbers["test"]])
    complete = ~np.isnan(cases).any(axis=0)
    cases = cases[:, complete]
    dataset = grid.dataset[grid.cell[complete] // len(grid.classifiers)]
    with np.errstate(invalid="ignore"):  # unreadable numbers are infinite
        whole = ((cases % 1 == 0) & (cases > 0) & (cases < MOST_CASES)).all(axis=0)
    trained, tested = np.where(whole, cases, np.nan)
    trained = np.bincount(dataset, trained, minlength=q)
    tested = np.bincount(dataset, tested, minlength=q)
    shares: list[float | None] = [None] * q
    for i in np.unique(dataset).tolist():
        shares[i] = float(tested[i] / (trained[i] + tested[i]))
    return shares


def _scored_only(long: Long, survey: Survey) -> tuple[Long, Account]:
    """Return the chosen rows with a score, and the account of all rows."""
    options = survey.options
    chosen, parts = _chosen(long, survey)
    chosen, summing_rows = _without_sums(chosen, survey)
    parts += summing_rows
    absent: Reasons = {}
    if not options.baseline:
        chosen, absent = with_absent(chosen, options)
    missing, why = _without_score(chosen, options)
    why |= {name: why.get(name, {}) | what for name, what in absent.items()}
    if options.baseline:
        from bcompare.reading.baseline import on_terms

        scores = np.where(missing, np.nan, chosen.numbers["score"])
        chosen = chosen.with_scores(scores)
        chosen, absent, beyond = on_terms(chosen, options.baseline, survey.unpaired)
        chosen, more = _without_failed_baseline(chosen, options)
        missing = np.isnan(chosen.numbers["score"])
        counts = {name: sum(what.values()) for name, what in beyond.items()}
        parts += [LeftOut("beyond", sum(counts.values()), counts, beyond)] if beyond else []
        parts += more
        why |= {name: why.get(name, {}) | what for name, what in absent.items()}
    without = chosen.by_classifier(missing)
    value, is_worst = _assumed(chosen, missing, options) if without else (None, True)
    if value is not None:
        chosen = chosen.with_scores(np.where(missing, value, chosen.numbers["score"]))
    elif without:
        parts.append(LeftOut("no-score", int(missing.sum()), without, why))
        if options.failed == "drop" and not options.baseline:  # all epochs of an answer
            answers = chosen.codes("dataset", "fold", "classifier")
            whole = np.isin(answers, answers[missing]) & ~missing
            parts += _left_out("incomplete", chosen, whole)
            missing |= whole
        chosen = chosen.chosen(~missing)
    failed: dict[str, int] = {}
    if "failed" in chosen.keys and not chosen.unit.has_answers:
        failed = chosen.by_classifier(chosen.keys["failed"].which(_is_error))
    return chosen, Account(
        read=len(long) + long.filtered,
        used=len(chosen),
        left_out=tuple(parts),
        failed=failed,
        failed_column=chosen.titles.get("failed") if failed else None,
        assumed=without if value is not None else {},
        assumed_score=value,
        assumed_is_worst=is_worst,
    )


def _chosen(long: Long, survey: Survey) -> tuple[Long, list[LeftOut]]:
    """Return the rows of the chosen classifiers and data sets, and what is left out."""
    options = survey.options
    keep = np.ones(len(long), dtype=np.bool_)
    classifiers = options.classifiers
    if options.lone:
        classifiers = (*classifiers, *long.keys["classifier"].names)[:1]
    for role, names in (("classifier", classifiers), ("dataset", options.datasets)):
        if not {*names}.isdisjoint(long.keys[role].names):  # `check_choice` refuses unknown names
            keep &= long.keys[role].which({*names}.__contains__)
    parts = [LeftOut("where", long.filtered)] if long.filtered else []
    parts += _left_out("choice", long, ~keep)
    long = long.chosen(keep)
    judges = options.judges or options.lone
    for role, summing_up in () if judges else _surely_summing(long, options):
        others = [name for name in summing_up if not survey.accepts(name, "counts as any other")]
        rows = long.keys[role].which(others.__contains__)
        parts += [replace(part, names=tuple(others)) for part in _left_out("summary", long, rows)]
        long = long.chosen(~rows)
    return _scaled(long, options), parts


def _without_sums(long: Long, survey: Survey) -> tuple[Long, list[LeftOut]]:
    """Return the rows without test items or folds that sum up others, and what is left out.

    Two or more such names, each of all classifiers, are no items; of a gate, any that all have.
    Others are refused unless they are accepted.
    """
    fold = long.keys["fold"]
    names = fold.used()[0]
    summing_names = [name for name in names if sums_up_rows(name)]
    if (
        not long.unit.has_spread
        or not summing_names
        or len(names) - len(summing_names) < LEAST_OTHERS
    ):
        return long, []
    summing_names = [
        name for name in summing_names if not survey.accepts(name, "counts as any other")
    ]
    of_all = [name for name in summing_names if _have_all(long, fold.which(name.__eq__))]
    are_sure = survey.options.judges or len(of_all) > 1
    sure = of_all if are_sure else []
    column = long.titles.get(long.unit, "")
    for name in summing_names if column else ():
        if name not in sure:
            condition = f"{column}!={name}"
            survey.unpaired.tell(
                f"column {quoted(column)} has rows called {clipped(name)}, which may sum up the "
                f"others: leave them out with {arg('where', [condition])}, or say "
                f"{arg('accept', [name])} if they do not",
            )
    rows = fold.which(sure.__contains__)
    left_out = [replace(part, names=tuple(sure)) for part in _left_out("summary", long, rows)]
    return long.chosen(~rows), left_out


def _have_all(long: Long, rows: BoolArray) -> bool:
    """Return whether all classifiers have some of these rows."""
    who = long.keys["classifier"]
    return len(np.unique(who.codes[rows])) == len(who.used()[0])


def summing(long: Long, options: ReadOptions) -> dict[str, list[str]]:
    """Return the data sets, and the classifiers of means, that may sum up or describe others.

    The one of the two that is in the rows comes first.
    """
    roles = ["dataset", "classifier"]
    if "(?P<dataset>" in (options.wide or ""):
        roles.reverse()
    tests = (sums_up_many,) if long.unit.has_spread else (sums_up, is_about)
    return {
        role: [*filter(test, long.keys[role].used()[0])]
        for role, test in zip(roles, tests, strict=False)
    }


def _surely_summing(long: Long, options: ReadOptions) -> Iterator[tuple[str, list[str]]]:
    """Yield those to leave out, by role: rows, and columns of ranks or of numbers of another size.

    None of a role that the user has chosen from.
    """
    score = np.abs(long.numbers["score"])
    for i, (role, summing_names) in enumerate(summing(long, options).items()):
        chosen = options.datasets if role == "dataset" else options.classifiers
        names, codes = long.keys[role].used()
        others = [name for name in names if name not in summing_names] if summing_names else []
        if chosen or len(others) < 2:
            continue
        sure = summing_names
        if i > 0:
            scores_of = {
                name: score[np.isfinite(score) & (codes == k)] for k, name in enumerate(names)
            }
            sizes = {name: np.median(x) if len(x) else 0.0 for name, x in scores_of.items()}
            usual = np.median([sizes[name] for name in others])
            least = usual / FAR
            most = usual * FAR
            sure = [
                n for n in summing_names if "rank" in words_of(n) or not least < sizes[n] < most
            ]
        yield role, sure


def _left_out(reason: Reason, long: Long, rows: BoolArray) -> list[LeftOut]:
    """Return the part of the account that these rows are, if there are any."""
    count = int(rows.sum())
    return [LeftOut(reason, count, long.by_classifier(rows))] if count else []


def _without_failed_baseline(long: Long, options: ReadOptions) -> tuple[Long, list[LeftOut]]:
    """Return the rows, and what is left out.

    Where trials without a score are to be dropped, those of a gate's baseline are, for all.
    """
    failed = long.of(options.baseline) & np.isnan(long.numbers["score"])
    if options.failed != "drop" or not failed.any():
        return long, []
    if long.unit.has_answers:  # all epochs of an item
        trials = long.codes("dataset", "fold")
    else:
        trials = long.codes("dataset", "fold", "run")
    gone = np.isin(trials, trials[failed])
    parts = _left_out("no-score", long, failed) + _left_out("incomplete", long, gone & ~failed)
    return long.chosen(~gone), parts


def _scaled(long: Long, options: ReadOptions) -> Long:
    """Return the rows with the scores of some classifiers multiplied."""
    factors = {name: factor for name, factor in options.scale.items() if factor != 1}
    if not factors:
        return long
    who = long.keys["classifier"]
    factor = np.array([factors.get(name, 1.0) for name in who.names])[who.codes]
    return long.with_scores(long.numbers["score"] * factor)


def _is_error(cell: str) -> bool:
    return whole_number(cell) not in NO_ERRORS


def _without_score(long: Long, options: ReadOptions) -> tuple[BoolArray, dict[str, dict[str, int]]]:
    """Return the (n,) trials without a score, and the reasons in the file by classifier.

    A trial that ended in an error has no score, and a run that crashed has none, whatever the file
    has instead; a wrong answer is none of these. In a gate neither has a fit that failed.
    """
    missing = np.isnan(long.numbers["score"])
    why: dict[str, dict[str, int]] = {}
    roles = ["state"]
    if long.unit.has_answers or options.judges:
        roles.append("failed")
    for role in filter(long.keys.__contains__, roles):
        errors = long.keys[role]
        if role == "state":
            errors = errors.renamed(lambda state: state if ended_badly(state) else "")
        failed = errors.which(_is_error)
        if role == "state" and long.unit.has_answers:
            failed &= long.numbers["score"] != (1.0 if options.lower_is_better else 0.0)
        reasons = errors.renamed(_reason)
        for k, name in enumerate(reasons.names):
            rows = (missing | failed) & (reasons.codes == k)
            for classifier, n in long.by_classifier(rows).items() if name else ():
                why.setdefault(classifier, {})[name] = n
        missing = missing | failed
    return missing, why


def _reason(error: str) -> str:
    """Return an error in a few words."""
    line = error.strip().partition("\n")[0] if _is_error(error) else ""
    return clipped(line[:WIDTH])


def _assumed(long: Long, missing: BoolArray, options: ReadOptions) -> tuple[float | None, bool]:
    """Return the score to assume for trials without one, and whether no score can be worse.

    None if they are not used. The worst and the best are known of answers that are right or wrong,
    and of shares: the ends of [0, 1], of percentages of [0, 100].

    Raises
    ------
    InputError : bounds of other scores; zero, where it is better than some score.
    """
    scored = long.numbers["score"][~missing]
    scored = scored[np.isfinite(scored)]  # what is no number is told elsewhere
    if not len(scored):
        return None, True
    worst = _worst(scored, options)
    as_bad = no_better(worst, lower_is_better=bool(options.lower_is_better))
    if options.failed in ("worst", "best"):
        top = has_bounds(long, options)
        if top is None:
            raise InputError(
                f"{arg('failed', 'bounds')}: the least and the largest possible score are known "
                "only for right-or-wrong answers and for shares such as accuracy or recall: give "
                f"the score of a trial that failed, such as {arg('failed', as_bad)} or a worse one"
            )
        return (top if (options.failed == "best") != options.lower_is_better else 0.0), True
    if options.failed != "zero" and not isinstance(options.failed, int | float):
        return None, True
    value = 0.0 if options.failed == "zero" else float(options.failed)
    is_worst = _is_no_better(value, worst, options)
    if options.failed == "zero" and not is_worst:
        better = "lower" if options.lower_is_better else "higher"
        raise InputError(
            f"{arg('failed', 'zero')} would make a failed trial better than others ({better} is "
            f"better, and the worst score is {worst:g}): give the score of such a trial, "
            f"{arg('failed', as_bad)} or a worse one"
        )
    return value, is_worst
