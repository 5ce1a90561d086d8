"""A set of comparisons → the tables and sentences that a person reads, in no format yet."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bcompare.comparison import ComparisonSet
from bcompare.methods.base import PopulationResult
from bcompare.notes import Note
from bcompare.report import tables
from bcompare.report.document import Record, document, flat_records
from bcompare.report.table import Table, condensed, printable, printable_table
from bcompare.report.words import dependence, disagreement, sentence, settings_line

# Past so many pairs the sentences would bury the table that says the same.
MOST_SENTENCES = 15


@dataclass(frozen=True, eq=False, slots=True)
class Report:
    """What every renderer is given. Names are printable in it: control characters are replaced.

    tables : in reading order. sentences : one a pair. hints : how to see more.
    settings : one line. notes : warnings. document : makes the JSON contract, on demand;
    records : the part of it that a flat table can show, a record a row.
    """

    tables: tuple[Table, ...]
    sentences: tuple[str, ...]
    hints: tuple[str, ...]
    settings: str
    notes: tuple[Note, ...]
    document: Callable[[], Record]
    records: Callable[[], list[Record]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", tuple(map(printable_table, self.tables)))
        object.__setattr__(self, "sentences", tuple(map(printable, self.sentences)))
        object.__setattr__(self, "settings", printable(self.settings))
        notes = (replace(note, message=printable(note.message)) for note in self.notes)
        object.__setattr__(self, "notes", tuple(notes))


def build_report(
    study: ComparisonSet, *, details: bool = False, sensitivity: bool = False
) -> Report:
    """Choose the tables that fit the question.

    One pair: its data sets. One data set: its pairs. Many of both: a row a pair, and the data
    sets of each pair only with `details`. `sensitivity` adds the answers under other priors.
    """
    comparisons = study.comparisons
    one_pair = len(comparisons) == 1
    one_dataset = all(len(c.differences.statistics) == 1 for c in comparisons)
    over_datasets = isinstance(comparisons[0].result, PopulationResult)
    if over_datasets:
        chosen = _over_datasets(study, details or one_pair, sensitivity)
    elif one_dataset:
        chosen = [tables.pairs_of_one_dataset(study)]
        if one_pair:
            chosen += [tables.intervals(study), tables.t_tests(study)]
    else:
        chosen = _each_dataset(study, details or one_pair)
    chosen.append(tables.losses(study))
    shown, said = condensed(chosen)
    sentences = [sentence(c, study.rope) for c in comparisons]
    if len(sentences) > MOST_SENTENCES or not (over_datasets or one_pair or one_dataset):
        sentences = []  # the table says it in less
    hint = "For the data sets of one pair add --left NAME --right NAME; for all pairs, --details."
    return Report(
        tables=shown,
        sentences=(
            *sentences,
            *disagreement(study),
            *(dependence(study) if sensitivity else ()),
        ),
        hints=() if one_pair or one_dataset or details else (hint,),
        settings=settings_line(study, said),
        notes=study.notes,
        document=lambda: document(study),
        records=lambda: flat_records(document(study)),
    )


def _over_datasets(study: ComparisonSet, details: bool, sensitivity: bool) -> list[Table]:
    chosen = [tables.population(study)]
    if study.also:
        chosen.append(tables.also(study))
    if sensitivity:
        chosen.append(tables.sensitivity(study))
    if details:
        chosen += [tables.facts(study, c) for c in study.comparisons]
        chosen += [tables.datasets(study, c) for c in study.comparisons]
    return chosen


def _each_dataset(study: ComparisonSet, details: bool) -> list[Table]:
    chosen = [tables.counts(study)] if len(study.comparisons) > 1 else []
    if details:
        for c in study.comparisons:
            chosen += [tables.datasets(study, c), tables.dataset_losses(study, c)]
    return [*chosen, tables.cross(study)]
