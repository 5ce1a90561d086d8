"""The tools, each behind an adapter of a few lines, by its documentation and at its defaults.

`@tool(name, package, families…)` enters one: a function of a `Case` that returns an `Answer`, by
`by_p_value`, `by_interval` or `by_probabilities`. What it raises counts as a refusal or an error.
If an adapter treats your tool unfairly, please correct it.
"""

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import bcompare
from bcompare.comparing.comparison import Comparison
from bcompare.data.rope import FloatArray
from bcompare.data.scores import Scores
from bcompare.methods.betting import log_wealth
from bcompare.methods.hierarchical.method import AveragedPopulations
from bcompare.methods.interface import Method
from scoreboard.case import (
    ALPHA,
    LEFT,
    RIGHT,
    Answer,
    Case,
    Rows,
    by_interval,
    by_p_value,
    by_probabilities,
    region_of,
    tool,
)

PAIRS: tuple[Rows, ...] = ("folds", "refits", "seeds", "items")


# ---- bcompare: what its commands answer ----


def _scores(case: Case, baseline: Sequence[str] = ()) -> Scores:
    if case.rows == "items":
        return bcompare.from_items(
            case.frame,
            "item",
            epoch="epoch" if "epoch" in case.keys else None,
            cluster="passage" if "passage" in case.keys else None,
            baseline=baseline,
        )
    if case.rows in ("seeds", "timings"):
        lower = case.rows == "timings"
        return bcompare.from_frame(
            case.frame, seed_col="seed", lower_is_better=lower, baseline=baseline
        )
    return bcompare.from_frame(case.frame, baseline=baseline)


def _ours(case: Case, test: Method | str) -> Comparison:
    study = bcompare.compare(_scores(case), test, left=LEFT, right=RIGHT, rope=case.rope)
    (pair,) = study.comparisons
    return pair


def _verdict(pair: Comparison) -> Answer:
    p, average = pair.probabilities, pair.observed
    assert p is not None
    assert average is not None
    says = pair.decision or "none"
    return Answer(says, average.low, average.high, (p.left, p.rope, p.right), value=max(p))


@tool("bcompare ttest", "bcompare", *PAIRS, rope=True, verdict=True)
def ttest(case: Case) -> Answer:
    return _verdict(_ours(case, "ttest"))


@tool("bcompare ttest, average", "bcompare", "suite", rope=True, verdict=True)
def ttest_average(case: Case) -> Answer:
    these = _ours(case, "ttest").over_these
    assert these is not None
    p, estimate = these.regions(bcompare.Rope.of(case.rope)), these.estimate()
    return by_probabilities(p.left, p.rope, p.right, estimate.low, estimate.high)


@tool("bcompare ttest, p-value", "bcompare", *PAIRS)
def ttest_p_value(case: Case) -> Answer:
    pair = _ours(case, "ttest")
    return by_p_value(float(pair.p_values[0]), pair.mean_difference)


def _gate(case: Case, metric: str = "") -> Answer:
    bases = [name for name in case.frame["classifier"].unique() if name != RIGHT]
    scores: Any = _scores(case, bases)
    runs = {LEFT: bases} if len(bases) > 1 else {}
    if metric:
        scores = {metric: scores}
    result = bcompare.gate(scores, baseline=LEFT, candidate=RIGHT, rope=case.rope, runs=runs)
    worse = max(one.p.left for one in result.verdicts)
    return Answer("left" if result.outcome == "fail" else "none", value=worse)


@tool("bcompare gate", "bcompare", *PAIRS, "suite", "timings", rope=True, one_sided=True)
def gate(case: Case) -> Answer:
    return _gate(case, "time: lower, 5%" if case.rows == "timings" else "")


@tool("bcompare gate, medians", "bcompare", "timings", rope=True, one_sided=True)
def gate_of_medians(case: Case) -> Answer:
    return _gate(case, "time: lower, 5%, median")


