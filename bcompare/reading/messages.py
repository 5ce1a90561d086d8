"""Every message of the reading room: what is wrong, where, and what to do about it.

A `Kind` is a problem that a file may have many times; the functions below it make the messages
that come once.
"""

import difflib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from bcompare.rope import Rope

SHOWN = 10  # how many problems of one kind are spelt out
WIDTH = 40  # how much of a cell is shown


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its text, with the place and the particulars to fill in, and advice."""

    text: str
    advice: str


RAGGED = Kind(
    "{place}: {0} fields, but the header has {1}",
    "make every row as long as the header (a name that holds the separator needs quotes)",
)
BAD_QUOTES = Kind(
    "{place}: a quote that is not closed or not doubled",
    'close the quote; a quote inside quotes is written twice, as in "5"" disk"',
)
HUGE_FIELD = Kind(
    "{place}: a field of more than 100,000 characters",
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
    "correct it, or name the right column with --score-col",
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
    "{place}: iteration {0} is not a whole number",
    "iterations are counted from 0 or 1 through all runs",
)
SIZES = Kind(
    "data set {0}: n_train and n_test are not whole numbers of cases",
    "correct them, or give the correlation with --rho",
)
UNKNOWN_CLASSIFIER = Kind("there is no classifier {0}{1}", "the results have {2}")
UNKNOWN_DATASET = Kind("there is no data set {0}{1}", "the results have {2}")


def listed(shown: Sequence[str], count: int, advice: str) -> tuple[str, ...]:
    """Problems of one kind: the first few, how many more, and what to do."""
    if count == 1:
        return (f"{shown[0]}; {advice}",)
    more = (f"… and {count - len(shown):,} more like these",) if count > len(shown) else ()
    return (*shown, *more, advice)


def number(count: int, noun: str) -> str:
    """A number of things."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def quoted(cell: str) -> str:
    """A cell as it stands in the file, cut if it is long."""
    return repr(cell if len(cell) <= WIDTH else cell[: WIDTH - 1] + "…")


def named(names: Sequence[str], shown: int = SHOWN) -> str:
    """A few names, and how many more."""
    more = f" and {len(names) - shown:,} more" if len(names) > shown else ""
    return ", ".join(clipped(name) for name in names[:shown]) + more


def clipped(name: str) -> str:
    """A name fit to print: no control characters, cut if it is very long."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)
    return text if len(text) <= 2 * WIDTH else text[: 2 * WIDTH - 1] + "…"


USUAL_NAMES = {
    "dataset": ("data", "data_set", "task", "task_id", "problem", "data.name"),
    "run": ("repeat", "repetition", "rep", "replicate", "seed"),
    "fold": ("cv", "split", "cv_fold", "fold_id", "iteration"),
    "classifier": ("model", "algorithm", "learner", "method", "estimator", "framework", "clf"),
    "score": ("accuracy", "acc", "auc", "f1", "result", "value", "test_score", "metric", "error"),
}
"""What the columns are often called instead."""


def usual_name(role: str, header: Sequence[str]) -> str | None:
    """A column of the header that may well play the part."""
    return next((name for name in header if name.casefold() in USUAL_NAMES[role]), None)


def nearest(name: str, names: Sequence[str]) -> str | None:
    """The name that was probably meant."""
    folded = {candidate.casefold(): candidate for candidate in reversed(names)}
    found = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return folded[found[0]] if found else None


def _meant(name: str, names: Sequence[str]) -> str:
    guess = nearest(name[:WIDTH], [n[:WIDTH] for n in names[:1000]])
    return f"; did you mean {clipped(guess)}?" if guess else ""


def unknown(kind: Kind, name: str, names: Sequence[str]) -> str:
    """A classifier or data set that was asked for and is not there."""
    text = kind.text.format(clipped(name), _meant(name, names))
    return f"{text}; {kind.advice.format(None, None, named(names))}"


def place(title: str, line: int) -> str:
    """Where a row begins."""
    return f"{title}, line {line:,}"


# The arguments


def no_default_file(name: str, neighbours: Sequence[str]) -> str:
    """No file was named and there is no results.csv."""
    there = f" This folder has {named(neighbours)}." if neighbours else ""
    return (
        f"there is no {name} in this folder; name the file of results, or - to pipe it in.{there}"
    )


def no_file(name: str, neighbours: Sequence[str]) -> str:
    """A file that does not exist."""
    guess = nearest(name.replace("\\", "/").rpartition("/")[2], neighbours)
    return f"{name}: there is no such file" + (
        f"; did you mean {guess}?" if guess else "; check the path"
    )


def is_folder(name: str, neighbours: Sequence[str]) -> str:
    """A folder in the place of a file."""
    inside = f": it has {named(neighbours)}" if neighbours else ", which has no CSV file in it"
    return f"{name} is a folder{inside}; name a file"


def cannot_open(name: str, error: Exception) -> str:
    """The operating system refuses."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{clipped(name)}: cannot be opened ({reason}); check its permissions and name"


