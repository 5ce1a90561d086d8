"""The readings that a header and a sample of the rows suggest, the likeliest first.

A candidate is a change of the options of reading. Whether it reads the file is for the reading
itself to say; here candidates are only proposed and ranked, by names, kinds of cells, and whether
the sample would have one score for each key.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from bcompare.basis.nearest import nearest
from bcompare.basis.records import Record
from bcompare.data.direction import is_loss
from bcompare.files.options import ROLES, ReadOptions
from bcompare.files.presets import MEANS, PRESETS, lower_of, measures_of, recognised
from bcompare.reading.features import Column
from bcompare.reading.layout import KEYS, ROW_NUMBERS
from bcompare.reading.patterns import Pattern
from bcompare.reading.vocabulary import (
    ANSWERED,
    METRICS,
    TASKS,
    USUAL_FOLDS,
    is_about,
    is_counter,
    is_metric,
    is_summary,
    likeness,
    plain,
    usual_name,
    words_of,
)
from bcompare.reading.wide import Numbered, find_numbered, literal

MOST_OF_A_ROLE = 3
MOST_SPELLED = 8
"""The most columns to list by name in an expression."""
NUMBERED = 4.0
ITERATIONS = (("iteration", None, 1.0),)
FAR = 20.0
"""Columns of one kind of scores are not this many times as large as others."""
_FOLD = re.compile(r"(?:fold|cv)[-_ ]?\d+", re.IGNORECASE)
_SEED = re.compile(r"(?:seed|run|rep|trial)[-_ ]?\d+", re.IGNORECASE)
_FOLD_OF_RUN = re.compile(r"fold\d+\.rep\d+", re.IGNORECASE)
_GLUED = re.compile(
    r".+?([-_. /:]*[-_. /:])(fold|cv|split|seed|run|rep|trial|resample)[-_ ]?\d+", re.IGNORECASE
)
_DERIVED = re.compile(r"(?:mean|std|rank)_.*|.*_(?:time|score)", re.DOTALL)  # written by a search
_ENDING = re.compile(r"(.+)([-_. ~/:]\w+)", re.DOTALL)
_BEGINNING = re.compile(r"([^\W_]+[-_. ~/:])(.+)", re.DOTALL)
_LONGEST = 200


@dataclass(frozen=True)
class Candidate:
    """Changes of the options of reading, and how likely they are meant.

    key : the columns that tell rows apart, of which the sample has been looked at.
    """

    changes: Record
    likelihood: float
    key: tuple[str, ...] = ()

    def with_more(self, changes: Record, likelihood: float) -> "Candidate":
        """Return the candidate with further changes."""
        return replace(
            self, changes=self.changes | changes, likelihood=self.likelihood + likelihood
        )


def candidates(
    columns: Sequence[Column], options: ReadOptions, *, several: bool
) -> list[Candidate]:
    """Return the readings to try, the likeliest first.

    options : as the user gave them, which all readings keep. several : whether there are several
    files, whose names may be those of the classifiers.
    """
    table = _Table(columns, options, several)
    found = [*table.by_row()]
    if not table.has_scores:
        numbered = [*table.by_number()]
        found += [*table.by_classifier(), *table.means()]
        if numbered:  # other readings would take each number for a thing of its own
            found = [*numbered, *(other.with_more({}, -NUMBERED) for other in found)]
    found = [
        replace(candidate, changes=table.reset | candidate.changes)
        for candidate in (*table.of_program(), *found)
    ]
    return sorted(found, key=lambda candidate: -candidate.likelihood)


@dataclass(frozen=True)
class _Part:
    """Columns that may have a role, with the changes that say so, and how likely that is.

    counts : whether they number the folds or seeds, too.
    """

    columns: tuple[str, ...]
    changes: Record
    likelihood: float
    counts: bool = False


class _Table:
    """The columns of a file, those with a role, and the readings of the others."""

    def __init__(self, columns: Sequence[Column], options: ReadOptions, several: bool) -> None:
        self.columns = {column.name: column for column in columns}
        self.first = columns[0].name if columns else ""
        self.of_answers = False  # whether scores are of single answers
        self.header = [column.name for column in columns]
        self.reset: Record = {}  # options of the user that fit nothing
        if options.wide is not None and not any(
            map(Pattern(options.wide, "wide").fullmatch, self.header)
        ):
            self.reset["wide"] = None
        if options.split is not None and options.split.partition("=")[0] not in self.header:
            self.reset["split"] = None
        self.wanted: dict[str, str] = {}
        self.given: dict[str, str] = {}
        for role in ROLES:
            name = getattr(options, f"{role}_col")
            if name is not None and not all(p in self.columns for p in _parts(role, name)):
                self.wanted[role] = name
                self.reset[f"{role}_col"] = None
        self.options, self.several = replace(options, **self.reset), several
        split = (self.options.split or "").partition("=")
        self.groups = _groups(self.options.wide) | _groups(split[2])
        for role in ROLES:
            name = getattr(self.options, f"{role}_col")
            if name is not None:
                self.given[role] = name
            elif role in (*KEYS, "score") and role not in self.groups:
                own = [column for column in self.columns if column.casefold() == role]
                self.given |= {role: own[0]} if own else {}
        self.used = {p for role, name in self.given.items() for p in _parts(role, name)}
        self.used |= {condition_column(text) for text in options.where}
        if self.options.split:
            self.used.add(split[0])

    @property
    def has_scores(self) -> bool:
        """Whether the columns of scores are known."""
        return "score" in self.given or self.options.wide is not None

    @cached_property
    def free(self) -> list[Column]:
        """The columns without a role."""
        return [column for name, column in self.columns.items() if name not in self.used]

    @cached_property
    def numbered(self) -> Numbered | None:
        """The columns whose names differ in a running number."""
        named = any(likeness("classifier", column.name) for column in self.free)
        numbers = [c.name for c in self.free if c.is_number or c.name.isdecimal()]
        return find_numbered(numbers, named=named or self._knows("classifier"))

    def _knows(self, role: str) -> bool:
        return role in self.given or role in self.groups

    def _near(self, role: str, name: str) -> float:
        """Return how much a column's name is like the one that the user gave a role."""
        return 3.0 * (role in self.wanted and [name] == nearest(self.wanted[role], self.columns))

    def of_program(self) -> Iterator[Candidate]:
        """Yield the reading of a known program whose number of folds only the user knows."""
        name = recognised(self.header)
        if name is None or self.options.preset is not None or not PRESETS[name].also:
            return
        preset, changes = PRESETS[name], {"preset": name}
        wide, counter = preset.options.get("wide"), preset.options.get("iteration_col")
        splits = [c for c in self.header if wide and re.fullmatch(str(wide), c)]
        count = len(splits) or len(self.columns[str(counter)].distinct)
        measure = next(iter(measures_of(preset, self.header)), None)
        if measure is not None and self.options.score_col is None:
            changes |= {"score_col": measure} | lower_of(measure)
        of_run = [10, count] if count > 10 and count % 10 == 0 else [count]
        for i, folds in enumerate(of_run if self.options.folds is None else [0]):
            more = {"folds": folds} if folds else {}
            yield Candidate(changes | more, 20.0 - i)

    # A row for each score

    def by_row(self) -> Iterator[Candidate]:
        """Yield readings of a row for each score."""
        base = [
            Candidate(s.changes | m.changes, s.likelihood + m.likelihood, m.columns)
            for s in self._scores()
            for m in self._metrics(s)
        ]
        found = [each for scored in base for each in self._keyed(scored)]
        if not found:
            found = [each for scored in base for each in self._keyed(scored, joined=True)]
        if not found:
            for scored, chosen in product(base, self._conditions()):
                with_one = scored.with_more(chosen.changes, chosen.likelihood)
                key = scored.key + chosen.columns
                found += self._keyed(replace(with_one, key=key))
        yield from found

    def _conditions(self) -> Iterator[_Part]:
        """Yield choices of one value of a column, whose rows may have one score for each key."""
        for column in self.free:
            if 1 < len(column.distinct) <= MOST_SPELLED:
                where = (*self.options.where, f"{column.name}={column.distinct[0]}")
                yield _Part((column.name,), {"where": where}, -1.0)

    def _keyed(self, scored: Candidate, *, joined: bool = False) -> Iterator[Candidate]:
        """Yield a reading of scores with each possible key that is unique in the sample.

        joined : whether two columns name a classifier.
        """
        taken = {*scored.key, str(scored.changes.get("score_col"))}
        rows = self._rows_where(scored.changes)
        self.of_answers = self._is_of_answers(str(scored.changes.get("score_col")))
        for who, data in product(self._names("classifier", joined), self._names("dataset")):
            columns = (*who.columns, *data.columns)
            if len({*columns}) < len(columns) or taken & {*columns}:
                continue
            counted = who.counts + data.counts
            each_of = [*self._repetitions(taken | {*columns}, has_dataset=self._has(data))]
            for each in each_of if not counted else [_Part((), {}, 2.0)] * (counted == 1):
                key = [*columns, *each.columns, *self._known_keys()]
                even = self._evenness(who, key, rows)
                if even:
                    likelihood = who.likelihood + data.likelihood + each.likelihood + even
                    more = who.changes | data.changes | each.changes
                    yield scored.with_more(more, likelihood)

    def _is_of_answers(self, score: str) -> bool:
        """Return whether a column has scores of single answers."""
        score = self.given.get("score", score)
        if plain(score) in ANSWERED or score not in self.columns:
            return plain(score) in ANSWERED
        return {*self.columns[score].numbers.tolist()} <= {0.0, 1.0}

    def _has(self, data: _Part) -> bool:
        return bool(data.columns) or self._knows("dataset")

    def _known_keys(self) -> list[str]:
        """Return the columns of keys that are known."""
        roles = ("dataset", "run", "fold", "classifier", "iteration", "item", "epoch", "seed")
        known = [p for role in roles if role in self.given for p in _parts(role, self.given[role])]
        return known + ([self.options.split.partition("=")[0]] if self.options.split else [])

    def _scores(self) -> list[_Part]:
        """Return the columns that may hold the scores."""
        if self.has_scores:
            return [_Part((), {}, 4.0)]
        wanted, found = self.wanted.get("score"), []
        for column in self.free:
            value = column.as_score()
            if value > 0:
                changes = {"score_col": column.name} | lower_of(column.name)
                likelihood = value + self._near("score", column.name)
                found.append(_Part((column.name,), changes | self._markers([column]), likelihood))
        best = sorted(found, key=lambda part: -part.likelihood)[:MOST_OF_A_ROLE]
        best = [replace(b, likelihood=b.likelihood - 1.2 * i) for i, b in enumerate(best)]
        if wanted is not None:  # perhaps a value in a column of metrics
            for part, column in product(best, self.free):
                if wanted in column.distinct and column.name not in part.columns:
                    chosen = {"where": (*self.options.where, f"{column.name}={wanted}")}
                    changes = part.changes | chosen | lower_of(wanted)
                    best.append(_Part((*part.columns, column.name), changes, part.likelihood + 4))
        return [part for part in best if part.likelihood > best[0].likelihood / 4]

    def _markers(self, columns: Iterable[Column]) -> Record:
        """Return the option for the missing numbers in columns of scores."""
        options = self.options
        found = dict.fromkeys(marker for column in columns for marker in column.markers)
        new = [marker for marker in found if marker not in options.na_values]
        if options.failed is not None:
            new = [marker for marker in new if marker]
        return {"na_values": (*options.na_values, *new)} if new else {}

    def _metrics(self, scored: _Part) -> list[_Part]:
        """Return the choice of one metric, where a column names several."""
        free = [c.name for c in self.free if c.name not in scored.columns]
        name = usual_name("metric", free)
        if name is None or "where" in scored.changes:
            return [_Part((), {}, 0.0)]
        values = self.columns[name].distinct
        score = str(scored.changes.get("score_col", ""))
        if len(values) < 2 or len(values) > MOST_SPELLED * 4 or plain(score) in METRICS:
            return [_Part((), {}, 0.0)]
        if plain(name) == "type" and METRICS.isdisjoint(map(plain, values)):
            return [_Part((), {}, 0.0)]
        best = next((value for value in values if not is_loss(value)), values[0])
        where = {"where": (*self.options.where, f"{name}={best}")}
        return [_Part((name,), where | lower_of(best), 1.0), _Part((), {}, 0.0)]

    def _names(self, role: str, joined: bool = False) -> list[_Part]:
        """Return the columns that may name classifiers, or data sets."""
        if self._knows(role):
            return [_Part((), {}, 4.0)]
        found = []
        for column in self.free:
            value = column.as_names_of(role)
            lone = role == "classifier" and len(column.distinct) < 2 and not self.several
            if value and not lone:
                likelihood = value + self._near(role, column.name)
                if role == "dataset" and self.of_answers and plain(column.name) in TASKS:
                    likelihood -= 3.0
                found.append(_Part((column.name,), {f"{role}_col": column.name}, likelihood))
            found += [*self._glued(role, column)]
        found = sorted(found, key=lambda part: -part.likelihood)
        named = bool(found) and found[0].likelihood >= 2
        if joined:
            found = [
                _Part(
                    one.columns + other.columns,
                    {"classifier_col": f"{one.columns[0]},{other.columns[0]}"},
                    (one.likelihood + other.likelihood) / 2 - 0.5,
                )
                for one, other in product(found[:2], found[:4])
                if one is not other
            ]
        best = found[:MOST_OF_A_ROLE]
        if role == "dataset" or self.several:
            best.append(_Part((), {}, -1.0 if named else 1.2))
        return best

    def _glued(self, role: str, column: Column) -> Iterator[_Part]:
        """Yield a column whose cells are names with the number of a fold or seed."""
        matches = [*map(_GLUED.fullmatch, column.distinct)]
        words = {found[2].casefold() for found in matches if found}
        between = {(found[1], found[2]) for found in matches if found}
        if self.options.split or None in matches or len(words) != 1 or len(column.distinct) < 4:
            return
        ((mark, word),) = between if len(between) == 1 else {("", "")}
        unit = "seed" if word.casefold() in ("seed", "run", "rep", "trial") else "fold"
        if word:
            named = f"(?P<{role}>.+){literal(mark + word)}[-_ ]?(?P<{unit}>\\d+)"
            likelihood = 2.5 + 0.5 * likeness(role, column.name)
            yield _Part((column.name,), {"split": f"{column.name}={named}"}, likelihood, True)

    def _repetitions(self, taken: set[str], *, has_dataset: bool) -> Iterator[_Part]:
        """Yield what may tell the scores of a classifier on a data set apart."""
        own = next((r for r in ("item", "seed", "iteration", "fold") if self._knows(r)), None)
        free = [column for column in self.free if column.name not in taken]
        runs = [c for c in free if likeness("run", c.name)] if not self._knows("run") else []
        if own == "iteration" and self.options.folds is None:
            count = len(self.columns[self.given[own]].distinct) if own in self.given else 10
            for folds in (10, count) if count > 10 and count % 10 == 0 else (count,):
                yield _Part((), {"folds": folds}, 4.0)
            return
        if own is not None:
            yield _Part((), {}, 4.0)
            for run in runs if own == "fold" else ():
                yield _Part((run.name,), {"run_col": run.name}, 4.2)
            if own == "item" and not self._knows("epoch"):
                yield from (
                    _Part((c.name,), {"epoch_col": c.name}, 3.8)
                    for c in free
                    if likeness("epoch", c.name) or is_counter(c.name)
                )
            return
        if self._knows("run"):
            free = [*free, self.columns[self.given["run"]]] if "run" in self.given else free
        for column in free:
            yield from self._of(column, [c for c in [*runs, *free] if c is not column])
        if has_dataset:
            names = [column.name for column in free]
            counts = usual_name("item", names) or usual_name("fold", names)
            changes: Record = {}
            if counts or any(map(is_counter, names)):  # else these would be missed
                changes = {"preset": MEANS, "dataset_col": self.given.get("dataset")}
            yield _Part((), {k: v for k, v in changes.items() if v}, 1.3)

    def _of(self, column: Column, others: Sequence[Column]) -> Iterator[_Part]:
        """Yield the readings of one column as folds, seeds or test items."""
        name = column.name
        if len(column.distinct) == 1 or column.is_date:
            return
        if all(map(_FOLD_OF_RUN.fullmatch, column.distinct)):
            yield _Part((name,), {"split": rf"{name}=(?P<fold>.+)\.(?P<run>.+)"}, 3.5)
            return
        fold = likeness("fold", name) or 2.5 * all(map(_FOLD.fullmatch, column.distinct))
        fold += self._near("fold", name)
        words_only = not any(map(str.isdigit, "".join(column.distinct)))
        if fold and not (words_only and len(column.distinct) <= 3):
            yield from self._folds(column, others, fold)
        elif is_counter(name) or all(map(_SEED.fullmatch, column.distinct)):
            is_seed = "seed" in f"{name} {column.distinct[0]}".casefold()
            yield _Part((name,), {"seed_col": name}, 2.6 + 0.3 * is_seed)
            if not is_seed:
                usual = len(column.distinct) in USUAL_FOLDS
                yield _Part((name,), {"fold_col": name}, 1.8 + 0.3 * usual)
            yield _Part((name,), {"fold_col": name, "rho": 0.1}, 1.9)
        item = self._as_items(column) if not fold else 0.0
        if item:
            yield _Part((name,), {"item_col": name}, item)
            for epoch in others if not is_counter(name) else ():
                if likeness("epoch", epoch.name) and len(epoch.distinct) > 1:
                    both = {"item_col": name, "epoch_col": epoch.name}
                    yield _Part((name, epoch.name), both, item - 0.1)

    def _folds(
        self, column: Column, others: Sequence[Column], likelihood: float
    ) -> Iterator[_Part]:
        """Yield the readings of a column of folds, of one run or several."""
        name = column.name
        runs = [c for c in others if likeness("run", c.name) and len(c.distinct) > 1]
        if plain(name) == "id2":  # of tidymodels, whose runs are in the column id
            runs = [c for c in others if plain(c.name) == "id"]
        for run in runs:
            both = {"fold_col": name, "run_col": run.name}
            yield _Part((name, run.name), both, likelihood + 0.5)
        yield _Part((name,), {"fold_col": name}, likelihood + 0.2)
        yield _Part((name,), {"fold_col": name, "rho": 0.1}, likelihood - 1.5)

    def _as_items(self, column: Column) -> float:
        """Return how likely a column names test items."""
        name = column.name
        if is_counter(name):
            return 1.2
        if self.of_answers and plain(name) in TASKS:
            return 3.2
        known = likeness("item", name) or 0.8 * likeness("key", name)
        if any(likeness(role, name) for role in ("dataset", "classifier", "metric")):
            return known
        if known or column.as_score() > 1 or is_about(name):
            return known
        return 0.3 + 0.9 * (not column.is_number and len(column.distinct) > 10)

    def _rows_where(self, changes: Record) -> list[int]:
        """Return the rows of the sample that meet the conditions on equality."""
        count = len(next(iter(self.columns.values())).cells) if self.columns else 0
        rows = [*range(count)]
        texts: tuple[str, ...] = changes.get("where", self.options.where)
        for column, _, value in (text.partition("=") for text in texts):
            if column in self.columns:
                cells = self.columns[column].cells
                rows = [i for i in rows if cells[i] == value]
        return rows

    def _evenness(self, who: _Part, key: Sequence[str], rows: Sequence[int]) -> float:
        """Return how evenly the sample fills its keys, up to 1.5; 0 if a key has two scores."""
        cells = [self.columns[name].cells for name in dict.fromkeys(key)]
        keys = [tuple(column[i] for column in cells) for i in rows]
        distinct = {*keys}
        if not rows or (len(distinct) < len(keys) and not self.options.wide):
            return 0.0
        names = who.columns or tuple(_parts("classifier", self.given.get("classifier", "")))
        if not names or not all(name in self.columns for name in names):
            return 1.0
        people = {tuple(self.columns[name].cells[i] for name in names) for i in rows}
        others = [self.columns[name].cells for name in dict.fromkeys(key) if name not in names]
        places = {tuple(column[i] for column in others) for i in rows}
        if len(people) > 1 and len(places) == len(rows):  # an ID of each row pairs nobody
            return 0.0
        filled = len(distinct) / (len(people) * len(places))
        return 1.5 * filled if filled > 0.02 else 0.0

    # A column for each score

    def by_number(self) -> Iterator[Candidate]:
        """Yield readings of columns whose names differ in a running number."""
        numbered = self.numbered
        if numbered is None:
            return
        labels = [
            column
            for column in self.free
            if column.name not in numbered.all and not _DERIVED.fullmatch(column.name)
        ]
        scored = [self.columns[name] for name in numbered.columns]
        more = self._markers(scored) | lower_of(numbered.after.replace("\\", ""))
        by_header = "classifier" in numbered.groups
        lacking = [r for r in ("dataset", "classifier") if not self._knows(r)]
        if by_header and "classifier" in lacking:
            lacking.remove("classifier")
        for changes, likelihood in self._labels(labels, lacking):
            units = numbered.units if self.options.folds is None else ITERATIONS
            for role, rho, value in units:
                wide = numbered.expression(role)
                unit = {"wide": wide} | ({"rho": rho} if rho is not None else {})
                yield Candidate(changes | unit | more, 8.0 + likelihood + value)

    def _labels(
        self, labels: Sequence[Column], lacking: Sequence[str]
    ) -> Iterator[tuple[Record, float]]:
        """Yield the columns that name the data sets and classifiers of rows."""
        sure = {
            role: column.name
            for role in lacking
            for column in sorted(labels, key=lambda c: -likeness(role, c.name))[:1]
            if likeness(role, column.name)
        }
        if len({*sure.values()}) < len(sure):
            sure = dict([next(iter(sure.items()))])
        rest = [column for column in labels if column.name not in sure.values() and column.is_name]
        open_roles = [role for role in lacking if role not in sure]
        changes = {f"{role}_col": name for role, name in sure.items()}
        alone = self.several or "classifier" not in open_roles
        for column, role in product(rest[:2], open_roles):
            if alone or role == "classifier":
                likely = 1.2 - 0.3 * ((role == "dataset") != self.several)
                yield changes | {f"{role}_col": column.name}, likely
        if alone:
            yield changes, 0.5 if rest else 1.2

    def by_classifier(self) -> Iterator[Candidate]:
        """Yield readings of a column for each classifier, with test items, folds or data sets."""
        if self._knows("classifier") or lone_scores(self.free) is not None:
            return
        for names, expression, value in self._side_by_side():
            scored = [self.columns[name] for name in names]
            changes = {"wide": expression} | self._markers(scored)
            changes |= lower_of(expression.replace("(?P<classifier>", " "))
            others = {column.name for column in self.free} & {*names}
            binary = all({*column.numbers.tolist()} <= {0.0, 1.0} for column in scored)
            data = [p for p in self._names("dataset") if not {*p.columns} & others]
            for part in data:
                for each in self._repetitions(others | {*part.columns}, has_dataset=False):
                    key = [*part.columns, *each.columns, *self._known_keys()]
                    if self._is_key(key):
                        more = part.changes | each.changes
                        likelihood = value + part.likelihood + each.likelihood
                        yield Candidate(changes | more, likelihood)
                key = [*part.columns, *self._known_keys()]
                if self._has(part) and self._is_key(key) and not self._knows("fold"):
                    first = part.columns == (self.first,) and not binary
                    more, likelihood = part.changes, value + part.likelihood + 1.0 + 1.5 * first
                    yield Candidate(changes | more, likelihood)
                if not ({"item", "fold", "seed"} & self.given.keys()):
                    more = part.changes | {"item_col": ROW_NUMBERS}
                    likelihood = value + part.likelihood - 0.5 + 1.0 * binary
                    yield Candidate(changes | more, likelihood)

    def _is_key(self, key: Sequence[str]) -> bool:
        cells = [self.columns[name].cells for name in dict.fromkeys(key)]
        return len({*zip(*cells, strict=True)}) == len(cells[0]) if cells else False

    def _side_by_side(self) -> Iterator[tuple[list[str], str, float]]:
        """Yield columns of scores, the expression for them, and how likely they are alike."""
        scores = [column for column in self.free if column.may_be_scores]
        seen: set[str] = set()
        for names, expression, text in self._of_one_metric(scores, "classifier"):
            seen |= {*names}
            yield names, expression, 5.0 + 0.1 * len(names) - 2.0 * is_loss(text)
        alike = [
            column
            for column in scores
            if column.name not in {"", *(self.numbered.all if self.numbered else ())}
            and not is_about(column.name)
            and not is_metric(column.name)
        ]
        of_one_size = _of_one_size(alike)
        alike = of_one_size if len(of_one_size) > 2 * len(alike) / 3 else []
        if len(alike) > 1 and not seen.issuperset(column.name for column in alike):
            each = [column.name for column in alike]
            usual = sum(likeness("score", name) > 0 for name in each)
            yield each, self._spelled("classifier", each), 4.0 - 2.0 * usual

    def _of_one_metric(
        self, columns: Sequence[Column], role: str
    ) -> Iterator[tuple[list[str], str, str]]:
        """Yield columns that begin or end with the same metric, their expression and the metric."""
        for ending, pattern, place in ((2, _ENDING, 1), (1, _BEGINNING, 2)):
            groups: dict[str, dict[str, str]] = {}
            for column in columns:
                found = pattern.fullmatch(column.name[:_LONGEST])
                if found and (likeness("score", found[ending]) or plain(found[ending]) in METRICS):
                    groups.setdefault(found[ending], {})[column.name] = found[place]
            for text, names in groups.items():
                words = {word for name in names.values() for word in words_of(name)}
                about = any(is_about(name) or is_metric(name) for name in names.values())
                if len(names) < 2 or about or words & {"train", "test", "val", "mean"}:
                    continue
                has = str.endswith if ending == 2 else str.startswith
                fits = [name for name in self.columns if has(name, text)]
                inner = ".+" if len(fits) == len(names) else _either(names.values())
                group = f"(?P<{role}>{inner})"
                yield (
                    [*names],
                    group + literal(text) if ending == 2 else literal(text) + group,
                    text,
                )

    def _spelled(self, role: str, names: Sequence[str]) -> str:
        """Return an expression that fits these columns and no others."""
        others = [name for name in self.header if name not in names]
        if len(names) > MOST_SPELLED and len(others) < len(names):
            none = "|".join(f"{literal(name)}$" for name in others)
            return rf"(?!{none})(?P<{role}>.+)"
        return f"(?P<{role}>{_either(names)})"

    def means(self) -> Iterator[Candidate]:
        """Yield readings of a table of means, with classifiers in its columns or in its rows."""
        numbers = [c for c in self.free if c.is_number and not is_about(c.name)]
        kept = _of_one_size([c for c in numbers if not c.is_counting])
        labels = [
            column
            for column in self.free
            if column.is_name
            and len(column.distinct) == len(column.cells)
            and not any(likeness(role, column.name) for role in ("item", "key", "fold"))
        ]
        metrics = sum(is_metric(column.name) for column in kept)
        if self.options.preset is not None or len(kept) < 1 or metrics > len(kept) / 2:
            return
        names = [column.name for column in kept]
        markers = self._markers(kept)
        metric_by_metric = [(own, wide) for own, wide, _ in self._of_one_metric(kept, "dataset")]
        expressions = metric_by_metric or [(names, self._spelled("dataset", names))]
        for label in labels:
            as_data, as_who = (likeness(role, label.name) for role in ("dataset", "classifier"))
            first = label.name == self.first
            is_plain = first and {*names} == {*self.header} - {label.name}
            if is_plain and len(names) > 1 and not self._knows("dataset"):
                likelihood = 6.0 + as_data - 2 * as_who
                yield Candidate({"preset": MEANS}, likelihood)
            if len(label.distinct) > 1 and not self._knows("classifier"):
                changes: Record = {"classifier_col": label.name} | markers
                summed = [name for name in label.distinct if is_summary(name)]
                if summed:
                    where = [f"{label.name}!={name}" for name in summed]
                    changes["where"] = (*self.options.where, *where)
                likelihood = 5.0 + as_who - 2 * as_data
                for own, wide in expressions:
                    is_lower = {"lower_is_better": True} if all(map(is_loss, own)) else {}
                    yield Candidate(changes | {"wide": wide} | is_lower, likelihood)


def lone_scores(columns: Sequence[Column]) -> str | None:
    """Return the column of classifiers that have one row each, if there is one."""
    for column in columns:
        named = likeness("classifier", column.name) > 0 and column.is_name
        if named and len(column.distinct) == len(column.cells):
            return column.name
    return None


def condition_column(text: str) -> str:
    """Return the column of a condition on rows."""
    return re.split(r"!=|~|=", text, maxsplit=1)[0].strip()


def _parts(role: str, name: str) -> list[str]:
    return [part.strip() for part in name.split(",")] if role == "classifier" else [name]


def _groups(expression: str | None) -> frozenset[str]:
    return Pattern(expression, "wide").groups if expression else frozenset()


def _either(names: Iterable[str]) -> str:
    return "|".join(map(literal, names))


def _of_one_size(columns: Sequence[Column]) -> list[Column]:
    """Return the largest set of columns whose numbers are of about the same size."""
    sets = [
        [c for c in columns if c.size == one.size or one.size / FAR < c.size < one.size * FAR]
        for one in columns
    ]
    return max(sets, key=len, default=[])
