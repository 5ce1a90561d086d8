"""Every message of the reading room: what is wrong, where, and what to do about it.

A `Kind` is a problem that a file may have many times; the functions below it make the messages
that come once.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bcompare.basis.arguments import arg
from bcompare.data.account import by_classifier
from bcompare.data.units import ROWS, Unit
from bcompare.reading.presets import is_loss
from bcompare.reading.words import WIDTH, clipped, named, nearest, number, quoted


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its text, with the place and the particulars to fill in, and advice."""

    text: str
    advice: str


RAGGED = Kind(
    "{place}: {0}, but the header has {1}",
    "make every row as long as the header (a name that holds the separator needs quotes)",
)
BAD_QUOTES = Kind(
    "{place}: a quote that is not closed or not doubled",
    'close the quote; a quote inside quotes is written twice, as in "5"" disk"',
)
HUGE_FIELD = Kind(
    "{place}: a field of more than 16 million characters",
    "is there a quote that is not closed?",
)
NUL = Kind(
    "{place}, column {0}: a NUL byte",
    "the file is damaged or not text: export it again as CSV",
)
ENCODING = Kind(
    "{place}, column {0}: {1} is not UTF-8 text",
    "save the file as UTF-8, for example: iconv -f latin1 -t utf-8 OLD.csv > NEW.csv",
)
EMPTY_NAME = Kind(
    "{place}, column {0}: empty",
    "every row needs a name there",
)
EMPTY_SCORE = Kind(
    "{place}, column {0}: empty",
    f"fill it in, or say {arg('na', '')} to count empty scores as missing",
)
MARKER = Kind(
    "{place}, column {0}: {1} is no score",
    f"fill it in, or name that text with {arg('na')} to count such scores as missing",
)
NOT_FINITE = Kind(
    "{place}, column {0}: {1} is not a finite number",
    "correct it or delete the row",
)
DECIMAL_COMMA = Kind(
    "{place}, column {0}: {1} has a decimal comma",
    f"say {arg('decimal', ',')}",
)
DECIMAL_POINT = Kind(
    "{place}, column {0}: {1} has a decimal point among decimal commas",
    f"say {arg('decimal', '.')} if points are right",
)
PERCENT_SIGN = Kind(
    "{place}, column {0}: {1} has a percent sign",
    f"remove it and say {arg('percent', True)}",
)
NOT_A_NUMBER = Kind(
    "{place}, column {0}: {1} is not a number",
    f"correct it, or name the right column ({arg('score_col')}, {arg('prefer')})",
)
ONE_CELL = {
    EMPTY_SCORE,
    MARKER,
    NOT_FINITE,
    DECIMAL_COMMA,
    DECIMAL_POINT,
    PERCENT_SIGN,
    NOT_A_NUMBER,
}
"""With these, the row's names can still be read."""

