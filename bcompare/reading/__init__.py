"""Reading: files and frames become checked `Scores`. The only package that uses pandas.

    options.py, presets.py     how to read, as chosen by the user
    source:  sources.py        the arguments: files, standard input, LABEL=FILE
             formats.py        gzip, UTF-16, WEKA's ARFF and sheets of Excel workbooks → CSV
             dialect.py        a text file: separator, decimal mark and quotes, from the first rows
    layout:  layout.py         the columns of each part of the results
             header.py         header and options → a layout
             advice.py         the options that read a header, and what each reading assumes
             patterns.py       users' regular expressions
    block:   columns.py        columns of names as codes; the columns of one file
             fast.py           text → a block, by pandas
             exact.py          the same by the csv module: slow, with line numbers
             frames.py         pandas frames, Parquet, JSON and Inspect's logs → a block
    long:    long.py           a block in any layout → the canonical long table, of several files
    scores:  grid.py           the long table → folds by classifiers; test items and clusters
             survey.py         the grid, designs and account of the chosen rows
             checks.py         checks of the rows
             unit_checks.py    whether rows are folds, seeds, items or means, as they are read
             validate.py       all checks in their order → `Scores`
    profile.py                 the content of files, also of those that fail the checks
    searches.py                searches and results of scikit-learn in memory → `Scores`
    problems.py                problems, collected so that all are shown at once
    read.py                    all steps in order

Nothing is imported here, so that `bcompare.reading.options` stays cheap.
"""
