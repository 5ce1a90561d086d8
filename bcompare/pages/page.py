"""A report as one HTML page."""

import base64
import json
import platform
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec

from bcompare.basis.messages import (
    ComputationError,
    InputError,
    Note,
    Record,
    number_of,
    with_texts,
)
from bcompare.basis.names import shown_by
from bcompare.basis.showable import Showable
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.explain import explained
from bcompare.methods.mean_differences import FEW_DATASETS
from bcompare.pages.inline import inline
from bcompare.plots import PICTURES, shape_of_study
from bcompare.plots.sheet import MOST_ROWS, WIDTHS, Sheet
from bcompare.ranking.family import Family
from bcompare.ranking.leaderboard import neighbours_table, page_document
from bcompare.ranking.report import build_family_report, matrix
from bcompare.ranking.sentences import CENTRE_AND_MEAN
from bcompare.render.html import unbroken
from bcompare.report import pair_details, pair_tables
from bcompare.report.own_scores import ABOUT_MEANS, tables_of_each
from bcompare.report.pair_report import build_report
from bcompare.report.paper import compared, design_of
from bcompare.report.sentences import file_names, sentence, title_of
from bcompare.report.table import Table
from bcompare.show import draw
from bcompare.version import __version__, install_command

# The most classifiers of a legible picture of all pairs, the most letters in their names, and the
# most classifiers in a table.
MOST_IN_PICTURE, LONGEST_NAME, MOST_IN_TABLE = 40, 40, 60
# A table with more columns shows figures next to names.
MOST_COLUMNS = 20
# The most pairs with sections of their own, each with a table of data sets and a picture.
MOST_PAIRS = 15
AVERAGES = (
    "The choice above, with its probability and estimates, and these places come from one joint "
    "posterior of all classifiers. It gives noisy data sets less weight and draws classifiers "
    "together, so that its estimates are mostly smaller than the observed differences. The tests "
    "of pairs are other models: hier allows for data sets far from the rest, so that its "
    "probabilities, estimates and intervals for a pair differ. Report the one that you chose "
    "beforehand"
)
# Topics for every page, after those of the tests.
TOPICS = ("rope", "probabilities", "undecided", "p-values", "multiple-comparisons", "prior")


# The subject of a page: pairs under a test or, for a leaderboard, all classifiers together.
Subject = ComparisonSet | Family
# What a topic refers to is not on the page.
SEE_ALSO = re.compile(r"\n+See also: [^\n]*(\n[^\n]+)*")


def _about_all(subject: Subject) -> str:
    """Return a sentence for complete results: all rows, or all chosen ones."""
    account = subject.scores.account
    if account.assumed:
        assumed = sum(account.assumed.values())
        return f"All {number_of(account.used, 'row')} are used; {assumed:,} scores are assumed."
    if account.left_out:
        return f"Every classifier has every score of the rows chosen: {account.describe()}."
    return f"Every classifier has every score: all {number_of(account.used, 'row')} are used."


def _about_others(subject: Subject) -> str:
    only_these = isinstance(subject, ComparisonSet) and subject.method.asked_of("next") is None
    if len(subject.scores.datasets) == 1 or only_these:
        return ""
    return f"There are at least {FEW_DATASETS} data sets; fewer would say little about others."


def _if_folds(sentence: str) -> Callable[[Subject], str]:
    return lambda subject: (
        sentence if (isinstance(subject, ComparisonSet) and subject.scores.unit.has_spread) else ""
    )


def _assumption(subject: Subject) -> str:
    return subject.method.assumption if isinstance(subject, ComparisonSet) else ""


# The checks: the codes of notes against them, and the sentence if there are none; "" where the
# check does not apply.
CHECKS: tuple[tuple[tuple[str, ...], Callable[[Subject], str]], ...] = (
    (
        (
            "dropped",
            "failed-fits",
            "absent",
            "unused",
            "no-common-dataset",
            "set-apart",
        ),
        _about_all,
    ),
    (
        ("percentages", "wide-rope", "one-sided-rope"),
        lambda _: "The rope is in scale with the scores.",
    ),
    (
        ("scales",),
        lambda subject: (
            "The data sets' scores are on one scale." if len(subject.scores.datasets) > 1 else ""
        ),
    ),
    (("zero-variance",), _if_folds("The differences vary on every data set.")),
    (("few-datasets",), _about_others),
    (("few-folds",), _if_folds("There are enough scores on every data set.")),
    (("misfit",), _assumption),
    (
        ("sampler", "few-draws", "not-computed", "also-failed"),
        lambda _: "Everything was computed as asked.",
    ),
)


