"""Results in words: verdicts, sentences, and the line of settings."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from bcompare.basis.notes import counted
from bcompare.comparing.answers import Comparison
from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.decision import REGIONS, Decision, Rule, Threshold, decide_one
from bcompare.data.rope import RegionProbabilities, Rope
from bcompare.data.scores import Scores
from bcompare.data.units import ROWS
from bcompare.explain import reading
from bcompare.methods.base import Method, PopulationResult
from bcompare.report.number import decimals_for, difference, number_of, probability, unsigned
from bcompare.version import __version__

ERROR_NAMES = {"numerical": "numerical", "monte-carlo": "Monte Carlo"}

NHST_NAMES = {
    "wilcoxon": "Wilcoxon (normal approximation)",
    "wilcoxon-exact": "Wilcoxon (exact)",
    "binomial-sign": "sign test (exact)",
    "corrected-t": "corrected t-test",
    "mcnemar": "McNemar (exact)",
}


def named(tests: Iterable[str]) -> str:
    """Return the names of the frequentist tests behind some p-values."""
    return " or ".join(NHST_NAMES[test] for test in sorted(set(tests)))


def verdict(decision: Decision, left: str, right: str) -> str:
    """Return a verdict of a word or two, for a table's cell."""
    return {
        "left": f"{left} better",
        "rope": "equivalent",
        "right": f"{right} better",
        "none": "undecided",
    }[decision]


def sentence(c: Comparison) -> str:
    """Return what the test says of one pair, in one sentence."""
    p, decision = c.shown, c.decision
    if p is None or decision is None:
        return _counted_sentence(c)
    result, names = c.result, c.differences.statistics.names
    over = result if isinstance(result, PopulationResult) else None
    on = f" on {names[0]}" if over is None else over.scope
    if c.withheld is not None:
        where = "" if over else on
        return f"{c.left} – {c.right}{where}: no verdict: {c.withheld}"
    if not isinstance(c.rule, Threshold):  # what costs least need not be probable
        return decided(decision, p, c.left, c.right, on, c.rope, c.rule)
    likeliest = over is not None and over.about_likeliest
    said = decided(decision, p, c.left, c.right, on, c.rope, c.rule, likeliest=likeliest)
    chances = over.chances if over is not None and likeliest else None
    if chances is not None and decision != "none":
        share = percent(getattr(chances, decision))
        they = "they would be" if decision == "rope" else "it would be"
        said += f"; {they} on {share} of such data sets"
    return f"{said}{_by(c, decision, alone=over is None)}"


def _by(c: Comparison, decision: Decision, *, alone: bool) -> str:
    """The mean difference with its interval, to end a sentence with."""
    average = c.average
    if average is None:
        return ""
    decimals = decimals_for(max(abs(average.low), abs(average.high)))
    if decision == "left":
        average = average.mirrored()
    write = unsigned if decision in ("left", "right") else difference
    mean, low, high = (
        write(value, decimals) for value in (average.mean, average.low, average.high)
    )
    interval = f"{mean} (95 % interval {low} to {high})"
    if decision in ("left", "right"):
        return f", by {interval}" if alone else f"; on average by {interval}"
    return f"; the {'' if alone else 'average '}difference is {interval}"


def decided(
    decision: Decision,
    p: RegionProbabilities[float],
    left: str,
    right: str,
    on: str,
    rope: Rope,
    rule: Rule,
    *,
    likeliest: bool = False,
) -> str:
    """Return a pair's verdict in a sentence.

    on : what it is about, after a blank. likeliest : whether the probabilities are those of a
    region's being the likeliest.
    """
    if not isinstance(rule, Threshold):
        three = ", ".join(f"p({region}) {probability(getattr(p, region))}" for region in REGIONS)
        return f"{left} – {right}{on}: by expected loss {verdict(decision, left, right)}: {three}"
    if decision == "none":
        return f"{left} – {right}{on}: undecided between {two_likeliest(p, left, right)}"
    manner = ("most likely " if likeliest else "") + ("" if rope.is_empty else "practically ")
    shown = probability(getattr(p, decision))
    if decision == "rope":
        return f"{left} and {right} are {manner}equivalent{on} ({shown})"
    better, worse = (left, right) if decision == "left" else (right, left)
    return f"{better} is {manner}better than {worse}{on} ({shown})"


def two_likeliest(p: RegionProbabilities[float], left: str, right: str) -> str:
    """Return the two most probable regions with their probabilities, the likelier one first."""
    first, second = sorted(REGIONS, key=lambda region: -getattr(p, region))[:2]
    return " and ".join(
        f"{verdict(region, left, right)} ({probability(getattr(p, region))})"
        for region in (first, second)
    )


def percent(p: float) -> str:
    """A share of many in percent; none and all only where it is exactly that."""
    rounded = f"{100 * p:.0f}"
    if rounded in ("0", "100") and 0 < p < 1:
        return "less than 1 %" if p < 0.5 else "more than 99 %"
    return f"{rounded} %"


def _counted_sentence(comparison: Comparison) -> str:
    left, right, rope = comparison.left, comparison.right, comparison.rope
    better = "better" if rope.is_empty else "practically better"
    count = Counter(comparison.dataset_decisions)
    equivalent = "" if rope.is_empty else f"equivalent on {count['rope']}, "
    withheld = int(comparison.result.datasets.withheld.sum())
    no_spread = f" (withheld on {withheld}, where all differences are equal)" if withheld else ""
    return (
        f"Of {len(comparison.dataset_decisions)} data sets, {left} is {better} on "
        f"{count['left']}, {right} on {count['right']}, {equivalent}undecided on "
        f"{count['none']}{no_spread}"
    )


