"""Find how a file can be read: candidate readings, each tried by reading the whole file.

A candidate is a change of the options of reading. A header and a sample of the rows suggest them,
the likeliest first: by names, kinds of cells, and whether the sample would have one score for each
key.

What is shown has been read and checked, by the code that reads every file.
"""

import re
from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bcompare.advice.assignments import assignments
from bcompare.advice.features import FileColumn
from bcompare.advice.parts import likely_folds
from bcompare.advice.sample import Part, Sample
from bcompare.advice.suits import FEW
from bcompare.basis.messages import InputError, Record
from bcompare.data.scales import look_like_percentages
from bcompare.data.scores import Scores
from bcompare.files.options import ReadOptions
from bcompare.files.presets import PRESETS, lower_of, measures_of, recognised
from bcompare.files.problems import UnreadError


def candidates(columns: Sequence[FileColumn], options: ReadOptions, *, several: bool) -> list[Part]:
    """Return the readings to try, the likeliest first.

    options : as the user gave them, which all readings keep. several : whether there are several
    files, whose names may be those of the classifiers.
    """
    sample = Sample(columns, options, several)
    found = [*of_program(sample), *assignments(sample)]
    return sorted(found, key=lambda reading: -reading.likelihood)


def of_program(sample: Sample) -> Iterator[Part]:
    """Yield the reading of a known program whose number of folds only the user knows."""
    name = recognised(sample.header)
    if name is None or sample.options.preset is not None or not PRESETS[name].also:
        return
    preset, changes = PRESETS[name], {"preset": name}
    wide, counter = preset.options.get("wide"), preset.options.get("iteration_col")
    splits = [c for c in sample.header if wide and re.fullmatch(str(wide), c)]
    count = len(splits) or len(sample.columns[str(counter)].distinct)
    measure = next(iter(measures_of(preset, sample.header)), None)
    if measure is not None and sample.options.score_col is None:
        changes |= {"score_col": measure} | lower_of(measure)
    for i, folds in enumerate(likely_folds(count) if sample.options.folds is None else [0]):
        more = {"folds": folds} if folds else {}
        yield Part(sample.reset | changes | more, 20.0 - i)


MOST_SHOWN = 3
MOST_TRIED = 40
MOST_TRIED_ON_MUCH = 6
# So many bytes take long to read.
MUCH = 1 << 24
# Readings that are this much less likely than the likeliest are not shown.
MUCH_LESS_LIKELY = 2.6
# Less likely candidates are not tried.
LEAST = 2.0
# Readings that fail are shown only if they seemed as likely as this.
LIKELY = 7.0
# Options of several values, which a remedy adds to.
ADDED = ("where", "na_values")

Read = Callable[[ReadOptions], Scores]


@dataclass(frozen=True)
class Reading:
    """Options that read a file, and what it then holds."""

    options: ReadOptions
    scores: Scores
    likelihood: float


@dataclass(frozen=True)
class Miss:
    """The likeliest reading that failed, and why."""

    options: ReadOptions
    why: str


def find_readings(
    columns: Sequence[FileColumn],
    options: ReadOptions,
    read: Read,
    *,
    several: bool,
    size: int,
    remedies: Sequence[Record] = (),
    decided: Record,
) -> tuple[list[Reading], Miss | None]:
    """Return up to three readings that work, the likeliest first; else the nearest miss.

    options : as the user gave them. read : the files with other options. several : whether there
    are several files. size : in bytes, of all. remedies : what may help, besides the candidates.
    decided : the only reading that names leave, if there is one.
    """
    waiting = [Part(_merged({}, r, options), -0.3 * i) for i, r in enumerate(remedies)]
    waiting = waiting or candidates(columns, options, several=several)  # the likeliest first
    if decided:
        best = max([LEAST, *(candidate.likelihood for candidate in waiting[:1])])
        waiting.insert(0, Part(decided, best))
    tried: list[Record] = []
    found: list[Reading] = []
    miss: Miss | None = None
    most = MOST_TRIED if size < MUCH else MOST_TRIED_ON_MUCH
    while waiting and len(tried) < most and len(found) < MOST_SHOWN:
        candidate = waiting.pop(0)
        if candidate.changes in tried:
            continue
        tried.append(candidate.changes)
        best = found[0].likelihood if found else LEAST + MUCH_LESS_LIKELY
        if columns and candidate.likelihood < best - MUCH_LESS_LIKELY:
            break
        chosen = options
        try:
            chosen = replace(options, **candidate.changes)
            chosen, scores = _tried(chosen, read)
        except InputError as error:
            if candidate.likelihood >= LIKELY:
                miss = miss or Miss(chosen, error.messages[0])
            remedies = error.remedies if isinstance(error, UnreadError) else ()
            # another unit only if the columns are sure
            remedies = [remedy for remedy in remedies if not columns or "scale" not in remedy]
            for i, remedy in enumerate(remedies):
                changes = _merged(candidate.changes, remedy, options)
                more = Part(changes, candidate.likelihood - 0.4 - 0.3 * i)
                insort(waiting, more, key=lambda other: -other.likelihood)
            continue
        if _is_plausible(scores) and _signature(scores) not in (
            _signature(r.scores) for r in found
        ):
            found.append(Reading(chosen, scores, candidate.likelihood))
    return found, miss


def _merged(changes: Record, remedy: Record, options: ReadOptions) -> Record:
    """Return changes with a remedy; of options with several values all are kept."""
    more = {
        name: (*changes.get(name, getattr(options, name)), *value) if name in ADDED else value
        for name, value in remedy.items()
    }
    return changes | more


def _tried(options: ReadOptions, read: Read) -> tuple[ReadOptions, Scores]:
    """Return scores and the options that read them; percentages become fractions.

    Raises
    ------
    InputError : these options do not read the file.
    """
    scores = read(options)
    if look_like_percentages(scores) and not options.lower_is_better:
        options = replace(options, percent=True)
        scores = read(options)
    return options, scores


def _is_plausible(scores: Scores) -> bool:
    """Return whether these may be scores of classifiers: they vary, and are not too many."""
    tables = [dataset.table for dataset in scores.datasets]
    varies = len({float(x) for table in tables for x in (np.nanmin(table), np.nanmax(table))}) > 1
    return varies and len(scores.classifiers) <= FEW and len(tables) <= 50 * FEW


def _signature(scores: Scores) -> object:
    return (
        *(str(scores.unit), scores.classifiers),
        *(
            (d.name, d.rho, d.runs, d.table.shape, float(np.nansum(d.table)))
            for d in scores.datasets
        ),
    )
