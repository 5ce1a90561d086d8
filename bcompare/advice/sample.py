"""The columns in a sample of the rows, and what is known of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from bcompare.advice.features import FileColumn, Numbered, find_numbered
from bcompare.basis.messages import Record, nearest
from bcompare.columns.vocabulary import likeness
from bcompare.files.options import KEYS, ReadOptions, parts_of

# Role → its columns in the sample; none for parts of their names.
Roles = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Part:
    """Changes of the options of reading, and how likely they are meant.

    roles : those that they give.
    """

    changes: Record
    likelihood: float
    roles: Roles = field(default_factory=dict)

    def __add__(self, other: "Part") -> "Part":
        """Return the changes and roles of both."""
        return Part(
            self.changes | other.changes,
            self.likelihood + other.likelihood,
            self.roles | other.roles,
        )

    @property
    def columns(self) -> set[str]:
        """The columns that have a role."""
        return {name for names in self.roles.values() for name in names}


class Sample:
    """The columns in a sample of the rows, and those that have a role already.

    columns : by name. given, wanted : role → the column that has it, or is said to and is not
    there. reset : options of the user that fit nothing.
    """

    def __init__(self, columns: Sequence[FileColumn], options: ReadOptions, several: bool) -> None:
        self.columns = {column.name: column for column in columns}
        self.header, self.several = [*self.columns], several
        patterns, split_column = options.expressions, options.split_parts[0]
        named = options.columns
        self.wanted = {
            role: name
            for role, name in named.items()
            if not self.columns.keys() >= {*parts_of(role, name, self.columns)}
        }
        self.reset: Record = {f"{role}_col": None for role in self.wanted}
        if "wide" in patterns and not any(map(patterns["wide"].fullmatch, self.header)):
            self.reset["wide"] = None
        if "split" in patterns and split_column not in self.columns:
            self.reset["split"] = None
        self.options = replace(options, **self.reset)
        groups = {group for own in self.options.expressions.values() for group in own.groupindex}
        canonical = {name.casefold(): name for name in reversed(self.header)}
        self.given = {
            role: canonical[role]
            for role in (*KEYS, "score")
            if role in canonical
            and role not in groups
            # a run without folds may be another thing
            and (role != "run" or "fold" in canonical.keys() | named.keys())
        } | {role: name for role, name in named.items() if role not in self.wanted}
        in_names: Roles = dict.fromkeys(groups, ())
        in_columns = {r: tuple(parts_of(r, name, self.header)) for r, name in self.given.items()}
        self.known = Part(self.reset, 0.0, in_names | in_columns)
        self.used = {*self.known.columns, *filter(None, self.options.split_parts[:1])}
        self.used |= {condition.column for condition in options.conditions}

    @property
    def has_scores(self) -> bool:
        """Whether the columns of scores are known."""
        return "score" in self.given or self.options.wide is not None

    @cached_property
    def free(self) -> list[FileColumn]:
        """The columns without a role."""
        return [column for name, column in self.columns.items() if name not in self.used]

    @cached_property
    def varied(self) -> list[FileColumn]:
        """Those of them with several values."""
        return [column for column in self.free if len(column.distinct) > 1]

    @cached_property
    def numbered(self) -> Numbered | None:
        """The columns whose names differ in a running number."""
        named = any(likeness("classifier", column.name) for column in self.free)
        numbers = [c.name for c in self.free if c.is_number or c.name.isdecimal()]
        return find_numbered(numbers, named=named or "classifier" in self.known.roles)

    def near(self, role: str, name: str) -> float:
        """Return how much a column's name is like the one that the user gave a role."""
        return 3.0 * (role in self.wanted and [name] == nearest(self.wanted[role], self.columns))

    def follows(self, name: str, others: Sequence[str]) -> bool:
        """Return whether a column has one value for all rows with the same cells of others."""
        keys = [*zip(*(self.columns[other].cells for other in others), strict=True)]
        return len({*zip(keys, self.columns[name].cells, strict=True)}) == len({*keys})

    def filled(self, classifier: Sequence[str], key: Iterable[str], rows: Sequence[int]) -> float:
        """Return the share of all pairs of a classifier and a place that have a row.

        0 if two rows have the same, or no two classifiers a place in common.
        classifier, key : the columns that name them.
        """

        def cells(names: Iterable[str]) -> list[tuple[str, ...]]:
            chosen = [[self.columns[name].cells[i] for i in rows] for name in names]
            return [*zip(*chosen, strict=True)] or [()] * len(rows)

        who, where = cells(classifier), cells(name for name in key if name not in classifier)
        people, places = len({*who}), len({*where})
        unique = len({*zip(who, where, strict=True)}) == len(rows)
        paired = unique and not (people > 1 and places == len(rows))
        return len(rows) / (people * places) if paired and rows else 0.0
