"""Advice in words: the commands that read a file, and what they make of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bcompare.advice.features import FileColumn
from bcompare.advice.search import Miss, Reading
from bcompare.advice.suits import as_score
from bcompare.basis.messages import Record, arg, as_keywords, as_options, number_of, spelled
from bcompare.columns.vocabulary import names_classifiers, roles_of
from bcompare.data.scales import scaled
from bcompare.data.scores import Scores
from bcompare.files.options import ROW_NUMBERS, ReadOptions
from bcompare.files.presets import PRESETS
from bcompare.files.problems import quoted

# Up to this share of the rows that repeat others are mistakes.
FEW_REPEATED = 0.05
# Options that `bcompare check` lacks, or that are spelled in their own way.
INTERNAL = {"grades", "by", "fewest", "lone", "baseline", "cost_col", "scale", "sep", "decimal",
            "strict", "bounded"}  # fmt: skip


@dataclass(frozen=True)
class ReadingCall:
    """How a reading is asked for. shell : the files. call : in Python, with these arguments."""

    shell: str
    call: Callable[[Sequence[str]], str]


def advice_on(
    readings: Sequence[Reading],
    miss: Miss | None,
    command: ReadingCall,
    columns: Sequence[FileColumn],
    *,
    one: bool,
) -> Iterator[str]:
    """Yield lines with the command of each reading and what it gives; else the nearest miss.

    one : whether the file may be of one classifier.
    """
    whos = [c for c in columns if c.is_name and names_classifiers(c.name)]
    lone = next((c.name for c in whos if len(c.distinct) == len(c.cells)), "")
    named = any("classifier" in roles_of(c.name) and len(c.distinct) > 1 for c in columns)
    repeated = _repeated(columns)
    one_score = not columns or sum(as_score(column) > 0 for column in columns) == 1
    if len(readings) > 1:
        yield f"It can be read in {len(readings)} ways, the likeliest first:"
    elif readings:
        yield "It can be read by:"
    elif miss is not None:
        yield "No reading of it worked. The nearest:"
        yield f"  {command_line(miss.options, command)}"
        yield f"    {miss.why}"
    causes = (
        (
            lone,
            (
                f"It seems to have one row for each classifier in column {quoted(lone)}; a "
                "comparison needs several scores of each: of folds, seeds, test items or data sets."
            ),
        ),
        (
            one and one_score and not named,
            (
                "If all of it is one classifier, name it, and read it with the file of another: "
                f"{spelled(f'old={command.shell} new=OTHER.csv', 'old=FILE, new=OTHER')}"
            ),
        ),
        (
            named and repeated > FEW_REPEATED * len(columns[0].cells),
            "Rows repeat, and no column numbers them: add one, such as fold or seed",
        ),
        (
            named and repeated,
            (
                f"Rows that repeat others: {repeated:,}. Leave them out, or number the repetitions "
                "in a column, such as seed"
            ),
        ),
        (
            columns and miss is None,
            (
                "What can be read, and how to say which column is which: "
                f"{spelled('bcompare explain layouts', 'the topic on layouts')}"
            ),
        ),
    )
    yield from [cause for holds, cause in causes if holds and not readings][:1]
    for reading in readings:
        known = reading.scores.directed
        options = reading.options if known else replace(reading.options, lower_is_better=False)
        yield f"  {command_line(options, command)}"
        chosen = reading.options.where
        only = f"; only rows with {' and '.join(chosen)}" if chosen else ""
        taken_for = _assumed(reading.scores, reading.options)
        yield f"    {_content(reading.scores)}{only}{_left_out(reading)}; rows are {taken_for}"
        if not known:
            yield f"    if lower scores are better, say {arg('lower_is_better', True)} instead"


def _left_out(reading: Reading) -> str:
    """Return how much of the file a reading leaves out, since some classifier lacks it."""
    account = reading.scores.account
    if account.compared_on:
        return f"; {account.compared_on}"
    unit = str(reading.scores.unit)
    parts = (account.items, unit), (account.folds, unit), (account.datasets, "data set")
    words = [number_of(len(names), noun) for names, noun in parts if names]
    return f"; without {' and '.join(words)} that some classifier lacks" if words else ""


def as_read(files: str, assumed: Record, scores: Scores, options: ReadOptions) -> str:
    """Return what files were taken for, and the options that say so.

    assumed : these options.
    """
    better = "lower" if scores.lower_is_better else "higher"
    words = " ".join(arg(k, list(v) if isinstance(v, tuple) else v) for k, v in assumed.items())
    return (
        f"{files}: read by the names of its columns, as {_content(scores)}, {better} is better; "
        f"rows are {_assumed(scores, options)}. To make this explicit: {words}"
    )


def _repeated(columns: Sequence[FileColumn]) -> int:
    """Return the number of rows with the cells of others in all columns that may be keys."""
    keys = [column.cells for column in columns if not column.is_fractional]
    rows = [*zip(*keys, strict=True)]
    return len(rows) - len({*rows})


def _assumed(scores: Scores, options: ReadOptions) -> str:
    """Return what a reading takes rows for."""
    unit = scores.unit
    if unit.has_answers:
        return "test items, one a row" if options.item_col == ROW_NUMBERS else "test items"
    if not unit.has_spread:
        return "one mean per data set, for signrank, sign and rank"
    if not unit.has_folds:
        return "independent runs on one split (ρ 0)"
    if options.rho is None:
        return "folds of cross-validation (ρ = 1/folds)"
    return f"runs that each split the data anew (ρ {options.rho:g}: the share of test cases)"


def command_line(options: ReadOptions, command: ReadingCall) -> str:
    """Return a whole command, or call, that reads with these options."""
    words = [*_words(options)]
    marks = [arg(n, v) for n in ("sep", "decimal") if (v := getattr(options, n)) is not None]
    files = [command.shell] if command.shell else []
    shell = [*map(as_options, marks), "bcompare check", *files, *map(as_options, words)]
    return spelled(" ".join(shell), command.call([*map(as_keywords, [*marks, *words])]))


def _words(options: ReadOptions) -> Iterator[str]:
    own = PRESETS[options.preset].options.items() if options.preset in PRESETS else ()
    for name, value in options.changed.items():
        if name not in INTERNAL and (name, value) not in own:
            yield arg(name, list(value) if isinstance(value, tuple) else value)
    yield from (scaled(name, factor) for name, factor in options.scale.items())


def _content(scores: Scores) -> str:
    """Return the size of the results: classifiers, data sets, and folds, seeds or items."""
    unit, tables = scores.unit, [dataset.table for dataset in scores.datasets]
    parts = [number_of(len(scores.classifiers) - len(scores.extremes), "classifier")]
    parts += [number_of(len(tables), "data set")]
    counts = sorted({dataset.items or len(dataset.table) for dataset in scores.datasets})
    designs = {(dataset.runs, dataset.folds) for dataset in scores.datasets}
    runs, folds = next(iter(designs))
    if unit.has_folds and len(designs) == 1 and runs > 1 and folds:
        parts += [number_of(runs, "run"), number_of(folds, "fold")]
    elif unit.has_spread:
        few = "" if len(counts) == 1 else f"{counts[0]:,} to "
        parts += [f"{few}{number_of(counts[-1], str(unit))}"]
    own = np.concatenate([table[np.isfinite(table)] for table in tables])
    own = -own if scores.lower_is_better else own
    span = f"{number_of(len(own), 'score')} from {own.min() + 0.0:.4g} to {own.max() + 0.0:.4g}"
    if scores.is_clustered or scores.extremes:  # rows are sums, or columns extremes
        span = number_of(scores.account.used, "score")
    failed = ", failed ones at their worst and their best" if scores.extremes else ""
    return f"{' × '.join(parts)}, {span}{failed}"
