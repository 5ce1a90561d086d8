"""Which column plays which part: from a header and the options."""

import difflib
import re

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note
from bcompare.data.units import ROWS, Unit
from bcompare.reading.advice import counter_name, item_name, readings, remedy, usual_name
from bcompare.reading.block import Condition, Wanted
from bcompare.reading.metrics import MetricColumn, find_metric_column
from bcompare.reading.options import ReadOptions
from bcompare.reading.parts import GROUPS, KEYS, ROLES, Layout, Names, ScoreColumn, Split
from bcompare.reading.patterns import Pattern
from bcompare.reading.presets import MEANS, PRESETS, fitted, recognised
from bcompare.reading.problems import named, nearest, quoted, shell_word

SIZES = ("n_train", "n_test")

_CONDITION = re.compile(r"(.+?)(!=|~|=)(.*)", re.DOTALL)


def find_layout(header: tuple[str, ...], names: Names, options: ReadOptions) -> Layout:
    """The columns of a header by their parts.

    Raises
    ------
    InputError : with every column that is missing, ambiguous or named twice, and every
        expression that fits nothing.
    """
    return _Header(header, names, fitted(options, header)).layout()


class _Header:
    """Finds columns in a header, and collects what is wrong with it."""

    def __init__(self, header: tuple[str, ...], names: Names, options: ReadOptions) -> None:
        self.header = header
        self.names = names
        self.options = options
        self.means = options.preset == MEANS
        self.problems: list[str] = []
        self.absent: list[tuple[str, str]] = []
        self.other_case: dict[str, str] = {}
        self.columns: dict[str, tuple[int, ...]] = {}

    def layout(self) -> Layout:
        """Find all parts, then check how they go together."""
        options = self.options
        scores = self._means() if self.means else self._scores()
        split = self._split()
        told = {*(scores[0].tells if scores else ()), *(split.expression.groups if split else ())}
        self._find_keys(told)
        where = [self._condition(text) for text in options.where]
        given = {role for role in ROLES if getattr(options, f"{role}_col") is not None}
        has = told | given | self.columns.keys()
        if "classifier" not in has and self.names.classifier is None:
            self.absent.append(("classifier", "classifier"))
        unit = self._unit(has)
        if unit == "fold":
            self._check_iterations(has, given)
        elif given & {"run", "fold", "iteration"}:
            self._problem(
                f"rows are {ROWS[unit]}, which have no runs and folds; drop {arg('run_col')}, "
                f"{arg('fold_col')} and {arg('iteration_col')}"
            )
        optional = set(KEYS) - has
        if "iteration" in has or unit in ("item", "seed") or self.means:
            optional -= {"run", "fold"}
        self._check_absent(optional, has)
        self._check_shared(scores)
        fold = options.fold_col
        if fold and "seed" in fold.casefold() and options.rho is None:
            self._problem(
                f"column {quoted(fold)} counts seeds, not folds, so the correlation of the scores "
                f"is not 1/folds; say {readings(fold)}"
            )
        numbers = self._numbers()
        if self.problems:
            raise InputError(list(dict.fromkeys(self.problems)))
        metric, instead = self._metric(scores), self._instead()
        errors = "" if options.preset is None else PRESETS[options.preset].errors
        failed = self.header.index(errors) if errors in self.header else None
        keys = [column for role in self.columns.values() for column in role]
        keys += [*instead.values(), *([split.column] if split else [])]
        blank = [*([metric[1]] if metric else []), *([] if failed is None else [failed])]
        values = [*(score.column for score in scores), *numbers.values()]
        return Layout(
            header=self.header,
            columns=self.columns,
            scores=scores,
            split=split,
            numbers=numbers,
            instead=instead,
            metric=metric,
            failed=failed,
            wanted=Wanted(
                keys=tuple(dict.fromkeys([*keys, *blank])),
                values=tuple(dict.fromkeys(values)),
                blank=(*self.columns.get("cluster", ()), *instead, *blank),
                where=tuple(condition for condition in where if condition),
                na=options.na,
                grades=options.grades or {},
            ),
            unit=unit,
            notes=self._notes(),
        )

    def _problem(self, message: str) -> None:
        self.problems.append(f"{self.names.title}: {message}")

    def _listed(self) -> str:
        """The names of the columns, as far as anybody reads them."""
        more = f" and {len(self.header) - 20} more" if len(self.header) > 20 else ""
        return " ".join(map(quoted, self.header[:20])) + more

    def _notes(self) -> tuple[Note, ...]:
        """Say which columns were taken though their names differ in case."""
        if not self.other_case:
            return ()
        columns = ", ".join(f"{quoted(name)} for {role}" for role, name in self.other_case.items())
        return (Note("other-case", "info", f"{self.names.title}: took column {columns}"),)

    def _free(self, scores: tuple[ScoreColumn, ...] = ()) -> list[str]:
        """The columns that play no part."""
        taken = {column for role in self.columns.values() for column in role}
        taken |= {score.column for score in scores}
        return [name for i, name in enumerate(self.header) if i not in taken]

    def _usual(self, name: str) -> int | None:
        """Where the column of a usual name is, in capitals or not; the exact name comes first."""
        alike = [column for column in self.header if column.casefold() == name]
        if name not in alike and len(set(alike)) == 1:
            self.other_case[name] = alike[0]
            return self._position(alike[0])
        if name not in alike and alike:
            self._problem(
                f"columns {' and '.join(map(quoted, alike))} may both be the {name}; name the "
                f"right one with {arg(f'{name}_col')}"
            )
            return self.header.index(alike[0])
        return self._position(name)

    def _position(self, name: str, option: str | None = None) -> int | None:
        """Where the column of that name is; it must be there if an option names it."""
        if self.header.count(name) > 1:
            self._problem(f"two columns are called {quoted(name)}; rename or delete one")
        if name in self.header:
            return self.header.index(name)
        if option is not None:
            guess = nearest(name, self.header)
            meant = f" Did you mean {shell_word(guess)}?" if guess else ""
            self._problem(
                f"no column {quoted(name)} for {arg(option)}; it has {self._listed()}.{meant}"
            )
        return None

    def _find_keys(self, told: set[str]) -> None:
        """The columns of the keys that are not told otherwise, as far as there are any."""
        for role in ROLES:
            name = getattr(self.options, f"{role}_col")
            if role in told and name:
                self._problem(
                    f"the {role} is told by an expression and by column {quoted(name)}; drop "
                    f"{arg(f'{role}_col')} or the group '{role}' of the expression"
                )
            elif role == "dataset" and name is None and self.means:
                self.columns[role] = (0,)
            elif role not in told and (columns := self._key(role, name)):
                self.columns[role] = columns
        if {"iteration", "item", "seed"} & (told | self.columns.keys()) or self.means:
            self.columns.pop("run", None)
            self.columns.pop("fold", None)

    def _key(self, role: str, name: str | None) -> tuple[int, ...]:
        """The columns of one key, several for a classifier; none if it may be left out."""
        if name is None:
            column = self._usual(role) if role in KEYS else None
            return () if column is None else (column,)
        several = role == "classifier" and name not in self.header
        names = [part.strip() for part in (name.split(",") if several else [name])]
        columns = [self._position(part) for part in names]
        self.absent += [
            (role, part) for part, column in zip(names, columns, strict=True) if column is None
        ]
        return tuple(column for column in columns if column is not None)

    def _unit(self, has: set[str]) -> Unit:
        """What a row is; rows with neither run nor fold are means if nothing speaks against it."""
        for unit in ("item", "seed"):
            if unit in has or getattr(self.options, f"{unit}_col") is not None:
                return unit
        if has & {"fold", "run", "iteration"}:
            self._check_items()
            return "fold"
        free = self._free()
        counts = item_name(free) or counter_name(free) or usual_name("fold", free)
        if self.means or ("dataset" in has and not counts):
            return "mean"
        self.absent.append(("fold", "fold"))
        return "fold"

    def _check_items(self) -> None:
        """A column of items makes folds doubtful, unless the user named those."""
        options = self.options
        chosen = (options.preset, options.run_col, options.fold_col, options.iteration_col,
                  options.wide, options.split, options.rho)  # fmt: skip
        item = item_name(self._free())
        if item is not None and all(option is None for option in chosen):
            (fold,) = self.columns.get("fold") or self.columns["run"]
            self._problem(
                f"has a column {quoted(item)}; say {arg('item_col', item)} if rows are test items, "
                f"or {arg('fold_col', self.header[fold])} if they are folds of cross-validation"
            )

    def _check_iterations(self, has: set[str], given: set[str]) -> None:
        """Iterations need the number of folds, and stand alone."""
        column, folds = self.options.iteration_col, self.options.folds
        if "iteration" in has and folds is None:
            others = f"; instead of {arg('iteration_col')} say {readings(column)}" if column else ""
            self._problem(
                f"iterations count the folds of all runs on; say with {arg('folds')} how many a "
                f"run has, such as {arg('folds', 10)}{others}"
            )
        elif "iteration" not in has and folds is not None:
            self._problem(
                f"{arg('folds')} takes iterations apart, but there are none; name their column "
                f"with {arg('iteration_col')}"
            )
        if "iteration" in has and given & {"run", "fold"}:
            self._problem(
                f"iterations tell run and fold already; drop {arg('run_col')} and {arg('fold_col')}"
            )

    def _means(self) -> tuple[ScoreColumn, ...]:
        """The columns of a table of means: all but that of the data sets, and nameless ones.

        Of classifiers that were not asked for, nothing needs to be read.
        """
        options = self.options
        if options.wide is not None or options.score_col is not None:
            return self._scores()
        dataset = 0
        if options.dataset_col is not None:
            dataset = self._position(options.dataset_col) or 0
        names = {i: name for i, name in enumerate(self.header) if name and i != dataset}
        for name in names.values():
            self._position(name)  # no two of one name
        if not names:
            self._problem(
                "a table of means has data sets in its first column and a column for each "
                f"classifier; it has {self._listed()}"
            )
        columns = tuple(ScoreColumn(i, {"classifier": name}) for i, name in names.items())
        chosen = tuple(c for c in columns if c.tells["classifier"] in options.classifiers)
        return chosen or columns

    def _scores(self) -> tuple[ScoreColumn, ...]:
        """The columns of scores."""
        wide = self.options.wide
        if wide is None:
            name = self.options.score_col or "score"
            position = self._position(name) if self.options.score_col else self._usual(name)
            if position is None:
                self.absent.append(("score", name))
                return ()
            return (ScoreColumn(position, {}),)
        expression = self._expression(wide, "wide")
        if expression is None:
            return ()
        columns = []
        for column, name in enumerate(self.header):
            groups = expression.fullmatch(name)
            if groups is not None:
                columns.append(ScoreColumn(column, {k: text or "" for k, text in groups.items()}))
                if not all(groups.values()):
                    self._problem(
                        f"column {quoted(name)} fits {arg('wide', wide)}, but a group of it is "
                        "empty; make the expression stricter"
                    )
        if not columns:
            self._problem(f"{arg('wide', wide)} fits no whole column name; it has {self._listed()}")
        return tuple(columns)

    def _split(self) -> Split | None:
        """The column to be taken apart."""
        if self.options.split is None:
            return None
        name, _, text = self.options.split.partition("=")
        expression = self._expression(text, "split")
        position = self._position(name, "split")
        return None if position is None or expression is None else Split(position, expression)

    def _condition(self, text: str) -> Condition | None:
        """A condition on the rows."""
        parts = _CONDITION.fullmatch(text)
        if parts is None:
            self.problems.append(
                f"{arg('where', [text])}: write COLUMN=VALUE, COLUMN!=VALUE or COLUMN~REGEX"
            )
            return None
        operator, value = parts[2], parts[3].strip()
        position = self._position(parts[1].strip(), "where")
        if position is None:
            return None
        if operator == "~":
            expression = self._compiled(value, "where")
            return None if expression is None else Condition(text, position, expression.fits_in)
        if operator == "=":
            return Condition(text, position, lambda cell: cell == value)
        return Condition(text, position, lambda cell: cell != value)

    def _numbers(self) -> dict[str, int]:
        """The columns of the sizes of training and test sets, and of costs."""
        options = self.options
        train, test = (self._usual(name) if options.rho is None else None for name in SIZES)
        both = train is not None and test is not None
        columns = {"train": train, "test": test} if both else {}
        if options.cost_col is not None:
            columns["cost"] = self._position(options.cost_col, "prefer")
        return {role: column for role, column in columns.items() if column is not None}

    def _metric(self, scores: tuple[ScoreColumn, ...]) -> tuple[MetricColumn, int] | None:
        """What tells the metric of the scores, if anything does."""
        score = self.header[scores[0].column] if scores else None
        column = find_metric_column(self._free(scores), score, self.options)
        return None if column is None else (column, self.header.index(column.name))

    def _instead(self) -> dict[int, int]:
        """The columns of a preset that others stand in for."""
        preset = self.options.preset
        others = {} if preset is None else PRESETS[preset].instead
        return {
            column: self.header.index(others[name])
            for role in self.columns.values()
            for column in role
            if others.get(name := self.header[column]) in self.header
        }

    def _check_absent(self, optional: set[str], has: set[str]) -> None:
        """What is needed must be there; what may be left out, under no similar name."""
        if self.absent:
            columns = {column for role in self.columns.values() for column in role}
            taken, preset = [self.header[column] for column in columns], self.options.preset
            names = ", ".join(quoted(name) for _, name in self.absent)
            known = recognised(self.header) and preset is None
            listed = "" if known else f"; it has {self._listed()}"
            advice = remedy(self.names.title, self.header, self.absent, has, taken, preset)
            self._problem(f"no column {names}{listed}. {advice}")
        free = {name.casefold(): name for name in self._free()}
        for role in sorted(optional - {role for role, _ in self.absent}, key=KEYS.index):
            for close in difflib.get_close_matches(role, free, n=1, cutoff=0.8):
                self._problem(
                    f"no column '{role}', but one called {quoted(free[close])}; if that is the "
                    f"{role}, say {arg(f'{role}_col', free[close])}, else rename it"
                )

    def _check_shared(self, scores: tuple[ScoreColumn, ...]) -> None:
        """No column plays two parts."""
        parts: dict[int, list[str]] = {}
        for role, columns in (
            *self.columns.items(),
            ("score", tuple(score.column for score in scores)),
        ):
            for column in columns:
                parts.setdefault(column, []).append(role)
        for column, roles in parts.items():
            if len(roles) > 1:
                name = quoted(self.header[column])
                self._problem(f"column {name} is named as {' and '.join(roles)}; give each its own")

    def _expression(self, text: str, option: str) -> Pattern | None:
        """A regular expression whose named groups are parts."""
        expression = self._compiled(text, option)
        if expression is None:
            return None
        wrong = sorted(expression.groups - set(GROUPS))
        if expression.groups and not wrong:
            return expression
        what = f"there is no part called {named(wrong)}" if wrong else "it has no named group"
        self.problems.append(
            f"{arg(option, text)}: {what}; name groups after what they are, such as "
            f"(?P<fold>\\d+): {', '.join(GROUPS)}"
        )
        return None

    def _compiled(self, text: str, option: str) -> Pattern | None:
        """A regular expression."""
        try:
            return Pattern(text, option)
        except InputError as error:
            self.problems += error.messages
            return None
