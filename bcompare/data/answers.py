"""Single answers to test items, before those to an item are combined."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bcompare.data.rope import FloatArray, read_only


@dataclass(frozen=True, eq=False, slots=True)
class Answers:
    """The answers of classifiers to test items, run by run.

    items : (q,) the data set and the name of each item.
    runs : (r,) names of the runs; empty if an item's answers are numbered by its own order, so that
        those of one number need not belong together.
    classifiers : (c,) names.
    table : (q, c, r) answers; NaN where there is none. Higher is better: losses are negated.
    """

    items: tuple[tuple[str, str], ...]
    runs: tuple[str, ...]
    classifiers: tuple[str, ...]
    table: FloatArray

    def of(self, names: Sequence[str]) -> tuple[FloatArray, tuple[str, ...]]:
        """Return the (q, s) answers of some classifiers together, and the names of these runs.

        Runs that none of them has are left out.
        """
        columns = [self.classifiers.index(name) for name in names]
        table = self.table[:, columns, :].reshape(len(self.items), -1)
        titles = [self._title(name, run, len(names)) for name in names for run in self.runs]
        has_any = np.asarray(~np.isnan(table).all(axis=0))
        kept = [title for title, is_kept in zip(titles, has_any.tolist(), strict=False) if is_kept]
        return table[:, has_any], tuple(kept)

    def _title(self, name: str, run: str, classifiers: int) -> str:
        """Return the name of a run of one of several classifiers."""
        if classifiers == 1:
            return run
        return f"{name}, {run}" if len(self.runs) > 1 else name

    def on(self, datasets: Collection[str]) -> "Answers":
        """Return the answers to the items of some data sets."""
        kept = [i for i, (dataset, _) in enumerate(self.items) if dataset in datasets]
        items = tuple(self.items[i] for i in kept)
        return replace(self, items=items, table=read_only(self.table[kept]))

    def negated(self) -> "Answers":
        """Return the answers with their signs changed."""
        return replace(self, table=read_only(0.0 - self.table))
