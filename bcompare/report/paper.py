"""Sentences on methods and results, to paste into a paper."""

from collections.abc import Sequence

from bcompare.basis.messages import number_of, printable
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.data.rope import Rope
from bcompare.data.scores import Scores, original_names
from bcompare.methods import load_method
from bcompare.methods.paired_binary import FEW_DISCORDANT
from bcompare.report.sentences import (
    bounds_sentence,
    correlation,
    dependence,
    items_prior,
    observed,
    points,
    sentence,
    title_of,
    unusual_rule,
)
from bcompare.version import __version__

# Captions count more classifiers than this instead of naming them.
MOST_NAMED = 4


def paper_of_study(study: ComparisonSet, *, sensitivity: bool = False) -> str:
    """Return the method and the results in sentences.

    sensitivity : add whether verdicts depend on what was varied.
    """
    if not study.comparisons:
        return ""
    method = study.method
    first, *others = study.comparisons
    original = {
        name: names_in_input
        for names_in_input, pair in study.scores.extremes.items()
        for name in pair
    }
    names = f"{original.get(first.left, first.left)} with {original.get(first.right, first.right)}"
    names_in_input = original_names(study.scores)
    what = (
        f"{len(names_in_input):,} classifiers in pairs"
        if others and len(names_in_input) > 2
        else names
    )
    lefts = {c.left for c in study.comparisons}
    rights = {c.right for c in study.comparisons}
    if others and 1 in (len(lefts), len(rights)) and not original:
        one = first.left if len(lefts) == 1 else first.right
        what = f"{one} with each of {len(study.comparisons)} others"
    prior = method.describe().partition(" · ")[0]
    if of_items := items_prior(study):
        few = f", where fewer than {FEW_DISCORDANT} of them tell the two apart,"
        some = few if len(study.scores.datasets) > 1 else ""
        prior += f", of right and wrong answers{some} a Dirichlet prior {of_items}"
    settings = (prior, correlation(study.scores), unusual_rule(study.rule))
    about = "; ".join(filter(None, (method.paper, *settings, f"bcompare {__version__}")))
    by = f"by the {title_of(study)} ({about})"
    scores = study.scores.on(study.tally.used)
    asked = (
        f"On {data_of(scores)} we compared {what} {by}"
        f"{irrelevant(study.rope, scores.metric, percent=scores.percent)}"
    )
    result = first.result
    if result.about_likeliest:
        asked += f"; the probability of a verdict is that it is the likeliest outcome{result.scope}"
    if first.over_these is not None and result.about_likeliest:
        of_each = load_method("ttest")().title_for(study.scores.unit)
        asked += f"; the average over these data sets comes from the {of_each} on each"
    asked = ". ".join(filter(None, (asked, of_rows(scores))))
    if scores.percent:
        asked += ". Scores were divided by 100"
    results = []
    for c in study.comparisons:
        results.append(f"{sentence(c, full=True)}.")
        if average := observed(c, "95 % credible interval"):
            results.append(f"{average}.")
    results += [f"{line}." for line in [bounds_sentence(study)] if line]
    if sensitivity:
        results.append(f"{dependence(study) or f'No verdict depends on {study.method.varied}'}.")
    return "\n".join(map(printable, [f"{asked}.", *results]))


def context_of(study: ComparisonSet, ropes: str = "") -> tuple[str, str]:
    """Return what is compared on which data, and how; `ropes` is text if there are several."""
    lone = study.comparisons[0] if study.total == 1 and study.comparisons else None
    names = study.scores.classifiers if lone is None else (lone.left, lone.right)
    scores = study.scores
    differences = ropes or irrelevant(study.rope, scores.metric, percent=scores.percent)
    how = f" by the {title_of(study)}{differences}"
    return compared(study.scores, names), how


def compared(scores: Scores, names: Sequence[str]) -> str:
    """Return what is compared: a few names, or their number."""
    few = len(names) <= MOST_NAMED
    who = f"{', '.join(names[:-1])} and {names[-1]}" if few else f"{len(names)} classifiers"
    better = "is better" if scores.metric else "scores are better"
    lower = f" (lower {better})" if scores.lower_is_better else ""
    by = f" by {scores.metric}" if scores.metric else ""
    return f"Comparison of {who}{by}{lower} on {data_of(scores)}"


def data_of(scores: Scores) -> str:
    """Return the data sets and the design of each."""
    q = len(scores.datasets)
    where = scores.datasets[0].name if q == 1 else number_of(q, "data set")
    designs = {(dataset.runs, dataset.folds) for dataset in scores.datasets}
    if scores.unit.has_answers:
        clusters = sum(len(d.table) for d in scores.datasets)
        answers = scores.answers_an_item
        grouped = f" in {number_of(clusters, 'cluster')}" if scores.is_clustered else ""
        estimate = "" if scores.epochs == "mean" else f"{scores.epochs} of "
        repeated = f"; {estimate}{answers:.3g} answers to each" if answers > 1 else ""
        return f"{number_of(scores.items, 'test item')}{grouped} ({where}{repeated})"
    if not scores.unit.has_spread:
        return f"{where} (one mean score of each classifier)"
    if scores.unit.has_folds and len(designs) == 1 and min(runs_folds := designs.pop()) > 0:
        runs, folds = runs_folds
        return f"{where} ({design_of(runs, folds)})"
    sizes = sorted({len(dataset.table) for dataset in scores.datasets})
    count = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    return f"{where} ({count} {scores.unit.plural})"


def design_of(runs: int, folds: int) -> str:
    """Return the design of cross-validation in the field's terms."""
    if runs == 1:
        return f"{folds}-fold cross-validation"
    if folds == 2:
        return f"{runs}×2 cross-validation"
    return f"{runs} times {folds}-fold cross-validation"


def of_rows(scores: Scores) -> str:
    """Return how incomplete results were handled; "" if every chosen score was used."""
    account = scores.account
    parts = []
    if {part.reason for part in account.left_out} - {"where", "choice"}:
        parts.append(account.describe())
    if account.compared_on:
        parts.append(account.compared_on)
    if account.assumed:
        trials = number_of(sum(account.assumed.values()), "trial")
        parts.append(f"{trials} without a score counted as {account.assumed_value}")
    return "; ".join(parts)


def irrelevant(rope: Rope, metric: str = "", *, percent: bool = False) -> str:
    """Return a clause on the rope; "" without one.

    percent : whether scores were given in per cent, of which the rope is in hundredths.
    """
    if rope.is_empty:
        return ""
    high = points(rope.high) if percent else f"{rope.high:g}"
    low = f"{100 * rope.low:.12g}" if percent else f"{rope.low:g}"
    size = f"of at most {high}" if rope.is_symmetric else f"from {low} to {high}"
    return f", treating differences in {metric or 'score'} {size} as irrelevant"
