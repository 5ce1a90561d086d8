"""A family in words: which classifier to take, how sure that is, what another costs."""

from bcompare.basis.notes import counted
from bcompare.comparing.family import Family
from bcompare.data.rope import RegionProbabilities, uncertain
from bcompare.data.units import ROWS
from bcompare.explain import template
from bcompare.report.number import decimals_for, number_of, probability, unsigned
from bcompare.report.words import decided, likeliest
from bcompare.version import __version__


def average(family: Family) -> str:
    """Return what the probabilities of a pair are about."""
    if family.lone is not None:
        return f"on {family.lone.name}"
    return "on average over the data sets"


def verdict_sentences(family: Family) -> list[str]:
    """Return the answer: which to take, the second best, and those that are as good."""
    best, names = family.best, family.best.classifiers
    lead = best.leader
    if family.withheld is not None:
        return [template("none to take").format(reason=family.withheld, leader=names[lead])]
    least, on_next, close = (
        probability(uncertain(p[lead]))
        for p in (best.p_least_regret, best.p_best, best.p_practically_best)
    )
    lone = family.lone
    take = template("take").format(
        leader=names[lead],
        on=(
            f"on average over data sets like these {len(family.datasets)}"
            if lone is None
            else f"on {lone.name}"
        ),
        least=least,
        doubt=_doubt(family),
        there="on the next data set" if lone is None else "there",
        best=on_next,
        close=close,
    )
    said = [take]
    others = [k for k in best.order if k != lead and names[k] not in family.twins]
    if family.twins:
        twins = counted(family.twins, "classifier")
        said.append(f"The scores of {twins} never differ from those of {names[lead]}")
    if others:
        said.append(_second(family, others[0]))
    if family.equals:
        said.append(f"Practically as good as {names[lead]}: {', '.join(_equals(family))}")
    preferred = family.preferred
    if preferred is not None:
        count, column, cost = len(preferred.among), preferred.column, f"{preferred.cost:g}"
        said.append(
            f"Of the {count} that lose no more than the rope on average, {preferred.classifier} "
            f"has the smallest {column}, {cost}"
            if count > 1
            else f"No other loses as little as the rope on average; its {column} is {cost}"
        )
    return said


def _doubt(family: Family) -> str:
    """Return why the leader is named though nothing is decided; empty where it is."""
    if family.decided:
        return ""
    if family.at_border:
        return f", though undecided: within Monte Carlo error of {1 - family.alpha:g}"
    return f", though undecided below {1 - family.alpha:g}"


def _second(family: Family, k: int) -> str:
    best = family.best
    decimals = decimals_for(max(float(best.regret.max()), family.rope.high)) + 1
    low, high = best.loss_interval.low[k], best.loss_interval.high[k]
    loss, low, high = (unsigned(float(value), decimals) for value in (best.loss[k], low, high))
    lead = best.leader
    return template("second").format(
        second=best.classifiers[k],
        leader=best.classifiers[lead],
        loss=loss if family.lone is not None else f"{loss} on average",
        level=f"{100 * best.loss_interval.level:g} %",
        low=low,
        high=high,
        likeliest=likeliest(
            _uncertain(family, lead, k), best.classifiers[lead], best.classifiers[k]
        ),
    )


def _uncertain(family: Family, i: int, j: int) -> RegionProbabilities[float]:
    """The three probabilities of a pair, i being left; never 0 or 1."""
    pairs = family.best.pairs
    return RegionProbabilities(*(uncertain(p[i, j]) for p in (pairs.left, pairs.rope, pairs.right)))


def _equals(family: Family) -> list[str]:
    best, names = family.best, list(family.best.classifiers)
    return [
        f"{name} ({probability(uncertain(best.pairs.rope[best.leader, names.index(name)]))})"
        for name in family.equals
    ]


def pair_sentence(family: Family, i: int, j: int) -> str:
    """Return what the joint posterior says of a pair, i being left."""
    names, p = family.best.classifiers, _uncertain(family, i, j)
    on = f" {average(family)}"
    return decided(family.decisions[i, j], p, names[i], names[j], on, family.rope, family.rule)


def ranks_sentence(family: Family) -> str:
    """Return what the frequentist test of the whole family says; empty for one data set."""
    ranks = family.ranks
    if ranks is None:
        return ""
    name, test = ranks.telling
    differ = "differ" if test.p_value <= ranks.alpha else "do not differ significantly"
    said = f"By {name} the classifiers {differ} (p {probability(test.p_value)})"
    if ranks.nemenyi is None:
        return said
    return (
        f"{said}; mean ranks that differ by less than {ranks.nemenyi:.3f} (Nemenyi, "
        f"{ranks.alpha:g}) do not differ significantly"
    )


def family_settings(family: Family, said: tuple[str, ...] = ()) -> str:
    """Everything that a pasted table needs to explain itself, in one line."""
    scores, rope, options = family.scores, family.rope, family.options
    rhos = sorted({dataset.rho for dataset in scores.datasets})
    rho = f"ρ {rhos[0]:g}" if len(rhos) == 1 else f"ρ {rhos[0]:g} to {rhos[-1]:g}"
    several = len(family.datasets) > 1
    parts = [
        "Joint posterior of all classifiers",
        "no rope" if rope.is_empty else f"rope {rope.high:g}",
        "" if scores.unit == "fold" else f"rows are {ROWS[scores.unit]}",
        "" if scores.unit in ("item", "mean") else rho,
        f"prior strength {options.strength:g}" if several else "",
        family.rule.describe(),
        f"{family.best.draws:,} draws, Monte Carlo error at most {family.best.error:.1g}",
        number_of(len(family.datasets), "data set"),
        number_of(scores.rows, "row"),
        *(words for words in said if several),
        "lower is better" if scores.lower_is_better else "",
        f"bcompare {__version__}",
    ]
    return " · ".join(dict.fromkeys(part for part in parts if part))
