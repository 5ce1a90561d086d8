"""Which data sets a gate speaks of, and the test that answers for them."""

from typing import Literal, get_args

from bcompare.basis.messages import InputError, arg
from bcompare.comparing.compare import as_method
from bcompare.data.scores import Scores
from bcompare.gating.runs import NO_RUNS, Runs
from bcompare.methods.interface import Method, Scope

# The data sets that a gate asks about.
Over = Literal["these", "each", "average", "next"]


def method_and_scope(
    scores: Scores, test: Method | str | None, over: Over | None, runs: Runs = NO_RUNS
) -> tuple[Method, Scope]:
    """Return the test, and the scope of its answers.

    runs : whole runs, whose spread is known even if each has one number for a data set.

    Raises
    ------
    InputError : a test that does not speak of them; a word that is none.
    """
    if over not in (None, *get_args(Over)):
        raise InputError(f"{arg('over', over)}: choose from {', '.join(get_args(Over))}")
    if test is None and over in ("average", "next") and len(scores.datasets) == 1:
        raise InputError(
            f"{arg('over', over)} asks about other data sets, and there is only one here to learn "
            "from: leave it out"
        )
    chosen = test is not None
    means = not (scores.unit.has_spread or runs)
    scope: Scope | None = "these" if over == "each" else over
    if scope == "these" and means and not chosen:
        raise InputError(
            f"{arg('over', over)}: only the means on these data sets are known, not how exact they "
            f"are; say {arg('over', 'next')}, or give their folds"
        )
    if not chosen:
        scope = scope or ("next" if means else "these")
        test = {"these": "ttest", "average": "hier", "next": None}[scope]
    method = as_method(test, scores)
    scope = scope or method.scope
    asked_test = method.asked_of(scope)
    if asked_test is None:
        raise InputError(
            f"{arg('test', method.name)} does not answer {arg('over', over)}: leave one of the two "
            "out"
        )
    return asked_test, scope
