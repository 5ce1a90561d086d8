"""Results in tables and words, independent of the output format.

fields.py, table.py  what a value is called and how it is written; typed tables
comparisons.py       the fields, JSON and rows of pairs
pair_tables.py       tables of pairs and of their data sets; own_scores.py: of mean scores
words.py             verdicts, sentences and the line of settings; paper.py: sentences to paste
build.py             a set of comparisons → a report; sweep.py: of several ropes or slices
check.py             what is in the files, and which tests can run
changed.py, spool.py test items won and lost; rows that wait for corrected p-values
"""
