"""The readings that a header and a sample of the rows suggest, the likeliest first.

A candidate is a change of the options of reading. Whether it reads the file is for the reading
itself to say; here candidates are only proposed and ranked, by names, kinds of cells, and whether
the sample would have one score for each key.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from bcompare.advice.by_column import MOST_SPELLED, NUMBERED, by_classifier, by_number, means
from bcompare.advice.features import TESTED, Column
from bcompare.advice.sample import MOST_OF_A_ROLE, Candidate, Sample, likely_folds, parts_of
from bcompare.basis.records import Record
from bcompare.data.direction import is_loss
from bcompare.data.vocabulary import ANSWERED, METRICS, TRAINING, plain, usual_name
from bcompare.files.options import ROLES, ReadOptions
from bcompare.files.presets import PRESETS, lower_of, measures_of, recognised


def candidates(
    columns: Sequence[Column], options: ReadOptions, *, several: bool
) -> list[Candidate]:
    """Return the readings to try, the likeliest first.

    options : as the user gave them, which all readings keep. several : whether there are several
    files, whose names may be those of the classifiers.
    """
    sample = Sample(columns, options, several)
    found = [*by_row(sample)]
    if not sample.has_scores:
        numbered = [*by_number(sample)]
        found += [*by_classifier(sample), *means(sample)]
        if numbered:  # other readings would take each number for a thing of its own
            found = [*numbered, *(other.likelier(-NUMBERED) for other in found)]
    found = [
        replace(candidate, changes=sample.reset | candidate.changes)
        for candidate in (*of_program(sample), *found)
    ]
    found = [candidate for candidate in found if _tells_rows_apart(sample, candidate.changes)]
    return sorted(found, key=lambda candidate: -candidate.likelihood)


def _tells_rows_apart(sample: Sample, changes: Record) -> bool:
    """Return whether no role is given to a mere property of classifiers, such as who made them.

    Such a column has one value for each classifier, but not one for all.
    """
    who = str(changes.get("classifier_col", sample.given.get("classifier", "")))
    names = parts_of("classifier", who)
    if not all(name in sample.columns for name in names):
        return True
    classifiers = [*zip(*(sample.columns[name].cells for name in names), strict=True)]
    count = len({*classifiers})
    roles = {f"{role}_col" for role in ROLES} - {"classifier_col", "score_col"}
    columns = [
        sample.columns[changes[r]] for r in roles & changes.keys() if changes[r] in sample.columns
    ]
    return count == 1 or not any(
        len(column.distinct) > 1 and len({*zip(classifiers, column.cells, strict=True)}) == count
        for column in columns
    )


def of_program(sample: Sample) -> Iterator[Candidate]:
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
        yield Candidate(changes | more, 20.0 - i)


def by_row(sample: Sample) -> Iterator[Candidate]:
    """Yield readings of a row for each score."""
    base = [scored + metric for scored in _scores(sample) for metric in _metrics(sample, scored)]
    found = [each for scored in base for each in _keyed(sample, scored)]
    if not found:
        found = [each for scored in base for each in _keyed(sample, scored, joined=True)]
    if not found:
        for scored, chosen in product(base, _conditions(sample)):
            found += _keyed(sample, scored + chosen)
    yield from found


def _conditions(sample: Sample) -> Iterator[Candidate]:
    """Yield choices of one value of a column, whose rows may have one score for each key."""
    for column in sample.free:
        is_training = plain(column.name) in TRAINING  # of which the last step counts
        if len(column.distinct) > 1 and (is_training or len(column.distinct) <= MOST_SPELLED):
            tested = [value for value in column.distinct if plain(value) in TESTED]
            value = tested[0] if tested else column.distinct[-1 if is_training else 0]
            where = (*sample.options.where, f"{column.name}={value}")
            yield Candidate({"where": where}, -1.0, (column.name,))


def _keyed(sample: Sample, scored: Candidate, *, joined: bool = False) -> Iterator[Candidate]:
    """Yield a reading of scores with each possible key that is unique in the sample.

    joined : whether two columns name a classifier.
    """
    taken = {*scored.columns}
    rows = _rows_where(sample, scored.changes)
    of_answers = _is_of_answers(sample, str(scored.changes.get("score_col")))
    for who, data in product(
        sample.names("classifier", of_answers=of_answers, joined=joined),
        sample.names("dataset", of_answers=of_answers),
    ):
        both = who + data
        names = {*both.columns}
        if len(names) < len(both.columns) or taken & names or (who.counts and data.counts):
            continue
        each_of: Iterable[Candidate] = [Candidate({}, 2.0)]
        if not both.counts:
            has_dataset = sample.has(data)
            each_of = sample.repetitions(
                taken | names, has_dataset=has_dataset, of_answers=of_answers
            )
        for each in each_of:
            keyed = both + each
            even = _evenness(sample, who, [*keyed.columns, *sample.known_keys()], rows)
            if even:
                yield scored + keyed.likelier(even)


def _is_of_answers(sample: Sample, score: str) -> bool:
    """Return whether a column has scores of single answers."""
    score = sample.given.get("score", score)
    if plain(score) in ANSWERED or score not in sample.columns:
        return plain(score) in ANSWERED
    return {*sample.columns[score].numbers.tolist()} <= {0.0, 1.0}


def _scores(sample: Sample) -> list[Candidate]:
    """Return the columns that may hold the scores."""
    if sample.has_scores:
        return [Candidate({}, 4.0)]
    wanted, found = sample.wanted.get("score"), []
    for column in sample.free:
        value = column.as_score()
        if value > 0:
            changes = {"score_col": column.name} | lower_of(column.name)
            likelihood = value + sample.near("score", column.name)
            found.append(Candidate(changes | sample.markers([column]), likelihood, (column.name,)))
    best = sorted(found, key=lambda part: -part.likelihood)[:MOST_OF_A_ROLE]
    best = [replace(b, likelihood=b.likelihood - 1.2 * i) for i, b in enumerate(best)]
    if wanted is not None:  # perhaps a value in a column of metrics
        for part, column in product(best, sample.free):
            if wanted in column.distinct and column.name not in part.columns:
                chosen = {"where": (*sample.options.where, f"{column.name}={wanted}")}
                changes = part.changes | chosen | lower_of(wanted)
                best.append(Candidate(changes, part.likelihood + 4, (*part.columns, column.name)))
    return [part for part in best if part.likelihood > best[0].likelihood / 4]


def _metrics(sample: Sample, scored: Candidate) -> list[Candidate]:
    """Return the choice of one metric, where a column names several."""
    free = [c.name for c in sample.free if c.name not in scored.columns]
    name = usual_name("metric", free)
    if name is None or "where" in scored.changes:
        return [Candidate({}, 0.0)]
    values = sample.columns[name].distinct
    score = str(scored.changes.get("score_col", ""))
    if len(values) < 2 or len(values) > MOST_SPELLED * 4 or plain(score) in METRICS:
        return [Candidate({}, 0.0)]
    if plain(name) == "type" and METRICS.isdisjoint(map(plain, values)):
        return [Candidate({}, 0.0)]
    best = next((value for value in values if not is_loss(value)), values[0])
    where = {"where": (*sample.options.where, f"{name}={best}")}
    return [Candidate(where | lower_of(best), 1.0, (name,)), Candidate({}, 0.0)]


def _rows_where(sample: Sample, changes: Record) -> list[int]:
    """Return the rows of the sample that meet the conditions on equality."""
    count = len(next(iter(sample.columns.values())).cells) if sample.columns else 0
    rows = [*range(count)]
    chosen = replace(sample.options, where=changes.get("where", sample.options.where))
    for column, operator, value in chosen.conditions:
        if operator == "=" and column in sample.columns:
            cells = sample.columns[column].cells
            rows = [i for i in rows if cells[i] == value]
    return rows


def _evenness(sample: Sample, who: Candidate, key: Sequence[str], rows: Sequence[int]) -> float:
    """Return how evenly the sample fills its keys, up to 1.5; 0 if a key has two scores."""
    cells = [sample.columns[name].cells for name in dict.fromkeys(key)]
    keys = [tuple(column[i] for column in cells) for i in rows]
    distinct = {*keys}
    if not rows or (len(distinct) < len(keys) and not sample.options.wide):
        return 0.0
    names = who.columns or tuple(parts_of("classifier", sample.given.get("classifier", "")))
    if not names or not all(name in sample.columns for name in names):
        return 1.0
    people = {tuple(sample.columns[name].cells[i] for name in names) for i in rows}
    others = [sample.columns[name].cells for name in dict.fromkeys(key) if name not in names]
    places = {tuple(column[i] for column in others) for i in rows}
    if len(people) > 1 and len(places) == len(rows):  # an ID of each row pairs nobody
        return 0.0
    filled = len(distinct) / (len(people) * len(places))
    return 1.5 * filled if filled > 0.02 else 0.0
