"""Messages on mistakes in arguments, files as a whole, headers and options of the layout."""

from collections.abc import Collection, Sequence

from bcompare.basis.arguments import arg, spelled
from bcompare.data.units import ROWS, Unit
from bcompare.reading.advice import readings, remedy
from bcompare.reading.messages import BAD_QUOTES, ENCODING
from bcompare.reading.presets import recognised
from bcompare.reading.words import clipped, named, nearest, place, quoted, shell_word


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


def damaged_parquet(name: str) -> str:
    """A file that begins like Parquet and does not go on so."""
    return f"{name}: damaged Parquet file; write or copy it again"


def no_pyarrow(name: str) -> str:
    """Parquet cannot be read."""
    return (
        f"{name}: a Parquet file, which needs pyarrow: pip install 'bcompare[parquet]'; or save "
        "the results as CSV"
    )


def is_workbook(name: str) -> str:
    """A damaged Excel file, one of an old version, or an archive."""
    return f"{name}: a ZIP archive, or an Excel workbook that cannot be read; save the sheet as CSV"


def damaged_arff(title: str) -> str:
    """A file that begins like ARFF and has no attributes or no rows."""
    return f"{title}: an ARFF file without @attribute or @data lines; save it again as CSV"


def sparse_arff(title: str, line: int) -> str:
    """Rows that only tell what is not zero."""
    return (
        f"{place(title, line)}: a sparse row; turn the file into a plain one by WEKA's filter "
        "SparseToNonSparse, or save it as CSV"
    )


def is_of_r(name: str, read: str) -> str:
    """A file of R's own format; `read` is the R that reads it."""
    old, new = (repr(clipped(path)) for path in (name, f"{name.rpartition('.')[0] or name}.csv"))
    line = f"write.csv({read.format(old)}, {new}, row.names = FALSE)"
    return f'{name}: a file of R; save it as CSV: Rscript -e "{line}"'


def compressed(name: str, program: str) -> str:
    """A file that must be unpacked before."""
    return f"{name}: compressed by {program}; unpack it first: {program} -dk {shell_word(name)}"


def too_large(name: str, most: int) -> str:
    """A compressed file that holds more than can be kept in memory."""
    return (
        f"{name}: holds more than {most >> 20:,} MB when unpacked; unpack it first, as gunzip -k "
        f"{shell_word(name)} does: a plain file is read piece by piece"
    )


def too_large_workbook(name: str, most: int) -> str:
    """A workbook that holds more than can be kept in memory."""
    return f"{name}: holds more than {most >> 20:,} MB when unpacked; save the sheet as CSV"


def too_many_cells(name: str, most: int) -> str:
    """A sheet with cells far from the others."""
    return (
        f"{name}: the sheet reaches over more than {most:,} cells; is there something in a far "
        "corner? Delete it, or save the results as CSV"
    )


def transposed_search(title: str) -> str:
    """The results of a search with a row for each key."""
    turned = "turned.csv"
    return (
        f"{title}: cv_results_ with a row, not a column, for each of its keys; turn it over: "
        f'python -c "import pandas; pandas.read_csv({clipped(title)!r}, index_col=0).T'
        f".to_csv('{turned}', index=False)\", and read {turned} with "
        f"{arg('preset', 'sklearn-cv-results')} {spelled('--folds N', 'folds=N')} (N: the folds of "
        "one run)"
    )


def is_inspect_log(name: str) -> str:
    """A log of Inspect, which only Inspect itself reads."""
    return (
        f"{name}: a log of Inspect, which only Inspect reads: pip install 'bcompare[inspect]'; or "
        "save its samples by samples_df(LOGS, columns=EvalTask + EvalModel + SampleSummary)"
        f".to_csv(NEW) and read that with {arg('preset', 'inspect')}"
    )


def damaged_log(name: str) -> str:
    """A log that Inspect refuses."""
    return f"{name}: Inspect cannot read this log; was it copied whole?"


def no_openpyxl(name: str) -> str:
    """Excel cannot be read."""
    return (
        f"{name}: an Excel workbook, which needs openpyxl: pip install 'bcompare[excel]'; or save "
        "the sheet as CSV"
    )


