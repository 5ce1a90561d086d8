"""The columns of each part of the results in a file: a layout, from its header and the options."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property

from bcompare.basis.messages import InputError, Note, arg, nearest, spelled
from bcompare.columns.direction import meaning_of
from bcompare.columns.side_by_side import has_series
from bcompare.columns.vocabulary import (
    FAILURES,
    METRICS,
    STATES,
    TRUTHS,
    USUAL_NAMES,
    is_counter,
    likeness,
    plain,
    usual_name,
    votes_in,
    words_of,
)
from bcompare.data.units import FOLD, ITEM, MEAN, SEED, TRIAL, Unit
from bcompare.files.cells import TIMED_OUT
from bcompare.files.options import (
    GROUPS,
    KEYS,
    MEASURE,
    PAIRING,
    ROW_NUMBERS,
    Condition,
    ReadOptions,
    parts_of,
)
from bcompare.files.presets import MEANS, fitted, measures_of, preset_of, several_measures
from bcompare.files.problems import (
    Problems,
    named,
    quoted,
    seeds_or_anew,
    shell_word,
)

# What columns are called, in letters only, that say how a trial went.
OF_TRIALS = {
    "state": STATES,
    "failed": FAILURES,
}


# What columns of bootstrap samples are called, in letters and digits only.
BOOTSTRAPS = {
    f"{name}{end}"
    for name in ("bootstrap", "bootstrapsample", "bootsample", "boot")
    for end in ("", "id", "idx", "index", "no", "number")
}

# Roles of columns of names; only those of `KEYS` are recognised by name.
ROLES_OF_NAMES = (*GROUPS, "epoch", "cluster")
# Roles whose cells may be empty.
MAY_BE_EMPTY = ("cluster", "metric", "failed", "state", "measure", "slice", "drawn")


@dataclass(frozen=True, slots=True)
class Names:
    """The name of a file, and replacements for missing columns.

    title : its name in messages.
    dataset : its data set.
    classifier : its classifier, or None if the file must name it.
    label : the classifier as the user named it, or None.
    names_dataset : whether the file's name is that of the data set even if it is that of the
        classifier.
    """

    title: str
    dataset: str
    classifier: str | None = None
    label: str | None = None
    names_dataset: bool = False


@dataclass(frozen=True)
class Layout:
    """The position in the header of each part of the results.

    header : the names of all columns.
    names : those of the file.
    columns : role → its columns; several are joined. In addition to `ROLES_OF_NAMES` there may be
        slice, metric, measure (the name of a trial's score), failed (errors of a fit or a trial),
        state (how a run ended) and drawn (the items of sides that share nothing).
    scores : column of scores → roles and names from its header; at least one.
    split : a column whose cells hold several roles, and the expression that splits them.
    sizes : the columns of n_train and n_test, as train and test, and of costs, if there are any.
    metrics : columns of metrics, where scores are of the first one's wherever it is filled, as in
        the AutoML Benchmark of 2019; else empty.
    where : conditions on the rows, all of which must hold, with the positions of their columns.
    na : cells that stand for a missing number.
    grades : cells that stand for a number.
    percent : whether percentages are divided later on.
    unit : what a row is.
    numbered : what rows are by their numbers: item, fold or seed; "" if they are not.
    notes : on columns that were accepted with unusual names.
    about : columns that say how scores came about, by name; see `bcompare.reading.sides`.
    """

    header: tuple[str, ...]
    names: Names
    columns: dict[str, tuple[int, ...]]
    scores: dict[int, dict[str, str]]
    split: tuple[int, re.Pattern[str]] | None
    sizes: dict[str, int]
    metrics: tuple[str, ...]
    where: dict[Condition, int]
    na: tuple[str, ...]
    grades: Mapping[str, float]
    percent: bool
    unit: Unit
    numbered: str
    notes: tuple[Note, ...]
    about: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def keys(self) -> tuple[int, ...]:
        """The columns to be kept as names."""
        columns = [column for columns in self.columns.values() for column in columns]
        if self.split:
            columns.append(self.split[0])
        return tuple(dict.fromkeys(columns))

    @cached_property
    def filled(self) -> frozenset[int]:
        """The columns of which every row needs a name.

        Of a role with several columns the first; none of a role that rows may lack.
        """
        may_be_empty: set[int] = set()
        for role, columns in self.columns.items():
            may_be_empty.update(columns if role in MAY_BE_EMPTY else columns[1:])
        return frozenset(self.keys) - may_be_empty

    @property
    def values(self) -> tuple[int, ...]:
        """The columns of numbers."""
        return tuple(dict.fromkeys([*self.scores, *self.sizes.values()]))

    @property
    def texts(self) -> tuple[int, ...]:
        """The columns to be read as texts: names, also for conditions only, and grades."""
        grades = self.values if self.grades else ()
        others = [*self.where.values(), *self.about.values()]
        return tuple(dict.fromkeys([*self.keys, *others, *grades]))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The columns of nothing but numbers, unless the file has cells of another kind."""
        texts = self.texts
        return tuple(i for i in self.values if i not in texts)


@dataclass(frozen=True)
class Lacking:
    """Why a file has no layout yet: columns that are needed, and that others may serve as.

    problems : complete messages.
    short : the last of them without the names of all columns.
    roles : those without a column.
    """

    problems: tuple[str, ...]
    short: str
    roles: tuple[str, ...]

    @property
    def lacks_classifier(self) -> bool:
        """Whether the column of classifiers is among them."""
        return "classifier" in self.roles


def find_layout(header: tuple[str, ...], names: Names, options: ReadOptions) -> Layout | Lacking:
    """Return the layout of a file with this header, or which columns it lacks.

    Raises
    ------
    InputError : with every column that is misspelt, ambiguous or named twice.
    """
    votes = votes_in(header) if options.preset is None else []
    if votes:
        raise InputError(
            f"{names.title}: columns {named(votes)} hold votes between two models, and a vote is "
            "no score of either: rank models by votes with a Bradley-Terry model, such as that of "
            "the Python package choix"
        )
    fitting = fitted(options, header)
    layout = _Header(header, names, fitting).layout()
    if isinstance(layout, Lacking):
        return layout
    measures = measures_of(preset_of(options), header)
    if len(measures) < 2 or options.score_col is not None or fitting.score_col != measures[0]:
        return layout
    return replace(layout, notes=(*layout.notes, several_measures(*measures)))


class _Header:
    """Finds columns in a header, and collects problems."""

    def __init__(self, header: tuple[str, ...], names: Names, options: ReadOptions) -> None:
        self.header, self.names, self.options = header, names, options
        self.means = options.preset == MEANS
        self.preset = preset_of(options)
        self.problems = Problems()
        self.absent: dict[str, str] = {}  # role → name of a missing column
        self.other_case: dict[str, str] = {}
        self.columns: dict[str, tuple[int, ...]] = {}
        self.numbered = ""
        self.scores: dict[int, dict[str, str]] = {}

    def layout(self) -> Layout | Lacking:
        """Find all roles, then check that they are consistent."""
        options = self.options
        self._find_scores()
        split = self._split()
        in_names = {*next(iter(self.scores.values()), ())}
        if split:
            in_names |= {*split[1].groupindex}
        self._find_keys(in_names)
        in_names |= {self.numbered} - {""}
        positions = {c: self._position(c.column, "where") for c in options.conditions}
        given = options.columns.keys() - {"score"}
        has = in_names | given | self.columns.keys()
        unsure = (
            options.takes_one and self.names.label is None and usual_name("classifier", self.header)
        )
        if "classifier" not in has and (self.names.classifier is None or unsure):
            self.absent["classifier"] = "classifier"
        unit = self._unit(has)
        self._check_numbering(unit, has, given)
        optional = {*KEYS} - has
        if "iteration" in has or unit.has_column or unit.is_unpaired or self.means:
            optional -= {"run", "fold"}
        self._check_absent(optional)
        self._check_shared()
        if options.weight_col is not None and not unit.has_answers:
            self._problem(
                f"{arg('weight_col', options.weight_col)}: weights belong to test items: name the "
                f"column of items with {arg('item_col')}"
            )
        self._check_samples()
        sizes = self._sizes()
        messages = self.problems.messages()
        if messages and self.absent:
            names = ", ".join(map(quoted, self.absent.values()))
            short = f"{self.names.title}: no column {names}"
            return Lacking(messages, short, tuple(self.absent))
        self.problems.raise_any()
        metrics = self._find_metrics()
        notes = []
        if self.other_case:
            pairs = self.other_case.items()
            taken = ", ".join(f"{quoted(name)} for {role}" for role, name in pairs)
            message = f"{self.names.title}: took column {taken}"
            notes.append(Note("other-case", "info", message))
        na_values = options.na_values
        if options.failed is not None:  # which says how these count
            na_values = (*na_values, "", *TIMED_OUT)
        return Layout(
            header=self.header,
            names=self.names,
            columns=self.columns,
            scores=self.scores,
            split=split,
            sizes=sizes,
            metrics=metrics,
            where={c: position for c, position in positions.items() if position is not None},
            na=na_values,
            grades=options.grades or {},
            percent=options.percent,
            unit=unit,
            numbered=self.numbered,
            notes=tuple(notes),
        )

    def _problem(self, message: str) -> None:
        self.problems.tell(f"{self.names.title}: {message}")

    def _listed(self) -> str:
        """Return the names of the first columns, and how many more there are."""
        more = f" and {len(self.header) - 20} more" if len(self.header) > 20 else ""
        return " ".join(map(quoted, self.header[:20])) + more

    def _free(self) -> list[str]:
        """Return the columns without a role other than scores."""
        used = {column for columns in self.columns.values() for column in columns}
        return [name for i, name in enumerate(self.header) if i not in used]

    def _usual(self, name: str) -> int | None:
        """Find the column of a usual name, in any case; the exact name comes first."""
        alike = [column for column in self.header if column.casefold() == name]
        if name in alike or not alike:
            return self._position(name)
        self.other_case[name] = alike[0]
        if len(set(alike)) > 1:
            self._problem(
                f"columns {' and '.join(map(quoted, alike))} may both be the {name}; name the "
                f"right one with {arg(f'{name}_col')}"
            )
        return self._position(alike[0])

    def _position(self, name: str, option: str | None = None) -> int | None:
        """Find the column of that name; if an option names it, a missing one is a problem."""
        if self.header.count(name) > 1:
            self._problem(f"two columns are called {quoted(name)}; rename or delete one")
        if name in self.header:
            return self.header.index(name)
        if option is not None:
            near = nearest(name, [n for n in self.header if not n.startswith("std_")])
            meant = f" Did you mean {shell_word(near[0])}?" if near else ""
            self._problem(
                f"no column {quoted(name)} for {arg(option)}; it has {self._listed()}.{meant}"
            )
        return None

    def _find_scores(self) -> None:
        """Find the columns of scores: one, or all whose names fit an expression.

        In a table of means: all named columns but that of the data sets; columns of classifiers
        that were not chosen need not be read.
        """
        options = self.options
        if "wide" in options.expressions:
            self._find_wide(options.expressions["wide"])
        elif self.means and options.score_col is None:
            self._find_means()
        else:
            said = options.score_col or options.successes_col
            name = said or "score"
            position = self._position(name) if said else self._usual(name)
            self.scores = {} if position is None else {position: {}}
            self.absent |= {} if self.scores else {"score": name}

    def _find_means(self) -> None:
        """Find the columns of classifiers in a table of means."""
        options = self.options
        first = self.header[0]
        dataset = self._position(options.dataset_col) if options.dataset_col else 0
        names = {i: name for i, name in enumerate(self.header) if name and i != (dataset or 0)}
        for name in names.values():
            self._position(name)  # checks that names are unique
        if not names:
            self._problem(
                "a table of means has data sets in its first column and a column for each "
                f"classifier; it has {self._listed()}"
            )
        if dataset == 0 and likeness("classifier", first):
            self._problem(
                f"column {quoted(first)} names classifiers, and a table of means has its data sets "
                f"there; if the other columns are data sets, leave {arg('preset', 'means')} out; "
                f"else name the column by {arg('dataset_col', first)}"
            )
        if {*options.classifiers} <= {*names.values()}:  # else the others are named, too
            names = {i: n for i, n in names.items() if n in options.classifiers} or names
        self.scores = {i: {"classifier": name} for i, name in names.items()}

    def _find_wide(self, expression: re.Pattern[str]) -> None:
        """Find the columns of scores whose names fit an expression."""
        wide = arg("wide", expression.pattern)
        for column, name in enumerate(self.header):
            matched = expression.fullmatch(name)
            if matched is not None:
                self.scores[column] = matched.groupdict(default="")
                if not all(self.scores[column].values()):
                    self._problem(
                        f"column {quoted(name)} fits {wide}, but a group of it is empty; make the "
                        "expression stricter"
                    )
        if not self.scores:
            self._problem(f"{wide} fits no whole column name; it has {self._listed()}")
            self.problems.raise_any()

    def _split(self) -> tuple[int, re.Pattern[str]] | None:
        """Return the column to be split.

        Raises
        ------
        InputError : it is not there; others may be missing only because of that.
        """
        if self.options.split is None:
            return None
        position = self._position(self.options.split_parts[0], "split")
        if position is None:
            self.problems.raise_any()
            return None
        return position, self.options.expressions["split"]

    def _find_keys(self, in_names: set[str]) -> None:
        """Find the columns of keys that no expression gives."""
        for role in ROLES_OF_NAMES:
            name = self.options.columns.get(role)
            if role in in_names and name:
                self._problem(
                    f"the {role} is given by an expression and by column {quoted(name)}; drop "
                    f"{arg(f'{role}_col')} or the group '{role}' of the expression"
                )
            elif role == "dataset" and name is None and self.means:
                self.columns[role] = (0,)
            elif role not in in_names and (columns := self._key(role, name)):
                self.columns[role] = columns
        by = self.options.by
        if by is not None and (column := self._position(by, "by")) is not None:
            self.columns["slice"] = (column,)
        if self.options.shares_nothing:
            for role in PAIRING:
                self.columns.pop(role, None)
            drawn = usual_name("item", self._free())
            if drawn is not None and self.header.index(drawn) not in self.scores:
                self.columns["drawn"] = (self.header.index(drawn),)
        if {"iteration", "item", "seed"} & (in_names | self.columns.keys()) or self.means:
            self.columns.pop("run", None)
            self.columns.pop("fold", None)

    def _key(self, role: str, name: str | None) -> tuple[int, ...]:
        """Return the columns of one key; empty if it is optional."""
        if name is None:
            column = self._usual(role) if role in KEYS else None
            return () if column is None else (column,)
        numbers = name == ROW_NUMBERS and name not in self.header
        if role in ("item", "fold", "seed", "iteration") and numbers:
            self.numbered = role
            return ()
        if role == "epoch" and numbers:  # counted when all rows are known
            return ()
        columns = {part: self._position(part) for part in parts_of(role, name, self.header)}
        for part in (part for part, column in columns.items() if column is None):
            self.absent[role] = part
        return tuple(column for column in columns.values() if column is not None)

    def _unit(self, has: set[str]) -> Unit:
        """Return the unit; rows without run and fold are means unless a column contradicts that."""
        if self.options.shares_nothing:
            return TRIAL
        if "item" in has:
            return ITEM
        if "seed" in has:
            return SEED
        free = self._free()
        if self.options.epoch_col == ROW_NUMBERS:
            has = has | {"epoch"}
        for role in sorted({"epoch", "cluster"} & has):
            self._problem(
                f"{role}s belong to test items: name the column of items with {arg('item_col')}"
            )
        item = usual_name("item", free)
        if has & {"fold", "run", "iteration"}:
            self._check_items(item)
            return FOLD
        counts = item or any(map(is_counter, free)) or usual_name("fold", free)
        if self.means or ("dataset" in has and not counts):
            return MEAN
        self.absent["fold"] = "fold"
        return FOLD

    def _check_items(self, item: str | None) -> None:
        """Refuse folds where a column names items, unless the user named the folds."""
        names = ("preset", "run_col", "fold_col", "iteration_col", "wide", "split", "rho")
        chosen = any(getattr(self.options, name) is not None for name in names)
        if item is not None and not chosen:
            (fold,) = self.columns.get("fold") or self.columns["run"]
            self._problem(
                f"has a column {quoted(item)}; say {arg('item_col', item)} if rows are test items, "
                f"or {arg('fold_col', self.header[fold])} if they are folds of cross-validation"
            )

    def _check_samples(self) -> None:
        """Refuse bootstrap samples as items or seeds: they are drawn from the same cases."""
        for role in ("item", "seed"):
            name = self.options.columns.get(role, "")
            if plain(name) in BOOTSTRAPS:
                self._problem(
                    f"column {quoted(name)} numbers bootstrap samples, which are drawn from the "
                    "same cases: the more are drawn, the surer any difference would look; give the "
                    f"score of each case or document with {arg('item_col')}"
                )

    def _check_numbering(self, unit: Unit, has: Collection[str], given: Collection[str]) -> None:
        """Check that runs, folds and iterations are those of a cross-validation."""
        options = self.options
        fold = self.options.fold_col or ""
        column = options.iteration_col
        counted = unit.has_folds and "iteration" in has
        runs = {"run", "fold", "iteration"}.intersection(given)
        others = f"; runs on one split are {arg('seed_col', column)}" if column else ""
        if runs and not unit.has_folds:
            self._problem(
                f"rows are {unit.rows}, which have no runs and folds; drop {arg('run_col')}, "
                f"{arg('fold_col')} and {arg('iteration_col')}"
            )
        if counted and options.folds is None:
            self._problem(
                f"iterations number the folds through all runs; say with {arg('folds')} how "
                f"many a run has, such as {arg('folds', 10)}{others}"
            )
        if unit.has_folds and not counted and options.folds is not None:
            self._problem(
                f"{arg('folds')} splits iterations into runs and folds, but no column has "
                f"iterations; name it with {arg('iteration_col')}"
            )
        if counted and runs - {"iteration"}:
            self._problem(
                f"iterations already give run and fold; drop {arg('run_col')} and {arg('fold_col')}"
            )
        if "seed" in fold.casefold() and options.rho is None:
            self._problem(
                f"column {quoted(fold)} counts seeds, not folds, so the correlation of the "
                f"scores is not 1/folds: {seeds_or_anew(arg('seed_col', fold))}"
            )

    def _sizes(self) -> dict[str, int]:
        """Return the columns of the sizes of training and test sets, and of costs."""
        columns: dict[str, int | None] = {}
        if self.options.rho is None and not self.means:
            columns = {role: self._usual(f"n_{role}") for role in ("train", "test")}
            columns = {} if None in columns.values() else columns
        if self.options.weight_col is not None:
            columns["weight"] = self._position(self.options.weight_col, "weight_col")
        if self.options.trials_col is not None:
            columns["trials"] = self._position(self.options.trials_col, "trials_col")
        if self.options.cost_col is not None:
            columns["cost"] = self._position(self.options.cost_col, "prefer")
        return {role: column for role, column in columns.items() if column is not None}

    def _find_metrics(self) -> tuple[str, ...]:
        """Find the columns that tell the metric of a score, and how its trial went.

        Returns the columns of metrics if the scores are of the first one's only where it is filled.
        """
        metrics: tuple[str, ...] = ()
        free = self._free()
        others = [name for name in free if self.header.index(name) not in self.scores]
        columns_of = {"failed": self.preset.errors, "measure": MEASURE}
        if self.options.preset is None:
            for role, usual in OF_TRIALS.items():
                columns_of[role] = next((name for name in free if plain(name) in usual), "")
        if plain(self.header[next(iter(self.scores))]) not in METRICS:
            metric = usual_name("metric", others)
            first = self.preset.metric
            if metric is None and first and first in others:
                metric = first
                metrics = (first, *(n for n in others if plain(n) in METRICS and n != first))
            if not any(c.operator == "~" and c.column == metric for c in self.options.conditions):
                columns_of["metric"] = metric or ""
        for role, name in columns_of.items():
            if name and name in self.header:  # a column may have no name
                self.columns[role] = (self.header.index(name),)
        return metrics

    def _check_absent(self, optional: Collection[str]) -> None:
        """Check that no needed column is missing, and no optional one misspelt.

        Raises
        ------
        InputError : what the file has is no header, or no scores.
        """
        missing = self.absent
        free = self._free()
        if missing:
            names = ", ".join(map(quoted, missing.values()))
            text = f"no column {names}; it has {self._listed()}"
            why = self._hopeless("score" in missing and not self.options.score_col)
            if why:
                raise InputError([*self.problems.known, f"{self.names.title}: {text}. {why}"])
            near = {role: nearest(name, free) for role, name in missing.items() if name != role}
            meant = " ".join(arg(f"{role}_col", names[0]) for role, names in near.items() if names)
            self._problem(f"{text}. Did you mean {meant}?" if meant else text)
        scores = {self.header[i] for i in self.scores}  # which are no misspelt keys
        alike = {name.casefold(): name for name in free if name not in scores}
        for role in (role for role in KEYS if role in optional and role not in missing):
            for close in get_close_matches(role, alike, n=1, cutoff=0.8):
                self._problem(
                    f"no column '{role}', but one called {quoted(alike[close])}; if that is the "
                    f"{role}, say {arg(f'{role}_col', alike[close])}, else rename it"
                )

    def _hopeless(self, lacks_scores: bool) -> str:
        """Return why no column can serve for one that is missing; "" if one may."""
        header = self.header
        numbers = any(re.fullmatch(r"[+-]?\d*[.,]?\d+", name, re.ASCII) for name in header)
        if numbers and self.options.wide is None and not _has_names(header):
            return "The first line must hold the names of the columns"
        if header[0].startswith("#") and header[0] != "#":
            title = shell_word(self.names.title)
            without = spelled(f": grep -v '^#' {title} | bcompare check -", "")
            return f"Take out the lines that begin with #{without}"
        if len(header) == 1 and re.search(r"[^\w\s]", header[0]):
            return f"Is the separator another one? Say {arg('sep')}"
        if len(header) == 1:
            return "It has one column only, and each score needs the name of its classifier"
        return self._no_scores() if lacks_scores else ""

    def _no_scores(self) -> str:
        """Return what stands in the place of scores, and what to write; "" if some column may."""
        free = self._free()
        scoring = {*USUAL_NAMES["score"], "score", *METRICS}
        words = {plain(name) for name in free}
        words = words.union(*map(words_of, free))
        if not scoring.isdisjoint(words) or any(map(_may_score, free)):
            return ""
        if {"tp", "tn", "fp", "fn"} <= {*map(plain, free)}:
            return (
                "Counts are no scores; add a column of accuracy, (tp + tn) / (tp + tn + fp + "
                "fn), of F1, 2 tp / (2 tp + fp + fn), or of another score that follows from "
                "them"
            )
        truths = {*TRUTHS, "y"} if "ds" in free else TRUTHS  # a frame of forecasts
        for name in free:
            if plain(name) in truths:
                return (
                    f"If {quoted(name)} is the truth, and what other columns hold are "
                    "predictions, write scores instead: 1 where a prediction is right and 0 where "
                    "it is wrong, or its error"
                )
        return ""

    def _check_shared(self) -> None:
        """Check that no column has two roles."""
        parts: dict[int, list[str]] = {}
        for role, columns in (*self.columns.items(), ("score", tuple(self.scores))):
            # items named by their cluster and a number have it twice
            twice = role == "slice" or (role == "cluster" and len(self.columns.get("item", ())) > 1)
            for column in () if twice else columns:
                parts.setdefault(column, []).append(role)
        for column, roles in parts.items():
            if len(roles) > 1:
                name = quoted(self.header[column])
                self._problem(
                    f"column {name} is named for {' and '.join(roles)}; name a column for each"
                )


def _may_score(name: str) -> bool:
    """Return whether a column's name is that of a metric, which is no time or size."""
    meaning = meaning_of(name)
    return meaning is not None and meaning.kind != "amount"


def _has_names(header: Sequence[str]) -> bool:
    """Return whether some names are usual for columns, or differ in a number only."""
    usual = any(likeness(role, name) for name in header for role in USUAL_NAMES)
    return usual or has_series(header)
