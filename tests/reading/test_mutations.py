"""Questions about files that nobody has foreseen: each answer reads the file, or its values.

Layouts that can be read are mutated: columns are renamed, shuffled, added, dropped and damaged.
"""

import csv
import io
import re
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from bcompare.basis.messages import InputError
from bcompare.reading.read import read_scores
from tests.reading.answers import answered
from tests.reading.test_public_layouts import CASES

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


# What reading may say of values that were damaged, or of a choice that leaves too little.
OF_VALUES = re.compile(
    "without a score|is no score|is not a number|empty|are needed|lack|no score of|stands? for|"
    "in per cent|look like|differ|measured|unit|ranks|all scores|two scores|among scores|is above|"
    "runs of|says that the scores|sum up|votes|iterations, but a run|folds in a run|"
    "folds in each run|is another one"
)
MOST = 6


def check(seed: int, folder: Path) -> int:
    """Check the answers to what is asked; return how many there are that read the file."""
    rng = np.random.default_rng(seed)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(mutated(rng))
    (folder / "r.csv").write_text(text.getvalue(), encoding="utf-8")
    try:
        read_scores(folder / "r.csv")
    except InputError as error:
        question = getattr(error, "question", None)
    else:
        return 1
    if question is None or question.reasons:
        return 0
    right = 0
    for options in islice(answered(question), MOST):
        wrong: InputError | None = None
        try:
            read_scores(folder / "r.csv", **options)
        except InputError as error:
            wrong = error
        assert not hasattr(wrong, "question"), (seed, options)
        assert wrong is None or OF_VALUES.search(wrong.text), (seed, options, wrong)
        right += wrong is None
    return right


def test_answers_on_mutated_files_read_them(tmp_path: Path) -> None:
    assert sum(check(seed, tmp_path) > 0 for seed in range(40)) > 15


@pytest.mark.long
@pytest.mark.parametrize("first", range(40, 540, 250))
def test_answers_on_many_mutated_files_read_them(first: int, tmp_path: Path) -> None:
    assert sum(check(seed, tmp_path) for seed in range(first, first + 250)) > 125
