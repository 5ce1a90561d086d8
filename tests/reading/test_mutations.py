"""Advice on files that nobody has foreseen: each command gives what is said beside it.

Layouts that can be read are mutated: columns are renamed, shuffled, added, dropped and damaged.
"""

import csv
import io
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from tests.command import run
from tests.reading.test_public_layouts import CASES

COMMAND = re.compile(r"^  (bcompare check .*)\n    (.*)$", re.MULTILINE)
SAID = re.compile(
    r"(?P<c>\d+) classifiers? × (?P<q>[\d,]+) data sets?.*?, (?P<n>[\d,]+) scores? from"
)
FOUND = re.compile(r"(?P<n>[\d,]+) scores? .*: (?P<c>[\d,]+) classifiers? × (?P<q>[\d,]+) data")
WORDS = ["x", "name", "id", "value", "group", "model", "task", "seed", "fold", "time (s)", "Ø", "#"]
BASES = [*CASES.values()]

CellTable = list[list[str]]


def base(rng: np.random.Generator) -> CellTable:
    case = BASES[rng.integers(len(BASES))]()
    table = next(iter(case.files.values()))
    return [[*map(str, row)] for row in table]


def mutated(rng: np.random.Generator) -> CellTable:
    table = base(rng)
    for _ in range(rng.integers(1, 5)):
        columns = [*zip(*table, strict=True)]
        i, word = rng.integers(len(columns)), WORDS[rng.integers(len(WORDS))]
        rows = len(table) - 1
        own = columns[i]
        match rng.integers(8):
            case 0:
                columns[i] = (word, *own[1:])
            case 1:
                columns = [columns[j] for j in rng.permutation(len(columns))]
            case 2:
                columns.insert(i, (word, *(f"{x:.3f}" for x in rng.random(rows))))
            case 3:
                columns.insert(i, (word, *map(str, rng.integers(0, 3, rows))))
            case 4:
                columns.insert(i, (word, *(f"v{x}" for x in rng.integers(0, 4, rows))))
            case 5 if len(columns) > 2:
                del columns[i]
            case 6:
                blank = rng.random(rows) < 0.02
                cells = ["" if b else c for b, c in zip(blank, own[1:], strict=True)]
                columns[i] = (own[0], *cells)
            case _:
                columns[i] = (own[0].upper(), *own[1:])
        table = [[*row] for row in zip(*columns, strict=True)]
    return table


def check(seed: int, folder: Path) -> int:
    """Check each command that is advised; return how many there are."""
    rng = np.random.default_rng(seed)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(mutated(rng))
    (folder / "r.csv").write_text(text.getvalue(), encoding="utf-8")
    outcome = run("check", "r.csv", folder=folder)
    assert outcome.code in (0, 2), seed
    advice = COMMAND.findall(outcome.err) if "It can be read" in outcome.err else []
    for command, said in advice:
        words = shlex.split(command)
        assert words[:2] == ["bcompare", "check"]
        executed = run(*words[1:], folder=folder)
        assert executed.code == 0, (seed, command, executed.err)
        expected, found = SAID.match(said), FOUND.findall(executed.out)
        assert expected is not None, said
        numbers, shown = [expected[key] for key in ("c", "q", "n")], [*found[-1]]
        shown = [*shown[1:], shown[0]]
        # what is left out has been read, too, and a data set may be left out whole
        known = 1 if "--missing" in words or "--failed" in words else 3
        assert numbers[:known] == shown[:known], (seed, command)
    return len(advice)


def test_advice_on_mutated_files_is_true(tmp_path: Path) -> None:
    assert sum(check(seed, tmp_path) for seed in range(24)) > 12


@pytest.mark.long
@pytest.mark.parametrize("first", range(24, 524, 250))
def test_advice_on_many_mutated_files_is_true(first: int, tmp_path: Path) -> None:
    assert sum(check(seed, tmp_path) for seed in range(first, first + 250)) > 125
