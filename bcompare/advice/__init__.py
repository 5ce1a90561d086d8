"""How a file can be read that its options do not read: readings, each tried on the whole file.

features.py      what columns look like, from a sample of the rows; names with a running number
suits.py         how well a column suits each role: the table of weights
sample.py        the columns of the sample, and the roles that are known
roles.py         which column is what, where names, values and counts leave one answer
parts.py         what may have a role: columns, and what else counts as one
assignments.py   readings: the assignments of parts to roles that tell rows apart
search.py        which readings read the file, the likeliest first
words.py         advice: their commands, and what they make of the file
"""
