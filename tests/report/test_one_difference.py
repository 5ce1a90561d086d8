"""A pair has one observed difference: in tables, sentences, pages and JSON alike."""

import csv
import io
import json
import re
from html import unescape
from pathlib import Path

import pandas as pd
import pytest

from tests.command import run

pytestmark = pytest.mark.usefixtures("one_population")

SAMPLE = Path(__file__).parents[2] / "sample_data"
RESULTS, ANSWERS = (str(SAMPLE / name) for name in ("results.csv", "answers.csv"))
NAMES = ("logistic", "naive_bayes", "knn", "tree", "forest")
OF_ITEMS = ("--col", "item=question", "--col", "classifier=model", "--col", "score=correct")
CASES: dict[str, tuple[str, ...]] = {
    "one data set": ("ttest", RESULTS, "--dataset", "two_hard"),
    "hier": ("hier", RESULTS),
    "signrank": ("signrank", RESULTS),
    "sign": ("sign", RESULTS),
    "poisson": ("poisson", RESULTS),
    "items": ("ttest", ANSWERS, *OF_ITEMS),
}
OBSERVED = ("right−left", "mean diff", "difference")


def observed(case: str) -> dict[tuple[str, str], float]:
    """The mean differences right - left, averaged over data sets, by pandas."""
    if "items" in case:
        frame = pd.read_csv(ANSWERS).assign(dataset="answers")
        frame = frame.rename(columns={"model": "classifier", "correct": "score"})
    else:
        frame = pd.read_csv(RESULTS)
        frame = frame[frame["dataset"] == "two_hard"] if "one" in case else frame
    means = frame.groupby(["dataset", "classifier"])["score"].mean().unstack()
    names = list(frame["classifier"].unique())
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return {(a, b): float((means[b] - means[a]).mean()) for a, b in pairs}


def cells(out: str) -> list[dict[str, str]]:
    """The rows of all tables of a Markdown document, by heading."""
    rows: list[dict[str, str]] = []
    header: list[str] = []
    for line in out.splitlines():
        parts = [part.strip(" *").replace("\\", "") for part in line.strip("|").split("|")]
        if not line.startswith("|"):
            header = []
        elif not header:
            header = parts
        elif set(line) - set("|-: "):
            rows.append(dict(zip(header, parts, strict=True)))
    return rows


def said(sentence: str) -> list[tuple[str, str]]:
    """Who scores more, and by how much."""
    (found,) = re.findall(r"(\S+) scores ([\d.]+) more", sentence)
    who, number = found
    if who in ("it", "It"):
        (who,) = re.findall(r"(\S+) is practically better", sentence)
    return [(who, number)]


def agree(text: str, expected: float) -> bool:
    """Whether a number is the expected one, to the decimals that it shows."""
    number = text.replace("−", "-")
    decimals = len(number.partition(".")[2])
    return abs(float(number) - expected) <= 0.51 * 10.0**-decimals


@pytest.mark.parametrize("case", CASES)
def test_a_pair_has_one_observed_difference(case: str, tmp_path: Path) -> None:
    expected = observed(case)
    document = json.loads(run(*CASES[case], "--format", "json").out)
    for one in document["comparisons"]:
        assert one["mean_difference"] == pytest.approx(expected[one["left"], one["right"]])
    seen = set()
    for details in ((), ("--details",)):
        for row in cells(run(*CASES[case], "--format", "markdown", *details).out):
            for heading in set(OBSERVED) & set(row):
                if row.get("left") in NAMES and "data set" not in row:
                    assert agree(row[heading], expected[row["left"], row["right"]])
                    seen.add((row["left"], row["right"]))
    assert seen == {*expected}
    for (left, right), value in [*expected.items()][:1]:
        pair = ("--left", left, "--right", right)
        sentence = run(*CASES[case], *pair, "--format", "sentence").out
        found = said(sentence)
        assert found, sentence
        for who, number in found:
            assert agree(number, value if who == right else -value), sentence
        flat = csv.DictReader(io.StringIO(run(*CASES[case], *pair, "--format", "csv").out))
        overall = [float(row["mean_difference"]) for row in flat]
        assert sum(overall) / len(overall) == pytest.approx(value)


def test_a_page_shows_the_same_differences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bcompare.ranking.family.MOST_DRAWN", 0)  # which changes no difference
    names = ("knn", "tree", "forest")
    expected = {pair: x for pair, x in observed("hier").items() if {*pair} <= {*names}}
    chosen = [f"--classifier={name}" for name in names]
    page = tmp_path / "page.html"
    assert run("report", RESULTS, *chosen, "-o", page).code == 0
    text = page.read_text(encoding="utf-8")
    seen = set()
    for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
        rows = [
            [unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in re.split("<t[hd]", row)[1:]]
            for row in re.sub("(<t[hd])[^>]*>", r"\1", table).split("<tr")[1:]
        ]
        if rows and rows[0][:2] == ["left", "right"]:
            for heading in set(OBSERVED) & set(rows[0]):
                at = rows[0].index(heading)
                for row in (row for row in rows[1:] if len(row) == len(rows[0])):
                    assert agree(row[at], expected[row[0], row[1]])
                    seen.add((row[0], row[1]))
    assert seen == {*expected}


def test_the_ranking_says_what_was_observed() -> None:
    document = json.loads(run("rank", RESULTS, "--format", "json").out)
    expected = observed("hier")
    (first, second) = document["family"]["best"][:2]
    of = first["classifier"], second["classifier"]
    (row,) = [
        row
        for row in cells(run("rank", RESULTS, "--format", "markdown", "--details").out)
        if row.get("classifier") == of[1] and "behind" in row
    ]
    value = expected.get((of[1], of[0]), -expected.get((of[0], of[1]), 0.0))
    assert agree(row["behind"], value)
    pairs = document["comparisons"]
    assert len(pairs) == len(expected)
    for pair in pairs:
        value = expected[pair["left"], pair["right"]]
        assert pair["mean_difference"] == pytest.approx(value)
