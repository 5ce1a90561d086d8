"""The leaderboard: fields, JSON and tables, from numbers that are given."""

from dataclasses import replace

import jsonschema
import numpy as np
import pytest

from bcompare.data.rope import FloatArray
from bcompare.ranking.family import Preferred
from bcompare.ranking.leaderboard import (
    chances,
    family_document,
    flat_records,
    resolution_sentence,
    standings,
)
from bcompare.report.table import Table
from bcompare.schema import schema
from tests.examples import scores_from
from tests.ranking.families import NAMES, family_on, folds, rank_once, with_best


def column(table: Table, heading: str) -> list[str]:
    """Return the texts of a column."""
    k = [column.header for column in table.columns].index(heading)
    return [texts[k] for texts, _ in table.texts()]


def test_only_the_last_has_no_probability_of_being_better_than_the_next() -> None:
    document = family_document(family_on(8))
    rows = document["family"]["best"]
    order = family_on(8).best.order
    left = family_on(8).best.pairs.left
    assert [row["p_better_than_next"] for row in rows] == [
        left[order[0], order[1]],
        left[order[1], order[2]],
        None,
    ]
    contract = schema()
    jsonschema.validate(document, contract)
    # no other probability may be absent
    rows[2]["p_best"] = None
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, contract)


def test_no_table_says_that_a_probability_is_0_or_1() -> None:
    family = with_best(family_on(8), p_least_regret=np.array([0.0, 1.0, 0.0]))
    table = chances(family, 0)
    assert column(table, "p(best on average)") == [">0.999", "<0.001", "<0.001"]
    assert column(table, "p(> next)")[-1] == "–"


def test_the_ranks_of_several_data_sets_are_part_of_the_json() -> None:
    family = family_on(8)
    assert family.ranks is not None
    record = family_document(family)["family"]
    assert record["n_datasets"] == 8
    assert record["critical_difference"] == family.ranks.critical_difference
    wins = {row["classifier"]: row["wins"] for row in record["best"]}
    assert [wins[name] for name in NAMES] == family.ranks.wins.sum(axis=1).tolist()
    lone = family_document(family_on(1))["family"]
    assert "n_datasets" not in lone
    assert "critical_difference" not in lone
    assert "wins" not in lone["best"][0]


def test_with_gaps_there_is_no_critical_difference() -> None:
    tables = folds(5)
    tables["set-1"][:, 2] = np.nan
    family = rank_once(scores_from(tables, NAMES))
    assert "critical_difference" not in family_document(family)["family"]
    assert flat_records(family)[0]["critical_difference"] is None


def test_each_row_of_a_file_has_the_tests_of_the_family() -> None:
    ranks = family_on(8).ranks
    assert ranks is not None
    records = flat_records(family_on(8))
    assert len(records) == 3
    for record in records:
        test = ranks.tests["Friedman, χ²"]
        assert record["friedman"] == {"statistic": test.statistic, "p_value": test.p_value}
        assert record["critical_difference"] == ranks.critical_difference
    assert "friedman" not in flat_records(family_on(1))[0]


@pytest.mark.parametrize(("most", "has_scores"), [(10, True), (9, False)])
def test_the_json_repeats_the_scores_of_few_rows(
    most: int, has_scores: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bcompare.ranking.leaderboard.MOST_SCORES", most)
    record = family_document(family_on(1))["family"]
    table = folds(1)["set-0"]
    assert (record["scores"] is not None) is has_scores
    if has_scores:
        np.testing.assert_allclose(record["scores"], table)
    np.testing.assert_allclose(record["correlation"], np.corrcoef(table.T))


def test_costs_are_shown_if_one_is_preferred_by_them() -> None:
    family = family_on(8)
    costs = np.array([90.5, 9.5, 1.5])
    with_costs = replace(family, scores=replace(family.scores, costs=costs))
    preferred = replace(with_costs, preferred=Preferred("size", "b", 9.5, ("b",)))
    shown = column(standings(preferred, 0, details=False), "size")
    assert shown == [f"{costs[k]:.2f}" for k in family.best.order]
    for without in (family, with_costs):
        headings = [column.header for column in standings(without, 0, details=False).columns]
        assert headings == [
            "place",
            "classifier",
            "mean score",
            "behind",
            "from",
            "to",
            "places",
            "tier",
        ]


@pytest.mark.parametrize(
    ("factor", "by"),
    [(1.0, "5.4 points"), (30.0, "0.054")],
)
def test_what_a_board_tells_apart_is_in_points_where_scores_are_shares(
    factor: float, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bcompare.ranking.leaderboard.told_apart", lambda _: 0.05449)
    scores = family_on(8).scores
    tables = [replace(dataset, table=factor * dataset.table) for dataset in scores.datasets]
    family = replace(family_on(8), scores=replace(scores, datasets=tuple(tables)))
    assert resolution_sentence(family) == (
        f"This board tells two models apart (80 %, paired test at 0.05) that differ by {by}"
    )


def regrets_shown(regret: FloatArray, p_best: FloatArray) -> list[str]:
    """Return the regrets in the table of chances, in the order of the classifiers."""
    family = with_best(family_on(8), regret=regret, p_best=p_best)
    texts = column(chances(family, 0), "regret")
    by_place = dict(zip(family.best.order, texts, strict=True))
    return [by_place[k] for k in range(3)]


def test_no_regret_is_written_as_0_where_another_may_be_the_best() -> None:
    """With a digit more than shows three of the largest."""
    largest = 0.0432
    just_above = 0.6e-5
    just_below = 0.4e-5
    unsure = np.array([0.5, 0.4, 0.1])
    assert regrets_shown(np.array([just_below, just_above, largest]), unsure) == [
        "<0.00001",
        "0.00001",
        "0.04320",
    ]
    sure = np.array([1.0, 0.0, 0.0])
    assert regrets_shown(np.array([0.0, just_above, largest]), sure) == [
        "0.00000",
        "0.00001",
        "0.04320",
    ]


def test_titles_say_the_level_of_the_intervals() -> None:
    best = family_on(8).best
    family = with_best(family_on(8), regret_interval=replace(best.regret_interval, level=0.8))
    assert standings(family, 0, details=False).title == (
        "How far behind b the others are, with 80 % intervals"
    )
    assert chances(family, 0).title == (
        "How likely each is to be the best, and the regret of taking it, with 80 % intervals"
    )
