"""From what the user named to checked `Scores`: the order of the room's work."""

from typing import TYPE_CHECKING, Any

from bcompare.reading.options import ReadOptions
from bcompare.reading.sources import Readable
from bcompare.scores import Scores

if TYPE_CHECKING:
    import pandas as pd


def read_scores(
    *results: Readable, options: ReadOptions | None = None, **overrides: Any
) -> Scores:
    """Cross-validation results from files, checked.

    Parameters
    ----------
    results : files, ``LABEL=FILE``, ``-`` for standard input, or open binary files; all are
        read as one table. None means ``results.csv``.
    options : how to read them.
    overrides : fields of `ReadOptions` to change, such as ``lower_is_better=True``.

    Raises
    ------
    InputError : with every problem that was found.
    """
    raise NotImplementedError


def from_frame(
    frame: "pd.DataFrame", *, options: ReadOptions | None = None, **overrides: Any
) -> Scores:
    """Cross-validation results from a pandas frame, checked like a file; see `read_scores`."""
    raise NotImplementedError
