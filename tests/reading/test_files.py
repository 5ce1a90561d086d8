"""Files that are no CSV, and several by one name: JSON Lines, Excel, patterns."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bcompare.basis.messages import InputError
from bcompare.reading.read import read_scores
from tests.command import refused, run
from tests.reading.written import SMALL, as_file, canonical, facts

# Excel


def workbook(path: Path, **sheets: list[list[Any]]) -> str:
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl: pip install openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return str(path)


MEANS: list[list[Any]] = [
    ["data", "nbc", "aode"],
    ["iris", 0.9, 0.8],
    ["wine", 0.7, None],
    ["glass", 1, 0.5],
]


def test_a_workbook(tmp_path: Path) -> None:
    one = workbook(tmp_path / "one.xlsx", means=[["Table 3: a title"], [], *MEANS])
    scores = read_scores(one, preset="means")
    text = [["" if cell is None else str(cell) for cell in row] for row in MEANS]
    assert facts(scores) == facts(read_scores(as_file(text), preset="means"))
    two = workbook(tmp_path / "two.xlsx", notes=[["a"]], means=MEANS)
    assert facts(read_scores(f"{two}#means", preset="means")) == facts(scores)


def test_each_sheet_of_a_workbook_is_a_classifier(tmp_path: Path) -> None:
    rows = {"old": (0.7, 0.8, 0.75), "new": (0.6, 0.9, 0.7)}
    sheets: dict[str, list[list[Any]]] = {
        name: [["fold", "score"], *([k, score] for k, score in enumerate(scores))]
        for name, scores in rows.items()
    }
    book = workbook(tmp_path / "book.xlsx", **sheets)
    named = read_scores(f"{book}#old", f"{book}#new", rho=0.1)
    assert named.classifiers == ("old", "new")
    np.testing.assert_array_equal(named.datasets[0].table, np.transpose(list(rows.values())))
    labelled = read_scores(f"a={book}#old", f"b={book}#new", rho=0.1)
    assert labelled.classifiers == ("a", "b")
    with pytest.raises(InputError, match="named twice"):
        read_scores(f"a={book}#old", f"b={book}#old")
    marked = workbook(tmp_path / "x#old.xlsx", only=sheets["old"])  # a name may have a #
    assert read_scores(marked, lone=True, rho=0.1).classifiers == ("x#old",)
    outcome = run("ttest", f"{book}#old", "-o", f"csv={book}", folder=tmp_path)
    assert "that file is read" in refused(outcome)


# Patterns


def test_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header, *rows = canonical(SMALL).table
    for name in SMALL.classifiers:
        (tmp_path / name).mkdir()
        for dataset in SMALL.datasets:
            own = [[row[1], row[2], row[4]] for row in rows if (row[0], row[3]) == (dataset, name)]
            content = as_file([["run", "fold", "score"], *own]).read()
            (tmp_path / name / f"{dataset}.csv").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    expected = facts(read_scores(as_file([header, *rows])))

    for nbc, aode in (("nbc/*.csv", "aode/*.csv"), (f"{tmp_path}/nbc/*.csv", "aode/[iw]*.csv")):
        assert facts(read_scores(f"nbc={nbc}", f"aode={aode}", "j48=j48/*.csv")) == expected
    (tmp_path / "a*b.csv").write_bytes(as_file([header, *rows]).read())
    assert facts(read_scores("a*b.csv")) == expected
