"""The answer first: what a command prints by default fits where people look."""

import math
from pathlib import Path

import pytest

from tests.command import run

SAMPLE = Path(__file__).parents[2] / "sample_data"
PAIR = ("--left", "tree", "--right", "forest")
# The most lines of each command on the sample data, in a terminal of 100 columns.
BUDGETS = [
    (10, ("ttest", "--dataset", "two_hard", *PAIR)),
    (12, ("hier", *PAIR)),  # two lines more: the average over these data sets
    *((10, (test, *PAIR)) for test in ("signrank", "sign", "poisson")),
    (16, ("ttest", "--dataset", "two_hard")),
    *((16, (test,)) for test in ("hier", "signrank", "sign", "poisson")),
    (18, ("rank",)),
    (18, ("rank", "--dataset", "two_hard")),
    (2, ("gate", "--baseline", "tree", "--candidate", "forest")),  # one, wrapped
    (17, ("gate", "--baseline", "forest", "--candidate", "tree")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("most", "command"), BUDGETS, ids=lambda value: "-".join(map(str, value))
                         if isinstance(value, tuple) else str(value))  # fmt: skip
def test_the_answer_is_short(most: int, command: tuple[str, ...]) -> None:
    lines = run(*command, folder=SAMPLE).out.splitlines()
    assert sum(max(1, math.ceil(len(line) / 100)) for line in lines) <= most
    if most > 2:  # a line alone has no settings
        assert len(lines[-1]) <= 100  # the line of settings
        details = run(*command, *([] if command[0] == "gate" else ["--details"]), folder=SAMPLE)
        assert len(details.out.splitlines()) >= len(lines)