def bad_label(argument: str) -> str:
    """LABEL=FILE with nothing on one side."""
    return f"{argument}: write LABEL=FILE with a name on either side, such as old=results.csv"


def named_twice(title: str) -> str:
    """The same file twice."""
    return f"{title}: named twice; its rows would count double"


def damaged_gzip(name: str) -> str:
    """Compressed data that cannot be unpacked."""
    return f"{name}: damaged gzip data; copy or compress the file again"


def damaged_utf16(name: str) -> str:
    """A UTF-16 mark with something else behind it."""
    return f"{name}: damaged UTF-16 text; save the file as UTF-8"


def is_workbook(name: str) -> str:
    """An Excel file."""
    return f"{name}: an Excel workbook or ZIP archive; save the sheet as CSV (UTF-8)"


# The file as a whole


def empty_file(title: str) -> str:
    """Nothing in it."""
    return (
        f"{title}: empty; it needs a header (dataset,run,fold,classifier,score) "
        "and a row for each score"
    )


def no_rows(files: Sequence[str]) -> str:
    """A header only."""
    where = ", ".join(files) or "the results"
    return f"{where}: a header but no rows; a row is needed for each score"


def not_text(title: str) -> str:
    """Binary data."""
    return f"{title}: not a text file; export the results as CSV"


def bad_encoding(title: str, line: int, byte: int) -> str:
    """Bytes in the header that are no UTF-8."""
    return f"{place(title, line)}: byte 0x{byte:02x} is not UTF-8 text; {ENCODING.advice}"


def bad_quotes(title: str) -> str:
    """A header with a quote that is not closed."""
    return f"{BAD_QUOTES.text.format(place=place(title, 1))}; {BAD_QUOTES.advice}"


def _columns(header: Sequence[str]) -> str:
    more = f" and {len(header) - 20} more" if len(header) > 20 else ""
    return " ".join(quoted(column) for column in header[:20]) + more


def missing_columns(
    title: str, missing: Sequence[tuple[str, str]], header: Sequence[str], taken: Sequence[str]
) -> str:
    """Columns that are needed and not there, as (role, name); `taken` have a role already."""
    free = [column for column in header if column not in taken]
    guesses, others = [], []
    for role, name in missing:
        guess = nearest(name, free) or usual_name(role, free)
        if guess:
            free.remove(guess)
            guesses.append(f"--{role}-col {shell_word(guess)}")
        else:
            others.append(f"the {role} with --{role}-col")
    remedies = []
    if len(header) == 1:
        remedies.append("Is the separator another one? Name it with --sep.")
    elif guesses:
        remedies.append(f"Did you mean {' '.join(guesses)}?")
    if others and len(header) > 1:
        remedies.append(f"Name {', '.join(others)}.")
    if ("classifier", "classifier") in missing:
        remedies.append(f"If all of it is one classifier, write NAME={title}.")
    names = ", ".join(quoted(name) for _, name in missing)
    return f"{title}: no column {names}; it has {_columns(header)}. {' '.join(remedies)}"


def similar_column(title: str, role: str, name: str) -> str:
    """An optional column is absent, and another looks like it."""
    return (
        f"{title}: no column '{role}', but one called {quoted(name)}; if that is the {role}, say "
        f"--{role}-col {shell_word(name)}, else rename it"
    )


def column_twice(title: str, name: str) -> str:
    """Two columns of one name."""
    return f"{title}: two columns are called {quoted(name)}; rename or delete one"


def one_column_for_two(title: str, name: str, roles: Sequence[str]) -> str:
    """One column in two parts."""
    return f"{title}: column {quoted(name)} is named as {' and '.join(roles)}; give each its own"


def label_and_column(title: str, label: str, names: Sequence[str]) -> str:
    """LABEL=FILE, but the file names several classifiers itself."""
    return (
        f"{title}: all of it cannot be the classifier {clipped(label)}, because it names "
        f"{len(names)}: {named(names)}; drop '{clipped(label)}=', or choose one with --where"
    )


