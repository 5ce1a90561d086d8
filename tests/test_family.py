"""A family of classifiers: ranks on the data sets that all have, each pair on its own."""

from dataclasses import replace

import numpy as np
import pytest

from bcompare.errors import InputError
from bcompare.family import compare_family
from bcompare.report.family import build_family_report, family_document
from bcompare.scores import Scores
from tests.examples import scores_from

NAMES = ("a", "b", "c")


@pytest.fixture
def uneven() -> Scores:
    """Three classifiers on four data sets; c lacks one of them."""
    rng = np.random.default_rng(0)
    tables = {f"set-{i}": rng.normal([0.7, 0.75, 0.72], 0.02, (10, 3)) for i in range(4)}
    tables["set-3"][:, 2] = np.nan
    return scores_from(tables, NAMES)


def test_common_data_sets_for_ranks_and_each_pairs_own_for_the_probabilities(
    uneven: Scores,
) -> None:
    family = compare_family(uneven, "sign")
    assert family.datasets == ("set-0", "set-1", "set-2")
    assert family.ranks.n_datasets == 3
    n = {(c.left, c.right): len(c.differences.statistics) for c in family.study.comparisons}
    assert n == {("a", "b"): 4, ("a", "c"): 3, ("b", "c"): 3}
    record = family_document(family)
    assert record["family"]["n_datasets"] == 3
    assert record["input"]["datasets"] == 4


def test_mean_scores_keep_the_sign_of_the_file(uneven: Scores) -> None:
    errors = replace(uneven, lower_is_better=True)
    family, turned = compare_family(uneven, "sign"), compare_family(errors, "sign")
    np.testing.assert_array_equal(turned.mean_score, -family.mean_score)
    np.testing.assert_array_equal(turned.ranks.mean_rank, family.ranks.mean_rank)


def test_the_table_is_ordered_by_rank_and_counts_every_meeting(uneven: Scores) -> None:
    family = compare_family(uneven, "sign")
    table = build_family_report(family).tables[0]
    ranks = [float(row[2] or 0) for row in table.rows]
    assert ranks == sorted(ranks)
    for row in table.rows:
        wins, ties, losses = row[3:]
        assert isinstance(wins, int)
        assert isinstance(ties, int)
        assert isinstance(losses, int)
        assert wins + ties + losses == 2 * 3  # opponents times data sets


def test_too_few_common_data_sets_are_refused(uneven: Scores) -> None:
    short = replace(uneven, datasets=uneven.datasets[2:])
    with pytest.raises(InputError, match="1 of the 2 data sets in common"):
        compare_family(short, "sign")
