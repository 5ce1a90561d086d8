"""Which classifier to take: all judged together, from the joint posterior to the leaderboard.

effects.py, joint_means.py  the mean scores of all classifiers, over data sets and on one
best.py                     which is best: the joint posterior
ranks.py                    for contrast: mean ranks, Friedman, Nemenyi
judged.py                   which classifiers and data sets are judged, and notes on them
family.py                   all of it for one set of results
sentences.py                its answers in words, and the settings
leaderboard.py              its fields, tables and document
report.py, command.py       the report, and `bcompare rank`
"""
