"""Options that every test has: what to compare, how to decide, and where to compute."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from bcompare.basis.errors import InputError
from bcompare.basis.records import Record
from bcompare.cli.combinations import SENSITIVITY, check_pair
from bcompare.cli.groups import classifier_option, computing_option, option
from bcompare.cli.parsing import parse_loss, parse_rope
from bcompare.data.defaults import DEFAULT_ROPE_TEXT
from bcompare.methods import METHODS

if TYPE_CHECKING:
    from bcompare.data.rope import Rope


ROPE = (
    "Differences up to R, in the score's unit, do not matter; --rope=LOW,HIGH for an interval of "
    "right - left; 0 for none."
)
RopeText = Annotated[str, option(ROPE, "R")]


Alpha = Annotated[float, option("A verdict needs a probability above 1 - A.", "A")]


@dataclass(frozen=True)
class Classifiers:
    """The classifiers to read."""

    classifier: Annotated[
        list[str] | None,
        classifier_option("Only this classifier; repeat for more. Default: all."),
    ] = None

    def classifiers_to_read(self) -> tuple[str, ...]:
        """Return the named classifiers; empty for all.

        Raises
        ------
        InputError : options that contradict each other.
        """
        return _two_or_more(self.classifier or ())


@dataclass(frozen=True)
class Decision(Classifiers):
    """The decision rule."""

    alpha: Alpha = 0.05
    loss: Annotated[
        str | None,
        option(
            "Decide by expected loss, given the loss of a wrong decision and of none, such as "
            "20,1; or a CSV file with a row per truth (left, rope, right) and a column per "
            "action (left, rope, right, none).",
            "WRONG,NONE|FILE",
        ),
    ] = None

    def settings(self) -> Record:
        """Return the decision rule as keywords of `compare`."""
        from bcompare.comparing.decision import Threshold

        rule = Threshold(self.alpha) if self.loss is None else parse_loss(self.loss)
        return {"rule": rule, "alpha": self.alpha}


@dataclass(frozen=True)
class Choice(Decision):
    """The pairs to compare."""

    left: Annotated[
        str | None,
        classifier_option("Left classifier of the pair; alone, it is compared with every other."),
    ] = None
    right: Annotated[
        str | None, classifier_option("Right classifier, likewise. Differences are right - left.")
    ] = None

    def classifiers_to_read(self) -> tuple[str, ...]:
        """Return the classifiers that the pairs need; empty for all.

        Raises
        ------
        InputError : options that contradict each other.
        """
        named = [name for name in (self.left, self.right) if name is not None]
        check_pair(self.left, self.right, self.classifier)
        if len(set(named)) < len(named):
            raise InputError(f"--left and --right are both {self.left}: name two classifiers")
        if self.classifier or len(named) == 2:
            return _two_or_more([*named, *(self.classifier or ())])
        return ()


@dataclass(frozen=True)
class RopesChoice(Choice):
    """The pairs to compare, under one rope or several."""

    rope: Annotated[
        list[str] | None,
        option(f"{ROPE} Repeat for the answer under each. Default: {DEFAULT_ROPE_TEXT}.", "R"),
    ] = None
    by: Annotated[
        str | None,
        option("Also compare within each category in this column.", "COL"),
    ] = None

    def ropes(self) -> "tuple[Rope, ...]":
        """Return the requested ropes.

        Raises
        ------
        InputError : not numbers.
        """
        return tuple(dict.fromkeys(map(parse_rope, self.rope or [DEFAULT_ROPE_TEXT])))


def _two_or_more(named: Sequence[str]) -> tuple[str, ...]:
    classifiers = tuple(dict.fromkeys(named))
    if len(classifiers) == 1:
        raise InputError(
            f"the options choose one classifier, {classifiers[0]!r}, and a comparison needs two: "
            "name more by --classifier, or leave it out"
        )
    return classifiers


def test_option(help: str) -> object:
    """Return the option that names a registered test."""
    return option(help, "TEST", completion=_tests)


def _tests(incomplete: str) -> list[str]:
    return [name for name in METHODS if name.startswith(incomplete)]


AnyTest = Annotated[
    str | None,
    test_option(
        f"{', '.join(METHODS)}. Default: ttest on one data set, hier over several, signrank for "
        "means.",
    ),
]
Seed = Annotated[
    int | None,
    option(
        "Seed of the random numbers, where a test uses any; the same seed gives the same output.",
        "N",
        min=0,
    ),
]


def also_option(**shown: str) -> object:
    """Return the option of what to show next to the answer. shown : what each word stands for."""
    words = ", or ".join(f"{word}: {meaning}" for word, meaning in shown.items())
    several = "; repeat for both" if shown.keys() > {SENSITIVITY} else ""
    return option(f"Also show {words}{several}.", "|".join(shown))


Replicates = Annotated[
    int | None,
    computing_option(
        "Simulations of each size. Default: as many as take a few seconds.", "N", min=20
    ),
]
SimulationSeed = Annotated[
    int, computing_option("Seed; the same seed gives the same output.", "N", min=0)
]
Scheduler = Annotated[
    str | None,
    computing_option("Compute on the workers of this Dask scheduler.", "tcp://HOST:PORT"),
]
Jobs = Annotated[
    int | None,
    computing_option(
        "Number of processes; 0 for one per core. Default: one for small work, else one per core.",
        "N",
        min=0,
    ),
]
