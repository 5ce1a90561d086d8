"""The section `bcompare explain studies`, from the results at the papers' repetitions.

python .lab/studies/topic.py        # writes it anew into bcompare/explain/correct.md
"""

import json
import sys
from pathlib import Path
from textwrap import fill
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from studies import items, least, pilots, rates, runs, suites

RESULTS = Path(__file__).parent / "results"
TOPIC = Path(__file__).parents[2] / "bcompare" / "explain" / "correct.md"
BEST, GATE = TOPIC.with_name("best.md"), TOPIC.with_name("gate.md")
PLAN = TOPIC.with_name("plan.md")
BROKEN = TOPIC.with_name("broken.md")
# Where the sentence of `of_best` begins, and ends.
STATED = "p(best) above 0.3 is stated"
# Where the tables of `of_suites` and `of_rates` begin, and what follows them.
TRUTHS = "| fails, undecided |"
WIDE = "With a deviation of 0.10, as in cross-validation of 200 rows"
BORDER, RARE = "| on the border", "In the last two rows"
# What begins the sentences of `of_wide_differences`, `of_one_run` and `of_least`, and follows them.
IN_WORST = "A candidate that is worse by exactly"
ONE_WITH_ONE = "one of 2 %), a gate with a rope of 5 % that compares one run with one"
FOLDERS = "Write several runs of the baseline"
SIGNS, GRADED = "Equal differences prove no more than their signs", "Graded answers count"
# Where the table of `of_runs` begins, and what follows it.
RUNS = "| six data sets, runs differ by 5 %"
PILOTS, BEST_SIDES = "If differences have a deviation of two ropes", "The best two sides"
AFTER_RUNS = "See also: [gate](gate.md), [rates](gate.md#rates"
# Where the sentences of `of_leaders` begin, and end.
FAILING, ONE_TIER = "Where all classifiers fall", "more than one tier."
# Where the tables of claims about items begin, and what follows them.
ITEMS = """\
| rates | runs | false | any flips | majority | named | alarm | average alone |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
ITEM_COLUMNS = (
    "unchanged: either",
    "unchanged: any flips",
    "unchanged: majority flips",
    "three broken: named",
    "three broken: alarm",
    "three broken: average",
)
MANY_ITEMS = 120
AFTER_ITEMS = "## outages; graded"
RERUNS = """\
| further runs | suspects judged | false | broken items named |
| --- | --- | --- | --- |
"""
AFTER_RERUNS = "## named-items; false"
GRADED_ITEMS = "Student's test with Holm's method names one of 120 unchanged items"
# The longest line of a topic.
WIDTH = 120
STUDIES = "[studies](correct.md#studies--the-papers-simulations-repeated)."

HEAD = """\
## studies – the papers' simulations, repeated

`make reproduce REPS=paper` in bcompare's repository repeats the papers' simulations, and our own.
*Agree* means within three Monte Carlo errors of both and the paper's rounding. The site lists the
figures that differ; `.lab/studies/results/` has everything.

| simulations | figures compared | agree |
| --- | --- | --- |
"""

TAIL = """
The figures of Corani et al. 2017 come out as printed if the hierarchical answer is about the
average over data sets (δ0), not about the next one: see
[next](probabilities.md#next--the-next-data-set-or-the-average). Their cross-validated network
cannot be repeated exactly, since the paper does not state the size of its data sets.
"""

PLACES = """
**How often `rank` is right**, on simulated families of classifiers: the share of families with all
places in their joint 95 % intervals, that of regrets in theirs, and by how much p(best) is too high
where it is stated below 0.05, from 0.05 to 0.3, and above. Standard errors are at most {error:.3f}.

| classifiers | data sets | all places | regrets | < 0.05 | 0.05–0.3 | > 0.3 |
| --- | --- | --- | --- | --- | --- | --- |
"""

REAL = """
**On real results**: what a test that saw a random half of the data sets says of the other half, for
pairs of {collections} ({repetitions} halves each). The log score is relative to plain
shares; a verdict is right if its outcome is the most frequent one. The log score of p(best) of
`rank` is {best}; of shares of wins, with half a data set of ties {half}, with four {four}.

| test | log score | chance stated | came true | verdicts | right |
| --- | --- | --- | --- | --- | --- |
"""


def results() -> list[dict[str, Any]]:
    """What was saved, in the order of the files' names."""
    return [json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))]


