"""The reading room: files and frames in, checked `Scores` out; the only room that uses pandas.

    options.py, presets.py     how to read, as the user chose
    source:  sources.py        what the user named: files, standard input, LABEL=FILE
             convert.py        WEKA's ARFF and sheets of Excel workbooks → CSV
             dialect.py        separator, decimal mark and quotes, from the first rows
    layout:  layout.py         which column plays which part, from the header
             parts.py          the parts of a layout
             advice.py         which options read a header, and what each reading assumes
             patterns.py       users' regular expressions, matched within bounds
             metrics.py        several metrics in one column of scores
    block:   block.py          the columns of one file as they were read
             columns.py        columns of names as codes
             fast.py           bytes → a block, by pandas
             exact.py          the same with the csv module: slow, and knows every line
             frames.py         frames, Parquet and Inspect's logs → a block
             json_rows.py      JSON → frames
    long:    arrange.py        a block in any layout → the canonical long table
             long.py           the canonical long table, of several files
    scores:  survey.py         what is in the rows that were chosen
             grid.py           the long table → folds by classifiers
             design.py         runs, folds and their correlation
             items.py          test items: epochs averaged, clusters
             gaps.py           what some classifiers lack
             folds.py          folds that look like items or seeds
             validate.py       all checks → `Scores`
    profile.py                 what is in files, also in those that fail the checks
    searches.py                what scikit-learn holds in memory → `Scores`
    problems.py                problems, collected so that all of them are shown at once
    read.py                    all of it, in order

Nothing is imported here, so that `bcompare.reading.options` stays cheap.
"""
