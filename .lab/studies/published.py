"""Tables of the papers that rest on real results: nbc, aode and j48 on 54 UCI data sets.

The data are not part of this project: give their folder by DATA=FOLDER. Where it is not given
there is nothing to report.
"""

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from bcompare.comparing.compare import compare
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.data.scores import Scores
from bcompare.methods.hierarchical.result import HierarchicalResult
from bcompare.methods.poisson_binomial import PoissonBinomialResult
from bcompare.methods.wilcoxon import wilcoxon
from bcompare.reading.read import read_scores
from studies.study import Line, Paper

FOLDER = Path(os.environ.get("DATA", "."))
# The results, and what other programs say of the hierarchical model's posterior.
DATA, REFERENCE = FOLDER / "uci54.csv", FOLDER / "hier_reference.json"
PAIRS = (("nbc", "aode"), ("nbc", "j48"), ("aode", "j48"))
REGIONS = ("left", "rope", "right")

# Tutorial, Tables 9 to 11, made with prior strength 0.4; its differences are left - right, so that
# z0 = ∞ speaks for left.
SIGNED_RANK = {
    ("Table 9", "split"): ((0.000, 0.103, 0.897), (0.228, 0.004, 0.768), (0.911, 0.026, 0.063)),
    ("Table 10", "left"): ((0.000, 0.112, 0.888), (0.262, 0.004, 0.734), (0.922, 0.024, 0.053)),
    ("Table 11", "right"): ((0.000, 0.096, 0.904), (0.201, 0.004, 0.795), (0.892, 0.028, 0.080)),
}
HIERARCHICAL = {  # Tutorial, Table 12
    PAIRS[0]: (0.00, 0.28, 0.72), PAIRS[1]: (0.20, 0.01, 0.79), PAIRS[2]: (0.46, 0.51, 0.03),
}  # fmt: skip
CROSS = {  # Tutorial, Tables 4 to 6: p > 0.05 (all, equivalent, different, undecided), p ≤ 0.05
    PAIRS[0]: ((35, 6, 0, 29), (19, 1, 14, 4)), PAIRS[1]: ((27, 2, 0, 25), (27, 0, 20, 7)),
    PAIRS[2]: ((33, 6, 0, 27), (21, 1, 14, 6)),
}  # fmt: skip
WILCOXON = (0.000, 0.463, 0.077)  # Tutorial, Table 8


@cache
def scores() -> Scores:
    """The results."""
    return read_scores(str(DATA))


def study(test: str, **options: object) -> ComparisonSet:
    """All pairs by a test."""
    from bcompare.methods import load_method

    return compare(scores(), load_method(test)(**options), pairs=PAIRS)