def told_twice(title: str, role: str, name: str) -> str:
    """A part told by an expression and by a column."""
    return (
        f"{title}: the {role} is told by an expression and by column {quoted(name)}; drop "
        f"--{role}-col or the group '{role}' of the expression"
    )


def no_such_column(title: str, option: str, name: str, header: Sequence[str]) -> str:
    """A column of an option that is not there."""
    guess = nearest(name, header)
    return f"{title}: no column {quoted(name)} for {option}; it has {_columns(header)}." + (
        f" Did you mean {shell_word(guess)}?" if guess else ""
    )


def bad_condition(text: str) -> str:
    """A condition that is none."""
    return f"--where {shell_word(text)}: write COLUMN=VALUE, COLUMN!=VALUE or COLUMN~REGEX"


def bad_expression(option: str, text: str, reason: str) -> str:
    """A regular expression that is none."""
    return f"{option} {shell_word(text)}: not a regular expression ({reason})"


def bad_groups(option: str, text: str, groups: Sequence[str], roles: Sequence[str]) -> str:
    """An expression whose groups are not parts."""
    wrong = [group for group in groups if group not in roles]
    what = f"there is no part called {named(wrong)}" if wrong else "it has no named group"
    return (
        f"{option} {shell_word(text)}: {what}; name groups after what they are, such as "
        f"(?P<fold>\\d+): {', '.join(roles)}"
    )


def empty_group(title: str, text: str, name: str) -> str:
    """A header that fits an expression, with nothing in a group."""
    return (
        f"{title}: column {quoted(name)} fits --wide {shell_word(text)}, but a group of it is "
        "empty; make the expression stricter"
    )


def wide_fits_nothing(title: str, text: str, header: Sequence[str]) -> str:
    """An expression that fits no column."""
    return (
        f"{title}: --wide {shell_word(text)} fits no whole column name; it has {_columns(header)}"
    )


def iterations_without_folds(title: str) -> str:
    """Iterations, but nobody said how many make a run."""
    return (
        f"{title}: iterations count through all runs; say with --folds how many folds a run has, "
        "such as --folds 10"
    )


def folds_without_iterations(title: str) -> str:
    """--folds, but nothing to take apart."""
    return (
        f"{title}: --folds takes iterations apart, but there are none; name their column with "
        "--iteration-col"
    )


def condition_unmet(title: str, text: str, column: str, seen: Sequence[str]) -> str:
    """A condition that no row meets."""
    return (
        f"{title}: no row meets --where {shell_word(text)}; column {quoted(column)} has "
        f"{named(seen)}"
    )


def conditions_unmet(title: str, texts: Sequence[str]) -> str:
    """Conditions that no row meets together."""
    return f"{title}: no row meets all of --where {' and '.join(map(shell_word, texts))}"


def seeds_without_rho(title: str, name: str) -> str:
    """Seeds used as folds."""
    return (
        f"{title}: column {quoted(name)} counts seeds, not folds, so the correlation of the scores "
        "is not 1/folds; say --rho 0 for seeds on one fixed split, or --rho with the share of "
        "test cases if every seed splits anew"
    )


def shell_word(text: str) -> str:
    """Text as one word for the shell."""
    return shlex.quote(clipped(text))


# The results as a whole


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


def nothing_left(missing: str) -> str:
    """All was dropped."""
    return (
        f"--missing {missing} leaves nothing: every data set lacks scores; complete the results, "
        "or choose classifiers with --classifier"
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


def few_folds(datasets: str) -> str:
    """A note: a verdict is hardly ever reached."""
    return (
        f"fewer than 10 scores of each classifier on {datasets}: hardly enough for a verdict; "
        "repeat the cross-validation"
    )


def absent(classifier: str, datasets: str) -> str:
    """A note: a classifier lacks whole data sets."""
    return f"{clipped(classifier)} has no scores on {datasets}: its pairs rest on the others"


def percentages(low: float, high: float, rope: Rope) -> str:
    """A note: percentages under a rope for fractions."""
    return (
        f"the scores ({low:g} to {high:g}) look like percentages, but the rope is "
        f"[{rope.low:g}, {rope.high:g}]: say --percent to divide them by 100, or --rope 1 for one "
        "percentage point"
    )


def scales(small: str, low: float, large: str, high: float) -> str:
    """A note: one rope for data sets on different scales."""
    return (
        f"the data sets are on very different scales (typical score {low:g} on {clipped(small)}, "
        f"{high:g} on {clipped(large)}), and one rope cannot fit both: use a relative score, or "
        "choose data sets with --dataset"
    )
