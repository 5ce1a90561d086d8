"""`bcompare plan`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from bcompare.cli.combinations import check_plan
from bcompare.cli.groups import classifier_option, grouped
from bcompare.cli.input import Input, both
from bcompare.cli.options import (
    Alpha,
    AnyTest,
    Jobs,
    Replicates,
    RopeText,
    Scheduler,
    SimulationSeed,
)
from bcompare.cli.output import Drawn
from bcompare.cli.parsing import parse_rope
from bcompare.data.defaults import DEFAULT_ROPE_TEXT

if TYPE_CHECKING:
    from bcompare.planning.outlook import Plan


@dataclass(frozen=True)
class Planned:
    """The pairs to plan for, and the simulation."""

    baseline: Annotated[
        str | None,
        classifier_option(
            "Left classifier of every pair. Default: the first that is no candidate."
        ),
    ] = None
    candidate: Annotated[
        list[str] | None,
        classifier_option("Right classifier; repeat for more. Default: all but the baseline."),
    ] = None
    rope: RopeText = DEFAULT_ROPE_TEXT
    alpha: Alpha = 0.05
    test: AnyTest = None
    replicates: Replicates = None
    seed: SimulationSeed = 0
    jobs: Jobs = None
    scheduler: Scheduler = None

    @property
    def named(self) -> tuple[str, ...]:
        """The named candidates."""
        return tuple(dict.fromkeys(self.candidate or ()))

    def classifiers_to_read(self) -> tuple[str, ...]:
        """Return the classifiers that the pairs need; empty for all."""
        return both(self.baseline, self.named)

    def write(
        self,
        plan: "Callable[..., Plan]",
        classifiers: Sequence[str],
        output: Drawn,
    ) -> None:
        """Simulate more data for the pairs, and show what they would settle."""
        from bcompare.cli.scheduler import executor_at
        from bcompare.cli.writing import draw_pictures, progress_bar, write
        from bcompare.gating.contestants import contestants
        from bcompare.report.plan import build_plan_report

        others = [name for name in classifiers if name not in self.named]
        usual = self.baseline or next(iter(others), None)
        first, candidates = contestants(classifiers, usual, self.named)
        check_plan(pairs=len(candidates), draws=bool(output.plot))
        with (
            executor_at(self.scheduler, self.jobs) as executor,
            progress_bar(output, "simulating more data") as progress,
        ):
            ahead = plan(
                pairs=[(first, name) for name in candidates],
                rope=parse_rope(self.rope),
                alpha=self.alpha,
                test=self.test,
                replicates=self.replicates,
                seed=self.seed,
                jobs=self.jobs,
                executor=executor,
                progress=progress,
            )
        write(build_plan_report(ahead), output)
        draw_pictures(ahead, output)


@grouped
def plan(results: Input, output: Drawn, planned: Planned) -> None:
    """Simulate what more data sets, runs or test items would settle.

    Draws truths from the posterior and further results under them, and tests old and new results
    together. `bcompare power` needs no results.
    """
    from bcompare.cli.destinations import check_destinations
    from bcompare.planning.outlook import plan as plan_of

    check_destinations(results, output)
    parse_rope(planned.rope)  # before reading
    scores = results.read(planned.classifiers_to_read())
    planned.write(partial(plan_of, scores), scores.classifiers, output)
