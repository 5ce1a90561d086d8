"""Options of the output: formats, files, pictures, and the amount shown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from bcompare.cli.groups import output_option
from bcompare.formats import FORMATS, GATE_FORMATS, ITEM_FORMATS, PAPER_FORMATS

if TYPE_CHECKING:
    from bcompare.plots.sheet import Sheet


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
class Picture:
    """A picture to draw.

    name : None for the test's own. width : of print, column or page; None for the screen.
    """

    name: str | None
    file: str
    width: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Picture":
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
            "Draw a picture: .svg, .png or .pdf; NAME=FILE draws another than the test's own "
            "(bcompare explain pictures lists them); FILE:column and FILE:page draw it for print, "
            "without a title, as wide as a journal's column or page; repeat for more.",
            "FILE",
            completion=_pictures,
        ),
    ] = None

    def pictures(self) -> "list[Picture]":
        """Return the pictures to draw."""
        return list(map(Picture.parse, self.plot or ()))


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