@tool("bcompare hier", "bcompare", "suite", rope=True, of="next", verdict=True)
def hier(case: Case) -> Answer:
    return _verdict(_ours(case, "hier"))


@tool("bcompare hier, averaged", "bcompare", "suite", rope=True, of="next", verdict=True)
def hier_averaged(case: Case) -> Answer:
    return _verdict(_ours(case, AveragedPopulations()))


@tool("bcompare signrank", "bcompare", "suite", rope=True, of="two", verdict=True)
def signrank(case: Case) -> Answer:
    return _verdict(_ours(case, "signrank"))


@tool("bcompare sign", "bcompare", "suite", rope=True, of="next", verdict=True)
def sign(case: Case) -> Answer:
    return _verdict(_ours(case, "sign"))


@tool("bcompare rank", "bcompare", "leaderboard", verdict=True)
def rank(case: Case) -> Answer:
    family = bcompare.rank(_scores(case))
    decided = np.isin(family.decisions, ("left", "right")).any()
    stated = float(family.best.p_least_regret[family.best.leader])
    return Answer("right" if decided else "none", best=family.leader, p_best=stated)


def _stopped(x: FloatArray, looks: Iterable[int], different: Callable[[int], bool]) -> Answer:
    """The answer of a sequential tool: at its first look that says different, and after how many.

    looks : numbers of items. different : whether it says so at a look.
    """
    for n in looks:
        if different(n):
            return Answer(region_of(float(x[:n].mean()), 0), after=n)
    return Answer("none", after=len(x))


@tool("bcompare gate-anytime", "bcompare", "looks")
def gate_anytime(case: Case) -> Answer:
    """Bets of half of alpha each that the right one is worse, and that the left one is."""
    left, right = case.arrays()
    x = right - left
    wealth = [log_wealth((1 - y) / 2, 0.5, ALPHA / 2, budget=len(x)) for y in (x, -x)]
    reached = np.maximum(*wealth) >= np.log(2 / ALPHA)
    return _stopped(x, range(1, len(x) + 1), lambda n: bool(reached[n - 1]))


# ---- by hand ----


@tool("paired t at every 20 items", "scipy", "looks")
def repeated_t(case: Case) -> Answer:
    left, right = case.arrays()
    x = right - left
    looks = range(20, len(x) + 1, 20)
    return _stopped(x, looks, lambda n: bool(stats.ttest_1samp(x[:n], 0).pvalue < ALPHA))


def _complete(case: Case) -> tuple[FloatArray, FloatArray]:
    """Scores of left and right as arrays; an item's epochs are averaged."""
    if "epoch" not in case.keys:
        return case.arrays()
    means = case.frame.groupby(["classifier", "item"], sort=False)["score"].mean()
    return means[LEFT].to_numpy(), means[RIGHT].to_numpy()


def _times(case: Case) -> tuple[FloatArray, FloatArray]:
    """The logarithms of all times, negated, of the baseline's runs and of the candidate's."""
    new = case.frame["classifier"] == RIGHT
    values = -np.log(case.frame["score"].to_numpy())
    return values[~new], values[new]


@tool("scipy, paired t", "scipy", *PAIRS)
def paired_t(case: Case) -> Answer:
    left, right = _complete(case)
    result = stats.ttest_rel(right, left)
    low, high = result.confidence_interval()
    return by_p_value(float(result.pvalue), float((right - left).mean()), low, high)


@tool("scipy, Welch's t", "scipy", "timings")
def welch(case: Case) -> Answer:
    left, right = _times(case)
    result = stats.ttest_ind(right, left, equal_var=False)
    low, high = result.confidence_interval()
    return by_p_value(float(result.pvalue), float(right.mean() - left.mean()), low, high)


@tool("scipy, Mann–Whitney", "scipy", "timings")
def mann_whitney(case: Case) -> Answer:
    left, right = _times(case)
    p = float(stats.mannwhitneyu(right, left).pvalue)
    return by_p_value(p, float(np.median(right) - np.median(left)))


