"""Methods and results in sentences to paste into a paper."""

from collections.abc import Sequence

from bcompare.basis.printable import printable
from bcompare.comparing.answers import Comparison
from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.decision import REGIONS
from bcompare.comparing.family import Family
from bcompare.data.rope import Rope, uncertain
from bcompare.data.scores import Scores
from bcompare.methods.base import PopulationResult
from bcompare.report.number import decimals_for, difference, number_of, probability, unsigned
from bcompare.report.words import percent, verdict
from bcompare.version import __version__

MOST_NAMED = 4
"""More classifiers than this are counted in a caption."""


def paper_of_study(study: ComparisonSet) -> str:
    """Return how the pairs were compared, and what came out."""
    if not study.comparisons:
        return ""
    method = study.method
    lone = len(study.comparisons) == 1
    names = " with ".join((study.comparisons[0].left, study.comparisons[0].right))
    what = names if lone else f"{number_of(len(study.scores.classifiers), 'classifier')} in pairs"
    source = f"{method.paper}; " if method.paper else ""
    by = f"by the {method.title} ({source}bcompare {__version__})"
    asked = f"On {_data(study.scores)} we compared {what} {by}{irrelevant(study.rope)}."
    results = [f"{_result(c)}." for c in study.comparisons]
    return "\n".join(map(printable, [asked, *results]))


def paper_of_family(family: Family) -> str:
    """Return how the classifiers were judged together, and which is the best choice."""
    best, lead = family.best, family.best.leader
    asked = (
        f"On {_data(family.scores)} we judged {number_of(len(best.classifiers), 'classifier')} "
        f"together by their joint posterior (bcompare {__version__}){irrelevant(family.rope)}."
    )
    if family.withheld is not None:
        return "\n".join(map(printable, [asked, f"The verdict is withheld: {family.withheld}."]))
    decimals = decimals_for(max(float(best.regret.max()), family.rope.high)) + 1
    interval = best.regret_interval
    loss, low, high = (
        unsigned(float(x[lead]), decimals) for x in (best.regret, interval.low, interval.high)
    )
    p = probability(uncertain(best.p_least_regret[lead]))
    sure = "" if family.decided else f", which does not reach {1 - family.alpha:g}"
    answer = (
        f"{family.leader} is the best choice with probability {p}{sure}: it loses {loss} on "
        f"average against the best of each data set ({100 * interval.level:g} % credible "
        f"interval {low} to {high})."
    )
    return "\n".join(map(printable, [asked, answer]))


def context_of(study: ComparisonSet, ropes: str = "") -> tuple[str, str]:
    """Return what is compared on which data, and how; `ropes` where there are several."""
    lone = study.comparisons[0] if study.total == 1 and study.comparisons else None
    names = study.scores.classifiers if lone is None else (lone.left, lone.right)
    how = f" by the {study.method.title}{ropes or irrelevant(study.rope)}"
    return _compared(study.scores, names), how


def context_of_family(family: Family) -> tuple[str, str]:
    """Return which classifiers are judged together on which data, and how."""
    how = f" by their joint posterior{irrelevant(family.rope)}"
    return _compared(family.scores, family.best.classifiers), how


def _compared(scores: Scores, names: Sequence[str]) -> str:
    """What is compared: names where they are few, else their number."""
    few = len(names) <= MOST_NAMED
    who = f"{', '.join(names[:-1])} and {names[-1]}" if few else f"{len(names)} classifiers"
    lower = " (lower scores are better)" if scores.lower_is_better else ""
    return f"Comparison of {who}{lower} on {_data(scores)}"


def _data(scores: Scores) -> str:
    """The data sets, and what is known of each."""
    q = len(scores.datasets)
    where = scores.datasets[0].name if q == 1 else number_of(q, "data set")
    designs = {(dataset.runs, dataset.folds) for dataset in scores.datasets}
    if scores.unit == "item":
        return f"{where} ({number_of(scores.items, 'test item')})"
    if scores.unit == "mean":
        return f"{where} (one mean score of each classifier)"
    if scores.unit == "fold" and len(designs) == 1 and min(runs_folds := designs.pop()) > 0:
        runs, folds = runs_folds
        return f"{where} ({number_of(runs, 'run')} of {folds}-fold cross-validation)"
    sizes = sorted({len(dataset.table) for dataset in scores.datasets})
    count = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    return f"{where} ({count} {'seeds' if scores.unit == 'seed' else 'folds'})"


def irrelevant(rope: Rope) -> str:
    """Return what the rope says, to end a clause with; empty without one."""
    if rope.is_empty:
        return ""
    if rope.is_symmetric:
        return f", treating differences of at most {rope.high:g} as irrelevant"
    return f", treating differences from {rope.low:g} to {rope.high:g} as irrelevant"


def _result(c: Comparison) -> str:
    """The verdict on a pair with its three probabilities, and the mean difference."""
    p, decision = c.shown, c.decision
    if p is None or decision is None:
        counts = {d: c.dataset_decisions.count(d) for d in (*REGIONS, "none")}
        return (
            f"{c.left} is better on {counts['left']} data sets, {c.right} on {counts['right']}; "
            f"they are equivalent on {counts['rope']}, and {counts['none']} are undecided"
        )
    if c.withheld is not None:
        return f"The verdict on {c.left} and {c.right} is withheld: {c.withheld}"
    result = c.result
    over = result if isinstance(result, PopulationResult) else None
    on = f" on {c.differences.statistics.names[0]}" if over is None else over.scope
    three = {region: probability(getattr(p, region)) for region in REGIONS}
    found = [
        f"{verdict(region, c.left, c.right)} {three[region]}"
        for region in sorted(REGIONS, key=lambda region: -getattr(p, region))
    ]
    if decision == "none":
        return f"The data do not decide{on}: {', '.join(found)}{_average(c)}"
    likeliest = over is not None and over.about_likeliest
    manner = ("most likely " if likeliest else "") + ("" if c.rope.is_empty else "practically ")
    claim = {
        "left": f"{c.left} is {manner}better",
        "rope": f"{c.left} and {c.right} are {manner}equivalent",
        "right": f"{c.right} is {manner}better",
    }[decision]
    sure = " with probability"
    if likeliest:
        sure = ": the posterior probability that this is the likeliest of the three outcomes is"
    chances = over.chances if over is not None and likeliest else None
    share = "" if chances is None else (
        f"; it holds on {percent(getattr(chances, decision))} of such data sets"
    )  # fmt: skip
    others = ", ".join(found[1:])
    return f"{claim}{on}{sure} {three[decision]} ({others}){share}{_average(c)}"


def _average(c: Comparison) -> str:
    average = c.average
    if average is None:
        return ""
    decimals = decimals_for(max(abs(average.low), abs(average.high)))
    mean, low, high = (
        difference(value, decimals) for value in (average.mean, average.low, average.high)
    )
    alone = not isinstance(c.result, PopulationResult)
    what = "difference" if alone else "average difference"
    return f"; the {what} {c.right} - {c.left} is {mean} (95 % credible interval {low} to {high})"
