"""Options of the output: its format and files, pictures, and how much of it is shown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, get_args

from bcompare.cli.completing import pictures
from bcompare.cli.groups import OUTPUT, option
from bcompare.render import FORMATS, GATE_FORMATS

if TYPE_CHECKING:
    from bcompare.comparing.summary import Selection
    from bcompare.plots.sheet import Sheet


if TYPE_CHECKING:
    Format = str
else:
    Format = Literal[tuple(name for name in FORMATS if name not in GATE_FORMATS)]
"""Output formats: those of the registry."""


Sort = Literal["decided", "p", "mean", "name"]
"""What makes a pair telling."""


Print = Literal["column", "page"]
"""What a picture in print is as wide as."""


Color = Literal["auto", "always", "never"]
"""When to use colour and emphasis."""


Files = Annotated[
    list[str] | None,
    option(
        "Write to a file, by its suffix or as FORMAT=FILE; repeat for more.",
        OUTPUT,
        "FILE",
        names=("--output", "-o"),
    ),
]


Colored = Annotated[Color, option("When to use colour and bold.", OUTPUT)]


Quiet = Annotated[
    bool, option("No warnings and no progress, only errors.", OUTPUT, names=("--quiet", "-q"))
]


def format_option(formats: Any, more: str = "") -> Any:
    """The option `--format`, which lists the formats where there is room for them."""
    names = ", ".join(get_args(formats))
    text = f"One of {names}. Default: table, or what the suffix of --output says.{more}"
    return option(text, OUTPUT, "NAME")


class Destination(Protocol):
    """What every command says of its output; the formats to choose from differ."""

    @property
    def format(self) -> str | None:
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
    color: Colored = "auto"
    quiet: Quiet = False


@dataclass(frozen=True)
class Drawn(Output):
    """A picture beside the results."""

    plot: Annotated[
        list[str] | None,
        option(
            "Draw a picture of the answer: .svg, .png or .pdf; repeat for more files. "
            "bcompare explain pictures lists all there are.",
            OUTPUT,
            "FILE",
        ),
    ] = None
    print: Annotated[
        Print | None,
        option(
            "The picture for print, as wide as a journal's column, 3.5 in, or its page, 7 in, and "
            "without a title. Default: for the screen.",
            OUTPUT,
        ),
    ] = None

    def sheet(self) -> "Sheet":
        """Return what the picture is drawn on."""
        from bcompare.plots.sheet import Sheet

        return Sheet.of(self.print, "paper" if self.print else None)


@dataclass(frozen=True)
class Pictured(Drawn):
    """Which picture, of a command that has several."""

    picture: Annotated[
        str | None,
        option(
            "Draw this picture instead of the test's own; bcompare explain pictures lists them.",
            OUTPUT,
            "NAME",
            completion=pictures,
        ),
    ] = None


@dataclass(frozen=True)
class Listed(Pictured):
    """How much of the results to show."""

    details: Annotated[bool, option("Show the data sets of every pair.", OUTPUT)] = False
    top: Annotated[
        int,
        option(
            "Most rows in a table for people; 0 for all. Other formats have all.",
            OUTPUT,
            "N",
            min=0,
        ),
    ] = 30


@dataclass(frozen=True)
class Detailed(Listed):
    """Which of the results to show first."""

    sort: Annotated[
        Sort | None,
        option("The most telling pairs first. Default: the file's order while all fit.", OUTPUT),
    ] = None

    def selection(self) -> "Selection":
        """Return which pairs a table shows."""
        from bcompare.comparing.summary import Selection

        return Selection(self.top, self.sort)
