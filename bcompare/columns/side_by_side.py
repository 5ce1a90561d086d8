"""Columns of scores side by side, whose names say what each is of.

Their names differ in a running number (fold_0, fold_1 …), begin or end with the same metric
(svm_acc, rf_acc), or are those of classifiers or data sets (svm, rf).
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bcompare.columns.direction import LOSSES, meaning_of
from bcompare.columns.features import ColumnTable, FileColumn, literal
from bcompare.columns.vocabulary import (
    METRICS,
    NO_QUALITY,
    QUALIFIERS,
    SPLITS,
    USUAL_NAMES,
    is_about,
    is_key,
    is_metric,
    is_summary,
    likeness,
    plain,
    words_of,
)

# Sizes of scores of one kind differ less.
FAR = 20.0
MOST_SPELLED = 8
# Words of columns that describe data sets, or compare classifiers.
PROPERTIES = NO_QUALITY | {
    *("imbalance", "balance", "ratio", "majority", "minority", "noise", "weight", "weights"),
    *("gain", "improvement", "age", "year", "price", "sparsity", "entropy", "rows", "cols"),
}
LONGEST = 200  # the most characters of a header to examine
ITEM_WORDS = {"q", *USUAL_NAMES["item"]}
FOLD_WORDS, RUN_WORDS = "cv|folds?|splits?", "seed|run|iter|iteration|itr|rep|trial|resample|exp"
_BEFORE_NUMBER = re.compile(
    rf"(.*?)((?:(?:^|[-_. /:]+)(?:{FOLD_WORDS}|{RUN_WORDS}))?[-_. /:]*)", re.IGNORECASE
)
_ENDING = re.compile(r"(.+)([-_. ~/:]\w+)", re.DOTALL)
_BEGINNING = re.compile(r"([^\W_]+[-_. ~/:])(.+)", re.DOTALL)
_OTHER_NUMBERS = re.compile("train|time|rank")
_SEPARATORS = "-_. /:"
_NUMBER = "\0"  # in the place of a running number


@dataclass(frozen=True)
class SideBySide:
    """Columns of scores side by side.

    columns : their names.
    before, after : the expression around what differs, which may have a group of classifiers.
    varies : what differs: a number, or one of these names.
    word : before a number, such as cv, or "".
    metric : what all are scores of, or "".
    """

    columns: tuple[str, ...]
    before: str
    after: str
    varies: str
    word: str = ""
    metric: str = ""

    @property
    def is_numbered(self) -> bool:
        """Whether the names differ in a running number."""
        return self.varies == r"\d+"

    @property
    def count(self) -> int:
        """How many different numbers there are, or columns."""
        if not self.is_numbered:
            return len(self.columns)
        matches = (re.fullmatch(self.expression("fold"), name) for name in self.columns)
        return len({match["fold"] for match in matches if match})

    @property
    def names_classifiers(self) -> bool:
        """Whether the expression has a group of classifiers."""
        return "?P<classifier>" in self.before + self.after

    def expression(self, role: str) -> str:
        """Return an expression for the columns that takes what differs for a role.

        Data sets with a number are called by the whole name.
        """
        if role == "dataset" and self.is_numbered:
            return rf"(?P<dataset>{self.before}\d+{self.after})"
        return f"{self.before}(?P<{role}>{self.varies}){self.after}"

    @property
    def pattern(self) -> str:
        """The names of the columns as one text, such as fold_{0…9}."""
        if self.is_numbered:
            numbers = [re.search(self.number_at, name) for name in self.columns]
            first = numbers[0]
            last = numbers[-1]
            if not self.names_classifiers and first and last:
                name = self.columns[0]
                ends = f"{{{first[1]}…{last[1]}}}"
                return f"{name[: first.start(1)]}{ends}{name[first.end(1) :]}"
        shared = _shared(self.columns)
        return shared if shared else ", ".join(self.columns)

    @property
    def number_at(self) -> str:
        """The expression that finds the number in a name."""
        return rf"^{self.before}(\d+){self.after}$"


def _shared(names: Sequence[str]) -> str:
    """Return names with what they have in common said once; "" if that is nothing."""
    shortest = min(map(len, names))
    start = 0
    while start < shortest and len({name[start] for name in names}) == 1:
        start += 1
    end = 0
    while end < shortest - start and len({name[-1 - end] for name in names}) == 1:
        end += 1
    if start + end < 3:
        return ""
    inner = ",".join(name[start : len(name) - end] for name in names[:4])
    more = ",…" if len(names) > 4 else ""
    first = names[0]
    return f"{first[:start]}{{{inner}{more}}}{first[len(first) - end :]}"


def side_by_side(
    table: ColumnTable, free: Collection[str], *, has_models: bool, has_places: bool
) -> list[SideBySide]:
    """Return the sets of columns of scores side by side.

    free : the columns that may be scores. has_models : whether other columns, or files, name the
    classifiers. has_places : whether others name what these were tested on.
    """
    columns = [table[name] for name in free if table[name].is_number or name.isdecimal()]
    names = [column.name for column in columns]
    groups = [*_numbered(names, has_models=has_models, stem=table.stem)]
    taken = {name for group in groups for name in group.columns}
    columns = [column for column in columns if column.name not in taken]
    groups += _of_one_metric(table, columns)
    taken |= {name for group in groups for name in group.columns}
    alike = _alike([column for column in columns if column.name not in taken])
    is_scored = any(is_quality(column.name) for column in columns)
    are_metrics = has_models and has_places  # each is a score of its own
    if len(alike) > 1 and not is_scored and not are_metrics:
        groups.append(SideBySide(tuple(alike), "", "", _spelled(table, alike)))
    return groups


def is_quality(name: str) -> bool:
    """Return whether a name is that of a metric, and of no time, size or cost."""
    meaning = meaning_of(name)
    return meaning is not None and meaning.kind != "amount"


def _numbered(names: Sequence[str], *, has_models: bool, stem: str = "") -> Iterator[SideBySide]:
    """Yield columns whose names differ in a number that counts on from 0 or 1.

    stem : of the file, if that is a part of the names.
    """
    templates: dict[tuple[str, str], dict[int, str]] = {}
    for name in (name for name in names if len(name) <= LONGEST):
        for number in re.finditer(r"\d+", name, re.ASCII):
            around = (name[: number.start()], name[number.end() :])
            templates.setdefault(around, {})[int(number[0][:9])] = name
    series = {
        around: numbers
        for around, numbers in templates.items()
        if _runs_on(numbers, around[0]) and not _OTHER_NUMBERS.search("".join(around))
    }
    of_classifiers = None if has_models else _by_classifier(series)
    if of_classifiers is not None:
        yield of_classifiers
        return
    for (before, after), numbers in series.items():
        name, ending = _taken_apart(before)
        word = re.sub(r"[^a-z]", "", ending.casefold())
        metric = name if meaning_of(name) else after
        yield SideBySide(
            tuple(numbers[i] for i in sorted(numbers)),
            _without(stem, before),
            _without(stem, after),
            r"\d+",
            word,
            metric.strip("-_. /:"),
        )


def _without(stem: str, text: str) -> str:
    """Return an expression for a part of a name, which has other texts in place of the stem."""
    return ".+".join(map(literal, text.split(stem))) if stem else literal(text)


def _by_classifier(series: Mapping[tuple[str, str], Mapping[int, str]]) -> SideBySide | None:
    """Return several series as one, if what differs between them names classifiers.

    It may stand on either side of the number, and so may the metric of all of them.
    """
    if len(series) < 2:
        return None
    around = [f"{before}{_NUMBER}{after}" for before, after in series]
    beginning = _shared_beginning(around)
    backwards = [text[len(beginning) :][::-1] for text in around]
    prefix = _before_names(beginning)
    suffix = _after_names(_shared_beginning(backwards)[::-1])
    names = [text[len(prefix) : len(text) - len(suffix)] for text in around]
    if _NUMBER not in prefix + suffix or not all(names):
        return None
    if ITEM_WORDS.issuperset(map(plain, names)) or any(map(_is_measured, names)):
        return None
    classifier = r"(?P<classifier>.+)"
    if prefix.endswith(_NUMBER):  # no digit of which is the classifier's
        classifier = r"(?P<classifier>\D.*)"
    elif suffix.startswith(_NUMBER):
        classifier = r"(?P<classifier>.*\D)"
    before, _, after = f"{literal(prefix)}{classifier}{literal(suffix)}".partition(literal(_NUMBER))
    fixed = [_taken_apart(part) for part in f"{prefix}{suffix}".split(_NUMBER)]
    word = re.sub(r"[^a-z]", "", fixed[0][1].casefold())
    parts = [name.strip(_SEPARATORS) for name, _ in fixed]
    metric = next((part for part in parts if meaning_of(part)), "")
    columns = tuple(name for numbers in series.values() for _, name in sorted(numbers.items()))
    return SideBySide(columns, before, after, r"\d+", word, metric)


def _shared_beginning(texts: Sequence[str]) -> str:
    """Return what all texts begin with, up to a separator or a number."""
    shared = 0
    for characters in zip(*texts, strict=False):
        if len({*characters}) > 1:
            break
        shared += 1
    first = texts[0]
    while shared and first[shared - 1] not in _SEPARATORS + _NUMBER:
        shared -= 1
    return first[:shared]


def _before_names(prefix: str) -> str:
    """Return the number and the metric of a shared beginning; the rest is a part of names."""
    before, number, rest = prefix.rpartition(_NUMBER)
    cuts = [k for k in range(len(rest), 0, -1) if rest[k - 1] in _SEPARATORS]
    metric = next((rest[:k] for k in cuts if _is_all_metric(rest[:k])), "")
    separators = rest[: len(rest) - len(rest.lstrip(_SEPARATORS))] if number else ""
    return f"{before}{number}{metric or separators}"


def _after_names(suffix: str) -> str:
    """Return the number and the metric of a shared ending; the rest is a part of names."""
    name, number, after = suffix.partition(_NUMBER)
    word = ""
    if number:
        name, word = _taken_apart(name)
    cuts = [k for k in range(len(name)) if name[k] in _SEPARATORS]
    metric = next((name[k:] for k in cuts if _is_all_metric(name[k:])), "")
    return f"{metric}{word}{number}{after}"


def _is_all_metric(text: str) -> bool:
    """Return whether a text names a metric, and no model: one may be called BERT, as a score is."""
    known = METRICS | LOSSES
    words = {*words_of(text)}
    return plain(text) in known or (not known.isdisjoint(words) and words <= known | QUALIFIERS)


def _is_measured(name: str) -> bool:
    """Return whether a part of a name is that of a metric, a time or a split of the data."""
    return bool(name) and (meaning_of(name) is not None or plain(name) in SPLITS)


def _runs_on(numbers: Collection[int], before: str) -> bool:
    """Return whether numbers count from 0 or 1: at least 3 after a known word, else 5."""
    least = 3 if _taken_apart(before)[1].strip("-_. /:") else 5
    start = min(numbers)
    return len(numbers) >= least and start < 2 and max(numbers) - start == len(numbers) - 1


def _taken_apart(before: str) -> tuple[str, str]:
    """Split the text before a number into a name, and the separators and known word after it."""
    matched = _BEFORE_NUMBER.fullmatch(before)
    return (matched[1], matched[2]) if matched else (before, "")


def _of_one_metric(table: ColumnTable, columns: Sequence[FileColumn]) -> Iterator[SideBySide]:
    """Yield columns that begin or end with the same metric."""
    for ending, pattern, place in ((2, _ENDING, 1), (1, _BEGINNING, 2)):
        groups: dict[str, dict[str, str]] = {}
        for column in columns:
            matched = pattern.fullmatch(column.name[:LONGEST])
            if matched and _is_metric(matched[ending]) and not is_summary(column.name):
                groups.setdefault(matched[ending], {})[column.name] = matched[place]
        for text, names in groups.items():
            parts = [*names.values()]
            others = any(
                is_about(name) or is_metric(name) or plain(name) in SPLITS for name in parts
            )
            if len(names) < 2 or others:
                continue
            has = str.endswith if ending == 2 else str.startswith
            fits = [name for name in table.header if has(name, text)]
            inner = ".+" if len(fits) == len(names) else "|".join(map(literal, parts))
            before = "" if ending == 2 else literal(text)
            after = literal(text) if ending == 2 else ""
            metric = text.strip("-_. ~/:")
            yield SideBySide(tuple(names), before, after, inner, metric=metric)


def _is_metric(text: str) -> bool:
    """Return whether the end or the beginning of a name is that of a metric."""
    return likeness("score", text) > 0 or plain(text) in METRICS or meaning_of(text) is not None


def _alike(columns: Sequence[FileColumn]) -> list[str]:
    """Return the largest set of columns of unknown names with numbers of about the same size."""
    unknown = [column for column in columns if _may_be_classifier(column)]
    largest: list[str] = []
    for one in unknown:
        near = [other.name for other in unknown if _is_near(one, other)]
        if len(near) > len(largest):
            largest = near
    return largest


def _may_be_classifier(column: FileColumn) -> bool:
    """Return whether a column may hold the scores of a classifier that gives it its name."""
    name = column.name
    if not name or not column.may_be_scores or column.is_numbering or column.is_counter:
        return False
    has_other_role = is_about(name) or is_metric(name) or is_key(name)
    has_meaning = meaning_of(name) is not None
    return not has_other_role and not has_meaning and PROPERTIES.isdisjoint(words_of(name))


def _is_near(one: FileColumn, other: FileColumn) -> bool:
    return one.size == other.size or one.size / FAR < other.size < one.size * FAR


def _spelled(table: ColumnTable, names: Sequence[str]) -> str:
    """Return an expression that fits these columns and no others."""
    others = [name for name in table.header if name not in names]
    if len(names) > MOST_SPELLED and len(others) < len(names):
        if not others:
            return ".+"
        none = "|".join(f"{literal(name)}$" for name in others)
        return rf"(?!{none}).+"
    return "|".join(map(literal, names))


def has_series(header: Sequence[str]) -> bool:
    """Return whether some names of a header differ in a running number."""
    return any(True for _ in _numbered(header, has_models=True))
