"""Which column of a file is what: known by its name, ruled out by its kind, or asked.

direction.py     metrics by their whole names: which scores are better, and on what scale
vocabulary.py    what columns, rows and classifiers are usually called
features.py      what columns hold
side_by_side.py  columns of scores whose names say what each is of
scored.py        which columns may hold the scores
counts.py        successes and trials in place of scores
roles.py         a reading: the role of each column
search.py        what the columns of a file may be
keys.py          what tells the rows of classifiers apart
arrangements.py  the ways to give columns their roles
readings.py      the readings that names and kinds leave
unpaired.py      sides that share nothing
deciding.py      one reading: the options that say it; several: what is asked
question.py      a question, for a shell, for Python and as JSON

`direction` and `vocabulary` are below files/, all others above it.
"""
