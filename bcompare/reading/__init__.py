"""Tables of cells become checked `Scores`.

    layout:  header.py         header and options → the columns of each part of the results
    long:    parsing.py        cells → names and numbers, and what is wrong with them
             long_table.py     a table in any layout → the canonical long table, of several files
    scores:  score_grid.py     the long table → folds by classifiers; test items and clusters
             baseline.py       what a gate judges: the trials of its baseline
             chosen_rows.py    the chosen rows, how failed trials count, grid and designs
             score_checks.py   checks of what was chosen, and of what scores are
             gap_checks.py     whether each trial has one score of each classifier
             pairing_checks.py whether rows are what they are read as, and can be paired
             to_scores.py      all checks in their order, notes on the input → `Scores`
    profile.py                 the content of files, also of those that fail the checks
    arrays.py                  arrays, searches and results of scikit-learn → `Scores`
    task.py                    all steps in order; refusal.py: the problems of files, together
    asking.py                  which column is what: by options, by names, or asked
    content.py                 what was read, in a sentence
    read.py                    files and frames → `Scores`

Nothing is imported here, so that modules that need one of these stay cheap.
"""
