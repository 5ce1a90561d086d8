"""The section `bcompare explain studies`, from the results at the papers' repetitions.

python .lab/studies/topic.py        # writes it anew into bcompare/explain/correct.md
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WAYS = ("as observed", "shrunken")
RESULTS = Path(__file__).parent / "results"
TOPIC = Path(__file__).parents[2] / "bcompare" / "explain" / "correct.md"

HEAD = """\
## studies – the papers' simulations, repeated

`make reproduce` in the project's repository repeats the papers' simulations and tables, and ours,
in a short version; `make reproduce REPS=paper` takes the papers' repetitions, with these results.
*Agree* means: within three Monte Carlo errors of both, and the paper's rounding.

| study | repetitions | figures compared | agree |
| --- | --- | --- | --- |
"""

TAIL = """
Every figure, with its error, is in `.lab/studies/results/` as JSON, some as a picture, too.

**What the differences say.** The figures of Corani et al. 2017 come out as printed where the
hierarchical answer is read as the average over data sets (δ0), and not where it is read as the next
data set: see [next](probabilities.md#next--the-next-data-set-or-the-average). Of their second
generator, cross-validation of a small network, the paper does not state the size of the data sets,
and with our 2,500 cases the folds vary less than its own. With correlated normal folds our shrunken
estimates are closer to the truth than the paper's.
"""

BESIDE = """
**Compared with other tools**, on {date}: {tools}.
All on the same {repetitions} simulated sets of answers to items,
right or wrong, each by its own defaults (the extra `peers`; ours by its p-value, and by its verdict
with the rope ±0.01, which may err in 5 % in each direction). The standard error of a figure near 5
is {error:.1f}. evalsig takes the first of several epochs; evalstats and statgate know no clusters;
for passages evalci has an interval (`cluster_ci`, here of the differences), which calls models
different where it misses 0. With frames instead of arrays (`multi_compare`) evalci leaves an item
without a score out, without a word.

"""


SHRINK = """
**From how many data sets on `rank` shrinks.** The same results judged with the means as they were
observed, and shrunken: fifteen simulated regimes (4 to 12 classifiers, 5 to 100 folds; noise of the
folds small and large, data sets alike and uneven), and the sample data, of which some data sets are
kept back. *Divergence* is that of p(best) from the truth (of real results the mean of -log p(best)
of the winners), *decided* the share with a verdict, *wrong* that with one on another than the best
choice, *regret* the difference of what the choices cost, in ten-thousandths. Below twenty data sets
shrinking is not closer to the truth; from there on it is, decides more, and costs no more. Where
the noise is smaller than the interaction, p(best) above 0.3 is then stated 0.06 too high with 20
data sets (*rank, own*, above); as observed it is stated 0.10 too low where the noise is larger.

| results | sets | divergence | decided | wrong | regret |
| --- | --- | --- | --- | --- | --- |
"""


def results() -> list[dict[str, Any]]:
    """What was saved, in the order of the files' names."""
    return [json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))]


def section() -> str:
    """The section as Markdown."""
    rows, apart = [], []
    for study in results():
        compared = [line for line in study["lines"] if line["agrees"] is not None]
        agree = sum(line["agrees"] for line in compared)
        rows.append(
            f"| {study['source']} | {study['repetitions']:,} | {len(compared)} | {agree} |\n"
        )
        apart += [
            f"| {study['source']} | {line['what']} | {line['paper']} | {line['ours']:.3g} |\n"
            for line in compared
            if not line["agrees"]
        ]
    shrinkage = [row for study in results() if study["study"] == "shrink"
                 for row in _shrinkage(study["lines"])]  # fmt: skip
    differing = ""
    if apart:
        header = "\n| study | where ours differ | paper | ours |\n| --- | --- | --- | --- |\n"
        differing = header + "".join(apart)
    return (
        HEAD
        + "".join(rows)
        + differing
        + TAIL
        + SHRINK
        + "".join(shrinkage)
        + "\n"
        + side_by_side()
    )


def side_by_side() -> str:
    """The table of the study of other tools: a column per tool, a row per figure."""
    study = json.loads((RESULTS / "peers.json").read_text("utf-8"))
    tools = list(dict.fromkeys(line["series"] for line in study["lines"]))
    cells: dict[str, dict[str, str]] = {}
    text = []
    for line in study["lines"]:
        what = line["what"].removeprefix(f"{line['series']}, ")
        cells.setdefault(what, {})[line["series"]] = f"{100 * line['ours']:.1f}"
        if line["note"]:
            name = line["series"].rpartition(" ")[0]
            text.append(f"- {what.partition(':')[0]}, {name}: {line['note']}\n")
    names = [tool.rpartition(" ")[0].replace("bcompare's", "its") for tool in tools]
    rows = [["%", *names], ["---"] * (len(tools) + 1)]
    rows += [[what, *(own.get(tool, "–") for tool in tools)] for what, own in cells.items()]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    count = study["repetitions"]
    error = 100 * math.sqrt(0.05 * 0.95 / count)
    versions = ", ".join(tool for tool in tools if "'" not in tool)
    head = BESIDE.format(date=study["date"], tools=versions, repetitions=count, error=error)
    return f"{head}{table}\nOf the last two, what each says first:\n\n{''.join(text)}"


def _shrinkage(lines: list[dict[str, Any]]) -> Iterator[str]:
    """A row of the table for each number of data sets."""
    known = {line["what"]: line for line in lines}
    for what, line in known.items():
        where, _, kind = what.partition(": ")
        results, _, q = where.partition(", q = ")
        if kind == "regret, difference" and results in ("all regimes", "sample data"):
            shown = [
                " → ".join(f"{known[f'{where}: {of}, {way}']['ours']:.{digits}f}" for way in WAYS)
                for of, digits in (("divergence", 3), ("decided", 2), ("wrong", 3))
            ]
            regret = f"{round(line['ours'], 1) + 0.0:+.1f} ± {line['error']:.1f}"
            yield f"| {results} | {q} | {' | '.join(shown)} | {regret} |\n"


if __name__ == "__main__":
    before, _, rest = TOPIC.read_text(encoding="utf-8").partition("## studies – ")
    after = rest.partition("## references – ")[2]
    TOPIC.write_text(f"{before}{section()}\n## references – {after}", encoding="utf-8")
