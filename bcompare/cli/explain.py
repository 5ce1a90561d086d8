"""`bcompare explain`."""

import re
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bcompare.cli.groups import output_option
from bcompare.explain import explained, sections, topics

if TYPE_CHECKING:
    from rich.console import Console

# A block of code, between two fences.
CODE = re.compile(r"^```[a-z]*\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


def _beginning(incomplete: str) -> list[str]:
    """Complete the topics, and the codes of notes."""
    names = {*topics(), *sections("notes"), *sections("tests")}
    return sorted(name for name in names if name.startswith(incomplete))


def explain(
    topic: Annotated[
        list[str] | None,
        typer.Argument(
            help="A topic, a column of a table, or the code of a note.",
            metavar="TOPIC",
            autocompletion=_beginning,
        ),
    ] = None,
    format: Annotated[
        Literal["text", "markdown"], output_option("Laid out for reading, or as Markdown.")
    ] = "text",
) -> None:
    """Explain a topic, a column or a warning; without one, list the topics."""
    from rich.console import Console

    text = explained(" ".join(topic)) if topic else _list()
    if format == "markdown":
        sys.stdout.write(text)
        return
    sys.stdout.write(_laid_out(text, Console(highlight=False)))


def _laid_out(text: str, console: "Console") -> str:
    """Format Markdown for a terminal; code stays unchanged, so that it can be copied."""
    from rich.markdown import Markdown

    blocks = []
    for number, part in enumerate(CODE.split(text)):
        if number % 2:
            blocks.append(part)
            continue
        with console.capture() as captured:
            console.print(Markdown(part, hyperlinks=False))
        lines = captured.get().splitlines()  # rich pads lines with blanks
        blocks.append("\n".join(line.rstrip() for line in lines).strip("\n"))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _list() -> str:
    rows = "".join(f"| `{name}` | {title} |\n" for name, title in topics().items())
    return (
        f"# Topics\n\n| topic | about |\n| --- | --- |\n{rows}\nAlso: each test by its name, any "
        "column of a table or line of its details, such as `bcompare explain mean diff`, and the "
        "code in brackets behind any note or warning.\n"
    )