def contents(
    study: ComparisonSet | None, family: Family | None, command: str, files: Sequence[str]
) -> dict[str, object]:
    """Return all values for the template.

    study : the pairs; None for a leaderboard. family : all classifiers together; None if there are
    only two. command : the command line that reproduces the page.
    """
    subject = study or family
    if subject is None:
        raise InputError("a page shows pairs or a family of classifiers: give one of them")
    noted = (result.notes for result in (study, family) if result is not None)
    notes = tuple(dict.fromkeys(note for score_tables in noted for note in score_tables))
    names = subject.scores.classifiers
    few = len(names) <= 3
    page: Record = {
        "title": " · ".join(names) if few else f"{len(names)} classifiers compared",
        "measured": compared(subject.scores, names),
        "about_pairs": "",
        "accounts": _account(subject, files),
        "checks": _checks(subject, notes),
        "notes": [
            {"code": note.code, "text": note.text} for note in notes if note.severity == "info"
        ],
        "classifiers": list(names),
        "datasets": [dataset.name for dataset in subject.scores.datasets],
        "family": [],
        "family_words": [],
        "is_leaderboard": study is None,
        "document": "",
        "sections": [],
        "omitted": 0,
        "settings": [],
    }
    topics = list(TOPICS)
    score_tables = [_table(table) for table in tables_of_each(subject.scores, _by_place(family))]
    about_own = _without_command(ABOUT_MEANS[0].upper() + ABOUT_MEANS[1:])
    if family is not None:
        whole = build_family_report(family, top=0)
        topics.insert(0, "rank")
        first, *others = whole.tables
        family_words = [*whole.hints] if study else []
        if _assumption(subject):
            family_words += [AVERAGES, CENTRE_AND_MEAN]
        page |= {
            "opening": _table(first),
            "about_opening": _without_command(whole.reading),
            "own": score_tables,
            "about_own": about_own,
            "lead": whole.sentences,
            "family": [_table(table) for table in others],
            "family_words": family_words,
            "settings": [whole.settings],
        }
    if study is not None:
        pairs = build_report(study, details=True)
        topics.insert(0, study.method.topic)
        if family is None:
            # no table with the probabilities stands above it
            answers = {
                sentence(c): sentence(c, full=c.decision is not None) for c in study.comparisons
            }
            page |= {
                "opening": score_tables[0],
                "about_opening": about_own,
                "own": score_tables[1:],
                "about_own": "",
                "lead": [answers.get(words, words) for words in pairs.sentences or answers],
            }
        page |= {
            "pairs": [_table(pair_tables.of_pairs(study, details=True), pairs=True)],
            "about_pairs": _without_command(pairs.reading),
            "sections": [_section(study, i) for i in range(len(study.comparisons[:MOST_PAIRS]))],
            "omitted": max(0, len(study.comparisons) - MOST_PAIRS),
            "settings": [pairs.settings, *page["settings"]],
        }
    elif family is not None:  # a leaderboard: a picture shows all pairs, unless there are too many
        shown = [neighbours_table(family)]
        if not has_legible_matrix(family):
            every = matrix(family, MOST_IN_TABLE)
            if every is not None:
                shown.append(every)
        page |= {"pairs": list(map(_table, shown)), "document": _encoded(page_document(family))}
    whole_page: Record = with_texts(page, shown_by(names))
    return whole_page | {
        "command": command,
        "references": explained("references"),
        "topics": [SEE_ALSO.sub("", explained(topic)) for topic in topics],
    }


def _without_command(reading: str) -> str:
    """Return how to read a table, without the command that says more."""
    return reading.partition(" · bcompare explain")[0]


def _by_place(family: Family | None) -> Sequence[int] | None:
    """Return the order of the classifiers, if they are ranked."""
    return None if family is None else family.best.order[:MOST_IN_TABLE]


def _section(study: ComparisonSet, i: int) -> dict[str, object]:
    """Return the section of a pair: the verdict and the tables that have rows."""
    pair = study.comparisons[i]
    possible = (
        pair_tables.next_dataset(pair),
        pair_details.facts(study, pair),
        pair_tables.datasets(study, pair),
    )
    tables = []
    for table in possible:
        if table is not None and table.rows:
            has_datasets = table.columns[0].header == "data set"
            tables.append(_table(table, datasets=has_datasets))
    return {
        "name": f"pair-{i}",
        "left": pair.left,
        "right": pair.right,
        "words": sentence(pair),
        "tables": tables,
    }


def has_legible_matrix(family: Family) -> bool:
    """Return whether a picture of all pairs is legible: same tests, not too many classifiers."""
    names = list(map(shown_by(family.names), family.names))
    return len(names) <= MOST_IN_PICTURE and max(map(len, names)) <= LONGEST_NAME


def _encoded(record: dict[str, object]) -> str:
    """Return a document as the target of a link, with all digits that matter."""
    rounded = json.loads(
        json.dumps(record), parse_float=lambda number: float(f"{float(number):.6g}")
    )
    return base64.b64encode(json.dumps(rounded, separators=(",", ":")).encode()).decode()


