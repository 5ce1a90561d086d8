"""Many problems at once: two lines for each kind, whatever their number and that of the files."""

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