DUPLICATE = Kind(
    "{0}: two scores, {1} and {2}; {3}",
    "keep one row for each data set, run, fold and classifier; if a column tells such rows apart, "
    f"name it with {arg('dataset_col')}, {arg('run_col')} or {arg('fold_col')}, or choose rows "
    f"with {arg('where')}",
)
DUPLICATE_ITEM = Kind(
    "{0}: two scores, {1} and {2}; {3}",
    "keep one row for each data set, item and classifier; if an item was asked several times, name "
    f"the column that counts its epochs with {arg('epoch_col')}, else choose rows with "
    f"{arg('where')}",
)
DUPLICATE_SEED = Kind(
    "{0}: two scores, {1} and {2}; {3}",
    "keep one row for each data set, seed and classifier; if every seed has several folds, name "
    f"the columns with {arg('run_col')} and {arg('fold_col')} instead of {arg('seed_col')}, else "
    "choose rows with "
    f"{arg('where')}",
)
DUPLICATE_MEAN = Kind(
    "{0}: two scores, {1} and {2}; {3}",
    "without a column of folds there can be one score, a mean, for each data set and classifier; "
    f"name the column that tells such rows apart with {arg('fold_col')}, with {arg('seed_col')} "
    "for seeds on a "
    f"fixed split or with {arg('item_col')} for test items, or choose rows with {arg('where')}",
)
DUPLICATES: dict[Unit, Kind] = {
    "fold": DUPLICATE,
    "seed": DUPLICATE_SEED,
    "item": DUPLICATE_ITEM,
    "mean": DUPLICATE_MEAN,
}
MISSING_ITEMS = Kind(
    "data set {0}: {1} lack an answer, and {2} only one classifier answered: {3}",
    "add what is missing, or compare on the items that all answered with "
    f"{arg('missing', 'drop-items')}",
)
CLUSTERS = Kind(
    "{0}: in the clusters {1}",
    f"an item belongs to one cluster: correct the column of {arg('cluster_col')}, or give items "
    "that are "
    "not the same different keys",
)
GAP = Kind(
    "{0}: no score of {1}, but one of {2}",
    f"add what is missing, or leave out what is incomplete with {arg('missing', 'drop-folds')} or "
    f"{arg('missing', 'drop-datasets')}",
)
ABSENT = Kind(
    "data set {0}: no scores of {1}",
    f"{arg('missing', 'refuse')} asks for every data set of every classifier: add what is missing, "
    "leave such "
    f"data sets out with {arg('missing', 'drop-datasets')}, or drop {arg('missing')} to compare "
    "each pair on what "
    "both have",
)
UNPAIRED = Kind(
    "data set {0}: {1} and {2} have no fold in common ({1} has {3}, {2} has {4})",
    "these results are unpaired: both classifiers must be tested on the same folds of the same "
    "runs, under the same names",
)
TOO_FEW = Kind(
    "data set {0}: only {1} of each classifier",
    "at least 3 are needed: add runs or folds, or name the data sets to use with "
    f"{arg('datasets')}",
)
LIKE_ITEMS = Kind(
    "data set {0}: {1}",
    "these look like test items, not folds; say {item} if they are, {seed} if they are "
    f"independent runs on one split (ρ 0), or {arg('rho')} with the share of test cases, such as "
    f"{arg('rho', 0.1)}, if they are folds of cross-validation",
)
COUNTED = Kind(
    "data set {0}: {1} rows of each classifier, numbered by column {2}",
    "such a column rarely counts the folds of one cross-validation; say {readings}",
)
TOO_FEW_ITERATIONS = Kind(
    f"data set {{0}}: {{1}}, but a run has {{2}} folds by {arg('folds')}",
    f"give {arg('folds')} the number of folds in one run; if this is no cross-validation say, "
    "instead of "
    f"{arg('iteration_col')} and {arg('folds')}, {{readings}}",
)
TOO_FEW_ITEMS = Kind(
    "data set {0}: only {1} that all classifiers answered",
    f"at least 3 are needed: add items, or name the data sets to use with {arg('datasets')}",
)
ROW_NOUNS: dict[Unit, str] = {"fold": "score", "seed": "score", "item": "item", "mean": "mean"}
_GIVE_RHO = (
    "the correlation of the scores is known to be 1/folds only where all runs have the same "
    f"number of folds, at least two; else give it with {arg('rho')}: the share of test cases in "
    "all cases "
    "(0.1 for tenfold cross-validation), or 0 for independent scores such as seeds on one fixed "
    "split"
)
ONE_FOLD = Kind(
    "data set {0}: {1} of one fold",
    f"say {{seed}} if they are independent runs on one split (ρ 0), or {arg('rho', 0.1)} if every "
    "run splits "
    "the data anew (0.1 stands for the share of test cases)",
)
UNEQUAL_RUNS = Kind("data set {0}: runs of {1} to {2} folds", _GIVE_RHO)
SPLIT = Kind(
    f"{{place}}: {{0}} does not fit {arg('split')} {{1}}, or a group of it is empty",
    "the expression must fit every cell as a whole",
)
ITERATION = Kind(
    "{place}: iteration {0} is not a whole number of at most 15 digits",
    "iterations are counted from 0 or 1 through all runs",
)
TOO_LARGE = Kind(
    "{0} of classifier {1} of the size of 1e+140 or more",
    "too large to compute with: write them in another unit, or correct them",
)
COST = Kind(
    "classifier {0}: a cost that is missing or not a number",
    f"a preference needs a number in every row; name another column with {arg('prefer')}",
)
SIZES = Kind(
    "data set {0}: n_train and n_test are not whole numbers of cases",
    f"correct them, or give the correlation with {arg('rho')}",
)
UNKNOWN_CLASSIFIER = Kind("there is no classifier {0}{1}", "the results have {2}")
UNKNOWN_DATASET = Kind("there is no data set {0}{1}", "the results have {2}")


def _meant(name: str, names: Sequence[str]) -> str:
    guess = nearest(name[:WIDTH], [n[:WIDTH] for n in names[:1000]])
    return f"; did you mean {clipped(guess)}?" if guess else ""


def unknown(kind: Kind, name: str, names: Sequence[str]) -> str:
    """A classifier or data set that was asked for and is not there."""
    text = kind.text.format(clipped(name), _meant(name, names))
    return f"{text}; {kind.advice.format(None, None, named(names))}"


def no_rows(files: Sequence[str]) -> str:
    """A header only."""
    where = ", ".join(files) or "the results"
    return f"{where}: a header but no rows; a row is needed for each score"


# The results as a whole


def all_missing() -> str:
    """No score is there."""
    return (
        f"every score is missing: is the right column named with {arg('score_col')}, and "
        f"{arg('na')} right?"
    )


def no_scores(read: int, counts: Mapping[str, int], unit: Unit) -> str:
    """Rows without a score, and nobody said what to do about them."""
    policy, what = {
        "item": ("drop-items", "items"), "mean": ("drop-datasets", "data sets"),
    }.get(unit, ("drop-folds", "folds"))  # fmt: skip
    more = (
        ""
        if unit == "mean"
        else f", or {arg('missing', 'drop-datasets')} to leave out whole data sets"
    )
    who = by_classifier({clipped(name): n for name, n in counts.items()})
    return (
        f"{sum(counts.values()):,} of {number(read, 'row')} without a score: {who}; add what is "
        f"missing, or say {arg('missing', policy)} to compare on the {what} of which all have a "
        f"score{more}"
    )


