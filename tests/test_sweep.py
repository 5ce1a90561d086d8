"""Several ropes at once: each row is what that rope alone gives."""

import json
from pathlib import Path

import pytest

from tests.command import run
from tests.results import small_csv

SETS = ("one", "two", "three", "four", "five")
ROPES = ("--rope", "0.05", "--rope", "0", "--rope", "0.01")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.03}, SETS)
    return tmp_path


@pytest.mark.parametrize("command", ["ttest", "sign", "signrank", "poisson"])
def test_one_table_one_document_and_rows_of_all_ropes(folder: Path, command: str) -> None:
    table = run(command, *ROPES, folder=folder)
    assert table.code == 0
    assert all(f" {width} " in table.out for width in ("0", "0.01", "0.05"))
    assert "ropes 0, 0.01, 0.05" in table.out
    record = json.loads(run(command, *ROPES, "--format", "json", folder=folder).out)
    assert record["settings"]["ropes"] == [[0, 0], [-0.01, 0.01], [-0.05, 0.05]]
    assert [pair["rope"][1] for pair in record["comparisons"]] == [0, 0.01, 0.05]
    rows = run(command, *ROPES, "--format", "csv", folder=folder).out.splitlines()
    assert rows[0].startswith("rope_low,rope_high,left,right,")
    assert len(rows) == 1 + 3 * (len(SETS) if command == "ttest" else 1)


def test_the_sentence_says_where_the_verdict_changes(folder: Path) -> None:
    ropes = [word for width in ("0", "0.001", "0.9", "1") for word in ("--rope", width)]
    result = run("ttest", "--dataset", "one", *ropes, folder=folder)
    assert "equivalent at 0.9 to 1" in result.out


def test_two_numbers_are_one_rope(folder: Path) -> None:
    record = json.loads(run("sign", "--rope=-0.01,0.02", "--format", "json", folder=folder).out)
    assert record["settings"]["rope"] == [-0.01, 0.02]


SAMPLE = Path(__file__).parents[1] / "sample_data" / "results.csv"
THREE = [f"--classifier={name}" for name in ("knn", "tree", "forest")]


@pytest.mark.parametrize(
    ("test", "ropes"),
    [
        ("sign", ("0.01", "0.02")),  # only with the second is there room for an interval
        ("hier", ("0.01", "0.03")),  # only with the first any chance of a verdict is known
        ("hier", ("0", "0.01")),
    ],
)
def test_each_row_is_that_of_its_rope_alone(test: str, ropes: tuple[str, str]) -> None:
    def rows(*widths: str) -> list[dict[str, str]]:
        given = [part for width in widths for part in ("--rope", width)]
        result = run(test, SAMPLE, *THREE, *given, "--format", "markdown").out
        table = [line.strip("| ").split(" | ") for line in result.splitlines() if "|" in line]
        header, _, *body = ([cell.strip() for cell in cells] for cells in table)
        return [dict(zip(header, cells, strict=True)) for cells in body]

    same = ("left", "right", "verdict", "p(left)", "p(rope)", "p(right)", "Holm p", "chance")
    together = rows(*ropes)
    assert len(together) == 6
    for width in ropes:
        of_rope = [row for row in together if row["rope"] == width]
        for alone, row in zip(rows(width), of_rope, strict=True):
            for name in same:  # of differences the rope says how many decimals are written
                assert row.get(name, "–") == alone.get(name, "–")


def test_pairs_of_one_data_set_each_keep_their_probabilities(tmp_path: Path) -> None:
    names = {"x": "ab", "y": "bc", "z": "ac"}
    lines = [
        f"{dataset},{fold},{name},0.{5 + (fold * 7 + ord(name)) % 4}"
        for dataset, pair in names.items()
        for fold in range(10)
        for name in pair
    ]
    text = "\n".join(["dataset,fold,classifier,score", *lines])
    (tmp_path / "results.csv").write_text(text, encoding="utf-8")
    result = run("ttest", "--rope", "0.01", "--rope", "0.02", folder=tmp_path).out
    assert "p(left)" in result.splitlines()[1]
    assert "data set" in result.splitlines()[1]
