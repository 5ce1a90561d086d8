"""What may have a role in a reading: the parts that assignments.py combines.

Parts are the columns that suits.py weighs, and what else may count as one: two columns that are
joined, columns of scores side by side, names with a number in their cells, the numbers of the rows.
How likely each is stands next to it, on the scale of suits.py. What is known already counts 4.
Columns that differ in a number count 12, more than any other part: else each would be a thing of
its own. Without any column the file names its data set, or classifier: that counts 1.2, or -1 next
to a column whose name is known for it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product

from bcompare.advice.features import LONGEST, FileColumn, literal
from bcompare.advice.roles import MOST_FOLDS
from bcompare.advice.sample import Part, Sample
from bcompare.advice.suits import MOST_SETTINGS, SPLITS, SUITS, TESTED, is_key, is_setting
from bcompare.basis.messages import Record
from bcompare.columns.direction import is_loss
from bcompare.columns.vocabulary import (
    FOLD_AND_RUN,
    FOLD_OF_RUN,
    METRICS,
    TRAINING,
    is_about,
    is_metric,
    is_summary,
    likeness,
    names_classifiers,
    plain,
    roles_of,
    usual_name,
)
from bcompare.files.options import ROW_NUMBERS
from bcompare.files.presets import lower_of

MOST_OF_A_ROLE = 3
MOST_SPELLED = 8
# Sizes of scores of one kind differ less.
FAR = 20.0
# What tells the scores of a classifier on a data set apart.
UNITS = ("item", "seed", "iteration", "fold", "resample")
# Further roles, and those that they need.
NEEDED = {"run": "fold", "epoch": "item"}
_GLUED = re.compile(
    r".+?([-_. /:]*[-_. /:])(fold|cv|split|seed|run|rep|trial|resample)[-_ ]?\d+", re.IGNORECASE
)
_ENDING = re.compile(r"(.+)([-_. ~/:]\w+)", re.DOTALL)
_BEGINNING = re.compile(r"([^\W_]+[-_. ~/:])(.+)", re.DOTALL)


# Scores


def scores(sample: Sample) -> list[Part]:
    """Return the columns that may hold the scores, a row for each."""
    if sample.has_scores:
        return [Part({}, 4.0)]
    best = [
        part + Part(lower_of(part.roles["score"][0]), -1.2 * i)
        for i, part in enumerate(_columns(sample, sample.varied, "score")[:MOST_OF_A_ROLE])
    ]
    wanted = sample.wanted.get("score")  # perhaps a value in a column of metrics
    best += [
        part + _where(sample, column.name, wanted, 4.0)
        for part, column in product(best, sample.free)
        if wanted in column.distinct and column.name not in part.columns
    ]
    return [part for part in best if part.likelihood > best[0].likelihood / 4]


def _where(sample: Sample, column: str, value: str, likelihood: float) -> Part:
    """Return the choice of the rows with a value, perhaps of a metric."""
    chosen = {"where": (*sample.options.where, f"{column}={value}")}
    return Part(chosen | lower_of(value), likelihood, {"where": (column,)})


def metrics(sample: Sample, scored: Part) -> list[Part]:
    """Return the choice of one metric, where a column names several; else of all rows."""
    name = usual_name("metric", [c.name for c in sample.free if c.name not in scored.columns])
    values = sample.columns[name].distinct if name is not None else ()
    measured = any(plain(score) in METRICS for score in scored.columns)
    is_task = plain(name or "") == "type" and METRICS.isdisjoint(map(plain, values))
    if name is None or measured or is_task or not 2 <= len(values) <= MOST_SPELLED * 4:
        return [Part({}, 0.0)]
    chosen = sorted(values, key=is_loss)[:MOST_OF_A_ROLE]
    return [*(_where(sample, name, v, 1 - 0.1 * i) for i, v in enumerate(chosen)), Part({}, 0.0)]


def conditions(sample: Sample) -> Iterator[Part]:
    """Yield choices of one value of a column, whose rows may have one score for each key."""
    for column in (column for column in sample.varied if column.name):
        is_training = plain(column.name) in TRAINING  # of which the last step counts
        if is_training or len(column.distinct) <= MOST_SPELLED:
            tested = [value for value in column.distinct if plain(value) in TESTED]
            value = tested[0] if tested else column.distinct[-1 if is_training else 0]
            yield _where(sample, column.name, value, -1.0)


def wide_scores(sample: Sample) -> Iterator[Part]:
    """Yield columns of scores side by side: of a number, classifier or data set in each name."""
    if sample.has_scores:
        return
    yield from _numbered(sample)
    named = any(
        (names_classifiers(column.name) and column.is_name and len(column.distinct) > 1)
        or plain(column.name) in TRAINING
        for column in sample.free
    )
    # a row is of one classifier, or of one step of a training
    if "classifier" not in sample.known.roles and not named:
        yield from _side_by_side(sample, "classifier")
    if "dataset" not in sample.known.roles:
        yield from _side_by_side(sample, "dataset")


def _numbered(sample: Sample) -> Iterator[Part]:
    """Yield columns whose names differ in a running number, for each thing it may count."""
    found = sample.numbered
    if found is None:
        return
    # a leaderboard has a row for each model, and an average over its tasks
    of_tasks = not found.word and any(is_summary(column.name) for column in sample.free)
    has_dataset = "dataset" in sample.known.roles or any(
        likeness("dataset", column.name) for column in sample.free
    )
    counted = found.counted if sample.options.folds is None else [("iteration", None)]
    if not has_dataset and (of_tasks or likeness("dataset", found.before)):
        counted = [("dataset", None)]
    more = lower_of(found.after.replace("\\", ""))
    for i, (role, rho) in enumerate(counted):
        drawn = more if rho is None else more | {"rho": rho}
        yield _wide(found.columns, found.expression(role), 12.0 - 0.5 * i, drawn)


def _wide(columns: Sequence[str], expression: str, likelihood: float, more: Record) -> Part:
    """Return columns of scores, with the roles that an expression takes from their names."""
    roles = dict.fromkeys(re.findall(r"\(\?P<(\w+)>", expression), ())
    return Part({"wide": expression} | more, likelihood, {"score": tuple(columns)} | roles)


def _side_by_side(sample: Sample, role: str) -> Iterator[Part]:
    """Yield columns of scores that are alike, each of one classifier or data set."""
    columns = [c for c in sample.free if c.may_be_scores and not is_summary(c.name)]
    found = [*_of_one_metric(sample, columns, role)]
    alike = [
        column
        for column in columns
        if column.name not in {"", *(sample.numbered.all if sample.numbered else ())}
        and not is_about(column.name)
        and not is_metric(column.name)
        and not is_key(column.name)
    ]
    names = [column.name for column in _of_one_size(alike)]
    few = len(names) < 2 or len(names) <= 2 * len(alike) / 3
    if not (few or {name for own, _, _ in found for name in own}.issuperset(names)):
        usual = sum(likeness("score", name) > 0 for name in names)
        found.append((names, _spelled(sample, role, names), 2.5 - 2.0 * usual))
    for names, expression, likelihood in found:
        more = lower_of(expression.replace(f"(?P<{role}>", " "))
        yield _wide(names, expression, likelihood, more)


def _of_one_metric(
    sample: Sample, columns: Sequence[FileColumn], role: str
) -> Iterator[tuple[list[str], str, float]]:
    """Yield columns that begin or end with the same metric, their expression and likelihood."""
    for ending, pattern, place in ((2, _ENDING, 1), (1, _BEGINNING, 2)):
        groups: dict[str, dict[str, str]] = {}
        for column in columns:
            found = pattern.fullmatch(column.name[:LONGEST])
            if found and (likeness("score", found[ending]) or plain(found[ending]) in METRICS):
                groups.setdefault(found[ending], {})[column.name] = found[place]
        for text, names in groups.items():
            are_others = (is_about(n) or is_metric(n) or plain(n) in SPLITS for n in names.values())
            if len(names) < 2 or any(are_others):
                continue
            has = str.endswith if ending == 2 else str.startswith
            fits = [name for name in sample.columns if has(name, text)]
            inner = ".+" if len(fits) == len(names) else _either(names.values())
            group = f"(?P<{role}>{inner})"
            expression = group + literal(text) if ending == 2 else literal(text) + group
            yield [*names], expression, 3.5 + 0.1 * len(names) - 2.0 * is_loss(text)


def _spelled(sample: Sample, role: str, names: Sequence[str]) -> str:
    """Return an expression that fits these columns and no others."""
    others = [name for name in sample.header if name not in names]
    if len(names) > MOST_SPELLED and len(others) < len(names):
        none = "|".join(f"{literal(name)}$" for name in others)
        return rf"(?!{none})(?P<{role}>.+)"
    return f"(?P<{role}>{_either(names)})"


def _either(names: Iterable[str]) -> str:
    return "|".join(map(literal, names))


def _of_one_size(columns: Sequence[FileColumn]) -> list[FileColumn]:
    """Return the largest set of columns whose numbers are of about the same size."""
    sets = [
        [c for c in columns if c.size == one.size or one.size / FAR < c.size < one.size * FAR]
        for one in columns
    ]
    return max(sets, key=len, default=[])


# Classifiers and data sets


def names(sample: Sample, role: str, *, of_answers: bool) -> list[Part]:
    """Return what may name classifiers, or data sets, the likeliest first.

    of_answers : whether scores are of single answers.
    """
    if role in sample.known.roles:
        return [Part({}, 4.0, {role: sample.known.roles[role]})]
    columns = sample.free if role == "dataset" or sample.several else sample.varied
    glued = [part for column in sample.free for part in _glued(sample, role, column)]
    found = [*_columns(sample, columns, role, of_answers=of_answers), *glued]
    found = sorted(found, key=lambda part: -part.likelihood)[:MOST_OF_A_ROLE]
    anonymous = Part({}, -1.0 if found and found[0].likelihood >= 2 else 1.2)
    found += [anonymous] * (role == "dataset" or sample.several)
    return sorted(found, key=lambda part: -part.likelihood)


def joined(sample: Sample, role: str, *, of_answers: bool) -> list[Part]:
    """Return what may name classifiers, or data sets: also two columns together.

    The settings of classifiers have names, those of data sets numbers, such as horizons.
    """
    alone = names(sample, role, of_answers=of_answers)
    found = [part for part in alone if part.columns]
    more = found
    if role == "dataset":
        settings = [column.name for column in sample.free if is_setting(column)]
        more = [Part({}, 1.0, {role: (name,)}) for name in settings]
    return alone + [
        Part({f"{role}_col": ",".join(both)}, (one.likelihood + other.likelihood) / 2 - 0.5,
             {role: both})
        for i, one in enumerate(found[:2])
        for other in more
        if other not in found[: i + 1]
        for both in [(*one.roles[role], *other.roles[role])]
    ]  # fmt: skip


def _columns(
    sample: Sample, columns: Iterable[FileColumn], role: str, *, of_answers: bool = False
) -> list[Part]:
    """Return those columns that suit a role, the best first."""
    found = []
    for column in columns:
        value = SUITS[role](column, of_answers) if column.distinct else 0.0
        if value:
            own, more = ("fold", {"rho": 0.1}) if role == "resample" else (role, {})
            value += sample.near(own, column.name)
            found.append(Part({f"{own}_col": column.name} | more, value, {role: (column.name,)}))
    return sorted(found, key=lambda part: -part.likelihood)


def _glued(sample: Sample, role: str, column: FileColumn) -> list[Part]:
    """Return the reading of cells that are names with the number of a fold or seed."""
    matches = [*map(_GLUED.fullmatch, column.distinct)]
    ends = {(found[1], found[2]) for found in matches if found}
    enough = None not in matches and len(matches) >= 4 and len(ends) == 1
    if sample.options.split or not enough or all(map(FOLD_OF_RUN.fullmatch, column.distinct)):
        return []
    ((mark, word),) = ends
    unit = "seed" if word.casefold() in ("seed", "run", "rep", "trial") else "fold"
    named = f"(?P<{role}>.+){literal(mark + word)}[-_ ]?(?P<{unit}>\\d+)"
    own, likelihood = (column.name,), 2.5 + 0.5 * likeness(role, column.name)
    return [Part({"split": f"{column.name}={named}"}, likelihood, {role: own, unit: own})]


# Folds, seeds and test items


def units(sample: Sample, *, of_answers: bool, numbered: bool) -> list[Part]:
    """Return what may tell the scores of a classifier on a data set apart; or nothing, of means.

    numbered : whether rows may count by their numbers.
    """
    known = next((role for role in UNITS if role in sample.known.roles), None)
    if known == "iteration" and sample.options.folds is None:
        counter = sample.known.roles["iteration"]
        count = len(sample.columns[counter[0]].distinct) if counter else 10
        return [Part({"folds": folds}, 4.0) for folds in likely_folds(count)]
    if known:
        return [Part({}, 4.0)]
    each = ("fold", "resample", "seed", "item")
    found = [part for role in each for part in _units(sample, role, of_answers)]
    few = not of_answers and len(next(iter(sample.columns.values())).cells) <= MOST_FOLDS
    counted = [("item", 1.0 * of_answers - 0.5), *[("fold", 0.1), ("seed", -0.2)] * few]
    by_number = [
        Part({f"{role}_col": ROW_NUMBERS}, likelihood, {role: (ROW_NUMBERS,)})
        for role, likelihood in counted * numbered
    ]
    return [*found, Part({}, 1.3), *_in_cells(sample), *by_number]


def further(sample: Sample) -> list[Part]:
    """Return what may number the runs of folds, or the answers to an item; or nothing."""
    roles = [role for role in NEEDED if role not in sample.known.roles]
    return [Part({}, 0.0), *(part for role in roles for part in _units(sample, role))]


def _units(sample: Sample, role: str, of_answers: bool = False) -> list[Part]:
    """Return the columns that may number folds, seeds or items, or name these."""
    columns = [column for column in sample.varied if column.name and not column.is_date]
    return _columns(sample, columns, role, of_answers=of_answers)


def _in_cells(sample: Sample) -> Iterator[Part]:
    """Yield folds with their run in one cell, and items by a cluster and a number or name in it."""
    for name in (c.name for c in sample.varied if all(map(FOLD_OF_RUN.fullmatch, c.distinct))):
        yield Part({"split": f"{name}={FOLD_AND_RUN}"}, 3.5, {"fold": (name,), "run": (name,)})
    for cluster, part in permutations(sample.free, 2):
        both = (cluster.name, part.name)
        is_few = 1 < len(part.distinct) <= MOST_SETTINGS and not roles_of(part.name)
        if likeness("cluster", cluster.name) and is_few:
            changes = {"item_col": ",".join(both), "cluster_col": cluster.name}
            yield Part(changes, 1.5, {"item": both})


def likely_folds(count: int) -> list[int]:
    """Return how many folds a run may have of this many iterations, the likelier first."""
    return [*(k for k in (10, 5) if count > 10 and count % k == 0), count]