def tutorial(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Tables 2, 4 to 6 and 8 to 12 of the Tutorial, as far as three classifiers go."""
    if not DATA.exists():
        return ()
    return tuple(_tutorial(repetitions, seed))


def _tutorial(draws: int, seed: int) -> Iterator[Line]:
    ttest = study("ttest")
    first = ttest.comparisons[0]
    at = first.differences.statistics.names.index("anneal")
    statistics, datasets = first.differences.statistics, first.result.datasets
    yield Line("anneal, nbc − aode: mean difference", -float(statistics.mean[at]),
               paper=Paper(-0.0194, digits=4))  # fmt: skip
    yield Line(
        "anneal, nbc – aode: p-value", float(first.p_values[at]), paper=Paper(0.00065, digits=5)
    )
    yield Line("anneal, nbc – aode: standard deviation", float(statistics.sd[at]),
               paper=Paper(0.01583, digits=5))  # fmt: skip
    at = statistics.names.index("squash-unstored")
    squash = datasets.probabilities
    for name, printed in (("left", 0.113), ("rope", 0.086), ("right", 0.801)):
        yield Line(
            f"squash-unstored, nbc – aode: p({name})", float(getattr(squash, name)[at]),
            paper=Paper(printed, digits=3),
            note="Table 2's own p-value; the running text prints 0.126, 0.086, 0.788",
        )  # fmt: skip
    for comparison in ttest.comparisons:
        yield from _cross(comparison)
    for (table, place), threes in SIGNED_RANK.items():
        options = {"prior_strength": 0.4, "prior_place": place, "draws": draws, "seed": seed}
        result = study("signrank", **options).comparisons
        for comparison, three in zip(result, threes, strict=True):
            p = comparison.probabilities
            assert p is not None
            for name, value in zip(REGIONS, three, strict=True):
                ours = float(getattr(p, name))
                paper = Paper(value, digits=3, error=_monte_carlo(value, 150_000))
                what = f"{table}, {comparison.left} – {comparison.right}: p({name})"
                yield Line(what, ours, _monte_carlo(ours, draws), paper)
    sums = [wilcoxon(c.differences.statistics.mean) for c in study("sign").comparisons]
    yield Line("§4.1.1, nbc – aode: rank sum", sums[0].statistic, paper=Paper(162, digits=0))
    for (left, right), summed, value in zip(PAIRS, sums, WILCOXON, strict=True):
        what = f"Table 8, {left} – {right}: Wilcoxon's p"
        yield Line(what, summed.p_value, paper=Paper(value, digits=3))
    hier = study("hier")
    for comparison in hier.comparisons:
        pair = (comparison.left, comparison.right)
        p = comparison.probabilities
        assert p is not None
        for name, printed in zip(REGIONS, HIERARCHICAL[pair], strict=True):
            # the papers' sampler has an error of its own
            yield Line(f"Table 12, {' – '.join(pair)}: p({name})", float(getattr(p, name)),
                       paper=Paper(printed, digits=2, error=0.003))  # fmt: skip
    if REFERENCE.exists():
        yield from _reference(hier)


def _reference(hier: ComparisonSet) -> Iterator[Line]:
    """The hierarchical posterior by another integration, and by CmdStan."""
    pairs = json.loads(REFERENCE.read_text("utf-8"))["pairs"]
    for comparison, pair in zip(hier.comparisons, pairs, strict=True):
        result = comparison.result
        assert isinstance(result, HierarchicalResult)
        names = f"{comparison.left} – {comparison.right}"
        assert names == f"{pair['left']} – {pair['right']}"
        for name in REGIONS:
            ours, other = float(getattr(result.probabilities, name)), pair["quadrature"]["p"][name]
            yield Line(f"another integration, {names}: p({name})", ours,
                       paper=Paper(other, digits=3))  # fmt: skip
            sampled = pair["cmdstan"]["p"][name]
            error = sampled["mcse"] or 1e-3
            yield Line(f"CmdStan, {names}: p({name})", ours,
                       paper=Paper(sampled["p"], digits=3, error=error))  # fmt: skip
        for name in ("delta0", "sigma0", "nu"):
            marginal, other = getattr(result, name), pair["quadrature"][name]
            yield Line(f"another integration, {names}: median of {name}, in its sd",
                       marginal.median / other["sd"],
                       paper=Paper(other["q50"] / other["sd"], digits=3))  # fmt: skip


def _cross(comparison: object) -> Iterator[Line]:
    """Decisions of one pair on the data sets, by both schools."""
    from bcompare.comparing.comparison import Comparison

    assert isinstance(comparison, Comparison)
    pair = (comparison.left, comparison.right)
    rejected = comparison.p_values <= 0.05
    decisions = np.array(comparison.dataset_decisions)
    for among, printed, sign in zip(
        (~rejected, rejected), CROSS[pair], ("> 0.05", "≤ 0.05"), strict=True
    ):
        own = decisions[among]
        counts = (len(own), (own == "rope").sum(), np.isin(own, ("left", "right")).sum(),
                  (own == "none").sum())  # fmt: skip
        for name, ours, paper in zip(
            ("all", "equivalent", "different", "undecided"), counts, printed, strict=True
        ):
            yield Line(
                f"Tables 4–6, {' – '.join(pair)}, p {sign}: {name}", float(ours),
                paper=Paper(float(paper), digits=0),
                note="one data set lies on the border" if ours != paper else "",
            )  # fmt: skip


def _monte_carlo(p: float, draws: int) -> float:
    """The standard error of a share of so many draws."""
    return float(np.sqrt(max(p * (1 - p), 1e-4) / draws))


def table4(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Corani & Benavoli 2015, Table 4: decisions on halves of the data sets, and on all."""
    del repetitions, seed
    if not DATA.exists():
        return ()
    names = sorted(dataset.name for dataset in scores().datasets)
    outcome = []
    for what, chosen, printed in (
        ("1–27", names[:27], (7, 3)), ("28–54", names[27:], (7, 3)), ("all 54", names, (7, 6)),
    ):  # fmt: skip
        part = read_scores(str(DATA), datasets=tuple(chosen))
        decided = [0, 0]
        for comparison in compare(part, "poisson", pairs=PAIRS, rope=0.0).comparisons:
            result = comparison.result
            assert isinstance(result, PoissonBinomialResult)
            contrast = result.wilcoxon
            decided[0] += max(result.p_right_majority, result.p_left_majority) > 0.95
            decided[1] += min(contrast.p_left_better, contrast.p_right_better) < 0.05
        for name, ours, paper in zip(
            ("Poisson-binomial", "signed-rank"), decided, printed, strict=True
        ):
            note = f"three of the paper's ten pairs are at hand; it decides {paper} of ten"
            line = Line(f"data sets {what}: {name} decides, of 3 pairs", float(ours), note=note)
            outcome.append(line)
    return tuple(outcome)