@tool("scipy, Wilcoxon", "scipy", *PAIRS, "suite")
def wilcoxon(case: Case) -> Answer:
    if case.rows == "suite":
        means = case.means()
        left, right = means[LEFT].to_numpy(), means[RIGHT].to_numpy()
    else:
        left, right = _complete(case)
    p = float(stats.wilcoxon(right, left).pvalue)
    return by_p_value(p, float((right - left).mean()))


@tool("corrected t by hand", "scipy", "folds", "refits")
def corrected_t(case: Case) -> Answer:
    left, right = case.arrays()
    d = right - left
    k = case.frame["fold"].nunique()
    error = np.sqrt(d.var(ddof=1) * (1 / len(d) + 1 / (k - 1)))
    reach = stats.t.ppf(0.975, len(d) - 1) * error
    p = 2 * stats.t.sf(abs(d.mean()) / error, len(d) - 1)
    mean = float(d.mean())
    return by_p_value(p, mean, mean - reach, mean + reach)


@tool("bootstrap by hand", "numpy", *PAIRS, "suite", "timings")
def bootstrap(case: Case) -> Answer:
    rng = np.random.default_rng(0)
    if case.rows == "timings":
        left, right = _times(case)
        draws = [rng.choice(side, (2000, len(side))).mean(axis=1) for side in (left, right)]
        means, d = draws[1] - draws[0], right.mean() - left.mean()
    else:
        if case.rows == "suite":
            table = case.means()
            differences = (table[RIGHT] - table[LEFT]).to_numpy()
        else:
            left, right = _complete(case)
            differences = right - left
        means = rng.choice(differences, (2000, len(differences))).mean(axis=1)
        d = differences.mean()
    low, high = np.quantile(means, (0.025, 0.975))
    return by_interval(low, high, d)


@tool("difference over the rope", "numpy", *PAIRS, "suite", "timings", rope=True)
def plain_difference(case: Case) -> Answer:
    left, right = _times(case) if case.rows == "timings" else case.arrays()
    d = right.mean() - left.mean()
    rope = np.log1p(case.rope) if case.rows == "timings" else case.rope
    return Answer(region_of(d, rope), value=float(d))


@tool("Bayle et al. by hand", "scipy", "refits")
def bayle(case: Case) -> Answer:
    """Bayle et al. 2020: cases' losses as if independent, around the cross-validated mean."""
    d = case.further["losses"]
    reach = stats.norm.ppf(0.975) * d.std() / np.sqrt(len(d))
    return by_interval(d.mean() - reach, d.mean() + reach)


@tool("nested cross-validation by hand", "scipy", "refits")
def nested(case: Case) -> Answer:
    """Bates, Hastie & Tibshirani 2023, Algorithm 1, around the cross-validated mean."""
    inner, outer, variance, spread = case.further["nested"].T
    k, n = case.frame["fold"].nunique(), len(case.further["losses"])
    naive = np.sqrt(spread.mean() / n)
    mse = max(((inner - outer) ** 2 - variance).mean(), 0)
    error = np.clip(np.sqrt((k - 1) / k * mse), naive, naive * np.sqrt(k))
    reach = stats.norm.ppf(0.975) * error
    return by_interval(outer.mean() - reach, outer.mean() + reach)


@tool("highest mean", "pandas", "leaderboard", names_only=True)
def highest_mean(case: Case) -> Answer:
    return Answer("none", best=str(case.means().mean().idxmax()))


@tool("best mean rank", "pandas", "leaderboard", names_only=True)
def best_mean_rank(case: Case) -> Answer:
    return Answer("none", best=str(case.means().rank(axis=1).mean().idxmax()))


# ---- other packages ----


