"""Assignments of columns to roles: each is a reading of the file.

The product of what may have each role. Those assignments stay that tell the rows of the sample
apart and pair the scores of classifiers. Each is as likely as the sum of its parts.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import product
from operator import add

from bcompare.advice.parts import (
    NEEDED,
    UNITS,
    conditions,
    further,
    joined,
    metrics,
    names,
    scores,
    units,
    wide_scores,
)
from bcompare.advice.sample import Part, Sample
from bcompare.basis.messages import Record
from bcompare.columns.vocabulary import ANSWERED, is_counter, plain, roles_of, usual_name
from bcompare.files.options import ROW_NUMBERS
from bcompare.files.presets import MEANS


def assignments(sample: Sample) -> list[Part]:
    """Return the readings that the sample allows.

    Columns are joined, or rows chosen, only where no column for each role tells rows apart.
    """
    scored = scores(sample)
    by_row = _keyed(sample, scored) or _keyed(sample, scored, pairs=True)
    by_row = by_row or _keyed(sample, scored, chosen=True)
    return by_row + _keyed(sample, wide_scores(sample))


def _fit(sample: Sample, parts: Sequence[Part]) -> bool:
    """Return whether parts give a role once, and a column one role; runs and epochs need theirs."""
    roles = [role for part in parts for role in part.roles]
    columns = [name for part in parts for name in part.columns]
    needed = {NEEDED[role] for role in NEEDED if role in roles} - sample.known.roles.keys()
    once = {r for p in parts for r in p.roles if not any(map(is_counter, p.roles[r]))}
    unique = len({*roles}) == len(roles) and len({*columns}) == len(columns)
    return unique and needed <= once


def _keyed(
    sample: Sample, scores: Iterable[Part], *, pairs: bool = False, chosen: bool = False
) -> list[Part]:
    """Return the readings of scores with each key that tells the rows of the sample apart.

    pairs : whether two columns may be joined. chosen : whether rows of one value are chosen.
    """
    found = []
    for scored in scores:
        of_answers = _are_answers(sample, scored)
        choices = [[scored], [*conditions(sample)] if chosen else metrics(sample, scored)]
        own = joined if pairs else names
        lacking = [role for role in ("classifier", "dataset") if role not in scored.roles]
        choices += [own(sample, role, of_answers=of_answers) for role in lacking]
        if scored.roles.keys().isdisjoint(("dataset", *UNITS)):
            numbered = "wide" in scored.changes
            each = units(sample, of_answers=of_answers, numbered=numbered)
            choices += [further(sample), each]  # folds mostly stand after their runs
        for parts in filter(partial(_fit, sample), product(*choices)):
            reading = reduce(add, parts, sample.known)
            even = _evenness(sample, reading)
            if even:
                more = _as_means(sample, reading) | _clusters(sample, reading)
                found.append(_by_preset(sample, reading + Part(more, even)))
    return found


def _as_means(sample: Sample, reading: Part) -> Record:
    """Return the options for means, where other columns would be missed; none for others."""
    left = [column.name for column in sample.free if column.name not in reading.columns]
    counts = usual_name("item", left) or usual_name("fold", left) or any(map(is_counter, left))
    if not (counts and reading.roles.keys().isdisjoint(UNITS)):
        return {}
    named = ",".join(reading.roles["dataset"])
    return {"preset": MEANS} | ({"dataset_col": named} if named else {})


def _by_preset(sample: Sample, reading: Part) -> Part:
    """Return a reading of the whole file as a table of means, without the names of its columns."""
    first, *others = sample.columns
    wide = re.compile(reading.changes.get("wide") or "(?!)")
    is_table = (
        sample.options.preset is None
        and reading.roles.keys() == {"dataset", "score", "classifier"}
        and reading.roles["dataset"] == (first,)
        and all((found := wide.fullmatch(name)) and found["classifier"] == name for name in others)
    )
    if not is_table:
        return reading
    kept = {k: v for k, v in reading.changes.items() if k not in ("dataset_col", "wide")}
    return replace(reading, changes=kept | {"preset": MEANS})


def _clusters(sample: Sample, reading: Part) -> Record:
    """Return the option for the only column that names what items belong to, such as users."""
    items, left = reading.roles.get("item", ()), sample.free
    named = [c.name for c in left if roles_of(c.name) == {"cluster"} and len(c.distinct) > 1]
    alone = "cluster_col" not in reading.changes and sample.options.cluster_col is None
    several = items and ROW_NUMBERS not in items and len(named) == 1 and named[0] not in items
    return (
        {"cluster_col": named[0]} if several and alone and sample.follows(named[0], items) else {}
    )


def _are_answers(sample: Sample, scored: Part) -> bool:
    """Return whether the scores are those of single answers."""
    names = (scored.roles | sample.known.roles).get("score", ())
    columns = [sample.columns[name] for name in names]
    binary = all({*column.numbers.tolist()} <= {0.0, 1.0} for column in columns)
    return bool(names) and (binary or any(plain(name) in ANSWERED for name in names))


def _evenness(sample: Sample, reading: Part) -> float:
    """Return how evenly the sample fills its keys, up to 1.5; 0 for no reading.

    That is, if a key has two scores, or a role is given to a mere property of classifiers, such as
    who made them: it has one value for each of them, but not one for all.
    """
    roles, columns = reading.roles, sample.columns
    who = roles.get("classifier", ())
    keys = {name for role in roles.keys() - {"score", "where"} for name in roles[role]} - {*who}
    varied = [name for name in keys - {ROW_NUMBERS} if len(columns[name].distinct) > 1]
    describes = who and any(sample.follows(name, who) for name in varied)
    if describes or roles.keys().isdisjoint(("dataset", *UNITS)):
        return 0.0
    where = replace(sample.options, where=reading.changes.get("where", sample.options.where))
    rows: Sequence[int] = range(len(next(iter(columns.values())).cells))
    for column, operator, value in where.conditions:
        if operator == "=" and column in columns:
            rows = [i for i in rows if columns[column].cells[i] == value]
    filled = 1.0 if ROW_NUMBERS in keys else sample.filled(who, keys, rows)
    return 1.5 * filled if filled > 0.02 else 0.0
