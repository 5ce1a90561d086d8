"""The profile of a file, whether tests can run on it or not."""

import numpy as np

from bcompare.data.account import Account
from bcompare.reading.profile import profile_results
from tests.reading.written import SMALL, Table, as_file, canonical


def table() -> Table:
    return canonical(SMALL).table


def test_complete_results() -> None:
    profile = profile_results(as_file(table()))
    assert profile.files == ("r.csv",)
    assert profile.rows == 36
    assert profile.classifiers == ("nbc", "aode", "j48")
    assert profile.counts.tolist() == [[6, 6, 6], [6, 6, 6]]
    assert (profile.gaps, profile.duplicates, profile.constant) == ((), 0, ())
    assert profile.account == Account(read=profile.rows, used=profile.rows)
    assert profile.problems == ()
    assert profile.comparable == ("iris", "wine")
    assert profile.datasets == ("iris", "wine")
    assert {key: column[0] for key, column in profile.columns.items()} == {
        "splits": 6,
        "runs": 2,
        "folds": 3,
        "rho": 1 / 3,
        "low": min(SMALL.scores[:18]),
        "high": max(SMALL.scores[:18]),
        "comparable": True,
    }
    assert profile.columns["low"][1] == min(SMALL.scores[18:])
    assert [note.code for note in profile.notes] == ["few-folds"]


def test_gaps_and_absent_classifiers() -> None:
    rows = [
        row
        for row in table()
        if row[:4] not in (["iris", "1", "2", "nbc"], ["iris", "1", "2", "j48"])
        and (row[0], row[3]) != ("wine", "j48")
    ]
    profile = profile_results(as_file(rows))
    assert profile.counts.tolist() == [[5, 6, 5], [6, 6, 0]]
    assert profile.gaps == (
        {"dataset": "iris", "run": "1", "fold": "2", "lacking": ["nbc", "j48"]},
    )
    assert profile.problems[0].startswith("data set iris, run 1, fold 2: no score of nbc, j48")
    assert profile.comparable == ("iris", "wine")


def test_duplicates() -> None:
    rows = table()
    profile = profile_results(as_file([*rows, *rows[1:3]]))
    assert profile.duplicates == 2
    assert profile.rows == 38
    assert "two scores" in profile.problems[0]


def test_designs_without_a_known_correlation() -> None:
    rows = [row for row in table() if row[2] in ("fold", "1") or row[0] == "wine"]
    profile = profile_results(as_file(rows))
    own = {key: profile.columns[key].tolist() for key in ("runs", "folds")}
    assert own == {"runs": [2, 2], "folds": [1, 3]}
    np.testing.assert_equal(profile.columns["rho"], [np.nan, 1 / 3])
    assert profile.comparable == ("wine",)


def test_constant_differences() -> None:
    rng = np.random.default_rng(5)
    base = np.round(rng.uniform(0.5, 0.9, 10), 4)
    lines = [["dataset", "fold", "classifier", "score"]]
    for fold, score in enumerate(base):
        for name, other in (("a", score), ("b", score + 0.1), ("c", score), ("d", 1 - score)):
            lines.append(["iris", str(fold), name, f"{other:.4f}"])
    profile = profile_results(as_file(lines))
    assert [[*pair.values()] for pair in profile.constant] == [
        ["iris", "a", "b", 0.1],
        ["iris", "a", "c", 0.0],
        ["iris", "b", "c", -0.1],
    ]


def test_scores_that_cannot_be_read_do_not_count() -> None:
    rows = table()
    rows[1][-1] = "oops"
    profile = profile_results(as_file(rows))
    assert profile.rows == 35
    assert profile.counts.tolist() == [[5, 6, 6], [6, 6, 6]]
    assert "'oops' is not a number" in profile.problems[0]