def _baycomp(case: Case, rope: float) -> Answer:
    baycomp = import_module("baycomp")
    if case.rows == "suite":
        means = case.means()
        np.random.seed(0)  # noqa: NPY002 - its generator
        found = baycomp.two_on_multiple(means[LEFT].to_numpy(), means[RIGHT].to_numpy(), rope)
    else:
        left, right = case.arrays()
        runs = case.frame["run"].nunique() if "run" in case.frame else 1
        found = baycomp.two_on_single(left, right, rope, runs)
    left_p, rope_p, right_p = found if rope else (found[0], 0.0, found[1])
    return by_probabilities(left_p, rope_p, right_p)


@tool("baycomp", "baycomp", "folds", "refits", "suite", of="two", verdict=True)
def baycomp_default(case: Case) -> Answer:
    return _baycomp(case, 0.0)


@tool(
    "baycomp, with the rope",
    "baycomp",
    "folds",
    "refits",
    "suite",
    rope=True,
    of="two",
    verdict=True,
)
def baycomp_rope(case: Case) -> Answer:
    return _baycomp(case, case.rope)


def _of_two(frame: pd.DataFrame) -> Answer:
    """Autorank's answer on a table with two columns."""
    result = import_module("autorank").autorank(frame, verbose=False)
    return by_p_value(float(result.pvalue), float((frame[RIGHT] - frame[LEFT]).mean()))


@tool("autorank", "autorank", *PAIRS, "suite", "leaderboard")
def autorank(case: Case) -> Answer:
    if case.rows == "leaderboard":
        result = import_module("autorank").autorank(case.means(), verbose=False)
        different = result.pvalue < result.alpha
        best = result.rankdf["meanrank"].idxmin()
        return Answer("right" if different else "none", best=str(best))
    if case.rows == "suite":
        return _of_two(case.means()[[LEFT, RIGHT]])
    left, right = _complete(case)
    return _of_two(pd.DataFrame({LEFT: left, RIGHT: right}))


@tool("scikit-posthocs, Nemenyi", "scikit-posthocs", "leaderboard")
def nemenyi(case: Case) -> Answer:
    means = case.means()
    p = import_module("scikit_posthocs").posthoc_nemenyi_friedman(means).to_numpy()
    different = (p < 0.05).any()
    return Answer("right" if different else "none", best=str(means.rank(axis=1).mean().idxmax()))


@tool("scikit-posthocs, Wilcoxon", "scikit-posthocs", "suite")
def posthoc_wilcoxon(case: Case) -> Answer:
    long = case.means().reset_index().melt(id_vars="dataset", var_name="classifier")
    p = import_module("scikit_posthocs").posthoc_wilcoxon(long, "value", "classifier")
    means = case.means().mean()
    return by_p_value(float(p.loc[LEFT, RIGHT]), means[RIGHT] - means[LEFT])


def _evaluma(case: Case) -> Any:
    means = case.means().reset_index().melt(id_vars="dataset", value_name="score")
    return import_module("evaluma").load_df(
        means.assign(metric="accuracy"), model="classifier", norm_ref_low=0, norm_ref_high=1
    )


@tool("evaluma", "evaluma", "suite", "leaderboard", rope=True, of="two", verdict=True)
def evaluma(case: Case) -> Answer:
    benchmark = _evaluma(case)
    if case.rows == "leaderboard":
        found = benchmark.frequentist_comparison().table
        best = benchmark.aggregate_ranking().table["model"].iloc[0]
        return Answer("right" if found["significant"].any() else "none", best=str(best))
    pairs = [(LEFT, RIGHT)]
    (row,) = benchmark.bayesian_comparison(case.rope, pairs=pairs, random_state=0).table.to_dict(
        "records"
    )
    return by_probabilities(row["p_a_better"], row["p_equiv"], row["p_b_better"])


def _cells(case: Case, name: str) -> list[tuple[Any, ...]]:
    rows = case.frame[case.frame["classifier"] == name]
    absent = {"passage": None, "epoch": 0}
    rows = rows.assign(**{name: value for name, value in absent.items() if name not in rows})
    return list(rows[["item", "score", "passage", "epoch"]].itertuples(index=False, name=None))


