"""Verdicts, sentences, and the line of settings."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Literal

from bcompare.basis.messages import counted, number_of, printable
from bcompare.comparing.comparison import Comparison
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.comparing.decision import Decision, Rule, Threshold, as_answers, levels_of, one_minus
from bcompare.data.rope import REGIONS, RegionProbabilities, Rope
from bcompare.data.scores import Scores, assumed_trials
from bcompare.data.units import FOLD, ITEM
from bcompare.explain import reading
from bcompare.methods.paired_binary import FEW_BINARY_ITEMS, PairedBinary
from bcompare.report.table import decimals_for, difference, probability, unsigned
from bcompare.version import __version__

# More files than this are counted instead of named.
MOST_FILES = 4

# The most data sets of which a sentence for a paper names each.
MOST_EACH = 6

# The most characters in a line of settings by default.
WIDTH = 100

ERROR_NAMES = {"numerical": "numerical", "monte-carlo": "Monte Carlo"}

Relation = Literal["better", "worse", "equivalent", "not better", "not worse"]


def relation_of(
    subject: str, relation: Relation, other: str, scope: str = "", *, practically: bool
) -> str:
    """Return how one classifier compares with another; practically : whether there is a rope."""
    manner = "practically " if practically else ""
    if relation == "equivalent":
        return f"{subject} and {other} are {manner}equivalent{scope}"
    negated, word = ("not ", relation[4:]) if relation.startswith("not ") else ("", relation)
    return f"{subject} is {negated}{manner}{word} than {other}{scope}"


def against(left: str, right: str) -> str:
    """Return a pair's name in a sentence; differences are positive if `right` is better."""
    return f"{right} against {left}"


def verdict(decision: Decision, left: str, right: str) -> str:
    """Return a verdict in a word or two, for a table's cell."""
    return {
        "left": f"{left} better",
        "rope": "equivalent",
        "right": f"{right} better",
        "none": "undecided",
    }[decision]


def withheld(left: str, right: str, scope: str, reason: str) -> str:
    """Return that there is no verdict on a pair, and why."""
    return f"{against(left, right)}{scope}: no verdict: {reason}"


def level_needed(alpha: float) -> str:
    """Return the probability that a verdict needs."""
    return f"{one_minus(alpha)} is needed to decide"


def near_border(alpha: float) -> str:
    """Return that draws cannot tell on which side of the level a probability is."""
    return f"within Monte Carlo error of the {one_minus(alpha)} that is needed"


def verdict_sentence(
    decision: Decision,
    p: RegionProbabilities[float],
    left: str,
    right: str,
    scope: str,
    rope: Rope,
    rule: Rule,
    *,
    likeliest: bool = False,
    full: bool = False,
) -> str:
    """Return the verdict on a pair in a sentence.

    likeliest : whether p are the probabilities that a region is the likeliest one. full : whether
    to list all of p; else only what the table above it does not show.
    """
    regions = (region for region in REGIONS if region != "rope" or not rope.is_empty)
    order = sorted(regions, key=lambda region: -getattr(p, region))
    shown = {region: probability(getattr(p, region), *levels_of(rule)) for region in REGIONS}
    each = [f"{verdict(region, left, right)} ({shown[region]})" for region in order]
    pair = f"{against(left, right)}{scope}"
    if not isinstance(rule, Threshold):
        by_loss = f"{pair}: by expected loss, {verdict(decision, left, right)}"
        return f"{by_loss}. Probabilities: {', '.join(each)}"
    if decision == "none":
        level = one_minus(rule.alpha, 10)
        if not full and min(p) >= rule.alpha:
            has = "is the likeliest with" if likeliest else "has"
            return f"{pair}: undecided; no outcome {has} a probability above {level}"
        *first, last = each if full else each[:2]
        between = f"{scope}: undecided between {', '.join(first)} and {last}"
        if likeliest:
            either = f"{', '.join(first)} or {last}"
            between = f": undecided whether {either} is the likeliest outcome{scope}"
        return f"{against(left, right)}{between}; a verdict needs {level}"
    who, whom = (right, left) if decision == "right" else (left, right)
    relation: Relation = "equivalent" if decision == "rope" else "better"
    others = ", ".join(f"{verdict(r, left, right)} {shown[r]}" for r in order[1:])
    sure = f"probability {shown[decision]}; {others}" if full else shown[decision]
    if likeliest:
        scope = f": that is the likeliest outcome{scope}"
    words = relation_of(who, relation, whom, scope, practically=not rope.is_empty)
    return f"{words} ({sure})" if full or likeliest else words


