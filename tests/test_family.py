"""A family of classifiers: the answer, who is judged, and what stands next to it."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtrit

from bcompare import as_text, compare, from_frame
from bcompare.basis.messages import InputError, as_options
from bcompare.data.rope import FloatArray
from bcompare.data.scores import Scores
from bcompare.data.units import MEAN
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.result import Reading
from bcompare.ranking.best import Best
from bcompare.ranking.family import Family, correlations, rank
from bcompare.ranking.leaderboard import family_document
from bcompare.ranking.report import build_family_report
from bcompare.ranking.resolution import told_apart
from bcompare.ranking.sentences import CENTRE_AND_MEAN
from bcompare.report.table import probability
from tests.examples import scores_from

NAMES = ("a", "b", "c")
FEW = Best(draws=2_000)


def tables(q: int = 8) -> dict[str, FloatArray]:
    rng = np.random.default_rng(0)
    return {f"set-{i}": rng.normal([0.7, 0.75, 0.72], 0.02, (10, 3)) for i in range(q)}


@pytest.fixture
def whole() -> Scores:
    return scores_from(tables(), NAMES)


@pytest.fixture
def uneven() -> Scores:
    """Three classifiers on four data sets; c lacks one of them."""
    result = tables(4)
    result["set-3"][:, 2] = np.nan
    return scores_from(result, NAMES)


def items(right: FloatArray, names: tuple[str, ...]) -> Scores:
    """Test items with a row of scores each."""
    frame = pd.DataFrame(right, columns=names)
    frame["item"] = [f"q{i}" for i in range(len(frame))]
    long = frame.melt("item", var_name="classifier", value_name="score")
    return from_frame(long, item_col="item")


def words(family: Family) -> str:
    return "\n".join(build_family_report(family).sentences)


def test_the_answer_names_the_leader_and_who_is_surely_worse(whole: Scores) -> None:
    family = rank(whole, options=FEW)
    best, names = family.best, family.best.classifiers
    assert family.leader == "b"
    assert family.decided
    text = words(family)
    assert text.startswith("b is the best on average over data sets like these 8 (probability ")
    worse = [names[k] for k in best.order if best.pairs.left[best.leader, k] > 0.95]
    assert f"above 0.95: {', '.join(worse)}" in text
    second = best.order[1]
    assert best.loss[second] == pytest.approx(best.regret[second] - best.regret[best.leader])


def test_equals_are_named_and_stand_together_in_the_matrix() -> None:
    result = tables(12)
    for table in result.values():
        table[:, 0] = table[:, 1] + np.random.default_rng(1).normal(0, 0.002, 10)
    family = rank(scores_from(result, NAMES), options=FEW)
    assert set(family.equals) == {"a", "b"} - {family.leader}
    assert "Practically as good as" in words(family)
    tables_of = build_family_report(family, details=True).tables
    (matrix,) = (table for table in tables_of if table.title.startswith("All pairs"))
    assert ([row[1] for row in matrix.rows], family.tiers.tolist()) == ([1, 1, 2], [1, 1, 2])
    cell = str(matrix.rows[0][3])
    k = family.best.classifiers.index(family.equals[0])
    assert cell == f"= {probability(min(family.best.pairs.rope[family.best.leader, k], 1 - 1e-16))}"


def test_missing_data_sets_are_counted_and_tested_by_skillings_and_mack(uneven: Scores) -> None:
    family = rank(uneven, options=FEW)
    assert family.best.n_datasets.tolist() == [4, 4, 3]
    assert family.ranks is not None
    assert family.ranks.critical_difference is None
    assert [note.code for note in family.notes] == ["few-datasets"]
    record = family_document(family)["family"]
    assert "skillings_mack" in record
    assert "friedman" not in record
    complete = rank(scores_from(tables(4), NAMES)).ranks
    assert complete is not None
    assert "Friedman, χ²" in complete.tests


def test_what_is_observed_outside_its_interval_is_said() -> None:
    rng = np.random.default_rng(6)
    uneven = {
        f"d{i}": rng.normal(
            [0.9, 0.9, 0.9 - (0.06 if hard else 0.0)], 0.06 if hard else 1e-3, (10, 3)
        )
        for i, hard in enumerate([True, False] * 8)
    }
    said = []
    for tables_of in (uneven, tables()):
        family = rank(scores_from(tables_of, NAMES), rope=0.01, options=FEW)
        means = np.array([table.mean(axis=0) for table in tables_of.values()]).mean(axis=0)
        order = [family.scores.classifiers.index(name) for name in family.best.classifiers]
        behind = means[order][family.best.leader] - means[order]
        interval = family.best.loss_interval
        outside = (behind < interval.low) | (behind > interval.high)
        outside[family.best.leader] = False
        said.append(any(note.code == "weighted" for note in family.notes))
        assert said[-1] == outside.any()
    assert said == [True, False]


def test_of_many_equal_models_the_extremes_are_said_to_be_so_by_chance() -> None:
    rng = np.random.default_rng(20)
    right = (rng.random((300, 20)) < rng.beta(2, 1, (300, 1))).astype(np.float64)
    names = tuple(f"m{k:02}" for k in range(20))
    family = rank(items(right, names), options=FEW)
    interval, lead = family.best.loss_interval, family.best.leader
    behind = np.array([family.observed(k, lead) for k in range(20)])
    assert ((behind > interval.high) | (behind < interval.low)).any()
    (note,) = (note for note in family.notes if note.code == "weighted")
    assert (note.severity, "by chance" in note.text, "hier" in note.text) == ("info", True, False)


def test_mean_scores_keep_the_sign_of_the_file(whole: Scores) -> None:
    family, turned = (
        rank(whole, rope=0.01, options=FEW),
        rank(replace(whole, lower_is_better=True), rope=0.01, options=FEW),
    )
    np.testing.assert_array_equal(turned.mean_score, -family.mean_score)
    np.testing.assert_array_equal(turned.best.regret, family.best.regret)


def test_one_data_set_gives_the_folds_and_the_t_tests(whole: Scores) -> None:
    family = rank(replace(whole, datasets=whole.datasets[:1]), options=FEW)
    assert family.ranks is None
    assert family.lone is not None
    np.testing.assert_allclose(
        correlations(family.lone), np.corrcoef(whole.datasets[0].table.T), atol=1e-12
    )
    assert family.pairwise.tests[0].test == "corrected-t"
    np.testing.assert_allclose(
        family.pairwise.bonferroni, np.minimum(1, 3 * family.pairwise.p_values)
    )
    titles = [table.title for table in build_family_report(family, details=True).tables]
    assert titles[-2:] == [
        "Correlation of the classifiers over the folds",
        "Scores by fold: set-0",
    ]


def test_no_verdict_from_zero_spread(whole: Scores) -> None:
    table = np.round(tables(1)["set-0"], 2)[:5]
    table[:, 0] = table[:, 1] - 0.02
    family = rank(scores_from({"only": table}, NAMES), options=FEW)
    assert family.withheld is not None
    assert not family.decided
    assert words(family).startswith(
        "No verdict: the differences of b and classifier a are all equal"
    )
    table[:, 0] = table[:, 1]
    family = rank(scores_from({"only": table}, NAMES), options=FEW)
    assert family.withheld is None
    assert "never differ" in words(family)
    assert family.equals == ()
    assert family.best.p_least_regret[0] == family.best.p_least_regret[1]


def test_one_table_of_means_of_one_data_set_tells_nothing() -> None:
    means = scores_from({"only": np.array([[0.7, 0.8, 0.9]])}, NAMES)
    with pytest.raises(InputError):
        rank(replace(means, unit=MEAN))


def test_clusters_of_different_sizes_are_judged_as_by_the_t_test() -> None:
    """With C - 1 degrees of freedom it would be 0.88 in place of 0.84."""
    rng = np.random.default_rng(3)
    sizes = [60, 14, 9, 5, 3, 2]
    passage = np.repeat(np.arange(len(sizes)), sizes)
    effect = rng.normal(0.1, 0.1, len(sizes))[passage]
    models = {"a": 0.0, "b": effect}
    frame = pd.concat(
        pd.DataFrame(
            {"item": np.arange(93), "cluster": passage, "classifier": name, "score": score}
        )
        for name, score in models.items()
    )
    scores = from_frame(frame, item_col="item", cluster_col="cluster")
    (pair,) = compare(scores, "ttest", rope=0.01).comparisons
    draws = 40_000
    alone = rank(scores, rope=0.01, options=Best(draws=draws)).best.pairs
    at = pair.dataset_probabilities(0).right
    assert alone.left[1, 0] == pytest.approx(at, abs=4 * (at * (1 - at) / draws) ** 0.5)


def test_a_test_adds_its_own_pairs(uneven: Scores) -> None:
    family = rank(uneven, "sign", options=FEW)
    assert family.study is not None
    n = {(c.left, c.right): len(c.differences.statistics) for c in family.study.comparisons}
    assert n == {("a", "b"): 4, ("a", "c"): 3, ("b", "c"): 3}
    record = family_document(family)
    assert (record["settings"]["test"], record["comparisons"][0]["n_datasets"]) == ("sign", 4)
    assert {"nhst", "datasets"} <= set(record["comparisons"][0])
    assert len(family_document(rank(uneven, options=FEW))["comparisons"]) == 3


@pytest.mark.parametrize(("over", "said"), [("average", 1), ("next", 0)])
def test_where_the_centre_stands_beside_the_mean_the_report_says_why_they_differ(
    whole: Scores, over: Reading, said: int
) -> None:
    family = rank(whole, Hierarchical(over=over), options=FEW)
    sentences = build_family_report(family).sentences
    assert sentences.count(CENTRE_AND_MEAN) == said
    for quantity in ("a typical data set like these", "the average over data sets like these"):
        assert quantity in CENTRE_AND_MEAN
    assert CENTRE_AND_MEAN not in build_family_report(rank(whole, options=FEW)).sentences


def test_a_finished_search_and_a_frame_are_ranked_as_they_are() -> None:
    from sklearn.datasets import make_moons
    from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
    from sklearn.tree import DecisionTreeClassifier

    points, kinds = make_moons(150, noise=0.35, random_state=1)
    splits = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    grid = {"max_depth": [1, 2, 3, 6, None]}  # None sets no limit, which costs most
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=splits)
    search.fit(points, kinds)
    family = rank(search, prefer="param_max_depth", options=FEW)
    assert len(family.best.classifiers) == 5
    assert family.preferred is not None
    assert family.preferred.cost <= (search.best_params_["max_depth"] or np.inf)
    assert family.preferred.cost < np.inf
    assert family.best.p_best.sum() == pytest.approx(1)
    frame = pd.DataFrame(
        [
            ("a", fold, NAMES[k], score)
            for fold, row in enumerate(tables(1)["set-0"])
            for k, score in enumerate(row)
        ],
        columns=["dataset", "fold", "classifier", "score"],
    )
    assert rank(frame, options=FEW).leader == "b"
    said = f"\n{family.leader} leads: it is the best on results with probability "
    assert said in as_text(family)


def test_two_data_sets_cannot_speak_of_others() -> None:
    family = rank(scores_from(tables(2), NAMES), options=FEW)
    assert family.withheld is not None
    assert "at least 3" in family.withheld
    assert not family.decided
    assert set(family.decisions.ravel()) == {"none"}
    assert "few-datasets" in [note.code for note in family.notes]
    assert "few-datasets" not in [note.code for note in rank(scores_from(tables(5), NAMES)).notes]


def pasted(family: Family) -> tuple[list[list[str]], str]:
    """The cells of the leaderboard in Markdown, its heading first, and all of the text."""
    text = as_text(family, "markdown")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [rows[0], *rows[2:]], text


def test_the_leaderboard_to_paste_has_tier_score_its_own_error_and_places(whole: Scores) -> None:
    family = rank(whole, options=FEW)
    (heading, *rows), text = pasted(family)
    assert heading == ["tier", "model", "score", "± SE of score", "places"]
    means = np.array([table.mean(axis=0) for table in tables().values()])
    places = family.best.places.interval
    for row, k in zip(rows, family.best.order, strict=True):
        low, high = int(places.low[k]), int(places.high[k])
        assert row[:2] == [str(family.tiers[k]), NAMES[k]]
        assert float(row[2]) == pytest.approx(means[:, k].mean(), abs=0.00051)
        # of the score itself over data sets, not of a difference
        error = means[:, k].std(ddof=1) / np.sqrt(len(means))
        assert float(row[3]) == pytest.approx(error, abs=0.00051)
        assert row[4] == (f"{low}" if low == high else f"{low}–{high}")
    difference = told_apart(whole)
    assert difference is not None
    points = f"{100 * difference:.2g} points"
    assert f"two models apart (80 %, paired test at 0.05) that differ by {points}" in text
    assert "behind" not in text
    latex = as_text(family, "latex")
    assert r"$\pm$ SE" in latex
    assert "behind" not in latex
    header = as_text(family, "csv").split(",", 5)
    assert header[:4] == ["tier", "classifier", "mean_score", "standard_error"]


def test_details_keep_what_the_leaderboard_replaces(whole: Scores) -> None:
    text = as_text(rank(whole, options=FEW), "markdown", details=True)
    assert "± SE of score" in text
    assert "| behind |" in text


def test_a_board_without_shares_says_its_difference_in_its_own_unit(whole: Scores) -> None:
    times = replace(whole, datasets=tuple(replace(d, table=-30 * d.table) for d in whole.datasets))
    difference = told_apart(times)
    assert difference == pytest.approx(30 * (told_apart(whole) or 0))
    _, text = pasted(rank(times, rope=0.3, options=FEW))
    assert f"that differ by {difference:.2g}\n" in text
    assert "points" not in text


def test_the_error_of_a_score_is_that_of_its_clusters() -> None:
    """Items of a passage stand or fall together: with each for itself it would be a third."""
    rng = np.random.default_rng(8)
    passages = np.repeat(rng.random((30, 3)) < 0.6, 10, axis=0).astype(np.float64)
    frame = pd.DataFrame(passages, columns=NAMES)
    frame["item"] = [f"q{i}" for i in range(300)]
    frame["cluster"] = np.repeat([f"p{i}" for i in range(30)], 10)
    long = frame.melt(["item", "cluster"], var_name="classifier", value_name="score")
    family = rank(from_frame(long, item_col="item", cluster_col="cluster"), options=FEW)
    (_, *rows), text = pasted(family)
    means = passages[::10]
    for row in rows:
        column = means[:, NAMES.index(row[1])]
        assert float(row[3]) == pytest.approx(column.std(ddof=1) / np.sqrt(30), abs=0.00051)
    (dataset,) = family.scores.datasets
    assert len(dataset.table) == 30
    assert f"differ by {100 * (told_apart(family.scores) or 0):.2g} points" in text


def at(p: float, n: int = 20) -> Scores:
    """Folds of two classifiers, of which b has the least regret with probability p."""
    rng = np.random.default_rng(8)
    spread = rng.normal(0, 0.03, n)
    spread -= spread.mean()
    error = spread.std(ddof=1) * np.sqrt(1 / n + 0.1 / 0.9)
    difference = spread + error * stdtrit(n - 1, p)
    return scores_from({"d": np.column_stack([np.full(n, 0.7), 0.7 + difference])}, runs=2)


@pytest.mark.parametrize(
    ("p", "decided", "at_border"),
    [(0.945, False, False), (0.9501, False, True), (0.957, True, False)],
)
def test_no_verdict_depends_on_the_seed(p: float, decided: bool, at_border: bool) -> None:
    """Near its border more is drawn; what stays there is undecided, and said to be so."""
    for seed in range(2):
        result = rank(at(p), rope=0.0, options=Best(seed=seed))
        assert (result.decided, result.at_border) == (decided, at_border)
        codes = [note.code for note in result.notes]
        assert ("at-border" in codes) is at_border
        more = f"--draws {4 * result.best.draws}"
        texts = [as_options(note.text) for note in result.notes if note.code == "at-border"]
        assert all(text.endswith(more) for text in texts)
        assert result.best.draws > 10_000 or not at_border


def ladder() -> Scores:
    """Four classifiers: two alike, one far below, and one in between that is hard to tell."""
    rng = np.random.default_rng(4)
    skill = np.array([0.8, 0.8, 0.785, 0.7])
    return scores_from(
        {
            f"set-{i:02}": skill + rng.normal(0, 0.01, 4) + rng.normal(0, 0.02, (10, 4))
            for i in range(20)
        },
        ("a", "b", "c", "d"),
    )


def test_more_is_drawn_where_a_tier_is_at_its_border(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third is no neighbour of the first, but may begin the next tier."""
    monkeypatch.setattr("bcompare.ranking.family.MOST_DRAWN", 200_000)
    few = rank(ladder(), options=FEW)
    first, _, third, _ = few.best.order
    alpha = 1 - float(few.best.pairs.left[first, third])
    assert 0 < alpha < 0.5
    result = rank(ladder(), options=FEW, alpha=alpha)
    assert result.best.draws > few.best.draws


