"""A gate: a rule over the answers of a comparison, for continuous integration.

rule.py            the truth table: from evidence to pass, fail or undecided
metrics.py         what each of several metrics demands
monotone.py        evidence that no worse score can improve; suites.py: over data sets
batch.py           the same of many simulated suites at once
claims.py          what a gate claims of a pair, with its evidence
runs.py            the baseline and the candidates, and their whole runs
items.py           claims about single items; item_words.py, item_report.py: what is said of them
few_rows.py        what a pass of few rows leaves open
judge.py           all of it in order → the verdicts
anytime.py         the same by bets, with optional stopping; history.py: its looks, in a file
self_check.py      the baseline against itself; plan.py: the verdicts that more data would give
words.py           the first line and the words of a row
report.py          the table and the document; anytime_report.py, plan_report.py
github.py, junit.py annotations and test cases
delivery.py        what is read before, and where the ruling is written
command.py         the commands
plugin.py          pytest's sessions as a candidate; loaded by pytest alone
"""
