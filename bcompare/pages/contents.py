"""What stands in a report, in the order of reading; the template only lays it out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bcompare.basis.notes import Note
from bcompare.basis.printable import printable
from bcompare.comparing.answers import Comparison
from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.family import Family
from bcompare.data.account import Account
from bcompare.data.units import ROWS
from bcompare.explain import explained
from bcompare.report import tables
from bcompare.report.build import Report, build_report
from bcompare.report.family_report import build_family_report
from bcompare.report.number import number_of
from bcompare.report.table import Table
from bcompare.report.words import sentence

# Pairs that have a section of their own, with a table of data sets and a picture.
MOST_PAIRS = 15
AVERAGES = (
    "These averages weigh the data sets as they come; hier, below, models how the data sets "
    "differ, so that what it says of the average may be another thing"
)
# What everybody should read, after the tests that were run.
TOPICS = ("rope", "probabilities", "undecided", "p-values")


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was checked: `told` is said of it, whether it is well or not."""

    well: bool
    told: str


def _several(study: ComparisonSet) -> bool:
    return len(study.scores.datasets) > 1


def _spread(study: ComparisonSet) -> bool:
    return study.scores.unit != "mean"


def _always(_: ComparisonSet) -> bool:
    return True


def _models_population(study: ComparisonSet) -> bool:
    return study.method.predicts == "population"


# What is checked: the codes of the notes that speak against it, what is said if none does, and
# where the question arises.
MISSING_CODES = (
    "dropped", "failed-fits", "absent", "incomplete", "unused", "no-common-dataset", "set-apart",
)  # fmt: skip
CHECKS: tuple[tuple[tuple[str, ...], str, Callable[[ComparisonSet], bool]], ...] = (
    (MISSING_CODES, "", _always),
    (("percentages", "fractions", "wide-rope", "one-sided-rope"),
     "The rope is in scale with the scores.", _always),
    (("scales",), "The data sets' scores are on one scale.", _several),
    (("zero-variance", "all-tied"), "The differences vary on every data set.", _spread),
    (("few-datasets",), "There are enough data sets to speak of others.", _several),
    (("few-folds",), "There are enough scores on every data set.", _spread),
    (("misfit",), "The data sets look as the hierarchical model expects.", _models_population),
    (("sampler", "few-draws", "not-computed", "also-failed"),
     "Everything was computed as asked.", _always),
)  # fmt: skip


def contents(
    study: ComparisonSet, family: Family | None, command: str, files: Sequence[str]
) -> dict[str, Any]:
    """Everything that the template needs.

    family : all classifiers at once; None where there are two. command : that makes the page again.
    """
    pairs = build_report(study, details=True)
    whole = None if family is None else build_family_report(family, top=0)
    notes = tuple(dict.fromkeys((*study.notes, *(() if family is None else family.notes))))
    scores = study.scores
    own = study.comparisons[:MOST_PAIRS]
    return {
        "title": _title(scores.classifiers),
        "lead": [*(whole.lead if whole else ()), *_lead(study, pairs, whole)],
        "accounts": _account(study, files),
        "checks": _checks(study, notes),
        "notes": [{"code": note.code, "text": printable(note.text)} for note in notes
                  if note.severity == "info"],
        "classifiers": [printable(name) for name in scores.classifiers],
        "datasets": [printable(dataset.name) for dataset in scores.datasets],
        "family": [] if whole is None else [_table(table) for table in whole.tables],
        "family_words": [] if whole is None else [
            *whole.sentences, *whole.hints, *([AVERAGES] if _models_population(study) else [])
        ],
        "pairs": [_pairs_table(study)],
        "sections": [
            {"name": f"pair-{i}", "left": printable(c.left), "right": printable(c.right),
             "words": printable(sentence(c)),
             "tables": [_table(table, datasets=table.columns[0].header == "data set")
                        for table in _details(study, c)]}
            for i, c in enumerate(own)
        ],
        "omitted": max(0, len(study.comparisons) - len(own)),
        "settings": [pairs.settings, *([whole.settings] if whole else [])],
        "command": command,
        "topics": [
            explained(name)
            for name in (study.method.topic, *(() if family is None else ("rank",)), *TOPICS)
        ],
        "references": explained("references"),
    }  # fmt: skip


