"""LaTeX tables compile and fit the page; hundreds of odd names go through every format."""

import csv
import io
import json
import random
import re
import shutil
import subprocess
import unicodedata
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bcompare.basis.names import shown_by
from bcompare.comparing.compare import compare
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.plots.figure import picture
from bcompare.show import as_text, draw
from tests.command import run
from tests.examples import scores_from
from tests.html import Page
from tests.results import small_csv

pytestmark = pytest.mark.usefixtures("one_population")

SETS = tuple(f"a_data_set_with_a_longer_name-{i}" for i in range(1, 7))
MANY_SETS = tuple(f"set-{i}" for i in range(1, 61))
PLAIN = {"tree": 0.0, "random_forest": 0.04, "GradientBoosting": 0.05}
PAIR = ("--left", "tree", "--right", "random_forest")
ODD = {
    r"\textbf{x}_i^2": 0.0,
    "$100 & 5% #1 ~ {": 0.01,
    r"a|b <c> [d] \\ é ρ½": 0.02,
    "--~`'": 0.03,
}
FOREIGN = {"木 🙂": 0.0, "Ж": 0.01}
# Every kind of table, by the results that it is of.
PLAIN_TABLES = [
    ("ttest",),
    ("ttest", "--details"),
    ("ttest", *PAIR),
    ("ttest", *PAIR, "--dataset", SETS[0]),
    ("ttest", "--dataset", SETS[0], "--loss", "20,1"),
    ("ttest", *PAIR, "--dataset", SETS[0], "--rope", "0", "--rope", "0.01", "--rope", "0.02"),
    ("sign", "--also", "sensitivity", "--also", "tests"),
    ("signrank", *PAIR, "--details", "--draws", "1000"),
    ("signrank", "--rope", "0", "--rope", "0.005", "--rope", "0.01", "--draws", "1000"),
    ("poisson", "--details"),
    ("hier", *PAIR, "--also", "sensitivity", "--also", "tests"),
    ("hier", "--over", "average"),
    ("rank", "--draws", "200", "--details"),
    ("rank", "--draws", "200", "--test", "sign", "--test", "hier"),
    ("rank", "--draws", "200", "--dataset", SETS[0], "--details"),
    ("gate", "--baseline", "tree"),
    ("self-check", "--baseline", "tree", "--dataset", SETS[0]),
    ("plan", "--baseline", "tree", "--candidate", "random_forest", "--test", "sign",
     "--replicates", "100"),
    ("check", "--details"),
]  # fmt: skip
MANY_TABLES = [("ttest", *PAIR, "--top", "0"), ("sign", *PAIR, "--details", "--top", "0")]
ODD_TABLES = [("ttest",), ("sign", "--also", "tests"), ("rank", "--draws", "200")]

PREAMBLE = r"""\documentclass[%s]{article}
\usepackage{booktabs,graphicx}
\begin{document}
"""
# Points by which a line may stand out without anyone seeing it.
UNSEEN = 3.0