def section() -> str:
    """The section as Markdown."""
    agree: dict[str, list[bool]] = {}
    for study in results():
        paper = study["source"].rpartition(",")
        own = agree.setdefault("our own" if paper[2] == " own" else paper[0], [])
        own += [line["agrees"] for line in study["lines"] if line["agrees"] is not None]
    rows = [f"| {paper} | {len(own)} | {sum(own)} |\n" for paper, own in agree.items()]
    return HEAD + "".join(rows) + TAIL


def page() -> str:
    """The site's page: the papers' figures that did not come out, and our own tables."""
    text = "# Where ours differ from the papers\n\n| study | figure | paper | ours |\n"
    text += "| --- | --- | --- | --- |\n"
    for study in results():
        for line in study["lines"]:
            if line["agrees"] is False:
                what, paper, ours = line["what"], line["paper"], line["ours"]
                text += f"| {study['source']} | {what} | {paper} | {ours:.3g} |\n"
    return text + places() + real()


def saved(study: str) -> tuple[dict[str, dict[str, Any]], int]:
    """The lines of a study by what they are, and its repetitions."""
    record = json.loads((RESULTS / f"{study}.json").read_text("utf-8"))
    return {line["what"]: line for line in record["lines"]}, record["repetitions"]


def places() -> str:
    """The table of the study of places: a row for each number of classifiers and data sets."""
    lines, _ = saved("places")
    rows: dict[str, list[str]] = {}
    for what, line in lines.items():
        where, _, kind = what.partition(": ")
        digits = "+.3f" if kind.startswith("p(best)") else ".3f"
        # no family of thirty stated as much
        shown = format(line["ours"], digits) if line["error"] or line["ours"] else "–"
        rows.setdefault(where, []).append(shown)
    text = PLACES.format(error=max(line["error"] for line in lines.values()))
    for where, cells in rows.items():
        classifiers, _, q = where.partition(" classifiers, q = ")
        text += f"| {classifiers} | {q} | {' | '.join(cells)} |\n"
    return text


def of_best() -> str:
    """What the topic of `rank` says of p(best), from the same table."""
    lines, _ = saved("places")
    highest, lowest = (
        "p(best) 0.3 to 1, stated too high by",
        "p(best) 0 to 0.05, stated too high by",
    )

    def most(q: int, bin_: str, sign: int = 1) -> float:
        lines_of = (w for w in lines if f"q = {q}: {bin_}" in w and lines[w]["error"])
        return max(sign * float(lines[w]["ours"]) for w in lines_of)

    low = max(most(q, lowest, -1) for q in (5, 10, 20, 54))
    return (
        f"{STATED} too high, by up to {most(5, highest):.2f} with five data sets\n"
        f"and {most(54, highest):.2f} with 54. Below 0.05 it is too low by up to {low:.2f}: "
        f"{STUDIES}"
    )


def of_leaders() -> str:
    """What the topic of `rank` says of lucky leaders, from the studies of leaders and boards."""
    leaders, _ = saved("leaders")
    boards, _ = saved("boards")

    def covers(who: str, q: int) -> float:
        cells = [
            line["ours"]
            for what, line in leaders.items()
            if what.startswith(f"{who}, ")
            and what.endswith(f" classifiers, q = {q}: behind covers")
        ]
        return float(min(cells))

    most = max(line["ours"] for what, line in boards.items() if "equal: more than one" in what)
    few, many = covers("all fail", 12), covers("all fail", 40)
    return (
        f"{FAILING} on 8 % of data sets, the intervals of behind cover {few:.2f}\n"
        f"with 12 data sets and {many:.2f} with 40. Where one alone does, they cover "
        f"{covers('one fails', 12):.2f} with 12, since\noften no fall has been seen. "
        f"Of boards of equal models on one data set at most {100 * most:.0f} % have {ONE_TIER}"
    )


