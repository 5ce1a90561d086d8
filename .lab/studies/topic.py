"""The section `bcompare explain studies`, from the results at the papers' repetitions.

python .lab/studies/topic.py        # writes it anew into bcompare/explain/correct.md
"""

import json
from pathlib import Path
from typing import Any

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
Every figure, with its error, is in `.lab/studies/results/`, as JSON and as a picture.

**What the differences say.** The figures of Corani et al. 2017 come out as printed where the
hierarchical answer is read as the average over data sets (δ0), and not where it is read as the next
data set: see [next](probabilities.md#next--the-next-data-set-or-the-average). Of their second
generator, cross-validation of a small network, the paper does not state the size of the data sets,
and with our 2,500 cases the folds vary less than its own. With correlated normal folds our shrunken
estimates are closer to the truth than the paper's.
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
    differing = ""
    if apart:
        header = "\n| study | where ours differ | paper | ours |\n| --- | --- | --- | --- |\n"
        differing = header + "".join(apart)
    return HEAD + "".join(rows) + differing + TAIL


if __name__ == "__main__":
    before, _, rest = TOPIC.read_text(encoding="utf-8").partition("## studies – ")
    after = rest.partition("## references – ")[2]
    TOPIC.write_text(f"{before}{section()}\n## references – {after}", encoding="utf-8")
