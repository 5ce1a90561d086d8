"""Finds columns in a header, and collects what is wrong with it."""

import difflib
import re
from collections.abc import Sequence

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note
from bcompare.data.units import Unit
from bcompare.reading.advice import counter_name, item_name, readings, remedy, usual_name
from bcompare.reading.block import Condition
from bcompare.reading.metrics import MetricColumn, find_metric_column
from bcompare.reading.options import ReadOptions
from bcompare.reading.parts import GROUPS, KEYS, ROLES, ScoreColumn, Split
from bcompare.reading.patterns import Pattern
from bcompare.reading.presets import MEANS, PRESETS, recognised
from bcompare.reading.problems import named, nearest, quoted, shell_word

SIZES = ("n_train", "n_test")

_CONDITION = re.compile(r"(.+?)(!=|~|=)(.*)", re.DOTALL)


class Finder:
    """Finds columns in a header, and collects what is wrong with it."""

    def __init__(self, header: tuple[str, ...], title: str) -> None:
        self.header = header
        self.title = title
        self.problems: list[str] = []
        self.absent: list[tuple[str, str]] = []
        self.other_case: dict[str, str] = {}

    def notes(self) -> tuple[Note, ...]:
        """Say which columns were taken though their names differ in case."""
        if not self.other_case:
            return ()
        columns = ", ".join(f"{quoted(name)} for {role}" for role, name in self.other_case.items())
        return (Note("other-case", "info", f"{self.title}: took column {columns}"),)

    def problem(self, message: str) -> None:
        """Note what is wrong with this file's header."""
        self.problems.append(f"{self.title}: {message}")

    def no_such_column(self, option: str, name: str) -> None:
        """Note that there is no column of the name that was given with an option."""
        guess = nearest(name, self.header)
        self.problem(
            f"no column {quoted(name)} for {arg(option)}; it has {columns_of(self.header)}."
            + (f" Did you mean {shell_word(guess)}?" if guess else "")
        )

    def usual(self, name: str) -> int | None:
        """Where the column of a usual name is, in capitals or not; the exact name comes first."""
        alike = [column for column in self.header if column.casefold() == name]
        if name not in alike and len(set(alike)) == 1:
            self.other_case[name] = alike[0]
            return self.position(alike[0])
        if name not in alike and alike:
            self.problem(
                f"columns {' and '.join(map(quoted, alike))} may both be the {name}; name the "
                f"right one with {arg(f'{name}_col')}"
            )
            return self.header.index(alike[0])
        return self.position(name)

    def position(self, name: str) -> int | None:
        """Where the column of that name is."""
        if self.header.count(name) > 1:
            self.problem(f"two columns are called {quoted(name)}; rename or delete one")
        return self.header.index(name) if name in self.header else None

    def missing(self, role: str, name: str | None = None) -> None:
        """Note a column that is needed and not there."""
        self.absent.append((role, name or role))

    def keys(self, options: ReadOptions, told: set[str]) -> dict[str, tuple[int, ...]]:
        """The columns of the keys that are not told otherwise, as far as there are any."""
        columns: dict[str, tuple[int, ...]] = {}
        for role in ROLES:
            named = getattr(options, f"{role}_col")
            if role in told and named:
                self.problem(
                    f"the {role} is told by an expression and by column {quoted(named)}; drop "
                    f"{arg(f'{role}_col')} or the group '{role}' of the expression"
                )
            elif role == "dataset" and named is None and options.preset == MEANS:
                columns[role] = (0,)
            elif role not in told:
                columns[role] = self.columns(role, named)
        columns = {role: found for role, found in columns.items() if found}
        if {"iteration", "item", "seed"} & (told | columns.keys()) or options.preset == MEANS:
            columns.pop("run", None)
            columns.pop("fold", None)
        return columns

    def unit(
        self, has: set[str], columns: dict[str, tuple[int, ...]], options: ReadOptions
    ) -> Unit:
        """What a row is; rows with neither run nor fold are means if nothing speaks against it."""
        for unit in ("item", "seed"):
            if unit in has or getattr(options, f"{unit}_col") is not None:
                return unit
        if has & {"fold", "run", "iteration"}:
            self.check_items(columns, options)
            return "fold"
        taken = {column for role in columns.values() for column in role}
        free = [name for i, name in enumerate(self.header) if i not in taken]
        counts = item_name(free) or counter_name(free) or usual_name("fold", free)
        if options.preset == MEANS or ("dataset" in has and not counts):
            return "mean"
        self.missing("fold")
        return "fold"

    def check_items(self, columns: dict[str, tuple[int, ...]], options: ReadOptions) -> None:
        """A column of items makes folds doubtful, unless the user named those."""
        said = (options.preset, options.run_col, options.fold_col, options.iteration_col,
                options.wide, options.split, options.rho)  # fmt: skip
        taken = {column for role in columns.values() for column in role}
        item = item_name([name for i, name in enumerate(self.header) if i not in taken])
        if item is not None and all(option is None for option in said):
            (fold,) = columns.get("fold") or columns["run"]
            self.problem(
                f"has a column {quoted(item)}; say {arg('item_col', item)} if rows are test items, "
                f"or {arg('fold_col', self.header[fold])} if they are folds of cross-validation"
            )

    def check_iterations(self, has: set[str], named: set[str], options: ReadOptions) -> None:
        """Iterations need the number of folds, and stand alone."""
        if "iteration" in has and options.folds is None:
            column = options.iteration_col
            others = f"; instead of {arg('iteration_col')} say {readings(column)}" if column else ""
            self.problem(
                f"iterations count the folds of all runs on; say with {arg('folds')} how many a "
                f"run has, such as {arg('folds', 10)}{others}"
            )
        elif "iteration" not in has and options.folds is not None:
            self.problem(
                f"{arg('folds')} takes iterations apart, but there are none; name their column "
                f"with {arg('iteration_col')}"
            )
        if "iteration" in has and named & {"run", "fold"}:
            self.problem(
                f"iterations tell run and fold already; drop {arg('run_col')} and {arg('fold_col')}"
            )

    def means(self, options: ReadOptions) -> tuple[ScoreColumn, ...]:
        """The columns of a table of means: all but that of the data sets, and nameless ones.

        Of classifiers that were not asked for, nothing needs to be read.
        """
        if options.wide is not None or options.score_col is not None:
            return self.scores(options)
        dataset = 0
        if options.dataset_col is not None:
            dataset = self.position(options.dataset_col) or 0
        names = {i: name for i, name in enumerate(self.header) if name and i != dataset}
        for name in names.values():
            self.position(name)  # no two of one name
        if not names:
            self.problem(
                "a table of means has data sets in its first column and a column for each "
                f"classifier; it has {columns_of(self.header)}"
            )
        found = tuple(ScoreColumn(i, {"classifier": name}) for i, name in names.items())
        chosen = tuple(
            column for column in found if column.tells["classifier"] in options.classifiers
        )
        return chosen or found

    def columns(self, role: str, named: str | None) -> tuple[int, ...]:
        """The columns of one key, several for a classifier; none if it may be left out."""
        if named is None:
            column = self.usual(role) if role in KEYS else None
            return () if column is None else (column,)
        several = role == "classifier" and named not in self.header
        found = []
        for name in named.split(",") if several else [named]:
            column = self.position(name.strip())
            if column is None:
                self.missing(role, name.strip())
            else:
                found.append(column)
        return tuple(found)

    def scores(self, options: ReadOptions) -> tuple[ScoreColumn, ...]:
        """The columns of scores."""
        if options.wide is None:
            name = options.score_col or "score"
            position = self.position(name) if options.score_col else self.usual(name)
            if position is None:
                self.missing("score", name)
                return ()
            return (ScoreColumn(position, {}),)
        expression = self._expression(options.wide, "wide")
        if expression is None:
            return ()
        found = []
        for column, name in enumerate(self.header):
            matched = expression.fullmatch(name)
            if matched is not None:
                told = {role: text or "" for role, text in matched.items()}
                found.append(ScoreColumn(column, told))
                if "" in told.values():
                    self.problem(
                        f"column {quoted(name)} fits {arg('wide', options.wide)}, but a group of "
                        "it is empty; make the expression stricter"
                    )
        if not found:
            self.problem(
                f"{arg('wide', options.wide)} fits no whole column name; it has "
                f"{columns_of(self.header)}"
            )
        return tuple(found)

    def split(self, options: ReadOptions) -> Split | None:
        """The column to be taken apart."""
        if options.split is None:
            return None
        name, _, text = options.split.partition("=")
        expression = self._expression(text, "split")
        position = self.position(name)
        if position is None:
            self.no_such_column("split", name)
        return None if position is None or expression is None else Split(position, expression)

    def condition(self, text: str) -> Condition | None:
        """A condition on the rows."""
        matched = _CONDITION.fullmatch(text)
        if matched is None:
            self.problems.append(
                f"{arg('where', [text])}: write COLUMN=VALUE, COLUMN!=VALUE or COLUMN~REGEX"
            )
            return None
        name, operator, value = matched[1].strip(), matched[2], matched[3].strip()
        position = self.position(name)
        if position is None:
            self.no_such_column("where", name)
            return None
        if operator == "~":
            expression = self._compiled(value, "where")
            return None if expression is None else Condition(text, position, expression.fits_in)
        if operator == "=":
            return Condition(text, position, lambda cell: cell == value)
        return Condition(text, position, lambda cell: cell != value)

    def sizes(self) -> tuple[int, int] | None:
        """The columns that tell the sizes of the training and test sets."""
        train, test = (self.usual(name) for name in SIZES)
        return None if train is None or test is None else (train, test)

    def metric(
        self,
        columns: dict[str, tuple[int, ...]],
        scores: tuple[ScoreColumn, ...],
        options: ReadOptions,
    ) -> tuple[MetricColumn, int] | None:
        """What tells the metric of the scores, if anything does."""
        taken = {column for role in columns.values() for column in role}
        taken |= {score.column for score in scores}
        free = [name for i, name in enumerate(self.header) if i not in taken]
        score = self.header[scores[0].column] if scores else None
        found = find_metric_column(free, score, options)
        return None if found is None else (found, self.header.index(found.name))

    def instead(self, columns: dict[str, tuple[int, ...]], options: ReadOptions) -> dict[int, int]:
        """The columns of a preset that others stand in for."""
        others = {} if options.preset is None else PRESETS[options.preset].instead
        return {
            column: self.header.index(others[name])
            for role in columns.values()
            for column in role
            if others.get(name := self.header[column]) in self.header
        }

    def cost(self, name: str | None) -> int | None:
        """The column of costs."""
        if name is None:
            return None
        position = self.position(name)
        if position is None:
            self.no_such_column("prefer", name)
        return position

    def check_absent(
        self,
        optional: set[str],
        columns: dict[str, tuple[int, ...]],
        has: set[str],
        options: ReadOptions,
    ) -> None:
        """What is needed must be there; what may be left out, under no similar name."""
        used = {column for role in columns.values() for column in role}
        free = {name.casefold(): name for i, name in enumerate(self.header) if i not in used}
        if self.absent:
            taken = [self.header[column] for column in used]
            columns_absent = ", ".join(quoted(name) for _, name in self.absent)
            known = recognised(self.header) and options.preset is None
            listed = "" if known else f"; it has {columns_of(self.header)}"
            advice = remedy(self.title, self.header, self.absent, has, taken, options.preset)
            self.problem(f"no column {columns_absent}{listed}. {advice}")
        for role in sorted(optional - {role for role, _ in self.absent}, key=KEYS.index):
            close = difflib.get_close_matches(role, free, n=1, cutoff=0.8)
            if close:
                name = free[close[0]]
                self.problem(
                    f"no column '{role}', but one called {quoted(name)}; if that is the {role}, "
                    f"say {arg(f'{role}_col', name)}, else rename it"
                )

    def check_shared(
        self, columns: dict[str, tuple[int, ...]], scores: tuple[ScoreColumn, ...]
    ) -> None:
        """No column plays two parts."""
        parts: dict[int, list[str]] = {}
        for role, positions in columns.items():
            for position in positions:
                parts.setdefault(position, []).append(role)
        for score in scores:
            parts.setdefault(score.column, []).append("score")
        for position, roles in parts.items():
            if len(roles) > 1:
                name = quoted(self.header[position])
                self.problem(f"column {name} is named as {' and '.join(roles)}; give each its own")

    def _expression(self, text: str, option: str) -> Pattern | None:
        """A regular expression whose named groups are parts."""
        expression = self._compiled(text, option)
        if expression is None:
            return None
        if not expression.groups or expression.groups - set(GROUPS):
            wrong = sorted(expression.groups - set(GROUPS))
            what = f"there is no part called {named(wrong)}" if wrong else "it has no named group"
            self.problems.append(
                f"{arg(option, text)}: {what}; name groups after what they are, such as "
                f"(?P<fold>\\d+): {', '.join(GROUPS)}"
            )
            return None
        return expression

    def _compiled(self, text: str, option: str) -> Pattern | None:
        """A regular expression."""
        try:
            return Pattern(text, option)
        except InputError as error:
            self.problems += error.problems
            return None


def columns_of(header: Sequence[str]) -> str:
    """The names of the columns, as far as anybody reads them."""
    more = f" and {len(header) - 20} more" if len(header) > 20 else ""
    return " ".join(map(quoted, header[:20])) + more
