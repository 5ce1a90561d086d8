"""`bcompare plan`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from bcompare.basis.errors import InputError
from bcompare.cli.groups import SETTINGS, classifier_option, computing_option, grouped, option
from bcompare.cli.input import Input, both
from bcompare.cli.options import Alpha, AnyTest, Jobs, RopeText
from bcompare.cli.output import Drawn
from bcompare.cli.parsing import parse_rope
from bcompare.data.defaults import DEFAULT_ROPE_TEXT

if TYPE_CHECKING:
    from bcompare.data.pairs import Pair
    from bcompare.planning.outlook import Plan
    from bcompare.report.build import Report

assumed_option = partial(option, panel="Power from assumed values, without any results")


@dataclass(frozen=True)
class Planned(Input):
    """Results to plan from, and the epochs to compare for test items."""

    epochs: Annotated[
        str,
        option(
            "How to combine several answers to an item: mean, pass@K or pass^K. Or such as "
            "1,3,5: plan new comparisons with that many epochs, by --items or --answers.",
            "HOW|K,K,…",
        ),
    ] = "mean"

    def needing_results(self) -> list[str]:
        """Return the options that were given and say how to read results; `folds` is a size, too.

        Those of the configuration are for all commands.
        """
        return [
            f"--{option.name.replace('_', '-')}"
            for option in fields(Input)
            if option.name not in ("results", "epochs", "folds", SETTINGS, *self.settings)
            and getattr(self, option.name) != option.default
        ]


@dataclass(frozen=True)
class Assumed:
    """The truth and the sizes to assume where there are no results."""

    effect: Annotated[float | None, assumed_option("True average difference.", "D")] = None
    sd: Annotated[
        float | None,
        assumed_option(
            "Standard deviation of the true differences over data sets; with --items, of the "
            "differences on single items.",
            "S",
        ),
    ] = None
    datasets: Annotated[str | None, assumed_option("Numbers of data sets.", "N,N,…")] = None
    items: Annotated[
        str | None, assumed_option("Numbers of test items; also goes with --epochs.", "N,N,…")
    ] = None
    anytime: Annotated[
        bool,
        assumed_option(
            "How many items the bets of gate-anytime take until a verdict, against a single "
            "look after --items."
        ),
    ] = False
    noise: Annotated[
        float | None,
        assumed_option(
            "Standard deviation of the differences on the folds of one data set. Default: "
            "that of --sd.",
            "S",
        ),
    ] = None
    runs: Annotated[int | None, assumed_option("Runs of cross-validation (10).", min=1)] = None

    def given(self) -> list[str]:
        """Return the options that were given."""
        values = vars(self).items()
        return [f"--{name}" for name, value in values if value is not None and value is not False]

    def truth(
        self, others: Sequence[str], test: str | None, folds: int | None
    ) -> tuple[float, float]:
        """Return the effect and the deviation; check that the options go together.

        others : further options that were given, which need results.

        Raises
        ------
        InputError : they do not, or the true difference or its spread is missing.
        """
        given = self.given()
        if self.effect is None or self.sd is None:
            listed = ", ".join(given)
            raise InputError(
                f"{listed}: without results give --effect and --sd, too; to plan from results "
                f"leave {listed} out, or plan new comparisons by --items and --epochs"
            )
        if others:
            listed = ", ".join(others)
            raise InputError(f"--effect and --sd stand for results: leave them out, or {listed}")
        more = {"--test": test, "--folds": folds}
        idle = {*given, *(name for name, value in more.items() if value is not None)}
        idle -= {"--effect", "--sd", "--items", "--anytime"}
        if not self.anytime:
            idle &= {"--noise", "--runs", "--folds"} if self.items and not self.datasets else set()
        if idle:
            what = "--anytime bets on items" if self.anytime else "--items have no folds"
            raise InputError(f"{what}: leave {', '.join(sorted(idle))} out")
        return self.effect, self.sd

    def report(
        self,
        truth: tuple[float, float],
        test: str | None,
        folds: int | None,
        jobs: int | None,
        output: Drawn,
        settings: dict[str, Any],
    ) -> "Report":
        """Simulate designs, or bets, under the assumed truth."""
        from bcompare.cli.writing import progress_bar
        from bcompare.planning.anytime import plan_anytime
        from bcompare.planning.power import power
        from bcompare.report.plan import build_anytime_plan_report, build_power_report

        items = _sizes("--items", self.items)
        if self.anytime:
            with progress_bar(output, "simulating bets") as progress:
                courses = plan_anytime(*truth, items, progress=progress, **settings)
            return build_anytime_plan_report(courses)
        with progress_bar(output, "simulating designs") as progress:
            result = power(
                *truth,
                datasets=_sizes("--datasets", self.datasets),
                items=items,
                noise=self.noise,
                runs=10 if self.runs is None else self.runs,
                folds=10 if folds is None else folds,
                test=test,
                jobs=jobs,
                progress=progress,
                **settings,
            )
        return build_power_report(result)


@grouped
def plan(
    results: Planned,
    output: Drawn,
    *,
    baseline: Annotated[
        str | None,
        classifier_option(
            "Left classifier of every pair. Default: the first that is no candidate."
        ),
    ] = None,
    candidate: Annotated[
        list[str] | None,
        classifier_option("Right classifier; repeat for more. Default: all but the baseline."),
    ] = None,
    rope: RopeText = DEFAULT_ROPE_TEXT,
    alpha: Alpha = 0.05,
    test: AnyTest = None,
    assumed: Assumed,
    answers: Annotated[
        int | None,
        option(
            "With --epochs: the most answers of each model, to find the best numbers of items "
            "and epochs.",
            "N",
            min=3,
        ),
    ] = None,
    replicates: Annotated[
        int | None,
        computing_option(
            "Simulations of each size. Default: as many as take a few seconds.", "N", min=20
        ),
    ] = None,
    seed: Annotated[
        int, computing_option("Seed; the same seed gives the same output.", "N", min=0)
    ] = 0,
    jobs: Jobs = None,
) -> None:
    """Simulate what more data sets, runs or test items would settle.

    Draws truths from the posterior and further results under them, and tests old and new results
    together. Without results, --effect, --sd and --datasets or --items give the power.
    """
    from bcompare.cli.destinations import check_destinations
    from bcompare.cli.writing import draw_pictures, progress_bar, write
    from bcompare.planning.outlook import plan as planned
    from bcompare.report.plan import build_plan_report

    check_destinations(results, output)
    settings: dict[str, Any] = {
        "rope": parse_rope(rope),
        "alpha": alpha,
        "replicates": replicates,
        "seed": seed,
    }
    epochs = results.epochs if results.epochs[:1].isdigit() else None
    if answers is not None and epochs is None:
        raise InputError("--answers is shared out among items and epochs: give --epochs 1,3,5")
    if assumed.given() != (["--items"] if epochs and assumed.items else []):
        needing = {
            "the files": results.results,
            "--baseline": baseline,
            "--candidate": candidate,
            "--plot": output.plot,
            "--epochs": epochs,
        }
        others = [name for name, value in needing.items() if value] + results.needing_results()
        truth = assumed.truth(others, test, results.folds)
        write(assumed.report(truth, test, results.folds, jobs, output, settings), output)
        return
    named = tuple(dict.fromkeys(candidate or ()))
    ahead_of: Callable[..., Plan]
    if epochs is None:
        scores = results.read(both(baseline, named))
        ahead_of = partial(planned, scores)
    else:
        from bcompare.planning.epochs import plan_epochs, read_repeated

        options = replace(results, epochs="mean").read_options(both(baseline, named))
        repeated = read_repeated(*results.files(), options=options)
        scores = repeated.scores
        ahead_of = partial(
            plan_epochs,
            repeated,
            epochs=_sizes("--epochs", epochs),
            items=_sizes("--items", assumed.items),
            answers=answers,
        )
    pairs = _pairs(scores.classifiers, baseline, named, lone=bool(output.plot))
    with progress_bar(output, "simulating more data") as progress:
        ahead = ahead_of(pairs=pairs, test=test, jobs=jobs, progress=progress, **settings)
    write(build_plan_report(ahead), output)
    draw_pictures(ahead, output)


def _pairs(
    classifiers: Sequence[str], baseline: str | None, named: Sequence[str], *, lone: bool
) -> "list[Pair]":
    """Return the pairs of the baseline and each candidate. lone : whether there may be only one."""
    from bcompare.gating.contestants import contestants

    first, candidates = contestants(classifiers, baseline, named)
    if lone and len(candidates) > 1:
        raise InputError("the picture of a plan shows one verdict: name one --candidate")
    return [(first, name) for name in candidates]


def _sizes(name: str, text: str | None) -> tuple[int, ...]:
    """Return the numbers behind an option; empty without it."""
    if text is None:
        return ()
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"{name} {text}: give whole numbers, such as 10,20,50") from None