def fewer_than_two(names: Sequence[str]) -> str:
    """Nothing to compare."""
    return (
        f"the results have {'one classifier, ' + clipped(names[0]) if names else 'no classifier'}; "
        "two are needed to compare. Several files are read as one table: "
        "old=base.csv new=changed.csv"
    )


def too_sparse(classifiers: int, folds: int, rows: int) -> str:
    """A table that would hold next to nothing."""
    return (
        f"{classifiers:,} classifiers and {folds:,} folds, but only {rows:,} scores: hardly any "
        f"fold has two of them; is the right column named with {arg('classifier_col')} and "
        f"{arg('fold_col')}?"
    )


def nothing_left() -> str:
    """All was dropped."""
    return (
        f"{arg('missing', 'drop-datasets')} leaves nothing: every data set lacks scores; complete "
        "the "
        f"results, say {arg('missing', 'drop-folds')}, or choose classifiers with "
        f"{arg('classifiers')}"
    )


def no_common_dataset(classifiers: Sequence[str]) -> str:
    """Every classifier was tested on data sets of its own."""
    return (
        f"no data set has scores of two classifiers ({named(classifiers)}): these results are "
        "unpaired; test both on the same data sets, under the same names"
    )


def metric_of_some(column: str, others: Sequence[str]) -> str:
    """Scores that are another metric where a column is empty."""
    lower = {name: f" {arg('lower_is_better', True)}" if is_loss(name) else "" for name in others}
    choices = " or ".join(f"{arg('score_col', name)}{lower[name]}" for name in others)
    return (
        f"the scores are {column} where column {quoted(column)} has one, and another metric where "
        f"it is empty; choose one for all: {choices}"
    )


def several_metrics(column: str, counts: Mapping[str, int]) -> str:
    """Scores of several metrics under each other, which no test may mix."""
    first = next((name for name in counts if not is_loss(name)), next(iter(counts)))
    lower = f" {arg('lower_is_better', True)}" if is_loss(first) else ""
    found = ", ".join(f"{clipped(name)} ({number(n, 'row')})" for name, n in counts.items())
    both = "|".join(map(re.escape, list(counts)[:2]))
    return (
        f"column {quoted(column)} says that the scores are of several metrics: {found}; choose "
        f"one, such as {arg('where', [f'{column}={first}'])}{lower}, or name those that are on "
        f"one scale, such as {arg('where', [f'{column}~^({both})$'])}"
    )


def differing(one: dict[str, str], other: dict[str, str]) -> str:
    """In which columns two rows of one key differ."""
    columns = [name for name in one if one[name] != other.get(name)]
    if not columns:
        return "the rows are equal"
    return f"the rows differ in {named(columns)}"


def no_rho(unit: Unit) -> str:
    """A correlation for rows that have none."""
    return f"{arg('rho')} is the correlation of folds, and rows are {ROWS[unit]}; drop it"


def not_to_drop(policy: str, unit: Unit) -> str:
    """A policy for rows of another unit."""
    what = {"item": "drop-items", "mean": "drop-datasets"}.get(unit, "drop-folds")
    return f"{arg('missing', policy)}: rows are {ROWS[unit]}; say {arg('missing', what)}"


# scikit-learn

FAILED_FIT = Kind(
    "{0}: no score on split {1}",
    "the fit failed: see the warnings of scikit-learn, and leave that model out or mend it",
)
FOLDS_NOT_KNOWN = (
    "cv_results_ does not tell how many folds a run of cross-validation had: give the search "
    "itself, or folds=, such as folds=10 for ten times tenfold cross-validation"
)


def not_fitted(name: str) -> str:
    """A search without results."""
    return f"this {name} has no cv_results_: call its fit first"


def no_metric(metric: str, found: Sequence[str]) -> str:
    """Scores of other metrics only."""
    there = f"there are {named(found)}" if found else "there are no test scores at all"
    return f"no test scores of the metric {metric!r}: {there}; choose with metric="


def bad_candidate_names(candidates: int, names: Sequence[str]) -> str:
    """Names that do not tell the candidates apart."""
    return (
        f"{candidates} candidates, but the names {named(names)} do not tell them apart; give "
        "a different name for each with names="
    )


def not_cross_validation(splitter: str) -> str:
    """Splits whose correlation is not 1/folds."""
    return (
        f"the splits of a {splitter} are no cross-validation, so the correlation of the scores is "
        "not 1/folds: give it as rho=, the share of test cases in all cases"
    )


ONE_CROSS_VALIDATION = (
    "these are the results of one cross_validate alone: give those of each classifier by its name, "
    "such as from_cross_validate({'tree': cross_validate(…), 'forest': cross_validate(…)})"
)


def no_cost(column: str, found: Sequence[str]) -> str:
    """There is no such column in the results of a search."""
    return f"there is no {column} in the results of the search, which have {', '.join(found)}"


def cost_not_numbers(column: str) -> str:
    """A column that cannot break ties."""
    return f"{column} does not hold numbers only: name another column to prefer by"
