"""The words in capitals of a printed command, which stand for what only the user knows."""

import re
from collections.abc import Sequence

# What each word asks for.
WORDS = {
    "WHICH_MODELS": "the models to compare",
    "WHICH_ROWS": "what a row is",
    "WHICH_SCORES": "the scores",
    "WHICH_METRIC": "one metric",
    "WHICH_DIRECTION": "which scores are better",
    "WHICH_ROPE": "the smallest difference that matters, in the unit of the scores",
    "WHICH_PAIRING": "what is shared by both sides",
    "WHICH_REST": "rows repeat but for this column: what it is",
    "HOW_MANY": "the number of folds in a run",
    "SHARE_OF_TEST": "the share of the cases that a split tests on, such as 0.2",
}
_BETWEEN = re.compile(r"[=:,\s]")


def words_left(arguments: Sequence[str]) -> list[str]:
    """Return the words that a command line still holds."""
    parts = {part for argument in arguments for part in _BETWEEN.split(argument)}
    return [word for word in WORDS if word in parts]
