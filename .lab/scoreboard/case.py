"""What a stream makes, a case, and what a tool says of it, an answer."""

import contextlib
import io
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd

from bcompare.basis.messages import BcompareError
from bcompare.data.rope import FloatArray

LEFT, RIGHT = "base", "tuned"
Rows = Literal["folds", "refits", "suite", "seeds", "items", "timings", "leaderboard", "looks"]
"""The families of streams, by what a row of their files is."""

Says = Literal["left", "rope", "right", "none"]
"""Which of two is called better, or that they are called equivalent, or that nothing is said."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Case:
    """Simulated results, as a user has them in a file, and the truth about them.

    frame : a row for each score: dataset, classifier, score; and run and fold, item (epoch,
        passage), or seed. Of timings lower is better.
    truth : the expected difference right - left, of a suite on average over its data sets; of
        timings the logarithm of the ratio, negated, so that more is better; NaN where the question
        is another one.
    regions : of a suite the most frequent region of the "next" data set, and of the mean of "two".
    best : the expected score of each classifier of a leaderboard, by its name.
    further : what somebody who can train the learners has in addition: of `refits` the (n,)
        differences of the cases' "losses", and of "nested" cross-validation, see `streams`.
    rope : half its width. keys : the columns that tell the scores of a classifier apart.
    """

    rows: Rows
    frame: pd.DataFrame
    truth: float = np.nan
    regions: dict[str, Says] = field(default_factory=dict)
    best: dict[str, float] = field(default_factory=dict)
    further: dict[str, FloatArray] = field(default_factory=dict)
    rope: float = 0.01
    keys: tuple[str, ...] = ("dataset", "fold")

    def arrays(self) -> tuple[FloatArray, FloatArray]:
        """The scores of left and right in the file's order, as somebody would take its columns."""
        of = self.frame["classifier"]
        left, right = (self.frame["score"][of == name].to_numpy(float) for name in (LEFT, RIGHT))
        return left, right

    def means(self) -> pd.DataFrame:
        """Mean scores, a row a data set and a column a classifier."""
        return self.frame.pivot_table(
            index="dataset", columns="classifier", values="score", sort=False
        )


@dataclass(frozen=True)
class Answer:
    """What a tool says of right - left, or of a leaderboard.

    low, high : the 95 % interval of the difference, NaN where there is none.
    stated : the probabilities of left, rope and right, where they are stated.
    best : the classifier that is named best; p_best : the probability of it, if stated. Of a
    leaderboard `says` is "right" if any two are called different.
    value : the p-value or the largest probability, by which two answers are told apart.
    after : the number of rows at which a sequential tool stopped.
    """

    says: Says
    low: float = np.nan
    high: float = np.nan
    stated: tuple[float, float, float] | None = None
    best: str = ""
    p_best: float = np.nan
    value: float = np.nan
    after: float = np.nan


REGIONS: tuple[Says, ...] = ("left", "rope", "right")
ALPHA = 0.05


def region_of(difference: float, rope: float) -> Says:
    """The region in which a difference lies; its border belongs to the rope."""
    if abs(difference) <= rope + 1e-9:
        return "rope"
    return "left" if difference < 0 else "right"


def by_p_value(p: float, difference: float, low: float = np.nan, high: float = np.nan) -> Answer:
    """The answer of a two-sided test: different where p is small, in the data's direction."""
    return Answer(region_of(difference, 0) if p < ALPHA else "none", low, high, value=float(p))


def by_interval(low: float, high: float, p: float = np.nan) -> Answer:
    """The answer of an interval: different where it does not hold 0."""
    says: Says = "right" if low > 0 else "left" if high < 0 else "none"
    return Answer(says, float(low), float(high), value=float(p))


def by_probabilities(
    left: float, rope: float, right: float, low: float = np.nan, high: float = np.nan
) -> Answer:
    """The answer whose probability is large enough."""
    stated = (float(left), float(rope), float(right))
    likeliest = int(np.argmax(stated))
    says = REGIONS[likeliest] if stated[likeliest] > 1 - ALPHA else "none"
    return Answer(says, low, high, stated, value=stated[likeliest])


@dataclass(frozen=True)
class Asked:
    """A case, and what a tool said of it in how many seconds; or how it failed, and its words.

    failure : "refused" where the tool says that it does not answer, "error" where it broke.
    """

    case: Case
    answer: Answer | None
    seconds: float
    failure: str = ""
    words: str = ""


@dataclass(frozen=True)
class Tool:
    """An adapter.

    package : what is installed for it, and pinned. rope : whether it is told one.
    of : what it speaks of on a suite: the "average", the "next" data set, the mean of "two".
    one_sided : it says only that the right one is worse, or nothing.
    verdict : whether it answers by probabilities, of which each may err in 5 %.
    names_only : it names a best one and says of no two that they differ.
    """

    name: str
    package: str
    families: tuple[Rows, ...]
    ask: Callable[[Case], Answer]
    rope: bool = False
    of: str = "average"
    one_sided: bool = False
    verdict: bool = False
    names_only: bool = False

    def asked(self, case: Case) -> Asked:
        """Ask it, and keep what it prints to itself."""
        start = time.perf_counter()
        failure, words, answer = "", "", None
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            try:
                answer = self.ask(case)
            except Exception as error:  # noqa: BLE001 - whatever a tool raises is its answer
                own = type(error).__module__.partition(".")[0] == self.package.replace("-", "_")
                refusal = own or isinstance(error, BcompareError | ValueError)
                failure = "refused" if refusal else "error"
                words = f"{type(error).__name__}: {' '.join(str(error).split())}"
        return Asked(case, answer, time.perf_counter() - start, failure, words)


TOOLS: dict[str, Tool] = {}
STREAMS: dict[str, Callable[..., Iterator[Case]]] = {}


def tool(
    name: str, package: str, *families: Rows, **more: Any
) -> Callable[[Callable[[Case], Answer]], Callable[[Case], Answer]]:
    """Enter an adapter into the table of tools; see `Tool`."""

    def entered(ask: Callable[[Case], Answer]) -> Callable[[Case], Answer]:
        TOOLS[name] = Tool(name, package, families, ask, **more)
        return ask

    return entered


def stream(function: Callable[..., Iterator[Case]]) -> Callable[..., Iterator[Case]]:
    """Enter a generator into the table of streams, under its name.

    It is called with a random generator, the number of cases, the truth, and the settings that
    the plan gives it.
    """
    STREAMS[function.__name__] = function
    return function


def table(columns: dict[str, Any], scores: dict[str, Any]) -> pd.DataFrame:
    """A row for each score: columns that all classifiers share, and the scores of each."""
    frames = [pd.DataFrame({**columns, "classifier": c, "score": s}) for c, s in scores.items()]
    return pd.concat(frames, ignore_index=True)
