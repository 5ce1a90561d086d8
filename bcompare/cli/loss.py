"""The argument of `--loss`: two numbers, or a file with a whole matrix."""

import csv
from pathlib import Path

import numpy as np

from bcompare.basis.errors import InputError
from bcompare.comparing.decision import ACTIONS, REGIONS, ExpectedLoss

EXPECTED = (
    f"expected a header truth,{','.join(ACTIONS)} and a row each for {', '.join(REGIONS)}, "
    "such as: left,0,20,20,1"
)


def parse_loss(argument: str) -> ExpectedLoss:
    """Return the loss matrix that `--loss` gives.

    Raises
    ------
    InputError : neither two numbers nor a readable matrix.
    """
    try:
        wrong, none = (float(part) for part in argument.split(","))
    except ValueError:
        return ExpectedLoss(_matrix(argument))
    return ExpectedLoss.simple(wrong, none)


def _matrix(path: str) -> "np.typing.NDArray[np.float64]":
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"--loss {path}: neither two numbers such as 20,1 nor a file that can be read"
        ) from error
    table = list(csv.DictReader(text.splitlines()))
    rows = {row.get("truth"): row for row in table}
    try:
        if len(table) != len(rows) or set(rows) != set(REGIONS):
            rows = {}
        losses = [[float(rows[truth][action]) for action in ACTIONS] for truth in REGIONS]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"--loss {path}: not a loss matrix: {EXPECTED}") from error
    return np.array(losses)
