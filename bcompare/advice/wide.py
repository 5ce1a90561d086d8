"""Columns whose names differ in a running number: of a fold, a seed or a test item each."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from bcompare.data.direction import is_loss
from bcompare.data.vocabulary import METRICS, USUAL_FOLDS, USUAL_NAMES, plain, words_of

ITEM_WORDS = {"q", *USUAL_NAMES["item"]}
_FOLD_WORDS, _RUN_WORDS = "cv|folds?|splits?", "seed|run|iter|iteration|itr|rep|trial|resample|exp"
_BEFORE_NUMBER = re.compile(
    rf"(.*?)((?:(?:^|[-_. /:]+)(?:{_FOLD_WORDS}|{_RUN_WORDS}))?[-_. /:]*)", re.IGNORECASE
)
_LONGEST = 200  # the most characters of a header to examine

Units = tuple[tuple[str, float | None, float], ...]
"""What the numbers may count: the group, ρ, and how likely it is."""


@dataclass(frozen=True)
class Numbered:
    """Columns of scores that differ in a running number.

    columns : their names. all : these, and others with as many numbers. before, after : the
    expression around the number, which may have a group of classifiers. word : the word before the
    number, such as cv, or "". many : the count of numbers.
    """

    columns: list[str]
    all: set[str]
    before: str
    after: str
    word: str
    many: int

    @cached_property
    def groups(self) -> frozenset[str]:
        """The groups of the expression around the number."""
        return frozenset(re.findall(r"\(\?P<(\w+)>", self.before + self.after))

    def expression(self, role: str) -> str:
        """Return an expression for the columns that takes the number for a role.

        Data sets are called by the whole name.
        """
        if role == "dataset":
            return rf"(?P<dataset>{self.before}\d+{self.after})"
        return rf"{self.before}(?P<{role}>\d+){self.after}"

    @property
    def units(self) -> Units:
        """What the numbers may count."""
        folds, seeds, anew, items = ("fold", None), ("seed", None), ("fold", 0.1), ("item", None)
        order = [folds, seeds, anew]
        if re.fullmatch(_RUN_WORDS, self.word):
            order = [seeds, anew, folds]
        elif plain(self.before) in ITEM_WORDS:
            order = [items]
        elif not self.word and self.many not in USUAL_FOLDS:
            order = [anew, seeds]
        return tuple((*unit, 1.0 - 0.5 * i) for i, unit in enumerate(order))


def find_numbered(header: Sequence[str], *, named: bool = False) -> Numbered | None:
    """Return the largest set of columns whose names differ in a number counting from 0 or 1.

    named : whether the names of the classifiers are elsewhere.
    """
    templates: dict[tuple[str, str], dict[int, str]] = {}
    for name in (name for name in header if len(name) <= _LONGEST):
        for number in re.finditer(r"\d+", name, re.ASCII):
            around = (name[: number.start()], name[number.end() :])
            templates.setdefault(around, {})[int(number[0][:9])] = name
    running = {
        around: numbers
        for around, numbers in templates.items()
        if _runs_on(numbers, around[0]) and not re.search("train|time|rank", "".join(around))
    }
    if not running:
        return None
    count = max(map(len, running.values()))
    alike = [around for around, numbers in running.items() if len(numbers) == count]
    names, endings = zip(*(_taken_apart(before) for before, _ in alike), strict=True)
    afters = [after for _, after in alike]
    grouped = not (named or ITEM_WORDS.issuperset(map(plain, names)))
    if grouped and len({*endings}) == len({*afters}) == 1 and all(names):
        classifier = r"(?P<classifier>.+)" if endings[0] else r"(?P<classifier>.*\D)"
        before, after = f"{classifier}{literal(endings[0])}", literal(afters[0])
    elif (
        grouped
        and len({*names, *endings}) <= 2
        and len(alike) > 1
        and {"test", "score", *METRICS}.isdisjoint(words_of(" ".join(afters)))
    ):
        before, after = literal(names[0] + endings[0]), r"(?P<classifier>\D.*)"
    else:
        best = min(alike, key=lambda around: is_loss("".join(around)))
        before, after = map(literal, best)
    return Numbered(
        columns=[name for name in header if re.fullmatch(rf"{before}\d+{after}", name)],
        all={name for around in alike for name in running[around].values()},
        before=before,
        after=after,
        word=re.sub(r"[^a-z]", "", endings[0].casefold()),
        many=count,
    )


def _runs_on(numbers: Collection[int], before: str) -> bool:
    """Return whether numbers count from 0 or 1: at least 3 after a known word, else 5."""
    least = 3 if _taken_apart(before)[1].strip("-_. /:") else 5
    start = min(numbers)
    return len(numbers) >= least and start < 2 and max(numbers) - start == len(numbers) - 1


def _taken_apart(before: str) -> tuple[str, str]:
    """Split the text before a number into a name, and the separators and known word after it."""
    matched = _BEFORE_NUMBER.fullmatch(before)
    return (matched[1], matched[2]) if matched else (before, "")


def literal(text: str) -> str:
    """Escape text for a regular expression, without superfluous backslashes."""
    return re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", text)