def _title(classifiers: Sequence[str]) -> str:
    if len(classifiers) <= 3:
        return printable(" · ".join(classifiers))
    return f"{len(classifiers)} classifiers compared"


def _lead(study: ComparisonSet, pairs: Report, whole: Report | None) -> list[str]:
    """The sentence of a lone pair; of several the family speaks."""
    if whole is not None:
        return []
    return list(pairs.sentences) or [sentence(c) for c in study.comparisons]


def _account(study: ComparisonSet, files: Sequence[str]) -> list[tuple[str, str]]:
    """What was compared, and how."""
    scores, rope = study.scores, study.rope
    runs = {(dataset.runs, dataset.folds) for dataset in scores.datasets}
    design = ""
    if len(runs) == 1 and scores.unit == "fold":
        design = " of {} × {} folds".format(*runs.pop())
    account = scores.account
    rows = account.describe() if account.left_out else number_of(account.used, "row")
    width = f"[{rope.low:g}, {rope.high:g}]" if not rope.is_empty else "none"
    return [
        ("Files", ", ".join(map(printable, files or scores.files)) or "a frame in memory"),
        ("Rows", f"{rows}: {ROWS[scores.unit]}{design}"),
        ("Data sets", f"{len(scores.datasets):,}"),
        ("Classifiers", f"{len(scores.classifiers):,}"),
        ("Scores", "lower is better" if scores.lower_is_better else "higher is better"),
        ("Test of pairs", study.method.title),
        ("Rope", f"{width}: smaller differences do not matter"),
        ("Verdicts", study.rule.describe()),
    ]


def _checks(study: ComparisonSet, notes: Sequence[Note]) -> list[Check]:
    """Every check, said either way."""
    found = []
    for codes, fine, arises in CHECKS:
        against = [note for note in notes if note.code in codes]
        found += [Check(False, printable(note.text)) for note in against]
        if not against and arises(study):
            found.append(Check(True, fine or _complete(study.scores.account)))
    known = {code for codes, _, _ in CHECKS for code in codes}
    others = [n for n in notes if n.code not in known and n.severity == "warning"]
    return found + [Check(False, printable(note.text)) for note in others]


def _complete(account: Account) -> str:
    """What is said where nothing is missing: of all rows, or of those that were chosen."""
    if account.left_out:
        return f"Every classifier has every score of the rows chosen: {account.describe()}."
    return f"Every classifier has every score: all {number_of(account.used, 'row')} are used."


def _details(study: ComparisonSet, comparison: Comparison) -> list[Table]:
    """The tables of one pair: what else the test says of it, and each data set."""
    found = [tables.facts(study, comparison), tables.datasets(study, comparison)]
    return [table for table in found if table.rows]


def _pairs_table(study: ComparisonSet) -> dict[str, Any]:
    """The three probabilities of every pair, or its counts where a test has none."""
    whole = all(c.probabilities is not None for c in study.comparisons)
    several = len(study.scores.datasets) > 1
    if whole and several:
        return _table(tables.population(study, details=True), pairs=True)
    if several:
        return _table(tables.counts(study), pairs=True)
    return _table(tables.pairs_of_one_dataset(study, details=True), pairs=True)


def _table(table: Table, *, pairs: bool = False, datasets: bool = False) -> dict[str, Any]:
    """A table as the template takes it.

    pairs, datasets : what its rows are, for the filters: the two names of a pair are its first
    cells, a data set's name its first one.
    """
    rows = []
    for row, (texts, strong) in zip(table.rows, table.texts(), strict=True):
        cells = [
            {
                "text": printable(text),
                "value": cell if isinstance(cell, int | float) else None,
                "strong": i in strong,
            }
            for i, (cell, text) in enumerate(zip(row, texts, strict=True))
        ]
        rows.append({
            "cells": cells,
            "pair": [printable(str(cell)) for cell in row[:2]] if pairs else None,
            "dataset": printable(str(row[0])) if datasets else None,
        })  # fmt: skip
    return {
        "title": printable(table.title),
        "columns": [{"header": printable(c.header), "number": c.is_numeric} for c in table.columns],
        "rows": rows,
        "sortable": len(rows) > 2,
    }
