"""Which column plays which part, and how a file's columns become the canonical long table."""

import difflib
from dataclasses import dataclass

from bcompare.errors import InputError
from bcompare.reading import messages
from bcompare.reading.block import Block, Wanted
from bcompare.reading.columns import Coded, whole_number
from bcompare.reading.long import Finder, Long
from bcompare.reading.options import ReadOptions

# The data set of files that name none, where the files' names are those of the classifiers.
SHARED_DATASET = "results"

KEYS = ("dataset", "run", "fold", "classifier")
ROLES = (*KEYS, "score")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each part is: the position of its column, or None where one name holds for all."""

    dataset: int | None
    run: int | None
    fold: int | None
    classifier: int | None
    score: int

    @property
    def wanted(self) -> Wanted:
        """The columns that must be read."""
        keys = (self.dataset, self.run, self.fold, self.classifier)
        return Wanted(tuple(key for key in keys if key is not None), (self.score,))


@dataclass(frozen=True, slots=True)
class Names:
    """What a file is called, and what stands in for a column that is not there.

    title : what messages call the file. dataset : its data set. classifier : its classifier,
    or None if the file must name it. label : the classifier as the user named it, or None.
    """

    title: str
    dataset: str
    classifier: str | None = None
    label: str | None = None


def find_layout(header: tuple[str, ...], names: Names, options: ReadOptions) -> Layout:
    """The columns of a header by their parts.

    Raises
    ------
    InputError : with every column that is missing, ambiguous or named twice.
    """
    finder = _Finder(header, names)
    named = {role: getattr(options, f"{role}_col") for role in ROLES}
    found = {
        role: finder.position(role, named[role] or role, needed=bool(named[role])) for role in KEYS
    }
    score = finder.position("score", named["score"] or "score", needed=True)
    if found["classifier"] is None and names.classifier is None:
        finder.missing("classifier", named["classifier"] or "classifier")
    if found["fold"] is None and found["run"] is None:
        finder.missing("fold", named["fold"] or "fold")
    finder.check_lookalikes(found)
    finder.check_shared({**found, "score": score})
    if named["fold"] and "seed" in named["fold"].casefold() and options.rho is None:
        finder.problems.append(messages.seeds_without_rho(names.title, named["fold"]))
    if finder.problems or score is None:
        raise InputError(list(dict.fromkeys(finder.problems)))
    return Layout(score=score, **found)


class _Finder:
    """Finds columns in a header and collects what is wrong with it."""

    def __init__(self, header: tuple[str, ...], names: Names) -> None:
        self.header = header
        self.title = names.title
        self.problems: list[str] = []

    def position(self, role: str, name: str, *, needed: bool) -> int | None:
        """Where the column of that name is."""
        if self.header.count(name) > 1:
            self.problems.append(messages.column_twice(self.title, name))
        if name in self.header:
            return self.header.index(name)
        if needed:
            self.missing(role, name)
        return None

    def missing(self, role: str, name: str) -> None:
        """Note a column that is needed and not there."""
        self.problems.append(messages.missing_column(self.title, role, name, self.header))

    def check_lookalikes(self, found: dict[str, int | None]) -> None:
        """A column that may be left out is refused to be so if another has nearly its name."""
        free = [name for i, name in enumerate(self.header) if i not in found.values()]
        for role in ("dataset", "run", "fold"):
            folded = [name.casefold() for name in free]
            close = difflib.get_close_matches(role, folded, n=1, cutoff=0.8)
            if found[role] is None and close:
                name = free[folded.index(close[0])]
                self.problems.append(messages.similar_column(self.title, role, name))

    def check_shared(self, found: dict[str, int | None]) -> None:
        """No column plays two parts."""
        for position in {p for p in found.values() if p is not None}:
            roles = [role for role, p in found.items() if p == position]
            if len(roles) > 1:
                name = self.header[position]
                self.problems.append(messages.one_column_for_two(self.title, name, roles))


def arranged(
    layout: Layout, block: Block, names: Names, header: tuple[str, ...], find: Finder
) -> Long:
    """A file's columns as the canonical long table.

    Raises
    ------
    InputError : if the file was to be one classifier but names several.
    """

    def column(position: int | None, constant: str) -> Coded:
        if position is None:
            return Coded.constant(constant, block.rows)
        return block.keys[position]

    classifier = column(layout.classifier, names.classifier or "")
    if names.label is not None and layout.classifier is not None:
        if len(classifier.names) > 1:
            raise InputError(
                messages.label_and_column(
                    names.title, names.label, header[layout.classifier], classifier.names
                )
            )
        classifier = Coded.constant(names.label, block.rows)
    by_file = names.label is not None or layout.classifier is None
    return Long(
        dataset=column(layout.dataset, SHARED_DATASET if by_file else names.dataset),
        run=column(layout.run, "1").renamed(whole_number),
        fold=column(layout.fold, "1").renamed(whole_number),
        classifier=classifier,
        score=block.values[layout.score],
        row=block.row,
        find=find,
        problems=block.problems,
        unread=block.unread,
    )