def sentence(c: Comparison, *, full: bool = False) -> str:
    """Return the answer on one pair in a sentence; `full` adds all three probabilities."""
    p = c.printed
    decision = c.decision
    result = c.result
    if p is None or decision is None:
        each = _each(c) if full and c.n_datasets <= MOST_EACH else ""
        return _counted_sentence(c) + each
    on = result.scope or f" on {c.differences.statistics.names[0]}"
    if c.withheld is not None:
        return withheld(c.left, c.right, on, c.withheld)
    return verdict_sentence(
        decision,
        p,
        c.left,
        c.right,
        on,
        c.rope,
        c.rule,
        likeliest=result.about_likeliest,
        full=full,
    )


def observed(c: Comparison, interval: str = "95 % interval") -> str:
    """Return the mean difference on these data sets, and its interval if there is one."""
    if c.withheld is not None:
        return ""
    names = (c.left, c.right)
    by = c.mean_difference
    average = c.observed
    if by == 0:
        on = " on average" if c.n_datasets > 1 else ""
        return f"{c.left} and {c.right} score the same{on}"
    if by < 0:
        names = names[::-1]
        by = -by
        average = average and average.mirrored()
    decimals = decimals_for(max(abs(average.low), abs(average.high)) if average else by)
    winner = {"left": c.left, "right": c.right}.get(str(c.decision))
    who = "it" if winner == names[1] else names[1]
    more = "less" if c.differences.lower_is_better else "more"
    words = f"{who} scores {unsigned(by, decimals)} {more}"
    if c.n_datasets > 1:
        words = f"On these {c.n_datasets} data sets {words} on average"
    elif c.differences.mean_scores is not None:
        means = dict(zip((c.left, c.right), c.differences.mean_scores, strict=True))
        digits = decimals_for(max(map(abs, means.values())))
        words += (
            f": {unsigned(means[names[1]], digits)} against {unsigned(means[names[0]], digits)}"
        )
    if average is not None:
        write = difference if average.low < 0 < average.high else unsigned
        ends = (write(end, decimals) for end in (average.low, average.high))
        words += f" ({interval} {' to '.join(ends)})"
    return f"I{words[1:]}" if words.startswith("it ") else words


def file_names(files: Sequence[str]) -> str:
    """Return the names of the files; of many, the first and their number."""
    if len(files) <= MOST_FILES:
        return ", ".join(map(printable, files))
    return f"{printable(files[0])} and {len(files) - 1:,} other files"


def bounds_sentence(study: ComparisonSet) -> str:
    """Return whether verdicts depend on trials without a score; "" without bounds."""
    if not study.scores.extremes:
        return ""
    original = {name: decided for decided, pair in study.scores.extremes.items() for name in pair}
    verdicts: dict[tuple[str, str], set[tuple[Decision, ...]]] = {}
    for c in study.comparisons:
        pair = (original.get(c.left, c.left), original.get(c.right, c.right))
        decided = c.dataset_decisions if c.decision is None else (c.decision,)
        verdicts.setdefault(pair, set()).add(decided)
    hang = [against(*pair) for pair, decisions in verdicts.items() if len(decisions) > 1]
    trials = assumed_trials(study.scores)
    if not hang:
        return f"The verdict is the same with the {trials} all at their worst and all at their best"
    return f"Undecided, as the verdict depends on the {trials}: {counted(hang, 'pair')}"


def _each(c: Comparison) -> str:
    """Return the verdict on each data set, with its probability and the mean difference."""
    decimals = decimals_for(max(abs(c.rope.low), c.rope.high))
    parts = []
    for i, name in enumerate(c.differences.statistics.names):
        decision = c.dataset_decisions[i]
        p = c.dataset_probabilities(i)
        word = "withheld" if c.datasets_withheld[i] else verdict(decision, c.left, c.right)
        sure = "" if decision == "none" else f" ({probability(getattr(p, decision))})"
        mean = difference(float(c.differences.statistics.mean[i]), decimals)
        parts.append(f"{name}: {word}{sure}, {mean}")
    one, other = (c.left, c.right) if c.differences.lower_is_better else (c.right, c.left)
    return f". Mean differences {one} − {other}: {'; '.join(parts)}"


