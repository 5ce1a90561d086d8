"""How a file can be read that its options do not read: readings, each tried on the whole file.

features.py      what columns look like, from a sample of the rows; names with a running number
sample.py        the columns in the sample, and the roles that they may have
roles.py         which column is what, where names, values and counts leave one answer
by_column.py     readings of a column for each score
by_row.py        readings of a row for each score
search.py        readings, the likeliest first; which of them read the file
words.py         advice: their commands, and what they make of the file
"""
