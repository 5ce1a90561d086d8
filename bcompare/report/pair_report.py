"""Turn a set of comparisons into tables and sentences, independent of the output format."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from bcompare.basis.messages import InputError, Note, Record, arg, counted, printable, spelled
from bcompare.basis.names import short_names, shown_by
from bcompare.comparing.comparison_set import ComparisonSet, select
from bcompare.comparing.decision import levels_of
from bcompare.report import pair_tables
from bcompare.report.fields import Rows
from bcompare.report.sentences import (
    bounds_sentence,
    dependence,
    disagreement,
    how_to_read,
    observed,
    p_value_by,
    sentence,
    settings_line,
)
from bcompare.report.table import Column, Table, condensed


def _nothing_changed() -> Rows:
    """Refuse to list items where there are none.

    Raises
    ------
    InputError : always.
    """
    raise InputError("the format changed lists the test items of pairs, and there are none here")


def _shown(pasted: tuple[Table, str], show: Callable[[str], str]) -> tuple[Table, str]:
    """Return a table and a sentence with the names as they are shown."""
    table, sentence = pasted
    return table.shown(show), show(sentence)


def _document(study: ComparisonSet) -> Record:
    from bcompare.report.pair_records import document

    return document(study)


def _rows(study: ComparisonSet) -> Rows:
    from bcompare.report.pair_records import comparison_rows

    return comparison_rows(study.comparisons)


def _changed_rows(study: ComparisonSet) -> Rows:
    from bcompare.report.changed import changed_rows

    return changed_rows(study)


CUT = f" · names are cut; {spelled('--format json', 'to_frame()')} has them in full"
# What every format writes before the next step.
WHAT_TO_DO = "What to do:"
# With more pairs than this, the table stands alone: it says the same as their sentences.
MOST_SENTENCES = 15

# A table of one pair's data sets may have this many rows: benchmarks have tens of data sets.
FEWEST_DATASETS = 100


@dataclass(frozen=True, eq=False, slots=True)
class Report:
    """The input of every renderer. Names are printable, and cut to what tells them apart.

    lead : the answer in words, shown first.
    tables : in reading order.
    sentences : one for each pair; empty ones are dropped.
    hints : how to see more.
    settings : one line.
    notes : warnings.
    document : builds the JSON document on demand.
    rows : builds the flat rows of that document.
    changed : those of the test items that differ.
    reading : what the probabilities mean; in a file or a pipe only if it is `detailed`.
    pasted : builds what formats for pasting show in place of the first table, and a sentence on it.
    paper : builds the sentences for a paper, or "".
    context : builds what is compared on which data, and how, for captions in a paper.
    brief : one line that replaces the whole report in a terminal when there is nothing else to see.
    next_step : what to do about it.
    names : of the classifiers.
    """

    tables: tuple[Table, ...]
    settings: str
    document: Callable[[], Record]
    rows: Callable[[], Rows]
    changed: Callable[[], Rows] = _nothing_changed
    sentences: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    lead: tuple[str, ...] = ()
    reading: str = ""
    detailed: bool = False
    brief: str = ""
    next_step: str = ""
    pasted: Callable[[], tuple[Table, str]] | None = None
    paper: Callable[[], str] = str
    context: Callable[[], tuple[str, str]] = lambda: ("", "")
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        show = shown_by(self.names)
        cut = short_names(self.names)
        tables = [table.shown(show) for table in self.tables]
        if cut and self.detailed:
            rows = [(short, printable(name)) for name, short in cut.items()]
            columns = (Column("classifier"), Column("name in full"))
            tables.append(Table("Names in full", columns, rows, by_test=False))
        notes = tuple(replace(note, text=show(note.text)) for note in self.notes)
        context = self.context
        parts: Record = {
            "tables": tuple(tables),
            "notes": notes,
            "names": (),
            "context": lambda: tuple(map(show, context())),
        }
        for name in ("lead", "sentences", "hints"):
            parts[name] = tuple(show(line) for line in getattr(self, name) if line)
        for name in ("settings", "brief", "reading", "next_step"):
            parts[name] = show(getattr(self, name))
        if cut and not self.detailed and not parts["settings"].endswith(CUT):
            parts["settings"] += CUT
        pasted = self.pasted
        if pasted is not None:
            parts["pasted"] = lambda: _shown(pasted(), show)
        for name, value in parts.items():
            object.__setattr__(self, name, value)

    def for_pasting(self) -> "Report":
        """Return the report with the table for pasting first; details keep the first table, too."""
        if self.pasted is None:
            return self
        table, sentence = self.pasted()
        others = self.tables if self.detailed else self.tables[1:]
        headers = {column.header for shown in (table, *others) for column in shown.columns}
        explained, separator, command = self.reading.partition(" · ")
        entries = [e for e in explained.split("; ") if e.partition(": ")[0] in headers]
        return replace(
            self,
            tables=(table, *others),
            sentences=(sentence, *self.sentences),
            reading="; ".join(entries) + separator + command,
            pasted=None,
        )

    @property
    def explained(self) -> list[int]:
        """The positions of the tables with a heading that `reading` explains, or of the first."""
        positions = []
        for i, table in enumerate(self.tables):
            if any(f"{column.header}: " in self.reading for column in table.columns):
                positions.append(i)
        return positions or [0]

    def fitted(self, width: int) -> "Report":
        """Return the report without the spare columns for which lines of this width are short."""
        tables = tuple(table.fitted(width) for table in self.tables)
        headers = {column.header for table in tables for column in table.columns}
        before = [column.header for table in self.tables for column in table.columns]
        gone = [header for header in before if header not in headers]
        reading = self.reading
        for header in gone:
            reading = re.sub(rf"(^|; ){re.escape(header)}: [^;·]*[^;· ]", "", reading)
        hints = self.hints
        if gone:
            hints = (*hints, f"A wider window also shows: {', '.join(gone)}")
        return replace(self, tables=tables, reading=reading, hints=hints)


def build_report(
    study: ComparisonSet,
    *,
    details: bool = False,
    sensitivity: bool = False,
    top: int = 0,
) -> Report:
    """Build the report: choose the tables that fit the question, and the pairs that they show.

    There is a row for each pair; for a single pair, a row for each data set if the test answers
    there. `details` adds the data sets of every pair, all intervals and the frequentist tests;
    `sensitivity` adds the answers under other priors. `top` is the most pairs to show; 0 for all.
    """
    everything = study
    most = max(top, FEWEST_DATASETS) if top else None
    study = _selected(study, top)
    comparisons = study.comparisons
    one_pair = study.total == 1
    chosen = _tables(study, details=details, sensitivity=sensitivity, most=most)

    # what follows the tables
    sentences: list[str] = []
    for c in comparisons if one_pair or details else ():
        sentences += [sentence(c), observed(c)]
    if len(sentences) > MOST_SENTENCES:
        sentences = []
    sentences += [bounds_sentence(study), disagreement(study)]
    if sensitivity:
        sentences.append(dependence(study))
    sentences += _summary(study)
    hints = []
    if _is_counted(study) and not details:
        one = f"{arg('left', 'NAME')} {arg('right', 'NAME')}"
        all_pairs = arg("details", True)
        hints.append(f"For the data sets of one pair add {one}; for all pairs, {all_pairs}.")

    # how to read the first table
    reading = ""
    if comparisons:
        headings = {column.header for column in chosen[0].columns}
        reading = how_to_read(
            topic_of(study, details=details),
            study.rope,
            comparisons,
            without={"next"} - headings,
            percent=study.scores.percent,
        )
    return Report(
        tables=condensed(chosen, levels_of(study.rule)),
        sentences=tuple(sentences),
        hints=tuple(hints),
        settings=settings_line(study, p_value=True, details=details),
        notes=study.notes,
        paper=lambda: _paper(study, sensitivity=sensitivity),
        context=lambda: _context(study),
        reading=reading,
        detailed=details,
        document=lambda: _document(everything),
        rows=lambda: _rows(everything),
        changed=lambda: _changed_rows(everything),
        names=study.scores.classifiers,
    )


def _paper(study: ComparisonSet, *, sensitivity: bool) -> str:
    from bcompare.report.paper import paper_of_study

    return paper_of_study(study, sensitivity=sensitivity)


def _context(study: ComparisonSet) -> tuple[str, str]:
    """Return what is compared and how, with the test that the p-values come from."""
    from bcompare.report.paper import context_of

    what, how = context_of(study)
    p_value = p_value_by(study, details=False)
    several = p_value and study.total > 1
    holm = f", corrected for {study.total:,} pairs by Holm's method" if several else ""
    return what, "; ".join(filter(None, (how, p_value + holm)))


def topic_of(study: ComparisonSet, *, details: bool = False) -> str:
    """Return the topic that explains the first table."""
    return "ttest-counts" if _is_counted(study) and not details else study.method.topic


def _is_counted(study: ComparisonSet) -> bool:
    """Return whether a row counts the verdicts on a pair's data sets."""
    several = any(c.n_datasets > 1 for c in study.comparisons)
    return several and study.comparisons[0].result.by_dataset and study.total > 1


