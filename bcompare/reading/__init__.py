"""The reading room: files and frames in, checked `Scores` out; the only room that uses pandas.

sources.py      what the user named: files, standard input, LABEL=FILE
dialect.py      separator, decimal mark, quotes and encoding, from the first rows
layout.py       which column plays which part
table.py        bytes to coded columns, fast
exact.py        the same with the csv module: slow, and knows every line
validate.py     coded columns to `Scores`, and all checks of keys
scales.py       notes on the scale of the scores
messages.py     every message, in one place
options.py      how to read, as the user chose
read.py         all of it, in order

Nothing is imported here, so that `bcompare.reading.options` stays cheap.
"""
