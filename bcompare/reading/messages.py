"""Every message of the reading room: what is wrong, where, and what to do about it.

A `Kind` is a problem that a file may have many times; the functions below it make the messages
that come once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bcompare.reading.words import WIDTH, clipped, named, nearest, quoted
from bcompare.units import ROWS, Unit


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
    "fill it in, or say --na '' to count empty scores as missing",
)
MARKER = Kind(
    "{place}, column {0}: {1} is no score",
    "fill it in, or name that text with --na to count such scores as missing",
)
NOT_FINITE = Kind(
    "{place}, column {0}: {1} is not a finite number",
    "correct it or delete the row",
)
DECIMAL_COMMA = Kind(
    "{place}, column {0}: {1} has a decimal comma",
    "say --decimal ,",
)
DECIMAL_POINT = Kind(
    "{place}, column {0}: {1} has a decimal point among decimal commas",
    "say --decimal . if points are right",
)
PERCENT_SIGN = Kind(
    "{place}, column {0}: {1} has a percent sign",
    "remove it and say --percent",
)
NOT_A_NUMBER = Kind(
    "{place}, column {0}: {1} is not a number",
    "correct it, or name the right column (--score-col, --prefer)",
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
    "name it with --dataset-col, --run-col or --fold-col, or choose rows with --where",
)
DUPLICATE_ITEM = Kind(
    "{0}: two scores, {1} and {2}; {3}",
    "keep one row for each data set, item and classifier; if an item was asked several times, name "
    "the column that counts its epochs with --epoch-col, else choose rows with --where",
)
DUPLICATE_SEED = Kind(
    "{0}: two scores, {1} and {2}; {3}",
    "keep one row for each data set, seed and classifier; if every seed has several folds, name "
    "the columns with --run-col and --fold-col instead of --seed-col, else choose rows with "
    "--where",
)
DUPLICATE_MEAN = Kind(
    "{0}: two scores, {1} and {2}; {3}",
    "without a column of folds there can be one score, a mean, for each data set and classifier; "
    "name the column that tells such rows apart with --fold-col, with --seed-col for seeds on a "
    "fixed split or with --item-col for test items, or choose rows with --where",
)
DUPLICATES: dict[Unit, Kind] = {
    "fold": DUPLICATE,
    "seed": DUPLICATE_SEED,
    "item": DUPLICATE_ITEM,
    "mean": DUPLICATE_MEAN,
}
MISSING_ITEMS = Kind(
    "data set {0}: {1} lack an answer, and {2} only one classifier answered: {3}",
    "add what is missing, or compare on the items that all answered with --missing drop-items",
)
CLUSTERS = Kind(
    "{0}: in the clusters {1}",
    "an item belongs to one cluster: correct the column of --cluster-col, or give items that are "
    "not the same different keys",
)
GAP = Kind(
    "{0}: no score of {1}, but one of {2}",
    "add what is missing, or leave out what is incomplete with --missing drop-folds or "
    "--missing drop-datasets",
)
UNPAIRED = Kind(
    "data set {0}: {1} and {2} have no fold in common ({1} has {3}, {2} has {4})",
    "these results are unpaired: both classifiers must be tested on the same folds of the same "
    "runs, under the same names",
)
TOO_FEW = Kind(
    "data set {0}: only {1} of each classifier",
    "at least 3 are needed: add runs or folds, or name the data sets to use with --dataset",
)
LIKE_ITEMS = Kind(
    "data set {0}: {1}",
    "these look like test items, not folds; say --item-col {fold} if they are, or --rho with the "
    "share of test cases, such as --rho 0.1, if they are folds of cross-validation",
)
TOO_FEW_ITEMS = Kind(
    "data set {0}: only {1} that all classifiers answered",
    "at least 3 are needed: add items, or name the data sets to use with --dataset",
)
ROW_NOUNS: dict[Unit, str] = {"fold": "score", "seed": "score", "item": "item", "mean": "mean"}
_GIVE_RHO = (
    "the correlation of the scores is known to be 1/folds only where all runs have the same "
    "number of folds, at least two; else give it with --rho: the share of test cases in all cases "
    "(0.1 for tenfold cross-validation), or 0 for independent scores such as seeds on one fixed "
    "split"
)
ONE_FOLD = Kind("data set {0}: {1} of one fold", _GIVE_RHO)
UNEQUAL_RUNS = Kind("data set {0}: runs of {1} to {2} folds", _GIVE_RHO)
SPLIT = Kind(
    "{place}: {0} does not fit --split {1}, or a group of it is empty",
    "the expression must fit every cell as a whole",
)
ITERATION = Kind(
    "{place}: iteration {0} is not a whole number of at most 15 digits",
    "iterations are counted from 0 or 1 through all runs",
)
COST = Kind(
    "classifier {0}: a cost that is missing or not a number",
    "a preference needs a number in every row; name another column with --prefer",
)
SIZES = Kind(
    "data set {0}: n_train and n_test are not whole numbers of cases",
    "correct them, or give the correlation with --rho",
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
    return "every score is missing: is the right column named with --score-col, and --na right?"


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
        "fold has two of them; is the right column named with --classifier-col and --fold-col?"
    )


def nothing_left() -> str:
    """All was dropped."""
    return (
        "--missing drop-datasets leaves nothing: every data set lacks scores; complete the "
        "results, say --missing drop-folds, or choose classifiers with --classifier"
    )


def no_common_dataset(classifiers: Sequence[str]) -> str:
    """Every classifier was tested on data sets of its own."""
    return (
        f"no data set has scores of two classifiers ({named(classifiers)}): these results are "
        "unpaired; test both on the same data sets, under the same names"
    )


def differing(one: dict[str, str], other: dict[str, str]) -> str:
    """In which columns two rows of one key differ."""
    columns = [name for name in one if one[name] != other.get(name)]
    if not columns:
        return "the rows are equal"
    return f"the rows differ in {named(columns)}"


def few_rows(datasets: str, unit: Unit) -> str:
    """A note: a verdict is hardly ever reached."""
    rows, remedy = {
        "fold": ("scores", "repeat the cross-validation"),
        "seed": ("scores", "add seeds"),
        "item": ("items, or clusters of them,", "add items"),
    }[unit]
    return (
        f"fewer than 10 {rows} of each classifier on {datasets}: hardly enough for a verdict; "
        f"{remedy}"
    )


FIXED_SPLIT = (
    "rows are seeds on one fixed split (ρ 0): what another split of the data would change is not "
    "covered. If it changes a model's score as much as a seed does, equal models differ with "
    "p < 0.05 in 21 % of cases at 5 seeds, in 38 % at 10 and in 61 % at 30"
)


def summary_rows(names: Sequence[str]) -> str:
    """A note: rows of a table of means that sum up the others."""
    return (
        f"{named(names)} counts as a data set; if it sums up the others, leave it out with "
        f"--where 'COLUMN!={clipped(names[0])}', where COLUMN is that of the data sets"
    )


def no_rho(unit: Unit) -> str:
    """A correlation for rows that have none."""
    return f"--rho is the correlation of folds, and rows are {ROWS[unit]}; drop it"


def not_to_drop(policy: str, unit: Unit) -> str:
    """A policy for rows of another unit."""
    what = {"item": "drop-items", "mean": "drop-datasets"}.get(unit, "drop-folds")
    return f"--missing {policy}: rows are {ROWS[unit]}; say --missing {what}"


def fractions(largest: float) -> str:
    """A note: --percent for scores that are none."""
    return (
        f"--percent divides the scores by 100, but the largest in the file is {largest:g}: are "
        "they fractions already?"
    )


def understood(title: str, separator: str | None, decimal: str | None) -> str:
    """A note: what was found out about a file's dialect."""
    found = [f"the separator {separator}"] if separator else []
    found += [f"the decimal mark {decimal}"] if decimal else []
    return f"{title}: read with {' and '.join(found)}; if that is wrong, say --sep or --decimal"


def other_case(title: str, taken: dict[str, str]) -> str:
    """A note: columns whose names differ from the usual ones in case only, by the usual name."""
    names = ", ".join(f"{quoted(name)} for {role}" for role, name in taken.items())
    return f"{title}: took column {names}"


def absent(classifier: str, datasets: str) -> str:
    """A note: a classifier lacks whole data sets."""
    return f"{clipped(classifier)} has no scores on {datasets}: its pairs rest on the others"


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