def _tables(
    study: ComparisonSet, *, details: bool, sensitivity: bool, most: int | None
) -> list[Table]:
    comparisons = study.comparisons
    if not comparisons:
        return []
    if comparisons[0].result.by_dataset:
        chosen = _tables_by_dataset(study, details=details, most=most)
        if sensitivity:
            from bcompare.report import pair_details

            chosen.append(pair_details.sensitivity(study, most))
    else:
        chosen = _tables_of_pairs(study, details=details, sensitivity=sensitivity, most=most)
    return [*chosen, pair_tables.losses(study)]


def _tables_of_pairs(
    study: ComparisonSet, *, details: bool, sensitivity: bool, most: int | None
) -> list[Table]:
    """Return the tables of a test that answers once for all data sets."""
    if details or sensitivity or study.also:
        from bcompare.report import pair_details
    chosen = [pair_tables.of_pairs(study, details=details)]
    next_one = pair_tables.next_dataset(study.comparisons[0]) if study.total == 1 else None
    if next_one is not None:
        chosen.append(next_one)
    if study.also:
        chosen.append(pair_details.also(study))
    if sensitivity:
        chosen.append(pair_details.sensitivity(study))
    if details:
        chosen.append(pair_details.contrasts(study))
        chosen += _facts(study)
        chosen += [pair_tables.datasets(study, c, most) for c in study.comparisons]
    return chosen


