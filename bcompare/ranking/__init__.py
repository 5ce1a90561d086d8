"""Which classifier to take: all judged together, from the joint posterior to the leaderboard.

effects.py, joint_means.py  the mean scores of all classifiers, over data sets and on one
best.py                     which is best: the joint posterior
ranks.py                    for contrast: mean ranks, Friedman, Nemenyi
family.py                   all of it for one set of results
leaderboard.py              its fields, words and table, and the document
report.py, command.py       the report, and `bcompare rank`
"""
