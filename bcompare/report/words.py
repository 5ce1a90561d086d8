"""Results in words: verdicts, sentences, and the line of settings."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from bcompare.basis.notes import counted
from bcompare.comparing.answers import Comparison
from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.decision import Decision, Rule, Threshold, decide_one
from bcompare.data.rope import RegionProbabilities, Rope, inexact, uncertain
from bcompare.data.scores import Scores
from bcompare.data.units import ROWS
from bcompare.explain import reading, template
from bcompare.methods.base import PopulationResult
from bcompare.report.number import number_of, probability
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


def sentence(comparison: Comparison) -> str:
    """Return what the test says of one pair, in one sentence."""
    p, decision = comparison.shown, comparison.decision
    rope, rule = comparison.rope, comparison.rule
    if p is None or decision is None:
        return _counted_sentence(comparison)
    left, right, result = comparison.left, comparison.right, comparison.result
    only = f" on {comparison.differences.statistics.names[0]}"
    on, where = (result.scope, "") if isinstance(result, PopulationResult) else (only, only)
    if comparison.withheld is not None:
        gaps = {"left": left, "right": right, "on": where, "reason": comparison.withheld}
        return template("withheld").format_map(gaps)
    about = result if isinstance(result, PopulationResult) and result.about_likeliest else None
    on = where if decision == "none" else on
    said = decided(decision, p, left, right, on, rope, rule, about)
    if not isinstance(result, PopulationResult) or result.beside is None:
        return said
    other = result.beside
    # Of its two questions one is about the likeliest region.
    beside = likeliest(inexact(other.probabilities), left, right, result if about is None else None)
    return f"{said}; {other.question}: {beside}"


def decided(
    decision: Decision,
    p: RegionProbabilities[float],
    left: str,
    right: str,
    on: str,
    rope: Rope,
    rule: Rule,
    about: PopulationResult | None = None,
) -> str:
    """Return a pair's verdict in a sentence.

    on : what it is about, after a blank. about : where the probabilities are those of a region's
    being the likeliest, the result that knows more.
    """
    if decision == "none":
        likely = likeliest(p, left, right, about)
        return template("undecided").format(left=left, right=right, on=on, likeliest=likely)
    if not isinstance(rule, Threshold):  # what costs least need not be probable
        return template("by loss").format(
            left=left,
            right=right,
            on=on,
            verdict=verdict(decision, left, right),
            p_left=probability(p.left),
            p_rope=probability(p.rope),
            p_right=probability(p.right),
        )
    better, worse = (left, right) if decision == "left" else (right, left)
    sentence = template(
        "equivalent" if decision == "rope" else "better",
        practically=not rope.is_empty,
        likeliest=about is not None,
    )
    said = _said(decision, p, about)
    return sentence.format(better=better, worse=worse, left=left, right=right, on=on, p=said)


def likeliest(
    p: RegionProbabilities[float], left: str, right: str, about: PopulationResult | None = None
) -> str:
    """The two most probable regions with their probabilities, the likelier one first."""
    regions: tuple[Decision, ...] = ("left", "rope", "right")
    first, second = sorted(regions, key=lambda region: -getattr(p, region))[:2]
    return " and ".join(
        f"{verdict(region, left, right)} ({_said(region, p, about)})" for region in (first, second)
    )


def _said(region: str, p: RegionProbabilities[float], about: PopulationResult | None) -> str:
    """A region's probability; where it is that of being the likeliest, its own behind it."""
    said = probability(getattr(p, region))
    if about is None:
        return said
    if about.chances is None:
        return f"certainty {said}"
    return f"certainty {said}, chance {probability(uncertain(getattr(about.chances, region)))}"


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
    return f"How to read it: {reading(test)} (bcompare explain {test})"


def settings_line(study: ComparisonSet, said: Sequence[str] = (), ropes: str = "") -> str:
    """Everything that a pasted table needs to explain itself, in one line.

    said : what the tables leave to it, because it is the same in every row.
    ropes : several, in words, instead of the study's own.
    """
    scores = study.scores
    rhos = sorted({dataset.rho for dataset in scores.datasets})
    worst = study.tally.error
    parts = [
        study.method.title,
        ropes or study.rope.describe(),
        *(() if scores.unit == "fold" else (f"rows are {ROWS[scores.unit]}",)),
        *(() if scores.unit in ("item", "mean") else (_rho(rhos),)),
        study.method.describe(),
        study.rule.describe(),
        p_value_by(study),
        *([f"{ERROR_NAMES[worst.kind]} error {worst.value:.1g}"] if worst else []),
        number_of(len(scores.datasets), "data set"),
        number_of(scores.rows, "row"),
        *said,
        *_items(scores),
        *(["lower is better, so differences are left - right"] if scores.lower_is_better else []),
        f"bcompare {__version__}",
    ]
    return " · ".join(dict.fromkeys(part for part in parts if part))


def _items(scores: Scores) -> list[str]:
    """What test items are behind the rows, where these are clusters or answers are repeated."""
    answers = scores.answers_an_item
    return [
        *([f"{scores.items:,} items in clusters"] if scores.is_clustered else []),
        *([f"{answers:.3g} answers an item"] if answers > 1 else []),
    ]


def _rho(rhos: Sequence[float]) -> str:
    return f"ρ {rhos[0]:g}" if len(rhos) == 1 else f"ρ {rhos[0]:g} to {rhos[-1]:g}"