def _facts(study: ComparisonSet) -> list[Table]:
    """Return further results of each pair, and the items on which it differs."""
    from bcompare.report import pair_details
    from bcompare.report.changed import changed_table

    facts = [pair_details.facts(study, c) for c in study.comparisons]
    changed = (changed_table(c, study.scores) for c in study.comparisons)
    return facts + [table for table in changed if table is not None]


def _tables_by_dataset(study: ComparisonSet, *, details: bool, most: int | None) -> list[Table]:
    """Return the tables of a test that answers for each data set."""
    if details:
        from bcompare.report import pair_details
    comparisons = study.comparisons
    if all(c.n_datasets == 1 for c in comparisons):
        chosen = [pair_tables.of_pairs(study, details=details)]
        if details:
            if study.total == 1:
                chosen.append(pair_details.intervals(study))
            chosen += [pair_details.contrasts(study), *_facts(study)]
    else:
        chosen = [pair_tables.of_pairs(study)] if len(comparisons) > 1 else []
        for c in comparisons if details or study.total == 1 else ():
            chosen.append(pair_tables.datasets(study, c, most, details=details))
            means = pair_details.means(study, c) if details else None
            if means is not None:
                chosen.append(means)
            chosen.append(pair_tables.dataset_losses(study, c))
        if details:
            chosen += [pair_details.cross(study), *_facts(study)]
    return chosen


def _selected(study: ComparisonSet, top: int) -> ComparisonSet:
    """Return the set with only the pairs that the tables show."""
    best = select(enumerate(study.comparisons), top, study.total)
    if len(best) == len(study.comparisons):
        return study
    also = {}
    for name, other in study.also.items():
        chosen = tuple(other.comparisons[i] for i, _ in best)
        also[name] = replace(other, comparisons=chosen)
    return replace(study, comparisons=tuple(c for _, c in best), also=also)


def _summary(study: ComparisonSet) -> Iterator[str]:
    """Summarize the pairs that the tables leave out, and say how to see them."""
    tally = study.tally
    shown = len(study.comparisons)
    if shown >= tally.pairs:
        return
    decided = tally.decisions
    if decided:
        yield (
            f"{tally.pairs:,} pairs: left better in {decided['left']:,}, equivalent in "
            f"{decided['rope']:,}, right better in {decided['right']:,}, undecided in "
            f"{decided['none']:,}"
        )
        unbeaten = [name for name in study.scores.classifiers if name not in tally.beaten]
        if unbeaten and decided["left"] + decided["right"]:
            yield f"Practically beaten by nobody: {counted(unbeaten, 'classifier')}"
    yield (
        f"{shown:,} of {tally.pairs:,} pairs are shown, the decided ones first; --top 0 shows all, "
        "and -o pairs.csv has every one"
    )
