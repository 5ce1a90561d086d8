"""Options of a comparison, which every test has: what is compared, how it is decided, and where."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from bcompare.basis.errors import InputError
from bcompare.cli.groups import COMPARISON, COMPUTING, option
from bcompare.cli.ropes import parse_rope, parse_ropes

if TYPE_CHECKING:
    from bcompare.comparing.decision import Rule
    from bcompare.data.rope import Rope


Alternative = Literal["two-sided", "left", "right"]
"""What p-values are against."""


RopeText = Annotated[
    str,
    option(
        "--rope",
        help="Differences up to R, in the score's unit, do not matter; --rope=LOW,HIGH for "
        "an interval of right - left; 0 for none; of a test of pairs 0,0.01,0.02 for the answer "
        "under each.",
        panel=COMPARISON,
        metavar="R",
    ),
]


@dataclass(frozen=True)
class Classifiers:
    """Which classifiers to read."""

    classifier: Annotated[
        list[str] | None,
        option(
            "--classifier",
            help="Only this classifier; repeat for more. Default: all pairs of all.",
            panel=COMPARISON,
            metavar="NAME",
            names_of="classifier",
        ),
    ] = None

    def wanted_classifiers(self) -> tuple[str, ...]:
        """Return the classifiers that the options name; empty for all.

        Raises
        ------
        InputError : options that contradict each other.
        """
        return _two_or_more(self.classifier or ())


@dataclass(frozen=True)
class Decision(Classifiers):
    """When classifiers differ, and how to decide."""

    rope: RopeText = "0.01"
    alpha: Annotated[
        float,
        option(
            "--alpha",
            help="Decide when a probability exceeds 1 - alpha; level of the p-values.",
            panel=COMPARISON,
        ),
    ] = 0.05
    loss: Annotated[
        str | None,
        option(
            "--loss",
            help="Decide by expected loss: of a wrong decision and of none, such as 20,1; or a CSV "
            "file with a row a truth (left, rope, right) and a column an action (left, rope, "
            "right, none).",
            panel=COMPARISON,
            metavar="WRONG,NONE|FILE",
        ),
    ] = None
    alternative: Annotated[
        Alternative,
        option(
            "--alternative",
            help="What the p-values are against: any difference, left better, right better.",
            panel=COMPARISON,
        ),
    ] = "two-sided"

    def rule(self) -> "Rule":
        """Return the rule that decides."""
        from bcompare.cli.loss import parse_loss
        from bcompare.comparing.decision import Threshold

        return Threshold(self.alpha) if self.loss is None else parse_loss(self.loss)

    def parsed_rope(self) -> "Rope":
        """Return the rope as a `Rope`.

        Raises
        ------
        InputError : not a number or two.
        """
        return parse_rope(self.rope)

    def ropes(self) -> "tuple[Rope, ...]":
        """Return one rope, or several.

        Raises
        ------
        InputError : not numbers, or several of which one is negative.
        """
        return parse_ropes(self.rope)


@dataclass(frozen=True)
class Choice(Decision):
    """Which pairs to compare."""

    left: Annotated[
        str | None,
        option(
            "--left",
            help="Left classifier of one pair.",
            panel=COMPARISON,
            metavar="NAME",
            names_of="classifier",
        ),
    ] = None
    right: Annotated[
        str | None,
        option(
            "--right",
            help="Right classifier of one pair.",
            panel=COMPARISON,
            metavar="NAME",
            names_of="classifier",
        ),
    ] = None
    baseline: Annotated[
        str | None,
        option(
            "--baseline",
            help="Compare this classifier with each other one.",
            panel=COMPARISON,
            metavar="NAME",
            names_of="classifier",
        ),
    ] = None

    def wanted_classifiers(self) -> tuple[str, ...]:
        """Return the classifiers that the choice names; empty for all.

        Raises
        ------
        InputError : options that contradict each other.
        """
        if (self.left is None) != (self.right is None):
            raise InputError("--left and --right go together: they name the two of one pair")
        if self.left is not None and (self.baseline is not None or self.classifier):
            raise InputError(
                "--left and --right name one pair: leave out --baseline and --classifier"
            )
        if self.left is not None and self.left == self.right:
            raise InputError(f"--left and --right are both {self.left}: name two classifiers")
        if self.left is not None and self.right is not None:
            return (self.left, self.right)
        named = list(self.classifier or ())
        if named and self.baseline is not None:
            named.insert(0, self.baseline)
        return _two_or_more(named)


def _two_or_more(named: Sequence[str]) -> tuple[str, ...]:
    wanted = tuple(dict.fromkeys(named))
    if len(wanted) == 1:
        raise InputError(
            f"the options choose one classifier, {wanted[0]!r}, and a comparison needs two: "
            "name more by --classifier, or leave it out"
        )
    return wanted


Jobs = Annotated[
    int | None,
    option(
        "--jobs",
        help="Processes; 0 for one a core. Default: one for small work, else one a core.",
        panel=COMPUTING,
        metavar="N",
        min=0,
    ),
]


@dataclass(frozen=True)
class Computing:
    """Where the pairs are computed."""

    jobs: Jobs = None
    cluster: Annotated[
        str | None,
        option(
            "--cluster",
            help="Compute on a Dask cluster, by its scheduler's address.",
            panel=COMPUTING,
            metavar="tcp://HOST:PORT",
        ),
    ] = None
    resume: Annotated[
        bool,
        option(
            "--resume",
            help="Go on from the parts that an interrupted run with the same input, options and "
            "--output left behind.",
            panel=COMPUTING,
        ),
    ] = False