def of_suites() -> str:
    """The table of a gate's answers by what is true, and what follows it."""
    lines, _ = saved("suites")
    sizes, text = (6, 20, 100), f"{TRUTHS} 6 data sets | 20 data sets | 100 data sets |\n"
    text += "| --- | --- | --- | --- |\n"
    for truth, words in {
        "equal": "equal",
        "on the border": "all on the rope's border",
        "one worse by two ropes": "one worse by two ropes",
        "one worse by five ropes": "one worse by five ropes",
        "all worse by one more rope": "all worse by two ropes",
    }.items():
        cells = []
        for q in sizes:
            found = [
                lines[f"10 folds, {q} data sets, {truth}: {answer}"]["ours"]
                for answer in ("fails", "undecided")
            ]
            cells.append(", ".join(f"{float(f'{100 * share:.2g}'):g} %" for share in found))
        text += f"| {words} | {' | '.join(cells)} |\n"
    return f"{text}\n{WIDE}"


def of_wide_differences() -> str:
    """How often a gate is undecided if differences are large, and what follows it."""
    lines, _ = saved("suites")
    rows = suites.ROWS[-1]
    equal, worse = (
        min(
            float(lines[f"{rows.name}, {q} data sets, {truth}: undecided"]["ours"])
            for q in suites.SIZES
        )
        for truth in ("equal", "all worse by one more rope")
    )
    return (
        f"{WIDE}, nearly all are undecided: at\nleast {100 * equal:.0f} % of equal changes, and "
        f"{100 * worse:.0f} % of those that are all worse by two ropes.\n\n{IN_WORST}"
    )


def of_rates() -> str:
    """The table of the gate's errors on the border, and what follows it."""
    lines, _ = saved("rates")
    errors: list[float] = []
    rows: dict[str, list[str]] = {}
    for what, line in lines.items():
        kind, _, wrong = what.partition(": ")
        if wrong not in rates.WRONG:
            continue  # worst but one, and so on
        sets, _, rows_of = line["note"].replace("data sets", "data set").partition(" data set of ")
        errors.append(line["error"])
        share = f"{100 * line['ours']:.1f} %"
        rows.setdefault(kind, []).append(f"{share} ({sets}×{rows_of.partition(' ')[0]})")
    body = "".join(f"| {kind} | {' | '.join(cells)} |\n" for kind, cells in rows.items())
    heads = f"(± up to {100 * max(errors):.1f}) | fails at most | passes at most |"
    return f"{BORDER} {heads}\n| --- | --- | --- |\n{body}\n{RARE}"


def of_one_run() -> str:
    """How often a gate fails that compares one run with one, and what follows it."""
    lines, _ = saved("runs")

    def fails(sets: int) -> str:
        line = lines[f"{runs.Case(sets, 1, 0.0)}: fails"]
        return f"{100 * line['ours']:.0f} ± {100 * line['error']:.0f} %"

    return (
        f"{ONE_WITH_ONE} fails {fails(1)} of changes without effect\non one data set, and "
        f"{fails(6)} on six.\n\n{FOLDERS}"
    )


def of_runs() -> str:
    """The table of gates that compare whole runs, and what follows it."""
    lines, _ = saved("runs")
    kinds = {
        "no effect: fails": (0.0, 1),
        "5 % slower, the rope's border: fails": (0.05, 1),
        "20 % slower: fails": (0.2, 1),
        "20 % slower, two runs of the candidate: fails": (0.2, 2),
    }
    errors = [line["error"] for what, line in lines.items() if " 1 run with" not in what]
    text = f"{RUNS} (± up to {100 * max(errors):.1f}) | 5 runs | 10 runs |\n| --- | --- | --- |\n"
    for words, (change, own) in kinds.items():
        cells = []
        for count in (5, 10):
            line = lines[f"{runs.Case(6, count, change, own)}: fails"]
            cells.append(f"{100 * line['ours']:.1f} %")
        text += f"| {words} | {' | '.join(cells)} |\n"
    return f"{text}\n{AFTER_RUNS}"