@tool("evalsig", "evalsig", "items")
def evalsig(case: Case) -> Answer:
    """`compare`, with the passage as the cluster; of several epochs it uses the first."""
    package = import_module("evalsig")
    clustered = "passage" in case.keys
    left, right = (
        package.RunFrame(name, name, "task", "accuracy", [
            package.ItemResult(item, score, passage if clustered else None, epoch)
            for item, score, passage, epoch in _cells(case, name)
        ])
        for name in (LEFT, RIGHT)
    )  # fmt: skip
    result = package.compare(left, right, cluster="passage" if clustered else None)
    low, high = result.ci
    says = region_of(low + high, 0) if result.significant else "none"
    return Answer(says, low, high, value=result.p_value)


@tool("evalci", "evalci", "items")
def evalci(case: Case) -> Answer:
    """`compare`; of epochs `multi_compare`, of clusters `cluster_ci` of the differences."""
    package = import_module("evalci")
    if "epoch" in case.keys:
        renamed = case.frame.rename(
            columns={"item": "item_id", "epoch": "sample_idx", "classifier": "model"}
        )[["model", "item_id", "sample_idx", "score"]]
        (row,) = package.multi_compare(renamed, random_state=1).to_dict("records")
        low, high = -row["ci_high"], -row["ci_low"]
        return Answer(region_of(low + high, 0) if row["significant"] else "none", low, high)
    left, right = case.arrays()
    if "passage" in case.keys:
        passage = case.frame["passage"][case.frame["classifier"] == LEFT].to_numpy()
        low, high = package.cluster_ci(right - left, passage, random_state=1)
        return by_interval(low, high)
    result = package.compare(right, left, random_state=1)
    low, high = result.ci
    return by_p_value(result.p_value, float(np.mean(right) - np.mean(left)), low, high)


@tool("evalstats", "evalstats", "items")
def evalstats(case: Case) -> Answer:
    """`compare` of the models; it knows no clusters."""
    package = import_module("evalstats")
    columns = ["item", "classifier", "score", *(["epoch"] if "epoch" in case.keys else [])]
    names = {"epoch": "run", "classifier": "model"}
    data = package.load_from(case.frame[columns].rename(columns=names))
    (pair,) = package.compare(data, factors="model").to_dict()["pairwise"]
    ends = pair["ci_low"], pair["ci_high"]
    low, high = ends if pair["a"] == RIGHT else (-ends[1], -ends[0])
    says = region_of(low + high, 0) if pair["significant"] else "none"
    return Answer(says, low, high, value=pair["p_value"])


@tool("statgate", "statgate", "items")
def statgate(case: Case) -> Answer:
    """The gate's p-value and interval; it knows no clusters."""
    record = import_module("statgate.records").EvalRecord
    left, right = (
        [record(case_id=item, score=score, run_index=k) for item, score, _, k in _cells(case, name)]
        for name in (LEFT, RIGHT)
    )
    settings = import_module("statgate.config").GateSettings(seed=1)
    result = import_module("statgate.verdict").evaluate_gate(left, right, settings)
    low, high = result.interval.low, result.interval.high
    return by_p_value(result.p_value, low + high, low, high)


@tool("evalsig, sequential gate", "evalsig", "looks")
def evalsig_sequential(case: Case) -> Answer:
    left, right = case.arrays()
    gate = import_module("evalsig.inference.sequential").sequential_gate
    found = gate(right - left, alpha=ALPHA, alternative="two-sided")
    n = int(found.n_pairs)
    return _stopped(right - left, [n] if found.stopped else [], lambda _: True)


@tool("statgate, sequential", "statgate", "looks")
def statgate_sequential(case: Case) -> Answer:
    left, right = case.arrays()
    x = right - left
    test = import_module("statgate.core.sequential").MixtureSPRT(alpha=ALPHA)
    batch = import_module("statgate.config").SequentialSettings().batch_size
    looks = range(batch, len(x) + 1, batch)
    return _stopped(x, looks, lambda n: bool(test.update(x[n - batch : n]).decided))