def _counted_sentence(comparison: Comparison) -> str:
    left = comparison.left
    right = comparison.right
    rope = comparison.rope
    better = "better" if rope.is_empty else "practically better"
    count = Counter(comparison.dataset_decisions)
    sides = ((left, count["left"]), (right, count["right"]))
    parts = [f"{name} {better} on {n}" for name, n in sides]
    parts += [f"equivalent on {count['rope']}", f"undecided on {count['none']}"]
    withheld = int(comparison.result.datasets.withheld.sum())
    no_spread = f" (withheld on {withheld}, where all differences are equal)" if withheld else ""
    verdicts = ", ".join(part for part in parts if not part.endswith(" on 0"))
    return f"Verdicts by data set: {verdicts}{no_spread}"


def disagreement(study: ComparisonSet) -> str:
    """Return whether the other tests agree with the main one (Tutorial §4.5); "" without any."""
    if not study.also:
        return ""
    apart = []
    for i, comparison in enumerate(study.comparisons):
        decisions = {other.comparisons[i].decision for other in study.also.values()}
        if decisions != {comparison.decision}:
            apart.append(against(comparison.left, comparison.right))
    methods = [study.method, *(other.method for other in study.also.values())]
    if not apart:
        names = ", ".join(method.name for method in methods)
        return f"{names} agree on every pair"
    views = ", ".join(f"{method.name} {method.view}" for method in methods if method.view)
    return (
        f"The tests differ on {counted(apart, 'pair')}: {views}; report the one that answers "
        "your question"
    )


def dependence(study: ComparisonSet) -> str:
    """Return the pairs whose verdict depends on what was varied, and how; "" if there are none."""
    apart = []
    on = ""
    for c in study.comparisons:
        stated = study.rule.decide(c.result.answers)
        others = {
            name: study.rule.decide(as_answers(p)) for name, p in c.result.sensitivity.items()
        }
        changing = [name for name, verdicts in others.items() if verdicts != stated]
        if changing:
            where = ""
            if len(stated) > 1:
                changed = sum(
                    len({*each}) > 1 for each in zip(stated, *others.values(), strict=True)
                )
                on = " on a data set"
                where = f"on {changed} of {len(stated)} "
            words = f"{where}another verdict with {', '.join(changing)}"
            apart.append(f"{against(c.left, c.right)} ({words})")
    if not apart:
        return ""
    return f"The verdict{on} depends on {study.method.varied} for {counted(apart, 'pair')}"


def p_value_by(study: ComparisonSet, *, details: bool = True) -> str:
    """Return the name of the test that the p-values come from; shorter without `details`."""
    names_of_pairs = []
    for comparison in study.comparisons:
        tests = [test for test in comparison.result.contrasts if test.beside]
        names_of_pairs.append([test.names for test in tests])
    names = [sorted(set(chain(*of_test))) for of_test in zip(*names_of_pairs, strict=True)]
    if not names:
        return ""
    if details:
        return f"p-value by {', '.join(map(' or '.join, names))}"
    short = dict.fromkeys(name.partition(" (")[0] for name in names[0])
    return f"p-value: {' or '.join(short)}"


def title_of(study: ComparisonSet) -> str:
    """Return the title of the test for these scores."""
    return study.method.title_for(study.scores.unit)


def points(share: float) -> str:
    """Return a difference of shares in percentage points."""
    size = f"{100 * share:.12g}"
    noun = "percentage point" if size == "1" else "percentage points"
    return f"{size} {noun}"


def how_to_read(
    test: str,
    rope: Rope | None = None,
    comparisons: Sequence[Comparison] = (),
    without: Iterable[str] = (),
    *,
    percent: bool = False,
) -> str:
    """Return how to read the answers of a test, and where to read more.

    rope, comparisons : give the rope's number and the right classifier's name.
    without : headings that the table lacks. percent : whether scores were given in per cent.
    """
    rights = {c.right for c in comparisons}
    if rope is not None and rope.is_empty:
        without = (*without, "p(rope)")
    entries = reading(test).rstrip(".").split("; ")
    words = "; ".join(entry for entry in entries if entry.partition(": ")[0] not in without)
    if len(rights) == 1:
        words = words.replace("right better", f"{rights.pop()} better")
    if rope is not None and rope.is_empty:
        words = words.replace(" by more than the rope", "")
    elif rope is not None:
        size = points(rope.high) if percent else f"{rope.high:g}"
        words = words.replace("more than the rope", f"more than {size}")
        differ = f"at most {size}" if rope.is_symmetric else "less than matters"
        words = words.replace("at most the rope", differ)
    return f"{words} · bcompare explain {test}"


