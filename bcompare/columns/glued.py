"""Cells that hold a name and a number, such as iris_fold3 or svm-seed7, taken apart."""

import re
from dataclasses import dataclass

from bcompare.columns.features import FileColumn, literal
from bcompare.columns.vocabulary import FOLD_AND_RUN, FOLD_OF_RUN

FEWEST = 4
_GLUED = re.compile(
    r"(.+?)([-_. /:]*[-_. /:])(fold|cv|split|seed|run|rep|trial|resample)([-_ ]?)(\d+)",
    re.IGNORECASE,
)
SEEDS = ("seed", "run", "rep", "trial")


@dataclass(frozen=True)
class Glued:
    """A column whose cells are taken apart.

    column : its name.
    name, number : the parts, as columns of their own.
    between : the expression between them.
    unit : what the number counts, by the word before it: fold or run.
    """

    column: str
    name: FileColumn
    number: FileColumn
    between: str
    unit: str

    def split(self, of_name: str, of_number: str) -> str:
        """Return the option that gives both parts a role."""
        if not self.between:  # a fold and its run
            return f"{self.column}={FOLD_AND_RUN}"
        return f"{self.column}=(?P<{of_name}>.+){self.between}(?P<{of_number}>\\d+)"


def glued(column: FileColumn) -> Glued | None:
    """Return the parts of a column, if every cell has a name and a number of the same kind."""
    if len(column.distinct) < FEWEST or len(column.filled) < len(column.cells):
        return None
    name = f"{column.name}\0name"
    number = f"{column.name}\0number"
    if all(map(FOLD_OF_RUN.fullmatch, column.distinct)):
        parts = [cell.split(".") for cell in column.cells]
        folds = FileColumn(name, tuple(fold for fold, _ in parts))
        runs = FileColumn(number, tuple(run for _, run in parts))
        return Glued(column.name, folds, runs, "", "run")
    matches = {cell: _GLUED.fullmatch(cell) for cell in column.distinct}
    first = next(iter(matches.values()))
    if first is None:
        return None
    mark = first[2]
    word = first[3]
    blank = first[4]
    for match in matches.values():
        if match is None or (match[2], match[3], match[4]) != (mark, word, blank):
            return None
    names = tuple(_group(matches[cell], 1) for cell in column.cells)
    numbers = tuple(_group(matches[cell], 5) for cell in column.cells)
    unit = "run" if word.casefold() in SEEDS else "fold"
    between = literal(mark + word + blank)
    return Glued(column.name, FileColumn(name, names), FileColumn(number, numbers), between, unit)


def _group(match: "re.Match[str] | None", group: int) -> str:
    return "" if match is None else match[group]
