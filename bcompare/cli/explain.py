"""`bcompare explain`, `bcompare cite` and `bcompare schema`."""

import json
import re
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bcompare import version
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
    """Explain a topic, column or warning, or list the topics."""
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


BIBTEX = """\
@software{{bcompare,
  title   = {{bcompare: Bayesian comparison of classifiers from cross-validation results}},
  author  = {{{{the bcompare developers}}}},
  version = {{{version}}},
{release}}}

@article{{benavoli2017time,
  author  = {{Benavoli, Alessio and Corani, Giorgio and Dem{{\\v{{s}}}}ar, Janez and
             Zaffalon, Marco}},
  title   = {{Time for a Change: a Tutorial for Comparing Multiple Classifiers Through {{B}}ayesian
             Analysis}},
  journal = {{Journal of Machine Learning Research}},
  volume  = {{18}},
  number  = {{77}},
  year    = {{2017}},
}}

@article{{corani2017statistical,
  author  = {{Corani, Giorgio and Benavoli, Alessio and Dem{{\\v{{s}}}}ar, Janez and
             Mangili, Francesca and Zaffalon, Marco}},
  title   = {{Statistical Comparison of Classifiers Through {{B}}ayesian Hierarchical Modelling}},
  journal = {{Machine Learning}},
  volume  = {{106}},
  year    = {{2017}},
}}

@article{{corani2015bayesian,
  author  = {{Corani, Giorgio and Benavoli, Alessio}},
  title   = {{A {{B}}ayesian Approach for Comparing Cross-Validated Algorithms on Multiple Data
             Sets}},
  journal = {{Machine Learning}},
  volume  = {{100}},
  year    = {{2015}},
}}
"""


CFF = """\
cff-version: 1.2.0
message: If you use bcompare, please cite it, and the papers that `bcompare cite` prints.
type: software
title: "bcompare: Bayesian comparison of classifiers from cross-validation results"
version: {version}
license: BSD-3-Clause
authors:
  - name: the bcompare developers
{release}"""
CITATIONS = {"bibtex": BIBTEX, "cff": CFF}


def cite(
    format: Annotated[
        Literal["bibtex", "cff"],
        typer.Option(help="BibTeX, or the text of a CITATION.cff.", show_choices=True),
    ] = "bibtex",
) -> None:
    """Print BibTeX for this version and its tests' papers."""
    text = CITATIONS[format].format(version=version.__version__, release=_release(format))
    sys.stdout.write(text)


def _release(format: str) -> str:
    """Return the lines on the release; in BibTeX what to write while there is none."""
    release = version.RELEASE
    if format == "cff":
        return "" if release is None else f'repository-code: "{release.url}"\ndoi: {release.doi}\n'
    if release is None:
        advice = "Not released yet: write the commit, and the day on which you fetched it"
        return f"  note    = {{{advice}}},\n"
    return (
        f"  year    = {{{release.year}}},\n  doi     = {{{release.doi}}},\n"
        f"  url     = {{{release.url}}},\n"
    )


def schema() -> None:
    """Print the JSON Schema of what --format json prints."""
    from bcompare.schema import schema as contract

    sys.stdout.write(json.dumps(contract(), indent=2) + "\n")