def of_pilots() -> str:
    """What pilots leave open, and what follows it."""
    lines, _ = saved("pilots")
    few, more = pilots.SIZES

    def typical(size: int) -> str:
        least = lines[f"pilot of {size} seeds: least, median"]["ours"]
        most = lines[f"pilot of {size} seeds: most, median"]["ours"]
        beyond = " or more" if most >= pilots.MOST * size else ""
        return f"{least:.0f} to {most:.0f}{beyond}"

    number = lines["seeds that pass with probability 0.8"]["ours"]
    return (
        f"{PILOTS}, {number:.0f} seeds are enough.\nA typical pilot of {few} leaves {typical(few)} "
        f"open, and one of {more} {typical(more)}.\n\n{BEST_SIDES}"
    )


def of_least() -> str:
    """What equal differences prove, and what follows it."""
    lines, _ = saved("least")

    def fewest(sets: int) -> int:
        found = {
            int(lines[f"{unit}s, {sets} data sets: fewest on each that can pass"]["ours"])
            for unit in least.UNITS
        }
        (number,) = found  # folds and seeds agree
        return number

    one = spelled_out(fewest(1))
    two = spelled_out(fewest(2) - 1)
    return (
        f"{SIGNS}: fewer than {one} folds or seeds on one data set never pass at 95 %, nor\ndo "
        f"{two} on each of two. {GRADED}"
    )


def of_items() -> str:
    """The table of claims about items: a row for each mixture of rates and number of runs."""
    lines, _ = saved("items")
    text = ITEMS
    for mixture in items.MIXTURES:
        for design in items.DESIGNS:
            if design.rates == mixture and design.q == MANY_ITEMS and not design.failing:
                cells = [_percent(lines[f"{design}, {what}"]["ours"]) for what in ITEM_COLUMNS]
                text += f"| {mixture} | {design.m} | {' | '.join(cells)} |\n"
    false = {str(d): lines[f"{d}, unchanged: either"]["ours"] for d in items.DESIGNS}
    errors = [line["error"] for what, line in lines.items() if "unchanged: either" in what]
    told = [lines[f"{d}, unchanged: told"]["ours"] for d in items.DESIGNS if d.m == 1]
    average = [lines[f"{d}, unchanged: average"]["ours"] for d in items.DESIGNS if d.failing]
    found = [
        _percent(lines[f"{items.Design(mixture, 120, 5, 1)}, three broken: told"]["ours"])
        for mixture in ("stable", "mixed")
    ]
    words = (
        f"Also with 40 items and 3 runs a side, with 10 items, and where one run in twenty fails "
        f"on all items or on a third of them, at most {_percent(max(false.values()))} of unchanged "
        f"candidates fail by a claim about items (± {100 * max(errors):.1f}); by the average up to "
        f"{_percent(max(average))} fail where runs fail together. With one run nothing fails, and "
        f"the screen tells of a loss in {found[0]} (stable) and {found[1]} (mixed), falsely in at "
        f"most {_percent(max(told))}."
    )
    return f"{text}\n{_filled(words)}\n\n{AFTER_ITEMS}"


def of_reruns() -> str:
    """What is said of suspects that are run again."""
    lines, _ = saved("items")
    text = RERUNS
    for more in items.MORE:
        where = f"one run and {more} more of the suspects"
        for rule in ("by the baseline alone", "with the first run"):
            false = _percent(lines[f"{where}, {rule}: false"]["ours"])
            named = _percent(lines[f"{where}, {rule}: named"]["ours"])
            text += f"| {more} | {rule} | {false} | {named} |\n"
    runs_of = [
        lines[f"one run and {m} more of the suspects: further runs"]["ours"] for m in items.MORE
    ]
    words = (
        f"That takes {runs_of[0]:.0f} and {runs_of[1]:.0f} more runs on average; running all items "
        "again, 480 and 1,080."
    )
    return f"{text}\n{_filled(words)}\n\n{AFTER_RERUNS}"


def of_graded() -> str:
    """Why graded scores are refused."""
    lines, _ = saved("items")
    shares = {
        (kind, m): _percent(lines[f"graded, {kind}, 5 with {m}: false"]["ours"])
        for kind in items.GRADED
        for _, m in items.OF_GRADED
    }
    two = "of two values"
    rare = "one in ten collapses"
    words = (
        f"{GRADED_ITEMS} in {shares['normal', 5]} of cases if scores are normal; in "
        f"{shares[two, 5]}, {shares[two, 3]} and {shares[two, 1]} (5 runs with 5, 3 and 1) if they "
        f"have two values; and in {shares[rare, 1]} (5 with 1) if one in ten collapses."
    )
    return f"{_filled(words)}\n"