def test_a_tier_begins_with_the_first_that_is_surely_worse_than_its_first() -> None:
    family = rank(ladder(), options=FEW)
    best = family.best
    order, worse = list(best.order), best.pairs.left > 0.95
    worse &= ~best.near(best.pairs.left, 0.95)
    tier, first, expected = 1, order[0], {}
    for k in order:
        if k != first and worse[first, k]:
            tier, first = tier + 1, k
        expected[k] = tier
    assert family.tiers.tolist() == [expected[k] for k in range(4)]
    assert 1 < tier < 4
    assert [family.tiers[k] for k in order] == sorted(family.tiers)


def test_neighbours_and_first_places_are_those_of_the_pairs_and_draws() -> None:
    family = rank(ladder(), options=FEW, top_k=2)
    rows = family_document(family)["family"]["best"]
    names = [row["classifier"] for row in rows]
    p = {(c["left"], c["right"]): c["p_left"] for c in family_document(family)["comparisons"]}
    p |= {(c["right"], c["left"]): c["p_right"] for c in family_document(family)["comparisons"]}
    for row, following in zip(rows, names[1:], strict=False):
        assert row["p_better_than_next"] == p[row["classifier"], following]
    assert rows[-1]["p_better_than_next"] is None
    assert sum(row["p_in_top_k"] for row in rows) == pytest.approx(2)
    known = sum(row["p_better_than_next"] > 0.95 for row in rows[:-1])
    assert len(family.better_than_next) == known
    assert f"p(in top {family.top_k})" in as_text(family)
    for wrong in (0, 5):
        with pytest.raises(InputError, match="there are 4 classifiers; give 1 to 4"):
            rank(ladder(), options=FEW, top_k=wrong)


@pytest.mark.parametrize(("folds", "step"), [(3, 0.02), (10, 0.0)])
def test_a_pair_of_equal_differences_has_no_verdict(folds: int, step: float) -> None:
    scores = scores_from({"x": np.tile([0.5, 0.5 + step], (folds, 1))}, ("a", "b"))
    text = as_text(rank(scores, options=FEW))
    assert re.search("(a against b|b against a) on x: no verdict: ", text)
