"""A thousand odd names through every format, and a picture: none breaks it, none is lost."""

import csv
import io
import json
import random
import re
import unicodedata
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from bcompare.basis.printable import printable
from bcompare.comparing.compare import compare
from bcompare.comparing.comparison import ComparisonSet
from bcompare.plots.figure import picture
from bcompare.show import as_text, draw
from tests.examples import scores_from
from tests.html import Page

pytestmark = pytest.mark.slow

COUNT = 1_000
PIECES = (
    "<b>", "</td>", "<script>alert(1)</script>", "&amp;", "&", '"', "'", "|", "\\", "\\end{table}",
    "%", "#", "$", "_", "^", "~", "{", "}", "[", "]", "*", "`", "=", "@", "+1", "-", ",", ";", "\t",
    "\n", "\r", "\r\n", "\x00", "\x1b[31m", "\u202e", "\u2066", "\u200b", "é", "ß", "Ω", "漢", "🙂",
    "null", "NaN", "1e5", "{{ 7 }}", "{% x %}", "%s", "\\n", "a", "B", "0", " ", "  ",
    "very long " * 9,
)  # fmt: skip


def odd_names() -> list[str]:
    draw_from = random.Random(5)
    result: dict[str, None] = {}
    while len(result) < COUNT:
        parts = draw_from.choices(PIECES, k=draw_from.randint(1, 5))
        if draw_from.random() < 0.5:
            parts.append(chr(draw_from.choice((*range(32, 0x2FF), *range(0x370, 0x5FF)))))
        name = "".join(parts)
        if name.strip() and name != "baseline":
            result[name] = None
    return list(result)


NAMES = odd_names()


@pytest.fixture(scope="module")
def study() -> ComparisonSet:
    rng = np.random.default_rng(1)
    names = ("baseline", *NAMES)
    tables = {f"set-{i}": rng.normal(0.7, 0.05, (3, len(names))) for i in range(3)}
    return compare(scores_from(tables, names), "sign", left="baseline")


def test_csv_and_lines_of_json_give_every_name_back(study: ComparisonSet) -> None:
    rows = list(csv.DictReader(io.StringIO(as_text(study, "csv-raw"), newline="")))
    assert [row["right"] for row in rows] == NAMES
    lines = as_text(study, "jsonl").split("\n")[:-1]
    assert [json.loads(line)["right"] for line in lines] == NAMES


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html", "sentence"])
def test_no_control_character_reaches_a_page(study: ComparisonSet, form: str) -> None:
    assert not [c for c in as_text(study, form) if unicodedata.category(c) == "Cc" and c != "\n"]


def test_text_and_markdown_have_a_line_a_name(study: ComparisonSet) -> None:
    verdicts = (" undecided", " better", " equivalent", " withheld")
    lines = as_text(study, "table").split("\n")
    assert sum(any(word in line for word in verdicts) for line in lines) >= COUNT
    rows = [line for line in as_text(study, "markdown").split("\n") if line.startswith("|")]
    bars = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows[:COUNT]}
    assert len(bars) == 1


def test_html_shows_every_name_as_text(study: ComparisonSet) -> None:
    page = Page(as_text(study, "html"))
    assert not {*page.tags} & {"b", "script", "img"}
    assert {printable(name) for name in NAMES} <= {*page.cells}


def test_latex_stays_balanced(study: ComparisonSet) -> None:
    text = as_text(study, "latex")
    bare = re.sub(r"(?m)(?<!\\)%.*$", "", text)
    bare = bare.replace(r"\\", "").replace(r"\{", "").replace(r"\}", "")
    assert bare.count("{") == bare.count("}")
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}")
    specials = re.findall(r"(?<!\\)[#$_]", bare)
    assert set(specials) == {"$"}  # of formulas such as \rho, which come in twos
    assert len(specials) % 2 == 0


def test_a_picture_of_them_is_well_formed(study: ComparisonSet) -> None:
    some = replace(study, comparisons=study.comparisons[:60], total=60)
    drawn = picture(draw(some, "regions"), "svg")
    ET.fromstring(drawn)
    assert picture(draw(some, "regions"), "svg") == drawn
