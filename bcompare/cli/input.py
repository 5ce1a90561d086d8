"""The options of what to read, for all commands on results."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bcompare.basis.messages import InputError, Record
from bcompare.cli.groups import option
from bcompare.files.options import ROLES, ReadOptions

if TYPE_CHECKING:
    from bcompare.data.scores import Scores
    from bcompare.gating.metrics import Metric

# The word of --scale that is for all classifiers and metrics.
PERCENT = "percent"

input_option = partial(option, panel="Input")


@dataclass(frozen=True)
class Input:
    """The results to read."""

    results: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RESULTS",
            help="Files of results, or a folder: CSV, Parquet, JSON, Excel; - is standard input; "
            "LABEL=FILE names a classifier, FILE.xlsx#SHEET a sheet. Default: results.csv.",
            show_default=False,
        ),
    ] = None
    rho: Annotated[
        float | None,
        input_option(
            "Correlation between the folds of a data set, n_test / (n_train + n_test). "
            "Default: 1/k for k-fold cross-validation."
        ),
    ] = None
    lower_is_better: Annotated[
        bool, input_option("The score is an error or a loss. Default: as its name says.")
    ] = False
    higher_is_better: Annotated[
        bool, input_option("Higher scores are better, whatever the name says.")
    ] = False
    dataset: Annotated[
        list[str] | None,
        input_option("Only this data set; repeat for more.", "NAME"),
    ] = None
    col: Annotated[
        list[str] | None,
        input_option(
            f"Column that holds the {', '.join(ROLES[:-1])} or {ROLES[-1]}, such as score=auc; "
            "repeat for more.",
            "WHAT=COL",
        ),
    ] = None
    unpaired: Annotated[
        bool,
        input_option(
            "The two sides share nothing, such as rollouts of two policies: only for ttest and "
            "gate; no column pairs rows."
        ),
    ] = False
    missing: Annotated[
        Literal["refuse", "drop-folds", "drop-items", "drop-datasets"] | None,
        input_option(
            "What to do where a classifier lacks scores. Default: refuse, except that tests "
            "compare a pair on the data sets that both have."
        ),
    ] = None
    failed: Annotated[
        list[str] | None,
        input_option(
            "What to do with trials without a score: refuse, drop, zero, bounds, or a number to "
            "use as their score; for one metric of a gate 'fit_time: 60'; repeat for more.",
            "WORD",
        ),
    ] = None
    epochs: Annotated[
        str,
        input_option(
            "How to combine several answers to an item: mean, pass@K (at least one of K is "
            "right) or pass^K (all K are).",
            "HOW",
        ),
    ] = "mean"
    preset: Annotated[
        str | None,
        input_option("Program that wrote the files; or means, for a table of means.", "NAME"),
    ] = None
    folds: Annotated[int | None, input_option("Folds per run, if results count iterations.")] = None
    wide: Annotated[
        str | None,
        input_option(
            "One column per fold or classifier: a regular expression over the headers, with "
            "groups named dataset, run, fold, iteration, seed, item or classifier.",
            "REGEX",
        ),
    ] = None
    split: Annotated[
        str | None,
        input_option(
            "Split a column's cells by the named groups of a regular expression.", "COL=REGEX"
        ),
    ] = None
    where: Annotated[
        list[str] | None,
        input_option(
            "Only rows with COL=VALUE, COL!=VALUE or COL~REGEX; repeat for more.", "CONDITION"
        ),
    ] = None
    scale: Annotated[
        list[str] | None,
        input_option(
            "percent divides all scores by 100; new=0.01 multiplies those of one classifier; for "
            "one metric of a gate METRIC:new=0.01; repeat for more.",
            "percent|NAME=FACTOR",
        ),
    ] = None
    na_values: Annotated[
        list[str] | None,
        input_option("Text that stands for a missing score; repeat for more.", "TEXT"),
    ] = None

    accept: Annotated[
        list[str] | None,
        input_option(
            "Keep what is refused unless you say that it is meant: a column in which both sides "
            "differ, a score such as -1, a row called Mean; repeat for more.",
            "NAME",
        ),
    ] = None

    sep: Annotated[
        str | None, input_option("Separator of columns. Default: as the file has it.", "CHAR")
    ] = None
    decimal: Annotated[
        str | None, input_option("Decimal mark. Default: as the file has it.", ".|,")
    ] = None
    strict: Annotated[
        bool, input_option("Refuse files whose columns are known by usual names only, as gates do.")
    ] = False

    def read(
        self, classifiers: tuple[str, ...], *, bounds: bool = False, **more: object
    ) -> "Scores":
        """Read the results of these classifiers; of all if none is named.

        bounds : whether trials without a score may be bounded by the worst and the best score.
        more : for `read_scores`, such as a column of costs.

        Raises
        ------
        InputError : with every problem that was found.
        """
        from bcompare.reading.read import read_scores

        if self.policies().get("") == "bounds" and not bounds:
            raise InputError(
                "--failed bounds compares pairs, by a test or by a gate: "
                "say --failed drop, or --failed with the score of such a trial"
            )
        options = replace(self.read_options(classifiers), bounded=bounds)
        return read_scores(*self.files(), options=options, **more)

    def with_runs(self) -> "tuple[Input, dict[str, list[str]]]":
        """Return the input with each file of a LABEL=FOLDER as a run, and the runs by label.

        Raises
        ------
        InputError : runs that are said to share nothing, which they do not in any case.
        """
        from bcompare.files.sources import runs_in

        files: list[str] = []
        runs: dict[str, list[str]] = {}
        for argument in self.results or ():
            run_files = runs_in(argument)
            files += [f"{run}={file}" for run, file in run_files.items()] or [argument]
            if run_files:
                runs[next(iter(run_files)).partition("/")[0]] = list(run_files)
        if runs and self.unpaired:
            raise InputError(
                "--unpaired: the files of a folder are whole runs, of which each counts as one "
                "number, and none is paired: leave it out"
            )
        return (replace(self, results=files) if runs else self), runs

    def of_metric(self, metric: "Metric") -> "Input":
        """Return the input of one of several metrics: a column, or rows of a stacked file.

        Raises
        ------
        InputError : both a metric and a column of scores are named; a direction for all metrics.
        """
        if self.direction is not None:
            word = "lower" if self.direction else "higher"
            raise InputError(
                f"--{word}-is-better: each metric has its own direction, such as "
                f"--metric {shlex.quote(f'{metric.name}: lower')}: leave it out"
            )
        if any(text.startswith("score=") for text in self.col or ()):
            raise InputError("--metric names the columns of scores: leave --col score out")
        columns = dict(text.partition("=")[::2] for text in self.col or ())
        where = [*(self.where or ())]
        stacked = columns.pop("metric", None)
        if stacked:
            where.append(f"{stacked}={metric.name}")
        else:
            columns["score"] = metric.name
        policies = self.policies()
        failed = policies.get(metric.name, policies.get(""))
        beginning = f"{metric.name}:"
        scales = [t for t in self.scale or () if t == PERCENT or t.startswith(beginning)]
        return replace(
            self,
            failed=None if failed is None else [failed],
            col=[f"{role}={column}" for role, column in columns.items()],
            where=where,
            lower_is_better=metric.less_is_better,
            higher_is_better=not metric.less_is_better,
            scale=[text.removeprefix(beginning) for text in scales],
        )

    @property
    def direction(self) -> bool | None:
        """Whether lower scores are better; None if the options do not say.

        Raises
        ------
        InputError : they say both.
        """
        if self.lower_is_better and self.higher_is_better:
            raise InputError("--lower-is-better and --higher-is-better: leave one of the two out")
        return self.lower_is_better or (False if self.higher_is_better else None)

    def policies(self) -> dict[str, str]:
        """Return what to do with failed trials, by metric; under "" for all others.

        Raises
        ------
        InputError : two for one metric.
        """
        policies: dict[str, str] = {}
        for text in self.failed or ():
            name, _, policy = map(str.strip, text.rpartition(":"))
            if name in policies:
                of_metric = f" of {name}" if name else ""
                raise InputError(
                    f"--failed says twice what to do with failed trials{of_metric}: give one"
                )
            policies[name] = policy
        return policies

    def files(self) -> tuple[str, ...]:
        """Return the files as the user named them."""
        return tuple(self.results or ())

    def read_options(self, classifiers: tuple[str, ...]) -> ReadOptions:
        """Return the options of reading, restricted to these classifiers if any are named."""
        self._check_no_metric()
        options: Record = {
            option.name: getattr(self, option.name, None) for option in fields(ReadOptions)
        }
        return ReadOptions(
            **options
            | self._columns()
            | {
                "lower_is_better": self.direction,
                "where": tuple(self.where or ()),
                "na_values": tuple(self.na_values or ()),
                "accept": tuple(self.accept or ()),
                "missing": self.missing,
                "failed": _word_or_score(self.policies().get("")),
                "percent": PERCENT in (self.scale or ()),
                "scale": _factors([text for text in self.scale or () if text != PERCENT]),
                "classifiers": classifiers,
                "datasets": tuple(self.dataset or ()),
                "fewest": 2,
                "baseline": (),
                "lone": False,
                "suspects": False,
                "by": None,
            }
        )

    def _check_no_metric(self) -> None:
        """Check that no option speaks of a metric where none is named."""
        for name, policy in self.policies().items():
            if name:
                raise InputError(
                    f"--failed {shlex.quote(f'{name}: {policy}')}: a policy for one metric goes "
                    "with --metric of a gate"
                )
        for text in self.col or ():
            role, equals, column = text.partition("=")
            if role == "metric" and equals:
                raise InputError(
                    f"--col {text}: a column of metrics goes with gate --metric NAME; to choose "
                    f"one metric say --where {shlex.quote(f'{column}=NAME')}"
                )

    def _columns(self) -> dict[str, str]:
        """Return the named columns, by the argument in Python.

        Raises
        ------
        InputError : an unknown role, or two columns for one.
        """
        columns: dict[str, str] = {}
        for text in self.col or ():
            role, equals, column = text.partition("=")
            if role not in ROLES or not equals:
                raise InputError(
                    f"--col {text}: say what the column holds, such as --col score=auc; choose "
                    f"from {', '.join(ROLES)}"
                )
            if f"{role}_col" in columns:
                raise InputError(f"--col names two columns of {role}: give one")
            columns[f"{role}_col"] = column
        return columns


def _factors(texts: Sequence[str]) -> dict[str, float]:
    """Return the factors of some classifiers' scores.

    Raises
    ------
    InputError : a text that gives no factor.
    """
    factors = {}
    for text in texts:
        name, _, factor = text.rpartition("=")
        try:
            factors[name] = float(factor if name else "")
        except ValueError:
            raise InputError(
                f"--scale {text}: say percent, or give a classifier and a factor, such as new=0.01"
            ) from None
    return factors


def _word_or_score(text: str | None) -> str | float | None:
    """Return a number as a score, else the word."""
    try:
        return text if text is None else float(text)
    except ValueError:
        return text
