"""Results in words: verdicts, sentences, and the line of settings."""

from collections import Counter

from bcompare.comparison import Comparison, ComparisonSet
from bcompare.decision import Decision, decide_one
from bcompare.methods.base import PopulationResult
from bcompare.notes import counted
from bcompare.report.number import probability
from bcompare.rope import Rope
from bcompare.version import __version__

ERROR_NAMES = {"numerical": "numerical", "monte-carlo": "Monte Carlo"}

NHST_NAMES = {
    "wilcoxon": "Wilcoxon (normal approximation)",
    "wilcoxon-exact": "Wilcoxon (exact)",
    "binomial-sign": "sign test (exact)",
}


def verdict(decision: Decision, left: str, right: str) -> str:
    """Return a verdict of a word or two, for a table's cell."""
    return {
        "left": f"{left} better",
        "rope": "equivalent",
        "right": f"{right} better",
        "none": "undecided",
    }[decision]


def sentence(comparison: Comparison, rope: Rope) -> str:
    """Return what the test says of one pair, in one sentence."""
    left, right, result = comparison.left, comparison.right, comparison.result
    if not isinstance(result, PopulationResult):
        return _datasets_sentence(comparison, rope)
    if result.withheld is not None:
        return f"{left} – {right}: no verdict: {result.withheld}"
    p = result.probabilities
    better = "better" if rope.is_empty else "practically better"
    if comparison.decision == "left":
        return f"{left} is {better} than {right}{result.scope}: {probability(p.left)}"
    if comparison.decision == "right":
        return f"{right} is {better} than {left}{result.scope}: {probability(p.right)}"
    if comparison.decision == "rope":
        equivalent = f"{left} and {right} are practically equivalent{result.scope}"
        return f"{equivalent}: {probability(p.rope)}"
    regions = [(p.left, f"{left} better"), (p.rope, "equivalent"), (p.right, f"{right} better")]
    first, second = sorted(regions, key=lambda region: -region[0])[:2]
    likely = [region for region in regions if region in (first, second)]
    options = ", and ".join(f"{name}, {probability(value)}" for value, name in likely)
    return f"{left} – {right}: undecided between {options}"


def _datasets_sentence(comparison: Comparison, rope: Rope) -> str:
    left, right = comparison.left, comparison.right
    better = "better" if rope.is_empty else "practically better"
    decisions = comparison.dataset_decisions
    if len(decisions) == 1:
        p = comparison.result.datasets.probabilities
        values = {"left": p.left[0], "rope": p.rope[0], "right": p.right[0]}
        named = comparison.differences.statistics.names[0]
        if decisions[0] == "none":
            middle = "" if rope.is_empty else f"equivalent {probability(values['rope'])}, "
            return (
                f"{left} – {right} on {named}: undecided ({left} better "
                f"{probability(values['left'])}, {middle}{right} better "
                f"{probability(values['right'])})"
            )
        subject = {
            "left": f"{left} is {better} than {right}",
            "right": f"{right} is {better} than {left}",
            "rope": f"{left} and {right} are practically equivalent",
        }[decisions[0]]
        return f"{subject} on {named}: {probability(values[decisions[0]])}"
    count = Counter(decisions)
    equivalent = "" if rope.is_empty else f"equivalent on {count['rope']}, "
    return (
        f"Of {len(decisions)} data sets, {left} is {better} on {count['left']}, {right} on "
        f"{count['right']}, {equivalent}undecided on {count['none']}"
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
    """Return a sentence on the pairs whose verdict depends on the prior, if any were asked for."""
    apart = []
    for comparison in study.comparisons:
        result = comparison.result
        if isinstance(result, PopulationResult):
            decisions = {decide_one(study.rule, p) for p in result.sensitivity.values()}
            if len(decisions) > 1:
                apart.append(f"{comparison.left} – {comparison.right}")
    if not apart:
        return ()
    return (f"The verdict depends on {study.method.varied} for {counted(apart, 'pair')}",)


def p_value_by(study: ComparisonSet) -> str:
    """Return which frequentist test the p-values come from."""
    result = study.comparisons[0].result
    if not isinstance(result, PopulationResult):
        return "p-value by corrected t-test"
    return f"p-value by {NHST_NAMES[result.nhst.test]}"


def settings_line(study: ComparisonSet) -> str:
    """Everything that a pasted table needs to explain itself, in one line."""
    scores = study.scores
    rope = study.rope
    rhos = sorted({dataset.rho for dataset in scores.datasets})
    errors = [
        comparison.result.error
        for comparison in study.comparisons
        if isinstance(comparison.result, PopulationResult) and comparison.result.error
    ]
    worst = max(errors, key=lambda error: error.value, default=None)
    parts = [
        study.method.title,
        "no rope" if rope.is_empty else f"rope [{rope.low:g}, {rope.high:g}]",
        f"ρ {rhos[0]:g}" if len(rhos) == 1 else f"ρ {rhos[0]:g} to {rhos[-1]:g}",
        study.method.describe(),
        study.rule.describe(),
        p_value_by(study),
        *([f"{ERROR_NAMES[worst.kind]} error {worst.value:.1g}"] if worst else []),
        number_of(len(scores.datasets), "data set"),
        number_of(scores.rows, "row"),
        *(["lower is better, so differences are left - right"] if scores.lower_is_better else []),
        f"bcompare {__version__}",
    ]
    return " · ".join(part for part in parts if part)


def number_of(count: int, noun: str) -> str:
    """Return a number of things in words, such as "1 row" or "12,500 rows"."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
