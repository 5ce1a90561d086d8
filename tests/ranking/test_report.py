"""The report of a ranking: which tables it has, their cells, and what they leave out."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from bcompare.comparing.comparison_set import TOP
from bcompare.data.units import ITEM
from bcompare.methods import load_method
from bcompare.ranking.family import Family
from bcompare.ranking.report import ROWS, build_family_report, matrix
from bcompare.report.own_scores import MOST_IN_MATRIX
from bcompare.report.pair_report import Report
from bcompare.report.table import Table
from tests.examples import scores_from
from tests.ranking.families import NAMES, family_on, folds, means, rank_once, with_pairs


def details(family: Family, top: int = TOP) -> Report:
    """Report all that there is."""
    return build_family_report(family, details=True, top=top)


def titled(report: Report, start: str) -> Table:
    """Return the table whose title begins so."""
    (table,) = (table for table in report.tables if table.title.startswith(start))
    return table


def texts(table: Table) -> list[list[str]]:
    """Return the cells as they are written."""
    return [cells for cells, _ in table.texts()]


def headings(table: Table) -> list[str]:
    """Return the headings of the columns."""
    return [column.header for column in table.columns]


@cache
def many(c: int, n: int = 10) -> Family:
    """Judge classifiers of increasing skill on the folds of one data set."""
    rng = np.random.default_rng(1)
    table = 0.7 + 0.01 * np.arange(c) + rng.normal(0, 0.02, (n, c))
    names = tuple(f"m{k:02}" for k in range(c))
    return rank_once(scores_from({"x": table}, names))


def beginnings(report: Report) -> list[str]:
    """Return the first two words of each title."""
    return [" ".join(table.title.split()[:2]) for table in report.tables]


def test_a_short_report_has_one_table_and_a_detailed_one_all() -> None:
    assert beginnings(build_family_report(family_on(8))) == ["How far"]
    assert beginnings(details(family_on(8))) == [
        "Each classifier's",
        "Mean score",
        "How far",
        "How likely",
        "All pairs",
        "Mean ranks",
        "For contrast:",
        "For contrast:",
    ]
    assert beginnings(details(family_on(1))) == [
        "Each classifier's",
        "How far",
        "How likely",
        "All pairs",
        "For contrast:",
        "Correlation of",
        "Scores by",
    ]


def test_the_ranks_stand_in_the_details_only() -> None:
    start = "By Friedman the classifiers differ "
    short = build_family_report(family_on(8)).sentences
    assert not any(line.startswith(start) for line in short)
    assert any(line.startswith(start) for line in details(family_on(8)).sentences)


def test_pairs_under_several_tests_stand_together() -> None:
    scores = family_on(8).scores
    sign = rank_once(scores, test="sign")
    assert "The same" not in beginnings(build_family_report(sign))
    also = [load_method("signrank")().seeded(1)]
    both = rank_once(scores, test="sign", also=also)
    assert "The same" in beginnings(build_family_report(both))
    for is_detailed in (False, True):
        settings = build_family_report(sign, details=is_detailed).settings
        pairs = settings.partition("; pairs: Bayesian sign test")[2]
        assert ("decided above 0.95" in pairs) is is_detailed


def test_decimals_show_on_which_side_of_the_level_a_p_value_is() -> None:
    p_values = np.array([0.04996, 0.0502, 0.3])
    pairwise = replace(family_on(8).pairwise, p_values=p_values)
    table = titled(details(replace(family_on(8), pairwise=pairwise)), "For contrast: Wilcoxon")
    shown = [row[headings(table).index("p-value")] for row in texts(table)]
    assert shown == ["0.04996", "0.0502", "0.300"]


def test_two_have_a_sentence_and_three_a_matrix() -> None:
    assert matrix(many(2)) is None
    assert [len(build_family_report(many(c)).hints) for c in (2, 3)] == [1, 0]
    table = matrix(with_pairs(family_on(8), "left", {"a": 0.99, "c": 0.6}))
    assert table is not None
    first = texts(table)[0]
    order = [NAMES[k] for k in family_on(8).best.order]
    assert headings(table) == ["row against column", "tier", *order]
    assert first[:3] == ["b", "1", "·"]
    assert first[2 + order.index("a")].endswith("0.990")


def test_a_wide_matrix_numbers_its_columns_by_place() -> None:
    assert matrix(many(MOST_IN_MATRIX + 1)) is None
    order = many(MOST_IN_MATRIX).best.order
    narrow = matrix(many(MOST_IN_MATRIX))
    assert narrow is not None
    assert headings(narrow)[2:] == [f"m{k:02}" for k in order]
    assert narrow.title.endswith("; ? where undecided")
    c = MOST_IN_MATRIX + 1
    wide = matrix(many(c), c)
    assert wide is not None
    assert headings(wide)[2:] == [str(k) for k in range(1, c + 1)]
    assert wide.title.endswith("; ? where undecided; columns are numbered by place")
    assert [row[k + 2] for k, row in enumerate(wide.rows)] == ["·"] * c


def test_two_that_share_no_data_set_have_a_dash_in_the_matrix() -> None:
    tables = folds(6)
    for k, scores in enumerate(tables.values()):
        scores[:, 0 if k % 2 else 2] = np.nan
    family = rank_once(scores_from(tables, NAMES))
    table = matrix(family)
    assert table is not None
    cells = {row[0]: dict(zip(headings(table), row, strict=True)) for row in texts(table)}
    assert cells["a"]["c"] == cells["c"]["a"] == "–"
    assert cells["a"]["b"] != "–"


def test_the_tests_of_the_family_have_three_decimals() -> None:
    family = rank_once(means((0.0, 0.01, 0.0)))
    ranks = family.ranks
    assert ranks is not None
    table = titled(details(family), "For contrast: is there any")
    assert [cells[:2] for cells in texts(table)] == [
        [name, f"{test.statistic:.3f}"] for name, test in ranks.tests.items()
    ]


def test_the_statistics_of_pairs_have_as_many_decimals_as_they_need() -> None:
    """Sums of ranks have halves; t has three."""
    for family, title, decimals in (
        (family_on(8), "For contrast: Wilcoxon (exact)", 1),
        (family_on(1), "For contrast: corrected t-test", 3),
    ):
        rows = texts(titled(details(family), title))
        pairs = family.pairwise
        assert [tuple(row[:2]) for row in rows] == [*pairs.pairs]
        assert [row[2] for row in rows] == [
            f"{test.statistic:.{decimals}f}" for test in pairs.tests
        ]


def smallest_first(family: Family) -> list[tuple[str, str]]:
    """Return the pairs by their p-values."""
    pairs = family.pairwise
    return [pairs.pairs[k] for k in np.argsort(pairs.p_values, kind="stable")]


@pytest.mark.parametrize("top", [0, 5, 6])
def test_of_many_pairs_the_smallest_p_values_are_shown(top: int) -> None:
    family = many(4)
    report = details(family, top)
    table = titled(report, "For contrast: corrected t-test")
    shown = [tuple(row[:2]) for row in table.rows]
    left_out = [line for line in report.sentences if "tests of pairs" in line]
    if top == 5:
        assert shown == smallest_first(family)[:5]
        (line,) = left_out
        assert line.startswith("5 of 6 tests of pairs are shown, the smallest p-values first; ")
    else:
        assert shown == [*family.pairwise.pairs]
        assert not left_out


@pytest.mark.parametrize("top", [0, 3, 4])
def test_of_many_classifiers_the_first_are_shown(top: int) -> None:
    family = many(4)
    report = build_family_report(family, top=top)
    left_out = [line for line in report.sentences if "classifiers are shown" in line]
    assert len(report.tables[0].rows) == (3 if top == 3 else 4)
    assert bool(left_out) is (top == 3)
    # the tests of pairs are not in this report
    assert not any("tests of pairs" in line for line in report.sentences)
    if left_out:
        assert left_out[0].startswith("3 of 4 classifiers are shown; ")


def test_correlations_have_three_decimals_and_a_constant_classifier_none() -> None:
    table = folds(1)["set-0"]
    table[:, 0] = 0.7
    family = rank_once(scores_from({"x": table}, NAMES))
    rows = texts(titled(details(family), "Correlation of the classifiers over the folds"))
    r = f"{np.corrcoef(table[:, 1], table[:, 2])[0, 1]:.3f}"
    assert rows == [
        ["a", "–", "–", "–"],
        ["b", "–", "1.000", r],
        ["c", "–", r, "1.000"],
    ]


@pytest.mark.parametrize(
    ("top", "shown"), [(0, ROWS + 20), (1, ROWS), (ROWS + 10, ROWS + 10), (ROWS + 30, ROWS + 20)]
)
def test_a_hundred_rows_are_shown_at_least(top: int, shown: int) -> None:
    n = ROWS + 20
    family = many(3, n)
    table = titled(details(family, top), "Scores by fold: x")
    scores = family.scores.datasets[0].table
    rows = texts(table)
    assert len(rows) == shown
    assert rows[0] == ["1", *(f"{score:.4f}" for score in scores[0])]
    assert rows[-1][0] == str(shown)
    some = f", the first {shown} of {n}" if shown < n else ""
    assert table.title == f"Scores by fold: x{some}"


def test_clusters_have_no_scores_by_row() -> None:
    scores = family_on(1).scores
    (dataset,) = scores.datasets
    clustered = replace(dataset, sizes=np.full(10, 3), items=30, rho=0.0)
    family = rank_once(replace(scores, datasets=(clustered,), unit=ITEM))
    assert family.scores.is_clustered
    assert beginnings(details(family))[-1] == "For contrast:"
