"""The reading room: files and frames in, checked `Scores` out; the only room that uses pandas.

    options.py, presets.py     how to read, as the user chose
    source:  sources.py        what the user named: files, standard input, LABEL=FILE
             formats.py        gzip, UTF-16, WEKA's ARFF and sheets of Excel workbooks → CSV
             dialect.py        separator, decimal mark and quotes, from the first rows
    block:   columns.py        columns of names as codes; the columns of one file as they were read
             fast.py           text → a block, by pandas
             exact.py          the same with the csv module: slow, and knows every line
             frame_files.py    Parquet, JSON and Inspect's logs → frames
             frames.py         frames → a block
    layout:  layout.py         which column plays which part, from the header
             advice.py         which options read a header, and what each reading assumes
             patterns.py       users' regular expressions, matched within bounds
    long:    long.py           the canonical long table, of several files
             arrange.py        a block in any layout → the canonical long table
    scores:  grid.py           the long table → folds by classifiers
             items.py          test items: epochs averaged, clusters
             survey.py         what is in the rows that were chosen: grid, designs, account
             checks.py         what no test may use
             validate.py       all checks in their order → `Scores`
    profile.py                 what is in files, also in those that fail the checks
    searches.py                what scikit-learn holds in memory → `Scores`
    problems.py                problems, collected so that all of them are shown at once
    read.py                    all of it, in order

Nothing is imported here, so that `bcompare.reading.options` stays cheap.
"""
