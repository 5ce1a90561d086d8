"""The leaderboard in words: each sentence from numbers that are given."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bcompare.data.rope import Rope
from bcompare.data.scores import Scores
from bcompare.ranking.family import Preferred
from bcompare.ranking.sentences import (
    family_settings,
    pair_sentence,
    paper_of_family,
    ranks_sentence,
    sure,
    verdict_sentences,
)
from bcompare.version import __version__
from tests.examples import scores_from
from tests.ranking.families import (
    NAMES,
    family_on,
    folds,
    means,
    rank_once,
    with_best,
    with_lead,
    with_pairs,
)

SEVERAL = "on average over data sets like these 8"


@pytest.mark.parametrize(
    ("p", "text"),
    [(0.9502, "0.9502"), (0.94996, "0.94996"), (0.6, "0.600"), (1.0, ">0.999"), (0.0, "<0.001")],
)
def test_decimals_show_on_which_side_of_the_level_a_probability_is(p: float, text: str) -> None:
    assert sure(family_on(8), p) == text


LEADS = f"b leads: it is the best {SEVERAL} with probability"
NEAR = "within Monte Carlo error of the 0.95 that is needed"


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.99, f"b is the best {SEVERAL} (probability 0.990)"),
        (0.951, f"{LEADS} 0.951; {NEAR}"),
        (0.6, f"{LEADS} 0.600; 0.95 is needed to decide"),
    ],
)
def test_the_best_choice_and_what_a_verdict_needs(p: float, text: str) -> None:
    assert verdict_sentences(with_lead(family_on(8), p))[0] == text


def test_who_is_worse_and_who_is_not_shown_to_be() -> None:
    decided = with_lead(family_on(8), 0.99)
    one_worse = with_pairs(decided, "left", {"a": 0.99, "c": 0.6})
    beyond = "Worse than b by more than 0.01, each with probability above 0.95: a"
    assert verdict_sentences(one_worse)[1:] == [
        beyond,
        "Not shown to be worse than b by more than 0.01: c",
    ]
    # the second sentence is about a leader that is one
    assert verdict_sentences(with_lead(one_worse, 0.6))[1:] == [beyond]
    without_rope = replace(one_worse, rope=Rope(0.0, 0.0))
    assert verdict_sentences(without_rope)[1:] == [
        "Worse than b, each with probability above 0.95: a",
        "Not shown to be worse than b: c",
    ]
    both = with_pairs(decided, "left", {"a": 0.99, "c": 0.99})
    order = [NAMES[k] for k in both.best.order[1:]]
    assert verdict_sentences(both)[1:] == [f"{beyond[:-1]}{', '.join(order)}"]


def test_those_that_are_as_good_are_named_with_their_probability_and_only_once() -> None:
    decided = with_lead(family_on(8), 0.99)
    family = replace(with_pairs(decided, "rope", {"a": 0.97, "c": 0.5}), equals=("a",))
    assert verdict_sentences(family)[1:] == [
        "Practically as good as b: a (0.970)",
        "Not shown to be worse than b by more than 0.01: c",
    ]


def test_what_is_preferred_by_its_cost_comes_first() -> None:
    some = Preferred("size", "a", 9.5, ("b", "a"))
    first, second, *_ = verdict_sentences(replace(family_on(8), preferred=some))
    assert first == (
        "Of the 2 that lose no more than the rope on average with probability above 0.95, "
        "a has the smallest size, 9.5"
    )
    assert second.startswith("b ")
    alone = Preferred("size", "b", 90.0, ("b",))
    assert verdict_sentences(replace(family_on(8), preferred=alone))[0] == (
        "No other classifier is shown to be as good, within the rope, on average (with "
        "probability above 0.95); the size of b is 90"
    )


@pytest.mark.parametrize(
    ("p", "why"),
    [
        (0.951, NEAR),
        (0.999, "all differences are equal, and few scores may agree by chance"),
    ],
)
def test_a_pair_without_a_verdict_says_why(p: float, why: str) -> None:
    family = with_pairs(family_on(8), "left", {"a": p, "c": 0.6})
    decisions = np.full((3, 3), "none", dtype=object)
    family = replace(family, decisions=decisions)
    assert pair_sentence(family, 1, 0) == f"a against b {SEVERAL}: no verdict: {why}"
    assert pair_sentence(family, 1, 2) == (
        f"c against b {SEVERAL}: undecided between b better (0.600) and equivalent (0.400); "
        "a verdict needs 0.95"
    )


def by_iman_and_davenport(scores: Scores) -> float:
    """Return the p-value by SciPy's statistic of Friedman."""
    table = np.array([dataset.table.mean(axis=0) for dataset in scores.datasets])
    q, c = table.shape
    chi2 = stats.friedmanchisquare(*table.T).statistic
    f = (q - 1) * chi2 / (q * (c - 1) - chi2)
    return float(stats.f.sf(f, c - 1, (c - 1) * (q - 1)))


def critical(q: int) -> str:
    """Return Nemenyi's difference of mean ranks of three classifiers at 0.05."""
    difference = stats.studentized_range.ppf(0.95, 3, math.inf) / math.sqrt(2)
    return f"{difference * math.sqrt(3 * 4 / (6 * q)):.3f} (Nemenyi, 0.05)"


