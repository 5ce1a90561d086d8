"""Options on what to read: which files, and how they are laid out."""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from bcompare.cli.groups import option
from bcompare.reading.options import ReadOptions

if TYPE_CHECKING:
    from bcompare.data.scores import Scores

INPUT, ROWS = "Input", "What one row is, where it is not a fold of cross-validation"
LAYOUT = "Layout of the input, where it is not dataset,run,fold,classifier,score"


Missing = Literal["refuse", "drop-folds", "drop-items", "drop-datasets"]
"""What to do with folds or items that some classifier lacks."""


@dataclass(frozen=True)
class Input:
    """Which results to read."""

    results: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RESULTS",
            help="CSV files of results (also Parquet, JSON Lines, Excel), read as one table; - is "
            "standard input; LABEL=FILE names the classifier of a file; '*' in quotes stands for "
            "several. Default: results.csv in this folder.",
            show_default=False,
        ),
    ] = None
    rho: Annotated[
        float | None,
        option(
            "--rho",
            help="Correlation between the folds of a data set, n_test / (n_train + n_test). "
            "Default: 1/k for k-fold cross-validation.",
            panel=INPUT,
        ),
    ] = None
    lower_is_better: Annotated[
        bool,
        option("--lower-is-better", help="The score is an error or a loss.", panel=INPUT),
    ] = False
    dataset: Annotated[
        list[str] | None,
        option(
            "--dataset",
            help="Only this data set; repeat for more.",
            panel=INPUT,
            metavar="NAME",
            names_of="dataset",
        ),
    ] = None
    missing: Annotated[
        Missing | None,
        option(
            "--missing",
            help="What to do about scores that some classifier lacks. Default: refuse, but do "
            "without data sets that it lacks as a whole.",
            panel=INPUT,
        ),
    ] = None

    item_col: Annotated[
        str | None,
        option(
            "--item-col",
            help="Rows are test items, such as questions: column of their keys.",
            panel=ROWS,
            metavar="COL",
        ),
    ] = None
    epoch_col: Annotated[
        str | None,
        option(
            "--epoch-col",
            help="Column that counts the answers to one item; they are averaged.",
            panel=ROWS,
            metavar="COL",
        ),
    ] = None
    cluster_col: Annotated[
        str | None,
        option(
            "--cluster-col",
            help="Column of what items belong to, such as passages or users.",
            panel=ROWS,
            metavar="COL",
        ),
    ] = None
    seed_col: Annotated[
        str | None,
        option(
            "--seed-col",
            help="Rows are seeds on one fixed split: column of seeds.",
            panel=ROWS,
            metavar="COL",
        ),
    ] = None

    preset: Annotated[
        str | None,
        option(
            "--preset",
            help="Read the files of: sklearn-cv-results, weka, amlb, mlr3, lm-eval, inspect, "
            "promptfoo; or a table of means.",
            panel=LAYOUT,
            metavar="NAME",
        ),
    ] = None
    dataset_col: Annotated[
        str | None,
        option("--dataset-col", help="Column of data sets.", panel=LAYOUT, metavar="COL"),
    ] = None
    run_col: Annotated[
        str | None, option("--run-col", help="Column of runs.", panel=LAYOUT, metavar="COL")
    ] = None
    fold_col: Annotated[
        str | None, option("--fold-col", help="Column of folds.", panel=LAYOUT, metavar="COL")
    ] = None
    classifier_col: Annotated[
        str | None,
        option(
            "--classifier-col",
            help="Column of classifiers; COL,COL joins several to one name.",
            panel=LAYOUT,
            metavar="COL",
        ),
    ] = None
    score_col: Annotated[
        str | None, option("--score-col", help="Column of scores.", panel=LAYOUT, metavar="COL")
    ] = None
    iteration_col: Annotated[
        str | None,
        option(
            "--iteration-col",
            help="Column that numbers the folds of all runs on, instead of run and fold.",
            panel=LAYOUT,
            metavar="COL",
        ),
    ] = None
    folds: Annotated[
        int | None,
        option("--folds", help="Folds in a run, to take iterations apart.", panel=LAYOUT),
    ] = None
    wide: Annotated[
        str | None,
        option(
            "--wide",
            help="One column per fold or classifier: a regular expression over the headers, with "
            "groups named dataset, run, fold, iteration or classifier.",
            panel=LAYOUT,
            metavar="REGEX",
        ),
    ] = None
    split: Annotated[
        str | None,
        option(
            "--split",
            help="Take a column's cells apart by the named groups of a regular expression.",
            panel=LAYOUT,
            metavar="COL=REGEX",
        ),
    ] = None
    where: Annotated[
        list[str] | None,
        option(
            "--where",
            help="Only rows with COL=VALUE, COL!=VALUE or COL~REGEX; repeat for more.",
            panel=LAYOUT,
            metavar="CONDITION",
        ),
    ] = None
    percent: Annotated[
        bool, option("--percent", help="The scores are percentages: divide by 100.", panel=LAYOUT)
    ] = False
    sheet: Annotated[
        str | None,
        option("--sheet", help="Sheet of an Excel workbook.", panel=LAYOUT, metavar="NAME"),
    ] = None
    sep: Annotated[
        str | None,
        option("--sep", help="Separator. Default: found out.", panel=LAYOUT, metavar="CHAR"),
    ] = None
    decimal: Annotated[
        str | None,
        option("--decimal", help="Decimal mark. Default: found out.", panel=LAYOUT, metavar="CHAR"),
    ] = None
    na: Annotated[
        list[str] | None,
        option(
            "--na",
            help="Text that stands for a missing score; repeat for more.",
            panel=LAYOUT,
            metavar="TEXT",
        ),
    ] = None

    def read(self, classifiers: tuple[str, ...], *, cost_col: str | None = None) -> "Scores":
        """Read the results, of these classifiers only; of all where none is named.

        cost_col : a column of numbers to read beside the scores.
        """
        from bcompare.reading.read import read_scores

        options = self.read_options(classifiers)
        return read_scores(*self.files(), options=options, cost_col=cost_col)

    def read_against(self, baseline: str | None, candidates: tuple[str, ...]) -> "Scores":
        """Read the results of a baseline and its candidates; of all unless both are named."""
        named = (baseline, *candidates) if baseline is not None and candidates else ()
        return self.read(named if len(set(named)) == len(named) else ())

    def read_alone(self, classifier: str | None) -> "Scores":
        """Read one classifier, the first by default, with its epochs apart."""
        from bcompare.reading.read import read_scores

        options = self.read_options(() if classifier is None else (classifier,))
        return read_scores(*self.files(), options=options, lone=True)

    def files(self) -> tuple[str, ...]:
        """Return the files as the user named them."""
        return tuple(self.results or ())

    def read_options(self, classifiers: tuple[str, ...]) -> ReadOptions:
        """Return how to read them, restricted to these classifiers if any are named."""
        options: dict[str, Any] = {
            field.name: getattr(self, field.name, None) for field in fields(ReadOptions)
        }
        return ReadOptions(
            **options
            | {
                "where": tuple(self.where or ()),
                "na": tuple(self.na or ()),
                "missing": self.missing,
                "classifiers": classifiers,
                "datasets": tuple(self.dataset or ()),
                "lone": False,
            }
        )
