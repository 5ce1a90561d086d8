"""The reading room: files and frames in, checked `Scores` out; the only room that uses pandas.

    options.py, presets.py     how to read, as the user chose
    sources.py                 what the user named: files, standard input, LABEL=FILE
    dialect.py                 separator, decimal mark and quotes, from the first rows
    arff.py, workbook.py       WEKA's ARFF and a sheet of Excel → CSV
    layout.py, finder.py       which column plays which part, from the header
    parts.py                   the parts of a layout
    advice.py                  which options read a header, and what each reading assumes
    patterns.py                users' regular expressions, matched within bounds
    metrics.py                 several metrics in one column of scores
    table.py                   bytes → coded columns, fast
    exact.py                   the same with the csv module: slow, and knows every line
    frames.py                  frames, Parquet and Inspect's logs → coded columns
    json_rows.py               JSON → frames
    arrange.py                 coded columns in any layout → the canonical long table
    grid.py, design.py         the long table → folds by classifiers, runs, correlation
    items.py                   test items: epochs averaged, clusters
    missing.py                 rows that are not used, and the account of them
    coverage.py, doubt.py      what is missing; folds that look like items or seeds
    validate.py                all checks of keys → `Scores`
    picture.py                 what is in files, also in those that fail the checks
    searches.py                what scikit-learn holds in memory → `Scores`
    scales.py                  notes on the scale of the scores
    messages.py, mistakes.py,  every message
    notices.py
    read.py                    all of it, in order

Nothing is imported here, so that `bcompare.reading.options` stays cheap.
"""