def test_ranks_that_do_not_differ() -> None:
    scores = means((0.0, 0.0, 0.0))
    p = by_iman_and_davenport(scores)
    assert p > 0.05
    assert ranks_sentence(rank_once(scores)) == (
        f"By Iman–Davenport the classifiers do not differ significantly (p {p:.3f}); no two mean "
        f"ranks differ by {critical(12)}"
    )


def test_ranks_that_differ() -> None:
    scores = means((0.0, 0.04, 0.02))
    p = by_iman_and_davenport(scores)
    assert 0.001 < p < 0.05
    assert ranks_sentence(rank_once(scores)) == (
        f"By Iman–Davenport the classifiers differ (p {p:.3f}); mean ranks that differ by less "
        f"than {critical(12)} do not differ significantly"
    )


def test_ranks_with_gaps_have_no_critical_difference() -> None:
    scores = means((0.0, 0.0, 0.0))
    first = scores.datasets[0]
    lacking = first.table.copy()
    lacking[:, 2] = np.nan
    present = np.array([True, True, False])
    datasets = (replace(first, table=lacking, present=present), *scores.datasets[1:])
    family = rank_once(replace(scores, datasets=datasets))
    assert family.ranks is not None
    p = family.ranks.telling[1].p_value
    assert ranks_sentence(family) == (
        f"By Skillings–Mack the classifiers do not differ significantly (p {p:.3f})"
    )
    assert ranks_sentence(family_on(1)) == ""


def test_settings_of_several_data_sets() -> None:
    assert family_settings(family_on(8)) == (
        "Joint posterior of all classifiers · rope ±0.01 · 8 data sets · 240 rows · "
        f"bcompare {__version__}"
    )
    assert family_settings(family_on(8), details=True) == (
        "Joint posterior of all classifiers · rope ±0.01 · ρ 0.1 · decided above 0.95 · "
        "1,000 draws, Monte Carlo error at most 0.02 · 8 data sets · 240 rows · "
        f"bcompare {__version__}"
    )


def test_settings_count_two_data_sets() -> None:
    assert " · 2 data sets · 60 rows" in family_settings(family_on(2))


def test_settings_of_one_data_set() -> None:
    """Which leaves room for the number of draws."""
    assert family_settings(family_on(1)) == (
        "Joint posterior of all classifiers · 1,000 draws · rope ±0.01 · 30 rows · "
        f"bcompare {__version__}"
    )
    assert " · 1 data set · 30 rows" in family_settings(family_on(1), details=True)


def test_a_paper_says_the_method_the_best_and_what_it_loses() -> None:
    family = with_lead(family_on(8), 0.99)
    family = with_pairs(family, "left", {"a": 0.99, "c": 0.99})
    regret = np.array([0.05, 0.0123, 0.04])
    interval = family.best.regret_interval
    ends = replace(interval, level=0.9, low=regret - 0.01, high=regret + 0.01)
    family = with_best(family, regret=regret, regret_interval=ends)
    asked, answer = paper_of_family(family).split("\n")
    assert asked == (
        "On 8 data sets (10-fold cross-validation) we judged 3 classifiers together by their "
        f"joint posterior (bcompare {__version__}), treating differences in score of at most 0.01 "
        "as irrelevant."
    )
    assert answer == (
        f"b is the best choice {SEVERAL}: its mean score is the best with probability 0.990. "
        "It loses an estimated 0.01230 against the best of each data set (90 % credible interval "
        "0.00230 to 0.02230). Worse than b by more than 0.01, each with probability above 0.95: "
        "c, a."
    )
    preferred = replace(family, preferred=Preferred("size", "b", 90.0, ("b",)))
    assert ". No other classifier is shown to be as good" in paper_of_family(preferred)
    unsure = paper_of_family(with_lead(family, 0.6))
    assert f"b leads {SEVERAL}: its mean score is the best with probability 0.600 " in unsure
    assert "probability 0.600 (undecided; 0.95 is needed to decide). It loses" in unsure
    without = with_best(family, regret_interval=replace(ends, low=regret, high=regret))
    assert "against the best of each data set. Worse" in paper_of_family(without)


def test_a_paper_on_one_data_set_says_nothing_of_others() -> None:
    text = paper_of_family(family_on(1))
    assert "on set-0: its mean score is the best with probability" in text
    assert "It loses" not in text


def test_a_paper_without_a_verdict_says_why() -> None:
    asked, answer = paper_of_family(family_on(2)).split("\n")
    assert asked.startswith("On 2 data sets ")
    assert answer == f"The verdict is withheld: {family_on(2).withheld}."


def test_a_paper_says_what_rows_were_left_out() -> None:
    scores = scores_from(folds(8), NAMES)
    assert scores.account.compared_on == ""
    account = replace(scores.account, compared_on="pairs share folds")
    family = replace(family_on(8), scores=replace(scores, account=account))
    assert "as irrelevant. pairs share folds.\n" in paper_of_family(family)