def no_sheet(name: str, sheets: Sequence[str], sheet: str | None) -> str:
    """A workbook of several sheets, or without the one that was named."""
    wrong = "has several sheets" if sheet is None else f"has no sheet {quoted(sheet)}"
    return f"{name}: {wrong}; choose one with {arg('sheet')}: {named(sheets)}"


def sheet_of_no_workbook(name: str) -> str:
    """A sheet named for a file that has none."""
    return f"{name}: no Excel workbook, so it has no sheets; drop {arg('sheet')}"


def glob_fits_nothing(pattern: str) -> str:
    """A pattern that no file fits."""
    return f"{clipped(pattern)}: no file fits this pattern; check it, and the folder"


def bad_json(place: str, reason: str) -> str:
    """JSON that cannot be parsed."""
    return f"{place}: not JSON ({reason}); every line must hold one object"


def nested_too_deep(title: str) -> str:
    """JSON that no program reads."""
    return f"{title}: JSON nested too deep to be read; save it as CSV with a row for each score"


def is_json(title: str) -> str:
    """A JSON document that is no table."""
    return (
        f"{title}: a JSON document without a list of results; a list of objects, JSON Lines and "
        "the results of promptfoo can be read, else save it as CSV with a row for each score"
    )


def empty_file(title: str) -> str:
    """Nothing in it."""
    return (
        f"{title}: empty; it needs a header (dataset,run,fold,classifier,score) "
        "and a row for each score"
    )


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
    title: str,
    missing: Sequence[tuple[str, str]],
    header: Sequence[str],
    known: Collection[str],
    taken: Sequence[str],
    preset: str | None,
) -> str:
    """Columns that are needed and not there, as (role, name); see `remedy` for the others."""
    names = ", ".join(quoted(name) for _, name in missing)
    program = recognised(header)
    listed = "" if program and preset is None else f"; it has {_columns(header)}"
    return f"{title}: no column {names}{listed}. " + remedy(
        title, header, missing, known, taken, preset
    )


def similar_column(title: str, role: str, name: str) -> str:
    """An optional column is absent, and another looks like it."""
    return (
        f"{title}: no column '{role}', but one called {quoted(name)}; if that is the {role}, say "
        f"{arg(f'{role}_col', name)}, else rename it"
    )


def column_twice(title: str, name: str) -> str:
    """Two columns of one name."""
    return f"{title}: two columns are called {quoted(name)}; rename or delete one"


def alike_columns(title: str, role: str, names: Sequence[str]) -> str:
    """Several columns whose names are the usual one in some capitals, and none exactly."""
    return (
        f"{title}: columns {' and '.join(quoted(name) for name in names)} may both be the {role}; "
        f"name the right one with {arg(f'{role}_col')}"
    )


def one_column_for_two(title: str, name: str, roles: Sequence[str]) -> str:
    """One column in two parts."""
    return f"{title}: column {quoted(name)} is named as {' and '.join(roles)}; give each its own"


def label_and_column(title: str, label: str, names: Sequence[str]) -> str:
    """LABEL=FILE, but the file names several classifiers itself."""
    return (
        f"{title}: all of it cannot be the classifier {clipped(label)}, because it names "
        f"{len(names)}: {named(names)}; drop '{clipped(label)}=', or choose one with {arg('where')}"
    )


def told_twice(title: str, role: str, name: str) -> str:
    """A part told by an expression and by a column."""
    return (
        f"{title}: the {role} is told by an expression and by column {quoted(name)}; drop "
        f"{arg(f'{role}_col')} or the group '{role}' of the expression"
    )


def no_such_column(title: str, option: str, name: str, header: Sequence[str]) -> str:
    """A column of an option that is not there."""
    guess = nearest(name, header)
    return f"{title}: no column {quoted(name)} for {arg(option)}; it has {_columns(header)}." + (
        f" Did you mean {shell_word(guess)}?" if guess else ""
    )


def bad_condition(text: str) -> str:
    """A condition that is none."""
    return f"{arg('where', [text])}: write COLUMN=VALUE, COLUMN!=VALUE or COLUMN~REGEX"


