"""Compare two arrays of scores."""

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from bcompare.comparing.compare import compare
from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.defaults import DEFAULT_ROPE
from bcompare.data.rope import RopeLike
from bcompare.methods.base import Method
from bcompare.reading.arrays import Rows, scores_of


def compare_arrays(
    left: ArrayLike,
    right: ArrayLike,
    rows: Rows,
    test: Method | str | None = None,
    *,
    runs: int = 1,
    rho: float | None = None,
    names: Sequence[str] = ("left", "right"),
    lower_is_better: bool = False,
    scale: Mapping[str, float] | None = None,
    rope: RopeLike = DEFAULT_ROPE,
    **settings: Any,
) -> ComparisonSet:
    """Compare two arrays of scores whose values belong together, place by place.

    Parameters
    ----------
    left, right : (n,) scores on one data set, or (q, n) on q data sets; (q,) means for
        ``datasets``.
    rows : what the values are: the answer depends on it.
    test, rope, settings : as for `compare`.
    runs : of cross-validation, one after the other. rho : the correlation of folds; 1/k by default.
    names : of the two. scale : a factor for the scores of one.

    Raises
    ------
    InputError : arrays of different shapes, values that are not finite, and as for `compare`.

    Examples
    --------
    >>> import bcompare
    >>> a, b = [0.70, 0.72, 0.71, 0.69, 0.73], [0.75, 0.74, 0.76, 0.75, 0.77]
    >>> (pair,) = bcompare.compare_arrays(a, b, "folds").comparisons
    >>> pair.decision, round(pair.probabilities.right, 3)
    ('right', 0.986)
    """
    scores = scores_of(
        left, right, rows, runs, rho, names, lower_is_better=lower_is_better, scale=scale
    )
    return compare(scores, test, rope=rope, **settings)
