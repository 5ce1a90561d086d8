"""Refuse combinations of options of which one would have no effect.

Every refusal of this kind stands here. A value that is wrong by itself is refused where it is
parsed.
"""

import shlex
from collections.abc import Mapping, Sequence, Set

from bcompare.basis.errors import InputError

# What --also shows.
TESTS, SENSITIVITY = "tests", "sensitivity"
# The word of --scale that is for all classifiers and metrics.
PERCENT = "percent"


def check_pair(left: str | None, right: str | None, classifiers: Sequence[str] | None) -> None:
    """Check that the options name one pair, or classifiers.

    Raises
    ------
    InputError : they name both.
    """
    if left is not None and right is not None and classifiers:
        raise InputError("--left and --right name one pair: leave out --classifier")


def check_test(
    kinds: Set[str], also: Sequence[str], *, several: bool, by: str | None, draws: bool
) -> None:
    """Check that what a test shows has a place in its output.

    kinds : of the output. also : what to show next to the answer. several : whether there are
    several ropes. by : the column of slices. draws : whether pictures are requested.

    Raises
    ------
    InputError : naming the options.
    """
    from bcompare.formats import ITEM_FORMATS, ROW_FORMATS

    if TESTS in also and all(kind in ROW_FORMATS for kind in kinds):
        raise InputError("--also tests has no place in rows of pairs: write a table or JSON, too")
    if (several or by is not None) and not kinds.isdisjoint(ITEM_FORMATS):
        raise InputError(
            "the format changed lists the items of one answer: give one rope, and --where "
            "COLUMN=VALUE for a slice instead of --by"
        )
    if several and also:
        raise InputError("several ropes cannot be combined with --also: give one rope")
    if by is not None and (also or several or draws):
        raise InputError(
            "--by cannot be combined with --also, --plot or a second rope: leave them out"
        )


def check_scheduler(scheduler: str | None, tests: Sequence[str] | None) -> None:
    """Check that `rank` has something to compute elsewhere.

    Raises
    ------
    InputError : no test of pairs.
    """
    if scheduler is not None and not tests:
        raise InputError(
            "--scheduler is for the pairs: name a test for them, such as --test hier, or leave it "
            "out, as the ranks take seconds"
        )


def check_destination(form: str | None, files: int, count: int) -> None:
    """Check that the format is for one destination.

    form : the format. files : the number of files among the `count` destinations.

    Raises
    ------
    InputError : a format for several files.
    """
    if count > 1 and files == count and form is not None:
        raise InputError(
            "--format with several --output: leave it out; each file's suffix says its format, or "
            "its name as in -o json=results.txt"
        )


def check_direction(*, lower: bool, higher: bool) -> None:
    """Check that the options name one direction.

    Raises
    ------
    InputError : they name both.
    """
    if lower and higher:
        raise InputError("--lower-is-better and --higher-is-better: leave one of the two out")


def check_metric(name: str, columns: Sequence[str] | None, lower_is_better: bool | None) -> None:
    """Check that only `--metric` says what is said of one of several metrics.

    columns : as given by `--col`.

    Raises
    ------
    InputError : a direction or a column for all metrics.
    """
    if lower_is_better is not None:
        word = "lower" if lower_is_better else "higher"
        raise InputError(
            f"--{word}-is-better: each metric has its own direction, such as "
            f"--metric {shlex.quote(f'{name}: lower')}: leave it out"
        )
    if any(text.startswith("score=") for text in columns or ()):
        raise InputError("--metric names the columns of scores: leave --col score out")


def check_metrics(
    names: Sequence[str], policies: Mapping[str, str], factors: Sequence[str] | None
) -> None:
    """Check that policies and factors say which of several metrics they are for.

    policies : by metric. factors : as given by `--scale`.

    Raises
    ------
    InputError : one that is for none of them.
    """
    for name in policies.keys() - {"", *names}:
        raise InputError(f"--failed {shlex.quote(f'{name}: …')}: no metric {name} is judged")
    for text in factors or ():
        if text != PERCENT and not text.startswith(tuple(f"{name}:" for name in names)):
            raise InputError(
                f"--scale {text}: say of which metric, such as --scale "
                f"{shlex.quote(f'{names[0]}:{text}')}"
            )


def check_no_metric(policies: Mapping[str, str], columns: Sequence[str] | None) -> None:
    """Check that no option speaks of a metric where none is named.

    policies : by metric. columns : as given by `--col`.

    Raises
    ------
    InputError : a policy or a column for metrics.
    """
    for name, policy in policies.items():
        if name:
            raise InputError(
                f"--failed {shlex.quote(f'{name}: {policy}')}: a policy for one metric goes with "
                "--metric of a gate"
            )
    for text in columns or ():
        role, equals, column = text.partition("=")
        if role == "metric" and equals:
            raise InputError(
                f"--col {text}: a column of metrics goes with gate --metric NAME; to choose "
                f"one metric say --where {shlex.quote(f'{column}=NAME')}"
            )


def check_bounds(policy: str | None, *, allowed: bool) -> None:
    """Check that trials without a score may be bounded.

    policy : for them. allowed : whether the command compares pairs.

    Raises
    ------
    InputError : they may not.
    """
    if policy == "bounds" and not allowed:
        raise InputError(
            "--failed bounds compares pairs, by a test or by a gate: "
            "say --failed drop, or --failed with the score of such a trial"
        )


def check_design(
    *,
    datasets: str | None,
    items: str | None,
    anytime: str | None,
    of_folds: Mapping[str, float | None],
    test: str | None,
) -> None:
    """Check that a design has one kind of size, and only options of that kind.

    of_folds : options for data sets with folds, and their values.

    Raises
    ------
    InputError : naming the options.
    """
    sizes = {"--datasets": datasets, "--items": items, "--anytime": anytime}
    given = [name for name, text in sizes.items() if text is not None]
    if len(given) != 1:
        raise InputError(
            "name the sizes to look at by one of --datasets 10,20,50, --items 200,1000 or "
            "--anytime 1000,5000"
        )
    idle = [name for name, value in of_folds.items() if value is not None and datasets is None]
    if idle:
        raise InputError(f"{given[0]}: test items have no folds: leave {', '.join(idle)} out")
    if anytime is not None and test is not None:
        raise InputError("--anytime: bets are no test: leave --test out")


def check_plan(*, pairs: int, draws: bool) -> None:
    """Check that a picture shows one pair. draws : whether pictures are requested.

    Raises
    ------
    InputError : it would have to show several.
    """
    if draws and pairs > 1:
        raise InputError("the picture of a plan shows one verdict: name one --candidate")
