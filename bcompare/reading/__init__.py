"""The reading room: files and frames in, checked `Scores` out; the only room that uses pandas.

    options.py, presets.py     how to read, as the user chose
    sources.py                 what the user named: files, standard input, LABEL=FILE
    dialect.py                 separator, decimal mark and quotes, from the first rows
    layout.py                  which column plays which part, from the header
    table.py                   bytes → coded columns, fast
    exact.py                   the same with the csv module: slow, and knows every line
    frames.py                  frames, Parquet and Inspect's logs → coded columns
    json_rows.py, workbook.py  JSON → frames; a sheet of Excel → CSV
    arrange.py                 coded columns in any layout → the canonical long table
    grid.py, design.py         the long table → folds by classifiers, runs, correlation
    items.py                   test items: epochs averaged, clusters
    coverage.py, doubt.py      what is missing; folds that look like items
    validate.py                all checks of keys → `Scores`
    picture.py                 what is in files, also in those that fail the checks
    searches.py                what scikit-learn holds in memory → `Scores`
    scales.py                  notes on the scale of the scores
    messages.py, mistakes.py   every message
    read.py                    all of it, in order

Nothing is imported here, so that `bcompare.reading.options` stays cheap.
"""