def _filled(words: str) -> str:
    """Return a paragraph in lines that no number leaves its sign behind."""
    return fill(words.replace(" %", "\u00a0%"), WIDTH).replace("\u00a0", " ")


def _percent(share: float) -> str:
    """Return a share in per cent, with two digits."""
    return f"{float(f'{100 * share:.2g}'):g} %"


def spelled_out(number: int) -> str:
    """Return a small number as a word."""
    return ("none", "one", "two", "three", "four", "five", "six")[number]


def real() -> str:
    """The table of the study of real results: a row for each test."""
    lines, repetitions = saved("real")
    kinds = ("log score of the region, over plain shares", "chance of the likeliest region, stated",
             "chance of the likeliest region, came true", "verdicts", "right verdicts")  # fmt: skip

    def shown(what: str) -> str:
        line = lines.get(what)
        return "–" if line is None else f"{line['ours']:.3f} ± {line['error']:.3f}"

    ranked = "rank: log score of p(best)"
    over = [lines[f"{ranked}, over shares of wins with {ties} ties"] for ties in ("0.5", "4")]
    own = lines[ranked]["ours"]
    text = REAL.format(
        repetitions=repetitions,
        collections=", ".join(
            f"{what.removeprefix('pairs: ')} ({line['ours']:.0f} pairs)"
            for what, line in lines.items()
            if what.startswith("pairs: ")
        )
        or "the sample data and other collections",
        best=f"{own:.3f}",
        half=f"{own - over[0]['ours']:.3f}",
        four=f"{own - over[1]['ours']:.3f}",
    )
    for test in dict.fromkeys(what.partition(":")[0] for what in lines):
        if test not in ("rank", "pairs"):
            text += f"| {test} | {' | '.join(shown(f'{test}: {kind}') for kind in kinds)} |\n"
    return text


def rewritten(text: str, new: str, *, start: str, end: str) -> str:
    """Return a topic with what is between two texts replaced, these included in `new`."""
    before, found, rest = text.partition(start)
    if not found or end not in rest:
        raise ValueError(f"the topic lacks {start!r}, or {end!r} after it")
    return f"{before}{new}{rest.partition(end)[2]}"


if __name__ == "__main__":
    text = TOPIC.read_text(encoding="utf-8")
    whole = f"{section()}\n## references – "
    text = rewritten(text, whole, start="## studies – ", end="## references – ")
    text = rewritten(text, of_least(), start=SIGNS, end=GRADED)
    TOPIC.write_text(text, encoding="utf-8")
    text = rewritten(BEST.read_text(encoding="utf-8"), of_best(), start=STATED, end=STUDIES)
    text = rewritten(text, of_leaders(), start=FAILING, end=ONE_TIER)
    BEST.write_text(text, encoding="utf-8")
    text = rewritten(GATE.read_text("utf-8"), of_suites(), start=TRUTHS, end=WIDE)
    text = rewritten(text, of_wide_differences(), start=WIDE, end=IN_WORST)
    text = rewritten(text, of_rates(), start=BORDER, end=RARE)
    text = rewritten(text, of_one_run(), start=ONE_WITH_ONE, end=FOLDERS)
    text = rewritten(text, of_runs(), start=RUNS, end=AFTER_RUNS)
    GATE.write_text(text, encoding="utf-8")
    text = rewritten(PLAN.read_text("utf-8"), of_pilots(), start=PILOTS, end=BEST_SIDES)
    PLAN.write_text(text, encoding="utf-8")
    text = rewritten(BROKEN.read_text("utf-8"), of_reruns(), start=RERUNS[:18], end=AFTER_RERUNS)
    text = rewritten(text, of_items(), start=ITEMS[:18], end=AFTER_ITEMS)
    BROKEN.write_text(text.partition(GRADED_ITEMS)[0] + of_graded(), encoding="utf-8")
