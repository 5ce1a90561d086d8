"""What newcomers try first: every advice, pasted, works."""

import re
import shlex
from pathlib import Path

import pytest

from tests.command import refused, run
from tests.results import write_lines


def scores() -> list[str]:
    """Rows of data set, run, fold, classifier and score."""
    return [
        f"{data},{run},{fold},{name},{0.7 + (7 * run + 3 * fold + k) % 10 / 50:.2f}"
        for data in ("iris", "wine")
        for run in (1, 2, 3)
        for fold in range(1, 6)
        for k, name in enumerate(("tree", "svm"))
    ]


@pytest.mark.parametrize("column", ["repeat", "run_id", "Repeats", "rep_no", "round"])
@pytest.mark.parametrize("fold", ["fold", "k"])
@pytest.mark.parametrize("command", ["ttest", "check"])
def test_a_column_of_repeats_is_in_the_first_advice(
    column: str, fold: str, command: str, tmp_path: Path
) -> None:
    write_lines(tmp_path / "cv.csv", f"dataset,{column},{fold},method,accuracy", *scores())
    error = refused(run(command, "cv.csv", "--strict", folder=tmp_path))
    assert f"--col run={column}" in error.split("\n  bcompare ")[1]
    advised = re.search(rf"^  bcompare {command} (.*)$", error, re.MULTILINE)
    assert advised is not None
    assert run(command, *shlex.split(advised[1]), folder=tmp_path).code == 0
