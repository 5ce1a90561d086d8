"""The man page, from the same texts as the help: `python -m bcompare.cli.man > bcompare.1`."""

import re
import sys
from collections.abc import Iterator
from typing import Any

import typer

from bcompare.cli.main import COMMANDS, build_app
from bcompare.version import __version__

EXIT_CODES = (
    ("0", "Done; of a gate: passed."),
    ("2", "The input or the command is wrong; also a gate with nothing to compare."),
    ("3", "The computation could not be done."),
    ("4", "The gate said no."),
    ("5", "The gate could not decide, and was told not to let that pass."),
    ("130", "Interrupted."),
)


def man_page() -> str:
    """Return the page as roff, for all commands and all options."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    group: Any = typer.main.get_command(build_app(list(COMMANDS)))
    context = typer.Context(group)
    yield f'.TH BCOMPARE 1 "" "bcompare {__version__}"'
    yield ".SH NAME"
    yield r"bcompare \- Bayesian comparison of classifiers"
    yield ".SH SYNOPSIS"
    yield r".B bcompare \fICOMMAND\fP [\fIOPTIONS\fP] [\fIRESULTS\fP ...]"
    yield ".SH DESCRIPTION"
    yield from _paragraphs(group.help)
    yield ".SH COMMANDS"
    for name, command in group.commands.items():
        yield f".SS {_escaped(name)}"
        yield from _paragraphs(command.help)
        for parameter in command.params:
            yield from _option(parameter, context)
    yield ".SH EXIT STATUS"
    for code, meaning in EXIT_CODES:
        yield f".TP\n.B {code}\n{_escaped(meaning)}"
    yield ".SH SEE ALSO"
    yield r".B bcompare explain"
    yield "lists topics; with a topic, a column or the code of a warning it explains that."


def _option(parameter: Any, context: typer.Context) -> Iterator[str]:
    text = getattr(parameter, "help", None)
    if parameter.param_type_name != "option" or not text or "--help" in parameter.opts:
        return
    metavar = parameter.metavar or str(parameter.display_type(context)).strip("<>[]")
    kind = "" if parameter.is_flag else rf" \fI{_escaped(metavar)}\fP"
    default = parameter.default
    default_words = "" if default in (None, False) or callable(default) else f" Default: {default}."
    yield ".TP"
    yield rf".B {', '.join(map(_escaped, parameter.opts))}{kind}"
    yield _escaped(f"{text}{default_words}")


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        yield ".PP"
        yield _escaped(" ".join(paragraph.split()))


def _escaped(text: str) -> str:
    """Escape text for roff: backslashes, hyphens, and lines that begin with a dot."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    text = re.sub(r"[^\x00-\x7f]", lambda match: rf"\[u{ord(match[0]):04X}]", text)
    return re.sub(r"^([.'])", r"\\&\1", text)


if __name__ == "__main__":
    sys.stdout.write(man_page())
