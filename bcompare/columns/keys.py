"""What tells the rows of classifiers apart, for some scores, classifiers and a metric."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bcompare.basis.messages import Record
from bcompare.columns.features import FILE
from bcompare.columns.roles import FEWEST_FOLDS, LEAST_FILLED, Reading, Roles
from bcompare.columns.scored import Scored
from bcompare.columns.search import Search
from bcompare.data.rope import BoolArray


class Keys:
    """What tells the rows of classifiers apart, for some scores, classifiers and a metric."""

    def __init__(
        self, search: Search, scored: Scored, models: tuple[str, ...], metric: Record
    ) -> None:
        table = search.table
        self.search = search
        self.table = table
        self.scored = scored
        self.models = models
        self.metric = metric
        given = {r: n for r, n in search.given.items() if r not in ("score", "classifier")}
        is_one_each = FILE in table and all(table.follows(n, [FILE]) for n in models)
        # files are data sets, unless each holds a classifier
        if FILE in table and models != (FILE,) and "dataset" not in given and not is_one_each:
            given["dataset"] = (FILE,)
        self.given = given
        self.in_names = scored.roles | search.groups
        used = {*scored.columns, *models, *(search.metric_column(scored),)}
        self.free = [name for name in search.varied if name not in used]
        self.known = self._known()
        self.rows = self._rows()

    def _known(self) -> list[str]:
        """Return the free columns with known names that are no mere property of another."""
        named = [name for name in self.free if search_roles(self.search, name)]
        if self.models:  # an ID of each row pairs nothing
            named = [n for n in named if len(self.table[n].distinct) < self.table.rows]
        kept = self.search.apart(named)
        if self.models:
            kept = [name for name in kept if not self.table.follows(name, self.models)]
        return [name for name in kept if not self._is_property(name, kept)]

    def _is_property(self, name: str, others: Sequence[str]) -> bool:
        """Return whether each value of a data set or item has one value of a column, such as of
        its language; clusters of items are meant to be so.
        """
        roles = search_roles(self.search, name)
        places = [n for n in others if search_roles(self.search, n) & {"dataset", "item"}]
        if "cluster" in roles:
            return False
        more = [
            names for role, names in self.given.items() if role in ("dataset", "item") and names
        ]
        keys = [(n,) for n in places if n != name] + more
        return any(
            self.table.follows(name, key) and self.table.count(key) > self.table.count([name])
            for key in keys
        )

    def _rows(self) -> BoolArray:
        """Return the (n,) rows that are looked at: of the metric, and of no sum."""
        rows = np.ones(self.table.rows, dtype=np.bool_)
        for condition in self.metric.get("where", ())[-1:]:
            name, _, value = condition.partition("=")
            rows &= np.array([cell == value for cell in self.table[name].cells], dtype=np.bool_)
        return rows

    def fill(self, roles: Roles) -> float:
        """Return the share of pairs of a classifier and a place that have a score; 0 for no means.

        Single answers, right or wrong, are none.
        """
        units = {*roles, *self.in_names} & {"dataset", "item", "fold", "run", "seed", "iteration"}
        if units == {"dataset"} and self.scored.is_binary:
            return 0.0
        fill = self.shared(roles)
        is_crossed = len(self.models) < 2 or fill > LEAST_FILLED  # as parts of names mostly are
        return fill if is_crossed else 0.0

    def shared(self, roles: Roles) -> float:
        """Return the share of pairs of a classifier and a place that have a score, or 0."""
        places = [n for role, names in roles.items() if role != "cluster" for n in names]
        units = {*roles, *self.in_names} & {"dataset", "item", "fold", "run", "seed", "iteration"}
        if not units or any(self._describes(name) for name in places):
            return 0.0
        rows = self.rows
        if "dataset" in roles:
            sums = np.zeros(self.table.rows, dtype=np.bool_)
            for name in roles["dataset"]:
                sums |= self.table[name].are_sums
            rows = rows & ~sums
        counted = [n for role in ("item", "fold", "run", "seed") for n in roles.get(role, ())]
        datasets = roles.get("dataset", ())
        is_counted = counted and not self.in_names & {"item", "fold", "seed", "run"}
        few = bool(is_counted) and self.table.fewest(datasets, counted, rows) < FEWEST_FOLDS
        clusters = roles.get("cluster", ())
        few |= bool(clusters) and self.table.count(clusters) < FEWEST_FOLDS
        if few and self.table.is_whole:
            return 0.0
        return self.table.filled(self.models, [*dict.fromkeys(places)], rows)

    def is_said(self, role: str) -> bool:
        """Return whether an option names the columns of a role."""
        return role in self.search.options.columns

    def leaves_models(self, roles: Roles) -> bool:
        """Return whether another column is known for classifiers, too, or numbers are taken for
        them.
        """
        search = self.search
        used = {name for names in roles.values() for name in names} | {*self.models}
        named = [n for n in search.varied if "classifier" in search.known[n]]
        others = [n for n in named if len(self.table[n].distinct) < self.table.rows]
        numbered = [n for n in self.models if n in search.known and n not in named]
        return bool(self.models) and bool(numbered or {*others} - used)

    def _describes(self, name: str) -> bool:
        """Return whether a column is a mere property of classifiers, such as who made them."""
        varied = len(self.table[name].distinct) > 1
        return varied and bool(self.models) and self.table.follows(name, self.models)

    def reading(self, roles: Roles, rows: Record, *, by_names: bool, fill: float,
                models: tuple[str, ...] | None = None) -> Reading:  # fmt: skip
        """Return the reading with these roles and options."""
        who = self.models if models is None else models
        changes: Record = {}
        if who and who != (FILE,) and who != self.search.given.get("classifier"):
            changes = {"classifier_col": ",".join(who)}
        both = {**roles, "classifier": who} if who else roles
        return Reading(self.scored, changes, self.metric, rows, both, by_names, fill)

    def unglued(self, reading: Reading) -> Reading | None:
        """Return a reading with the option that takes cells apart; None if a part is left."""
        options = {**reading.rows, **reading.models}
        parts = {v: k.removesuffix("_col") for k, v in options.items() if "\0" in str(v)}
        if not parts:
            return reading
        columns = {name.partition("\0")[0] for name in parts if "," not in name}
        if len(columns) != 1 or len(parts) != 2 or "rho" in reading.rows:
            return None
        whole = self.search.glued[columns.pop()]
        role = parts.get(whole.name.name)
        unit = parts.get(whole.number.name)
        if role is None or unit is None or (not whole.between and (role, unit) != ("fold", "run")):
            return None
        rows = {k: v for k, v in reading.rows.items() if v not in parts}
        models = {k: v for k, v in reading.models.items() if v not in parts}
        rows["split"] = whole.split(role, unit)
        roles = {}
        for each, names in reading.roles.items():
            roles[each] = tuple(name.partition("\0")[0] for name in names)
        return replace(reading, rows=rows, models=models, roles=roles, by_names=False)


def search_roles(search: Search, name: str) -> frozenset[str]:
    """Return the roles of a column by its name, but for that of classifiers and metrics."""
    return search.known.get(name, frozenset()) - {"classifier", "metric"}
