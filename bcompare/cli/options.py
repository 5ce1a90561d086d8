"""Options of many commands: what to compare, how to decide, where to compute and write.

They come in groups; see `bcompare.cli.groups`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from bcompare.basis.messages import InputError, Record
from bcompare.cli.groups import classifier_option, computing_option, option, output_option
from bcompare.cli.parsing import parse_loss, parse_rope
from bcompare.data.defaults import DEFAULT_ROPE_TEXT
from bcompare.formats import FORMATS, GATE_FORMATS, ITEM_FORMATS, PAPER_FORMATS
from bcompare.methods import METHODS

if TYPE_CHECKING:
    from bcompare.data.rope import Rope
    from bcompare.plots.sheet import Sheet

# What --also shows.
TESTS, SENSITIVITY = "tests", "sensitivity"

ROPE = (
    "Differences up to R, in the score's unit, do not matter; --rope=LOW,HIGH for an interval of "
    "right - left; 0 for none."
)
USUAL_ROPE = f"Default: {DEFAULT_ROPE_TEXT} for scores such as accuracy, on a scale that ends at 1."
RopeText = Annotated[str | None, option(f"{ROPE} {USUAL_ROPE}", "R")]


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
            "Decide by expected loss, given the loss of a wrong decision and of no decision, such "
            "as 20,1; or a CSV file with a row per truth (left, rope, right) and a column per "
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
        if len(named) == 2 and self.classifier:
            raise InputError("--left and --right name one pair: leave out --classifier")
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
        option(f"{ROPE} Repeat for the answer under each. {USUAL_ROPE}", "R"),
    ] = None
    by: Annotated[
        str | None,
        option("Also compare within each category in this column.", "COL"),
    ] = None

    def ropes(self) -> "tuple[Rope, ...]":
        """Return the requested ropes; none if the scores' scale is to tell.

        Raises
        ------
        InputError : not numbers.
        """
        return tuple(dict.fromkeys(map(parse_rope, self.rope or [])))


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


def both(baseline: str | None, candidates: tuple[str, ...]) -> tuple[str, ...]:
    """Return the classifiers to read: all of them (none named) unless both sides are named."""
    named = (baseline, *candidates) if baseline is not None and candidates else ()
    return named if len(set(named)) == len(named) else ()


if TYPE_CHECKING:
    Format = str
    ListedFormat = str
else:
    ListedFormat = Literal[tuple(name for name in FORMATS if name not in GATE_FORMATS)]
    Format = Literal[
        tuple(n for n in get_args(ListedFormat) if n not in (*PAPER_FORMATS, *ITEM_FORMATS))
    ]
"""Output formats of the registry: of any command, and of tests and `rank`."""


Quiet = Annotated[
    bool, output_option("Print errors only, no warnings and no progress.", names=("--quiet", "-q"))
]


def _pictures(incomplete: str) -> list[str]:
    """Complete the name of a picture."""
    from bcompare.explain import picture_names

    names = (f"{name}=" for name in picture_names())
    return sorted(name for name in names if name.startswith(incomplete))


def format_option(formats: object, more: str = "") -> object:
    """Return the option `--format`, with a list of the formats."""
    names = ", ".join(get_args(formats))
    text = f"One of {names}. Default: table, or what the suffix of --output says.{more}"
    return output_option(text, "NAME")


@dataclass(frozen=True)
class Output:
    """Destinations and formats of the results."""

    format: Annotated[Format | None, format_option(Format)] = None
    output: Annotated[
        list[str] | None,
        output_option(
            "Write a file, by its suffix or as FORMAT=FILE; repeat for more.",
            "FILE",
            names=("--output", "-o"),
        ),
    ] = None
    quiet: Quiet = False


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture to draw.

    name : None for the test's own.
    width : of print, column or page; None for the screen.
    """

    name: str | None
    file: str
    width: str | None = None

    @classmethod
    def parse(cls, text: str) -> "PictureFile":
        """Return the picture that ``[NAME=]FILE[:column|:page]`` asks for."""
        from bcompare.plots.sheet import WIDTHS

        name, equals, rest = text.partition("=")
        asked = rest if equals else text
        file, _, width = asked.rpartition(":")
        is_print = width in WIDTHS
        return cls(
            name if equals else None, file if is_print else asked, width if is_print else None
        )

    def sheet(self) -> "Sheet":
        """Return the size and the style of the picture."""
        from bcompare.plots.sheet import Sheet

        return Sheet.of(self.width, "paper" if self.width else None)


@dataclass(frozen=True)
class Drawn(Output):
    """Results with pictures."""

    plot: Annotated[
        list[str] | None,
        output_option(
            "Draw a picture: .svg, .png or .pdf; NAME=FILE draws another picture (bcompare "
            "explain pictures lists them); FILE:column and FILE:page draw it for print, without a "
            "title, as wide as a journal's column or page; repeat for more.",
            "FILE",
            completion=_pictures,
        ),
    ] = None

    def pictures(self) -> "list[PictureFile]":
        """Return the pictures to draw."""
        return list(map(PictureFile.parse, self.plot or ()))


@dataclass(frozen=True)
class Listed(Drawn):
    """The amount of the results to show."""

    format: Annotated[ListedFormat | None, format_option(ListedFormat)] = None
    details: Annotated[bool, output_option("Show all: data sets, intervals, contrasts.")] = False
    top: Annotated[
        int,
        output_option(
            "Show at most N rows of a table; 0 for all. JSON, CSV and Parquet have all.",
            "N",
            min=0,
        ),
    ] = 30
