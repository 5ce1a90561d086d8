"""Messages of notes: what a reader of the results must know of their input."""

from collections.abc import Sequence

from bcompare.basis.arguments import arg
from bcompare.data.units import Unit
from bcompare.reading.words import clipped, named, quoted


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


def summary_rows(names: Sequence[str], column: str) -> str:
    """A note: rows of a table of means that sum up the others; `column` names the data sets."""
    how = f"with {arg('where', [f'{column}!={names[0]}'])}" if column else "of the file"
    return f"{named(names)} counts as a data set; if it sums up the others, leave it out {how}"


def counted_folds(column: str, folds: int) -> str:
    """A note: a column that may number independent runs is read as folds."""
    return (
        f"column {quoted(column)} is read as the folds of one cross-validation, so ρ is "
        f"1/{folds}; if it numbers independent runs on one split, say "
        f"{arg('seed_col', column)} instead"
    )


def fractions(largest: float) -> str:
    """A note: --percent for scores that are none."""
    return (
        f"{arg('percent', True)} divides the scores by 100, but the largest in the file is "
        f"{largest:g}: are they fractions already?"
    )


def understood(title: str, separator: str | None, decimal: str | None) -> str:
    """A note: what was found out about a file's dialect."""
    found = [f"the separator {separator}"] if separator else []
    found += [f"the decimal mark {decimal}"] if decimal else []
    return (
        f"{title}: read with {' and '.join(found)}; if that is wrong, say {arg('sep')} or "
        f"{arg('decimal')}"
    )


def other_case(title: str, taken: dict[str, str]) -> str:
    """A note: columns whose names differ from the usual ones in case only, by the usual name."""
    names = ", ".join(f"{quoted(name)} for {role}" for role, name in taken.items())
    return f"{title}: took column {names}"


def absent(classifier: str, datasets: str) -> str:
    """A note: a classifier lacks whole data sets."""
    return f"{clipped(classifier)} has no scores on {datasets}: its pairs rest on the others"