def bad_expression(option: str, text: str, reason: str) -> str:
    """A regular expression that is none."""
    return f"{arg(option, text)}: not a regular expression ({reason})"


def too_slow(option: str, text: str, cell: str) -> str:
    """An expression that tries too many ways to fit."""
    return (
        f"{arg(option, text)}: takes too long to be matched with {quoted(cell)}; write it "
        "without repetitions inside repetitions, such as [^_]+ instead of (.*)+"
    )


def bad_groups(option: str, text: str, groups: Sequence[str], roles: Sequence[str]) -> str:
    """An expression whose groups are not parts."""
    wrong = [group for group in groups if group not in roles]
    what = f"there is no part called {named(wrong)}" if wrong else "it has no named group"
    return (
        f"{arg(option, text)}: {what}; name groups after what they are, such as "
        f"(?P<fold>\\d+): {', '.join(roles)}"
    )


def empty_group(title: str, text: str, name: str) -> str:
    """A header that fits an expression, with nothing in a group."""
    return (
        f"{title}: column {quoted(name)} fits {arg('wide', text)}, but a group of it is "
        "empty; make the expression stricter"
    )


def wide_fits_nothing(title: str, text: str, header: Sequence[str]) -> str:
    """An expression that fits no column."""
    return f"{title}: {arg('wide', text)} fits no whole column name; it has {_columns(header)}"


def iterations_without_folds(title: str, column: str | None) -> str:
    """Iterations, but nobody said how many make a run."""
    others = "" if column is None else f"; instead of {arg('iteration_col')} say {readings(column)}"
    return (
        f"{title}: iterations count the folds of all runs on; say with {arg('folds')} how many a "
        "run has, "
        f"such as {arg('folds', 10)}{others}"
    )


def iterations_and_runs(title: str) -> str:
    """Iterations, which tell run and fold, and a column of one of these."""
    return (
        f"{title}: iterations tell run and fold already; drop {arg('run_col')} and "
        f"{arg('fold_col')}"
    )


def folds_without_iterations(title: str) -> str:
    """--folds, but nothing to take apart."""
    return (
        f"{title}: {arg('folds')} takes iterations apart, but there are none; name their column "
        "with "
        f"{arg('iteration_col')}"
    )


def condition_unmet(title: str, text: str, column: str, seen: Sequence[str]) -> str:
    """A condition that no row meets."""
    return (
        f"{title}: no row meets {arg('where', [text])}; column {quoted(column)} has {named(seen)}"
    )


def conditions_unmet(title: str, texts: Sequence[str]) -> str:
    """Conditions that no row meets together."""
    return f"{title}: no row meets all of {arg('where', list(texts))}"


def items_or_folds(title: str, item: str, fold: str) -> str:
    """Columns of test items and of folds, and nobody said which counts."""
    return (
        f"{title}: has a column {quoted(item)}; say {arg('item_col', item)} if rows are test "
        f"items, or {arg('fold_col', fold)} if they are folds of cross-validation"
    )


def folds_of_another_unit(title: str, unit: Unit) -> str:
    """A column of runs or folds although rows are said to be something else."""
    return (
        f"{title}: rows are {ROWS[unit]}, which have no runs and folds; drop {arg('run_col')}, "
        f"{arg('fold_col')} "
        f"and {arg('iteration_col')}"
    )


def no_means(title: str, header: Sequence[str]) -> str:
    """A table of means with one column."""
    return (
        f"{title}: a table of means has data sets in its first column and a column for each "
        f"classifier; it has {_columns(header)}"
    )


def units_differ(units: Sequence[Unit]) -> str:
    """Files whose rows are different things."""
    return (
        f"the rows of the files differ: {' and '.join(ROWS[unit] for unit in units)}; give all "
        "files the same columns, or compare them apart"
    )


def seeds_without_rho(title: str, name: str) -> str:
    """Seeds used as folds."""
    return (
        f"{title}: column {quoted(name)} counts seeds, not folds, so the correlation of the scores "
        f"is not 1/folds; say {readings(name)}"
    )