@pytest.fixture(scope="module")
def tables(one_population: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """All tables by the commands that make them."""
    folder = tmp_path_factory.mktemp("latex")
    plain = small_csv(folder / "plain.csv", PLAIN, SETS)
    many = small_csv(folder / "many.csv", PLAIN, MANY_SETS)
    odd = small_csv(folder / "odd.csv", ODD, ("set_1", "set^2", "set&3"))
    result = {}
    for path, commands in ((plain, PLAIN_TABLES), (many, MANY_TABLES), (odd, ODD_TABLES)):
        for name, *options in commands:
            is_said = "--rope" in options or name == "check"
            rope = () if is_said else ("--rope", "0.01")  # some scores are above 1
            outcome = run(name, path, *options, *rope, "--format", "latex")
            assert outcome.code in (0, 4, 5), outcome.err
            result[f"{name} {path.name} {' '.join(options)}"] = outcome.out
    return result


def test_environments_and_braces_are_balanced(tables: dict[str, str]) -> None:
    for command, text in tables.items():
        code = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
        for environment in ("table", "tabular"):
            begun = code.count(rf"\begin{{{environment}}}")
            assert begun == code.count(rf"\end{{{environment}}}") > 0, command
        bare = re.sub(r"\\\\|\\[{}]", "", code)
        assert bare.count("{") == bare.count("}"), command
        for row in re.findall(r"\\begin\{tabular\}.*?\\end\{tabular\}", code, re.DOTALL):
            lines = [line for line in row.splitlines() if line.endswith(r" \\")]
            cells = {len(re.findall(r"(?<!\\)&", line)) for line in lines}
            assert len(cells) == 1, command


def captions(text: str) -> list[str]:
    """The captions of the tables, as they are printed."""
    result = re.findall(r"\\caption\{(.*)\}$", text, re.MULTILINE)
    plain = (caption.replace(r"\textquotesingle{}", "'") for caption in result)
    return [re.sub(r"\\([_%])", r"\1", caption) for caption in plain]


def test_captions_are_sentences_that_a_paper_could_keep(tables: dict[str, str]) -> None:
    for command, text in tables.items():
        for caption in captions(text):
            assert re.fullmatch(r".*[^.?!]\.", caption), command
            assert not re.search(r"\\cdot|bcompare \d|rows|Monte Carlo|p-value by", caption), (
                command
            )
        of_scores = ("Each classifier's mean score", "Mean score")
        first, *_ = (caption for caption in captions(text) if not caption.startswith(of_scores))
        assert re.search(r"tree|classifiers|textbf", first), command
        if not command.startswith(("check", "self-check")):
            assert re.search(r" on (a_data|set|\d+ data sets)", first), command
            assert ("as irrelevant" in first) or "joint" in first, command
        assert re.search(r"^% .* · bcompare \S+$", text, re.MULTILINE), command


def test_captions_of_scores_name_no_test(tables: dict[str, str]) -> None:
    board, each, means, *_ = captions(tables["rank plain.csv --draws 200 --details"])
    assert board.startswith("Leaderboard by average score over 6 data sets. Comparison of ")
    assert each.startswith("Each classifier's mean score on average over 6 data sets")
    assert means.startswith(r"Mean score $\pm$ standard error, corrected for the correlation of")
    for caption in (each, means):
        assert caption.endswith("on 6 data sets (2 times 5-fold cross-validation).")


def test_letters_that_pdflatex_lacks_are_named(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "foreign.csv", FOREIGN, ("set",))
    text = run("ttest", path, "--format", "latex").out
    assert "% pdflatex has no letters for Ж 木 🙂: set them by lualatex or xelatex" in text


def test_the_packages_that_are_needed_are_named(tables: dict[str, str]) -> None:
    for text in tables.values():
        assert re.findall(r"\\usepackage\{(.*?)\}", text) == ["booktabs,graphicx"]


def test_long_tables_go_on_in_another_table(tables: dict[str, str]) -> None:
    (text,) = [text for name, text in tables.items() if name.startswith("ttest many")]
    tables_of = re.findall(r"\\begin\{table\}.*?\\end\{table\}", text, re.DOTALL)
    parts = [table for table in tables_of if "set-" in table]
    assert len(parts) == 2
    assert sum(part.count("set-") for part in parts) == len(MANY_SETS)
    assert "continued" in parts[1]


@pytest.mark.parametrize("layout", ["onecolumn", "twocolumn"])
def test_all_tables_compile_and_fit_the_column(
    layout: str, tables: dict[str, str], tmp_path: Path
) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("needs pdflatex: apt-get install texlive-latex-base texlive-latex-recommended")
    pages = [f"\\typeout{{of: {i}}}\n{text}\n\\clearpage" for i, text in enumerate(tables.values())]
    path = tmp_path / "tables.tex"
    path.write_text(PREAMBLE % layout + "\n".join(pages) + "\n\\end{document}\n", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", path.name]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    log = (tmp_path / "tables.log").read_text(encoding="latin-1")
    bad = re.compile(r"^(!.*|Overfull \\hbox \((.*?)pt.*|LaTeX Warning: Float too large.*)$", re.M)
    names = list(tables)
    result = []
    for part in log.split("of: ")[1:]:
        own = names[int(part.split()[0])]
        for line, width in bad.findall(part):
            if not width or float(width) > UNSEEN:
                result.append(f"{own}: {line}")
    assert not result, "\n".join(result)
    assert (tmp_path / "tables.pdf").exists()


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
SOME = NAMES[::4]


@pytest.fixture(scope="module")
def study() -> ComparisonSet:
    rng = np.random.default_rng(1)
    names = ("baseline", *SOME)
    tables = {f"set-{i}": rng.normal(0.7, 0.05, (10, len(names))) for i in range(3)}
    return compare(scores_from(tables, names), "sign", left="baseline")


def test_json_gives_every_name_back(study: ComparisonSet) -> None:
    pairs = json.loads(as_text(study, "json"))["comparisons"]
    assert [pair["right"] for pair in pairs] == SOME
    assert len([*csv.reader(io.StringIO(as_text(study, "csv")))]) == 1 + len(SOME)


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "sentence"])
def test_no_control_character_reaches_a_page(study: ComparisonSet, form: str) -> None:
    assert not [c for c in as_text(study, form) if unicodedata.category(c) == "Cc" and c != "\n"]


def test_text_and_markdown_have_a_line_a_name(study: ComparisonSet) -> None:
    verdicts = (" undecided", " better", " equivalent", " withheld")
    lines = as_text(study, "table").split("\n")
    assert sum(any(word in line for word in verdicts) for line in lines) >= len(SOME)
    rows = [line for line in as_text(study, "markdown").split("\n") if line.startswith("|")]
    bars = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows[: len(SOME)]}
    assert len(bars) == 1


def test_html_shows_every_name_as_text(study: ComparisonSet) -> None:
    page = Page(study._repr_html_())
    assert not {*page.tags} & {"b", "script", "img"}
    shown = shown_by(study.scores.classifiers)
    assert {shown(name) for name in SOME} <= {*page.cells}


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
    some = replace(study, comparisons=study.comparisons[:30], total=30)
    drawn = picture(draw(some, "regions"), "svg")
    ET.fromstring(drawn)
    assert picture(draw(some, "regions"), "svg") == drawn
