"""Options that every test has, defined once.

Each group is a dataclass whose fields are typer parameters. `@grouped` gives a command that
takes such groups one flat list of options, and hands it the filled groups.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Protocol, get_type_hints

import typer

from bcompare.cli.completing import names_in, pictures
from bcompare.cli.ropes import parse_rope, parse_ropes
from bcompare.errors import InputError

if TYPE_CHECKING:
    from bcompare.decision import Rule
    from bcompare.plots.sheet import Sheet
    from bcompare.rope import Rope
    from bcompare.summary import Selection

COMPARISON, OUTPUT, COMPUTING = "Comparison", "Output", "Computing many pairs"


class Format(StrEnum):
    """Output formats."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"


class Alternative(StrEnum):
    """What p-values are against."""

    TWO_SIDED = "two-sided"
    LEFT = "left"
    RIGHT = "right"


class Sort(StrEnum):
    """What makes a pair telling."""

    DECIDED = "decided"
    P = "p"
    MEAN = "mean"
    NAME = "name"


class Width(StrEnum):
    """What a picture is as wide as."""

    COLUMN = "column"
    PAGE = "page"


class Style(StrEnum):
    """Where a picture is looked at."""

    SCREEN = "screen"
    PAPER = "paper"


class Color(StrEnum):
    """When to use colour and emphasis."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def option(
    *names: str,
    help: str,
    panel: str,
    metavar: str | None = None,
    min: int | None = None,
    names_of: str | None = None,
    completion: Callable[..., list[str]] | None = None,
) -> Any:
    """A typer option in a named panel of the help page.

    names_of : "classifier" or "dataset": a shell offers those of the file on the line.
    completion : what else a shell offers.
    """
    return typer.Option(
        *names,
        help=help,
        rich_help_panel=panel,
        metavar=metavar,
        min=min,
        autocompletion=completion if names_of is None else names_in(names_of),
    )


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
    ] = Alternative.TWO_SIDED

    def rule(self) -> "Rule":
        """Return the rule that decides."""
        from bcompare.cli.loss import parse_loss
        from bcompare.decision import Threshold

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


Files = Annotated[
    list[str] | None,
    option(
        "--output",
        "-o",
        help="Write the results to a file; repeat for more, each in the format of its suffix.",
        panel=OUTPUT,
        metavar="FILE",
    ),
]
Colored = Annotated[Color, option("--color", help="When to use colour and bold.", panel=OUTPUT)]
Quiet = Annotated[
    bool,
    option("--quiet", "-q", help="No warnings and no progress, only errors.", panel=OUTPUT),
]


def format_option(formats: type[StrEnum], more: str = "") -> Any:
    """The option `--format`, which lists the formats where there is room for them."""
    names = ", ".join(formats)
    return option(
        "--format",
        help=f"One of {names}. Default: table, or what the suffix of --output says.{more}",
        panel=OUTPUT,
        metavar="NAME",
    )


class Destination(Protocol):
    """What every command says of its output; the formats to choose from differ."""

    @property
    def format(self) -> StrEnum | None:
        """The format of all output, if it was named."""

    @property
    def output(self) -> list[str] | None:
        """The files."""

    @property
    def color(self) -> Color:
        """When to use colour."""

    @property
    def quiet(self) -> bool:
        """Whether to leave warnings and progress out."""


@dataclass(frozen=True)
class Output:
    """Where the results go, and how they look."""

    format: Annotated[Format | None, format_option(Format)] = None
    output: Files = None
    color: Colored = Color.AUTO
    quiet: Quiet = False


@dataclass(frozen=True)
class Drawn(Output):
    """A picture beside the results."""

    plot: Annotated[
        str | None,
        option(
            "--plot",
            help="Draw a picture of the answer: .svg, .png or .pdf; "
            "bcompare explain pictures lists all there are.",
            panel=OUTPUT,
            metavar="FILE",
        ),
    ] = None
    width: Annotated[
        Width | None,
        option(
            "--width",
            help="The picture as wide as a journal's column, 3.5 in, or its page, 7 in. Default: "
            "a page; a matrix of many classifiers may be wider.",
            panel=OUTPUT,
        ),
    ] = None
    style: Annotated[
        Style | None,
        option(
            "--style",
            help="The picture for the screen, or to be printed above a caption: smaller text and "
            "no title. Default: screen.",
            panel=OUTPUT,
        ),
    ] = None

    def sheet(self) -> "Sheet":
        """Return what the picture is drawn on."""
        from bcompare.plots.sheet import Sheet

        return Sheet.of(self.width, self.style)


@dataclass(frozen=True)
class Pictured(Drawn):
    """Which picture, of a command that has several."""

    picture: Annotated[
        str | None,
        option(
            "--picture",
            help="Draw this picture instead of the test's own; bcompare explain pictures lists "
            "them.",
            panel=OUTPUT,
            metavar="NAME",
            completion=pictures,
        ),
    ] = None


@dataclass(frozen=True)
class Listed(Pictured):
    """How much of the results to show."""

    details: Annotated[
        bool,
        option("--details", help="Show the data sets of every pair.", panel=OUTPUT),
    ] = False
    top: Annotated[
        int,
        option(
            "--top",
            help="Most rows in a table for people; 0 for all. Other formats have all.",
            panel=OUTPUT,
            metavar="N",
            min=0,
        ),
    ] = 30


@dataclass(frozen=True)
class Detailed(Listed):
    """Which of the results to show first."""

    sort: Annotated[
        Sort | None,
        option(
            "--sort",
            help="The most telling pairs first. Default: the file's order while all fit.",
            panel=OUTPUT,
        ),
    ] = None
    decided: Annotated[
        bool,
        option("--decided", help="Leave out undecided pairs from tables.", panel=OUTPUT),
    ] = False

    def selection(self) -> "Selection":
        """Return which pairs a table shows."""
        from bcompare.summary import Selection

        return Selection(self.top, None if self.sort is None else self.sort.value, self.decided)


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


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Flatten the parameters of a command that are option groups into their fields."""
    signature = inspect.signature(command)
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    flat: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        if name in groups:
            types = get_type_hints(groups[name], include_extras=True)
            flat += [
                inspect.Parameter(
                    field.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=field.default,
                    annotation=types[field.name],
                )
                for field in fields(groups[name])
            ]
        else:
            flat.append(
                parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
            )

    @functools.wraps(command)
    def wrapper(**values: Any) -> None:
        filled = {
            name: group(**{field.name: values.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        command(**filled, **values)

    flattened: Any = wrapper
    flattened.__signature__ = signature.replace(parameters=flat)
    flattened.__annotations__ = {parameter.name: parameter.annotation for parameter in flat}
    return wrapper
