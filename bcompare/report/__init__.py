"""Results in tables and words, independent of the output format.

fields.py, table.py  what a value is called and how it is written; typed tables
pair_fields.py       the fields of pairs; pair_records.py: their JSON and rows
input_record.py      what was read and the settings, for every JSON document
pair_tables.py       tables of pairs; pair_details.py: those that details add
own_scores.py        tables of mean scores
sentences.py         verdicts, sentences and the line of settings; paper.py: sentences to paste
pair_report.py       a set of comparisons → a report; sweep.py: of several ropes or slices
check.py             what is in the files, and which tests can run
changed.py, spool.py test items won and lost; rows that wait for corrected p-values
"""
