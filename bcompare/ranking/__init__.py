"""Which classifier to take: all judged together, from the joint posterior to the leaderboard.

effects.py, joint_means.py  the mean scores of all classifiers, over data sets and on one
unusual.py                  means far from a classifier's usual place, and what they count for
several.py, one.py          draws of the averages over data sets, and of the means on one
draws.py, places.py         what is drawn, and the places that follow from it
best.py                     which is best: the answer of all draws
ranks.py                    for contrast: mean ranks, Friedman, Nemenyi
resolution.py               how far apart two must be to be told apart
judged.py                   which classifiers and data sets are judged, and notes on them
family.py                   all of it for one set of results
sentences.py                its answers in words, and the settings
leaderboard.py              its fields, tables and document
report.py, command.py       the report, and `bcompare rank`
"""