def disagreement(study: ComparisonSet) -> tuple[str, ...]:
    """Return one sentence on whether the tests beside the main one agree (Tutorial §4.5)."""
    if not study.also:
        return ()
    apart = [
        f"{comparison.left} – {comparison.right}"
        for i, comparison in enumerate(study.comparisons)
        if len({comparison.decision, *(o.comparisons[i].decision for o in study.also.values())}) > 1
    ]
    if not apart:
        names = ", ".join([study.method.name, *study.also])
        return (f"{names} come to the same verdict on every pair",)
    message = (
        f"The tests come to different verdicts on {counted(apart, 'pair')}: hier weighs how "
        "uncertain each data set's scores are and speaks of the next data set, sign and signrank "
        "see only the mean differences, and poisson speaks of these data sets only; report the "
        "one that answers your question"
    )
    return (message,)


def dependence(study: ComparisonSet) -> tuple[str, ...]:
    """Return a sentence on the pairs whose verdict depends on what was varied, if anything was."""
    apart = []
    for comparison in study.comparisons:
        result = comparison.result
        if isinstance(result, PopulationResult):
            decisions = {decide_one(study.rule, p) for p in result.sensitivity.values()}
            depends = len(decisions) > 1
        else:
            datasets: Any = result.datasets
            depends = any(
                study.rule.decide(RegionProbabilities(other.p_left, other.p_rope, other.p_right))
                != comparison.dataset_decisions
                for other in datasets.sensitivity
            )
        if depends:
            apart.append(f"{comparison.left} – {comparison.right}")
    if not apart:
        return ()
    return (f"The verdict depends on {study.method.varied} for {counted(apart, 'pair')}",)


def p_value_by(study: ComparisonSet) -> str:
    """Return which frequentist test the p-values come from."""
    if not study.comparisons:
        return ""
    results = [comparison.result for comparison in study.comparisons]
    tests = [result.contrasts for result in results if isinstance(result, PopulationResult)]
    names = (named(test.test for test in same) for same in zip(*tests, strict=True))
    name = ", ".join(names) if tests else contrast(study.comparisons)
    sides = "" if study.alternative == "two-sided" else f", one-sided: {study.alternative} better"
    return f"p-value by {name}{sides}"


def contrast(comparisons: Sequence[Comparison]) -> str:
    """Return the frequentist test beside the t posterior, which depends on what a row is."""
    every = [comparison.differences.statistics for comparison in comparisons]
    if every[0].unit != "item":
        return "corrected t-test"
    kinds = {binary for statistics in every for binary in statistics.binary.tolist()}
    if kinds == {True}:
        return "McNemar's exact test"
    return (
        "McNemar's exact test where items are 0 or 1, else paired t-test"
        if any(kinds)
        else ("paired t-test")
    )


def how_to_read(test: str) -> str:
    """Return what the answers of a test mean, and where more is said of it."""
    return f"How to read it: {reading(test).rstrip('.')} (bcompare explain {test})"


def settings_line(
    study: ComparisonSet, constants: Sequence[str] = (), ropes: str = "", *, details: bool = False
) -> str:
    """Return what a pasted table needs to explain itself, in one line.

    constants : what the tables leave to it, because it is the same in every row.
    ropes : several, in words, instead of the study's own. details : also what is by default.
    """
    scores, worst = study.scores, study.tally.error
    usual = type(study.method)()
    more = (
        study.method.describe(),
        study.rule.describe(),
        p_value_by(study),
        f"{ERROR_NAMES[worst.kind]} error {worst.value:.1g}" if worst else "",
    )
    parts = [
        study.method.title,
        ropes or study.rope.describe(),
        *rows_in_words(scores, details=details),
        *(more if details else _unusual(study, usual)),
        number_of(len(scores.datasets), "data set"),
        number_of(scores.rows, "row"),
        *constants,
        *_items(scores),
        "lower is better, so differences are left - right" if scores.lower_is_better else "",
        f"bcompare {__version__}",
    ]
    return " · ".join(dict.fromkeys(part for part in parts if part))


def _unusual(study: ComparisonSet, usual: Method) -> list[str]:
    """The settings that are not the default."""
    return [
        "" if study.method.describe() == usual.describe() else study.method.describe(),
        "" if study.rule.describe() == Threshold().describe() else study.rule.describe(),
        "" if study.alternative == "two-sided" else p_value_by(study),
    ]


def rows_in_words(scores: Scores, *, details: bool = False) -> list[str]:
    """Return what the rows are where they are no folds, and their correlation if it was given."""
    rhos = sorted({dataset.rho for dataset in scores.datasets})
    by_default = all(d.folds and d.rho == 1 / d.folds for d in scores.datasets)
    rho = f"ρ {rhos[0]:g}" if len(rhos) == 1 else f"ρ {rhos[0]:g} to {rhos[-1]:g}"
    shows_rho = scores.unit in ("fold", "seed") and (details or not by_default)
    return [
        *([] if scores.unit == "fold" else [f"rows are {ROWS[scores.unit]}"]),
        *([rho] if shows_rho else []),
    ]


def _items(scores: Scores) -> list[str]:
    """What test items are behind the rows, where these are clusters or answers are repeated."""
    answers = scores.answers_an_item
    return [
        *([f"{scores.items:,} items in clusters"] if scores.is_clustered else []),
        *([f"{answers:.3g} answers an item"] if answers > 1 else []),
    ]
