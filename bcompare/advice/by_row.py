"""Readings of a row for each score: which columns tell rows apart."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from bcompare.advice.by_column import MOST_SPELLED
from bcompare.advice.features import TESTED
from bcompare.advice.sample import MOST_OF_A_ROLE, Candidate, Sample
from bcompare.basis.messages import Record
from bcompare.data.direction import is_loss
from bcompare.data.vocabulary import ANSWERED, METRICS, TRAINING, plain, usual_name
from bcompare.files.presets import lower_of

# The most choices of a metric.
MOST_CHOICES = 3


def by_row(sample: Sample) -> list[Candidate]:
    """Return readings of a row for each score."""
    base = [scored + metric for scored in _scores(sample) for metric in _metrics(sample, scored)]
    found = [each for scored in base for each in _keyed(sample, scored)]
    roles = ("dataset", "classifier")
    found = found or [e for scored, r in product(base, roles) for e in _keyed(sample, scored, r)]
    chosen = [] if found else [*_conditions(sample)]
    found += [
        keyed
        for scored, one in product(base, chosen)
        if not {*one.columns} & {*scored.columns}
        for keyed in _keyed(sample, scored + one)
    ]
    return found


def _conditions(sample: Sample) -> Iterator[Candidate]:
    """Yield choices of one value of a column, whose rows may have one score for each key."""
    for column in (column for column in sample.free if column.name):
        is_training = plain(column.name) in TRAINING  # of which the last step counts
        if len(column.distinct) > 1 and (is_training or len(column.distinct) <= MOST_SPELLED):
            tested = [value for value in column.distinct if plain(value) in TESTED]
            value = tested[0] if tested else column.distinct[-1 if is_training else 0]
            where = (*sample.options.where, f"{column.name}={value}")
            yield Candidate({"where": where}, -1.0, (column.name,))


def _keyed(sample: Sample, scored: Candidate, joined: str = "") -> Iterator[Candidate]:
    """Yield a reading of scores with each possible key that is unique in the sample.

    joined : the role of two columns that are joined.
    """
    rows, of_answers = _rows_where(sample, scored.changes), _is_of_answers(sample, scored.changes)
    for who, data in product(
        sample.names("classifier", of_answers=of_answers, joined=joined == "classifier"),
        sample.names("dataset", of_answers=of_answers, joined=joined == "dataset"),
    ):
        both = who + data
        taken = {*both.columns, *scored.columns}
        shared = len(taken) < len(both.columns) + len({*scored.columns})
        if shared or {"split"} <= who.changes.keys() & data.changes.keys():
            continue
        each_of: Iterable[Candidate] = [Candidate({}, 2.0)]
        if "split" not in both.changes:  # which tells folds or seeds, too
            has_dataset = sample.has(data)
            each_of = sample.repetitions(taken, has_dataset=has_dataset, of_answers=of_answers)
        for each in each_of:
            keyed = both + each
            even = _evenness(sample, who, [*keyed.columns, *sample.known_keys()], rows)
            if even:
                yield scored + keyed.likelier(even)


def _is_of_answers(sample: Sample, changes: Record) -> bool:
    """Return whether the column of scores has those of single answers."""
    score = str(changes.get("score_col")) if "score" not in sample.given else sample.given["score"]
    binary = score in sample.columns and {*sample.columns[score].numbers.tolist()} <= {0.0, 1.0}
    return plain(score) in ANSWERED or binary


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
    best = [part.likelier(-1.2 * i) for i, part in enumerate(best)]
    if wanted is not None:  # perhaps a value in a column of metrics
        for part, column in product(best, sample.free):
            if wanted in column.distinct and column.name not in part.columns:
                chosen = {"where": (*sample.options.where, f"{column.name}={wanted}")}
                changes = part.changes | chosen | lower_of(wanted)
                best.append(Candidate(changes, part.likelihood + 4, (*part.columns, column.name)))
    return [part for part in best if part.likelihood > best[0].likelihood / 4]


def _metrics(sample: Sample, scored: Candidate) -> list[Candidate]:
    """Return the choice of one metric, where a column names several."""
    none = Candidate({}, 0.0)
    name = usual_name("metric", [c.name for c in sample.free if c.name not in scored.columns])
    score = str(scored.changes.get("score_col", ""))
    if name is None or "where" in scored.changes or plain(score) in METRICS:
        return [none]
    values = sample.columns[name].distinct
    is_task = plain(name) == "type" and METRICS.isdisjoint(map(plain, values))
    if is_task or not 2 <= len(values) <= MOST_SPELLED * 4:
        return [none]
    chosen = [
        Candidate(
            {"where": (*sample.options.where, f"{name}={value}")} | lower_of(value),
            1.0 - 0.1 * i,
            (name,),
        )
        for i, value in enumerate(sorted(values, key=is_loss)[:MOST_CHOICES])
    ]
    return [*chosen, none]


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
    names = who.columns or sample.with_role("classifier")
    if not names or not sample.columns.keys() >= {*names}:
        return 1.0 * (sample.options.wide is not None or sample.filled([], key, rows) > 0)
    filled = sample.filled(names, key, rows)
    return 1.5 * filled if filled > 0.02 else 0.0
