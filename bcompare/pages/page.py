"""A report as one HTML page."""

import platform
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec

from bcompare.basis.messages import ComputationError, Record
from bcompare.basis.names import shown_by
from bcompare.basis.showable import Showable
from bcompare.comparing.run import ComparisonSet
from bcompare.pages.contents import MOST_IN_PICTURE, MOST_PAIRS, contents, has_legible_matrix
from bcompare.pages.inline import inline
from bcompare.plots import PICTURES, most_rows, shape_of_study
from bcompare.plots.sheet import WIDTHS, Sheet
from bcompare.ranking.family import Family
from bcompare.render.html import unbroken
from bcompare.show import draw
from bcompare.version import __version__, install_command

NEEDED = ("jinja2", "matplotlib", "markdown_it")


def check_installed() -> None:
    """Refuse a page before the work if its packages are not installed.

    Raises
    ------
    ComputationError : Jinja2 or matplotlib is not installed.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ComputationError(
            f"a report needs {' and '.join(missing)}, not installed: {install_command('report')}"
        )


def render_page(
    study: ComparisonSet | None,
    family: Family | None,
    *,
    command: str,
    files_read: Sequence[str] = (),
) -> str:
    """Return the page.

    Parameters
    ----------
    study : the pairs; None for a leaderboard. family : all classifiers together, if there are more
        than two.
    command : the command line that reproduces the page. files_read : as the user named them.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("bcompare", "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters["unbroken"] = unbroken
    page: Record = contents(study, family, command, files_read)
    titled = (text.removeprefix("# ").partition("\n") for text in page["topics"])
    page["topics"] = [(title, _marked_up(text)) for title, _, text in titled]
    page["references"] = _marked_up(page["references"].partition("\n")[2])
    own = files(__package__)
    return environment.get_template("report.html.jinja").render(
        **page,
        pictures=_pictures(study, family),
        style=own.joinpath("style.css").read_text("utf-8"),
        script=own.joinpath("script.js").read_text("utf-8"),
        version=__version__,
        versions=(
            f"bcompare {__version__}, Python {platform.python_version()}, "
            f"numpy {version('numpy')}, "
            f"scipy {version('scipy')}"
        ),
    )


def _pictures(study: ComparisonSet | None, family: Family | None) -> dict[str, str]:
    """Return the pictures by their places on the page, without illegible ones."""
    pictures = {}
    if family is not None and most_rows(len(family.best.classifiers)):
        if len(family.best.classifiers) <= MOST_IN_PICTURE:
            words = "The differences of all others from the leader, with intervals and the rope"
            pictures["against"] = _in_both_widths(family, "against", "against", words)
        words = "The place of each classifier, with intervals and tiers"
        pictures["family"] = _in_both_widths(family, "places", "family", words)
        if study is None and has_legible_matrix(family):
            words = "How probably each classifier is better than each other one"
            # too wide for a phone, where it scrolls
            drawn = inline(draw(family, "pairs", Sheet()), "pairs", words)
            pictures["pairs"] = f'<div class="scroll wide" tabindex="0">{drawn}</div>'
    if study is None:
        return pictures
    count = len(study.comparisons)
    answered = all(c.probabilities is not None for c in study.comparisons)
    if answered and count > 1 and most_rows(count):
        words = "The three probabilities of every pair"
        pictures["pairs"] = _in_both_widths(study, "regions", "regions", words)
    for i, comparison in enumerate(study.comparisons[:MOST_PAIRS]):
        alone = replace(study, comparisons=(comparison,), total=1)
        shape = shape_of_study(alone)
        fitting = (name for name in study.method.on_page if PICTURES[name].fits(shape))
        name = next(fitting, None)
        if name is not None and most_rows(comparison.n_datasets):
            words = shown_by(study.scores.classifiers)(
                f"{comparison.left} and {comparison.right}: {name}"
            )
            pictures[f"pair-{i}"] = _in_both_widths(alone, name, f"pair-{i}", words)
    return pictures


def _in_both_widths(result: Showable, picture: str, name: str, words: str) -> str:
    """Return a picture at the width of a page and of a phone; the style shows one of them."""
    figures = {width: draw(result, picture, Sheet.of(width)) for width in WIDTHS}
    return "".join(
        f'<div class="{width}">{inline(figure, f"{name}-{width}", words)}</div>'
        for width, figure in figures.items()
    )


def _marked_up(text: str) -> str:
    """Convert Markdown to HTML."""
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))
