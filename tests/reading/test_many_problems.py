"""Many problems at once: two lines for each kind, whatever their number and that of the files."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import refused, run
from tests.reading.rows import as_file, make_rows

Rows = list[str]


def scored(rows: Rows, score: str) -> Rows:
    """The rows with another score in every third one."""
    return [f"{r.rpartition(',')[0]},{score}" if i % 3 == 0 else r for i, r in enumerate(rows)]


MESSES: dict[str, Callable[[Rows], Rows]] = {
    "not a number": lambda rows: scored(rows, "out of memory"),
    "no score": lambda rows: scored(rows, "NA"),
    "no finite number": lambda rows: scored(rows, "inf"),
    "too large": lambda rows: scored(rows, "1e200"),
    "duplicates": lambda rows: [*rows, *rows[::3]],
    "missing folds": lambda rows: [row for i, row in enumerate(rows) if i % 7],
    "unequal runs": lambda rows: [row for row in rows if ",2,9," not in row],
    "lengths": lambda rows: [f"{r},1,2" if i % 3 == 0 else r for i, r in enumerate(rows)],
    "names": lambda rows: [r.replace("aode", "") for r in rows],
}


@pytest.mark.parametrize("command", ["ttest", "hier", "rank", "check"])
@pytest.mark.parametrize("mess", MESSES)
def test_two_lines_a_kind(mess: str, command: str, tmp_path: Path) -> None:
    rows = MESSES[mess](make_rows(30, 2, 10, ["nbc", "aode", "j48"]))
    (tmp_path / "r.csv").write_bytes(as_file(rows).read())
    error = refused(run(command, "r.csv", folder=tmp_path))
    lines = [line for line in error.strip().splitlines() if line.startswith("error: ")]
    assert len(lines) <= 2
    assert "more like it; " in lines[1] if len(lines) == 2 else lines[0].startswith("error: ")


def test_counts_go_on_over_files(tmp_path: Path) -> None:
    for i in range(20):
        rows = scored(make_rows(1, 2, 10, ["nbc", "aode"]), "NA")
        text = as_file(rows).read().replace(b"d0", f"d{i}".encode())
        (tmp_path / f"r{i:02}.csv").write_bytes(text)
    names = [path.name for path in sorted(tmp_path.iterdir())]
    first, second, *gaps = run("ttest", *names, folder=tmp_path).err.splitlines()
    assert first.startswith("error: r00.csv, line ")
    assert second.startswith(f"error: … and {20 * 14 - 1} more like it; fill it in")
    assert not any(line.startswith("error: ") for line in gaps)


def test_files_with_the_same_error_share_a_line(tmp_path: Path) -> None:
    names = [f"r{i:02}.csv" for i in range(20)]
    for name in names:
        (tmp_path / name).write_bytes(as_file(make_rows(), "a,b,c,d,e").read())
    line, *_ = run("ttest", *names, folder=tmp_path).err.splitlines()
    assert "r00.csv, r01.csv" in line
    assert "r09.csv and 10 more: no column" in line


def test_the_advice_on_gaps_lists_them_all(tmp_path: Path) -> None:
    rows = MESSES["missing folds"](make_rows(30, 2, 10, ["nbc", "aode", "j48"]))
    (tmp_path / "r.csv").write_bytes(as_file(rows).read())
    error = run("ttest", "r.csv", folder=tmp_path).err
    command = error.partition("(bcompare ")[2].partition(" lists it)")[0].split()
    gaps = json.loads(run(command[0], "r.csv", *command[1:], folder=tmp_path).out)["gaps"]
    assert f"… and {len(gaps) - 1:,} more like it" in error


def test_files_that_cannot_be_read_keep_their_own_problems_together(tmp_path: Path) -> None:
    names = [f"r{i}.csv" for i in range(3)]
    for name in names:
        rows = [f"{'no key' if i % 3 else 'd-1'},1,aode,0.5" for i in range(9)]
        (tmp_path / name).write_bytes(as_file(rows, "key,fold,classifier,score").read())
    split = ("--split", "key=(?P<dataset>.*)-(?P<run>.*)")
    lines = run("ttest", *names, *split, folder=tmp_path).err.splitlines()
    assert [line.partition(",")[0] for line in lines] == [f"error: {name}" for name in names]


def test_the_same_mistake_in_the_options_is_told_once(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(as_file(make_rows()).read())
    line = run("ttest", "a.csv", "b.csv", "--col", "epoch=run", folder=tmp_path).err
    assert line.count("a.csv: epochs belong to test items") == 1