def _account(subject: Subject, files: Sequence[str]) -> list[tuple[str, str]]:
    """Return what was compared, and how."""
    scores = subject.scores
    rope = subject.rope
    runs = {(dataset.runs, dataset.folds) for dataset in scores.datasets}
    design = ""
    if len(runs) == 1 and scores.unit.has_folds:
        runs_each, folds = runs.pop()
        design = f", {design_of(runs_each, folds)}" if runs_each and folds else ""
    account = scores.account
    lower = "lower is better"
    higher = "higher is better"
    rows = account.describe() if account.left_out else number_of(account.used, "row")
    matters = f"[{rope.low:g}, {rope.high:g}]: smaller differences do not matter"
    if isinstance(subject, ComparisonSet):
        how_made = [("Test of pairs", title_of(subject))]
    else:
        how_made = _how_made(subject)
    return [
        ("Files", file_names(files or scores.files) or "a frame in memory"),
        ("Rows", f"{rows}: {scores.unit.rows}{design}"),
        ("Data sets", f"{len(scores.datasets):,}"),
        ("Classifiers", f"{len(scores.classifiers):,}"),
        ("Scores", f"{scores.metric or 'score'}, {lower if scores.lower_is_better else higher}"),
        *how_made,
        ("Rope", "none: every difference matters" if rope.is_empty else matters),
        ("Verdicts", subject.rule.describe()),
    ]


def _how_made(family: Family) -> list[tuple[str, str]]:
    """Return how the scores and the places of a leaderboard were computed."""
    unit = family.scores.unit
    q = len(family.datasets)
    mean = f"the mean of its {unit.plural}" if unit.has_spread else "its score"
    score = mean if q == 1 else f"{mean} on each data set, averaged over {q} with equal weight"
    like = "" if q == 1 else " over data sets like these"
    return [("Score", score), ("Places", f"by that score{like} ({family.best.draws:,} draws)")]


def _checks(subject: Subject, notes: Sequence[Note]) -> list[dict[str, object]]:
    """Return the checks, with a sentence whether they passed or not."""
    checks: list[dict[str, object]] = []
    for codes, fine in CHECKS:
        against = [note for note in notes if note.code in codes]
        checks += map(_doubt, against)
        if not against and (sentence := fine(subject)):
            checks.append({"well": True, "sentence": sentence})
    checked = {code for codes, _ in CHECKS for code in codes}
    others = [n for n in notes if n.code not in checked and n.severity == "warning"]
    return [*checks, *map(_doubt, others)]


def _doubt(note: Note) -> dict[str, object]:
    return {"well": False, "sentence": note.text}


def _table(table: Table, *, pairs: bool = False, datasets: bool = False) -> dict[str, object]:
    """Return a table for the template.

    pairs, datasets : whether rows are pairs or data sets, for the filters: the first two cells, or
    the first one, are names.
    """
    rows = []
    for number, (row, (texts, strong)) in enumerate(zip(table.rows, table.texts(), strict=True)):
        cells = [
            {
                "text": text,
                "value": cell if isinstance(cell, int | float) else None,
                "strong": i in strong,
            }
            for i, (cell, text) in enumerate(zip(row, texts, strict=True))
        ]
        rows.append(
            {
                "cells": cells,
                "pair": list(map(str, row[:2])) if pairs else None,
                "link": f"pair-{number}" if pairs and number < MOST_PAIRS else None,
                "dataset": str(row[0]) if datasets else None,
            }
        )
    return {
        "title": table.title,
        "columns": [{"header": c.header, "number": c.is_numeric} for c in table.columns],
        "rows": rows,
        "sortable": len(rows) > 2,
        "wide": len(table.columns) > MOST_COLUMNS,
    }


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
    package = files(__package__)
    return environment.get_template("report.html.jinja").render(
        **page,
        pictures=_pictures(study, family),
        style=package.joinpath("style.css").read_text("utf-8"),
        script=package.joinpath("script.js").read_text("utf-8"),
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
    if family is not None and len(family.best.classifiers) <= MOST_ROWS:
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
    if answered and 1 < count <= MOST_ROWS:
        words = "The three probabilities of every pair"
        pictures["pairs"] = _in_both_widths(study, "regions", "regions", words)
    for i, comparison in enumerate(study.comparisons[:MOST_PAIRS]):
        alone = replace(study, comparisons=(comparison,), total=1)
        shape = shape_of_study(alone)
        fitting = (
            key for key, picture in PICTURES.items() if picture.on_page and picture.shows(shape)
        )
        name = next(fitting, None)
        if name is not None and comparison.n_datasets <= MOST_ROWS:
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
