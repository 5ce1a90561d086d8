"""The reading room: files and frames in, checked `Scores` out; the only room that uses pandas.

    options.py, presets.py     how to read, as the user chose
    source:  sources.py        what the user named: files, standard input, LABEL=FILE
             formats.py        gzip, UTF-16, WEKA's ARFF and sheets of Excel workbooks → CSV
             dialect.py        separator, decimal mark and quotes, from the first rows
    layout:  layout.py         where each part of the results is in a file
             header.py         header and options → a layout
             advice.py         which options read a header, and what each reading assumes
             patterns.py       users' regular expressions, matched within bounds
    block:   columns.py        columns of names as codes; the columns of one file as they were read
             fast.py           text → a block, by pandas
             exact.py          the same with the csv module: slow, and knows every line
             frames.py         pandas frames, Parquet, JSON and Inspect's logs → a block
    long:    long.py           a block in any layout → the canonical long table, of several files
    scores:  grid.py           the long table → folds by classifiers; test items and clusters
             survey.py         what is in the rows that were chosen: grid, designs, account
             checks.py         what no test may use
             validate.py       all checks in their order → `Scores`
    profile.py                 what is in files, also in those that fail the checks
    searches.py                what scikit-learn holds in memory → `Scores`
    problems.py                problems, collected so that all of them are shown at once
    read.py                    all of it, in order

Nothing is imported here, so that `bcompare.reading.options` stays cheap.
"""