def items_prior(study: ComparisonSet) -> str:
    """Return the parameters of the prior of 0/1 items; "" where none has an exact posterior."""
    if not any(note.code == "exact-posterior" for note in study.notes):
        return ""
    binary: PairedBinary = getattr(study.method, "binary", FEW_BINARY_ITEMS)
    return binary.describe()


def settings_line(
    study: ComparisonSet,
    ropes: str = "",
    *,
    p_value: bool = False,
    details: bool = False,
    lower: str = "lower is better, so differences are left - right",
    title: str = "",
) -> str:
    """Return the settings in one line, so that a pasted table explains itself.

    Without `details` a line that is too long omits the rows; for items, the title's name.
    ropes : text on several, instead of the study's own. p_value : whether the table has one.
    details : include the defaults. lower : what to say where lower is better.
    title : of what answers, if it is not the test.
    """
    scores = study.scores.on(study.tally.used)
    worst = study.tally.error
    described = study.method.describe()
    is_default = described == type(study.method)().describe()
    prior = items_prior(study)
    if prior:
        described += f", of few 0/1 items {prior}"
    if scores.unit.is_unpaired:
        described = "Jeffreys' prior on each side"
    test = title or title_of(study)
    if details:
        error = f"{ERROR_NAMES[worst.kind]} error {worst.value:.1g}" if worst else ""
        settings = [described, study.rule.describe(), p_value_by(study), error]
    else:
        settings = ["" if is_default else described, unusual_rule(study.rule)]
    several = details or len(scores.datasets) > 1
    parts = [
        test,
        p_value_by(study, details=False) if p_value and not details else "",
        ropes or study.rope.describe(),
        *rows_in_words(scores, details=details),
        *settings,
        number_of(len(scores.datasets), "data set") if several else "",
        rows(scores),
        *clusters_and_answers(scores),
        better_in_words(scores, lower),
    ]
    least = test if scores.unit.has_answers else rows(scores)
    return one_line(parts, least, details=details)


def better_in_words(scores: Scores, lower: str = "lower is better") -> str:
    """Return which scores are better; "" for higher ones where the input tells it."""
    if scores.lower_is_better:
        return lower
    return "" if scores.directed else "higher is better"


def joined(*parts: str) -> str:
    """Join the settings that are not empty, and the version."""
    return " · ".join(filter(None, dict.fromkeys((*parts, f"bcompare {__version__}"))))


def one_line(parts: Sequence[str], least: str, *, details: bool) -> str:
    """Join settings; without `details` a line that is too long omits the part `least`."""
    whole = joined(*parts)
    if details or len(whole) <= WIDTH:
        return whole
    return joined(*(part for part in parts if part != least))


def rows(scores: Scores) -> str:
    """Return the number of rows, or of test items."""
    if scores.unit.has_answers:
        return number_of(scores.items, "item")
    return number_of(scores.rows, "row")


def unusual_rule(rule: Rule) -> str:
    """Return the decision rule; "" for the default."""
    return "" if rule.describe() == Threshold().describe() else rule.describe()


def rows_in_words(scores: Scores, *, details: bool = False) -> list[str]:
    """Return what the rows are unless they are folds, and a correlation that was given."""
    rows_are = "" if scores.unit in (FOLD, ITEM) else f"rows are {scores.unit.rows}"
    return [rows_are, correlation(scores, details=details)]


def correlation(scores: Scores, *, details: bool = False) -> str:
    """Return ρ; "" where it follows from the number of folds, unless `details`."""
    rhos = sorted({dataset.rho for dataset in scores.datasets})
    by_default = all(d.folds and d.rho == 1 / d.folds for d in scores.datasets)
    if not scores.unit.has_rho or (by_default and not details):
        return ""
    return f"ρ {rhos[0]:g}" if len(rhos) == 1 else f"ρ {rhos[0]:g} to {rhos[-1]:g}"


def clusters_and_answers(scores: Scores) -> list[str]:
    """Return how test items are clustered, and how many answers each has."""
    answers = scores.answers_an_item
    clusters = sum(len(d.table) for d in scores.datasets)
    which = "" if scores.epochs == "mean" else f"{scores.epochs} of "
    words = []
    if scores.is_clustered:
        words.append(number_of(clusters, "cluster"))
    if answers > 1:
        words.append(f"{which}{answers:.3g} answers per item")
    if scores.weight:
        words.append(f"weighted by {printable(scores.weight)}")
    return words
