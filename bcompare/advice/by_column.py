"""Readings of a column for each score: a fold, classifier, test item or data set in each."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from bcompare.advice.features import Column, is_key, literal
from bcompare.advice.roles import MOST_FOLDS
from bcompare.advice.sample import Candidate, Sample
from bcompare.basis.messages import Record
from bcompare.data.direction import is_loss
from bcompare.data.vocabulary import (
    METRICS,
    TRAINING,
    is_about,
    is_metric,
    is_summary,
    likeness,
    plain,
    words_of,
)
from bcompare.files.options import ROW_NUMBERS
from bcompare.files.presets import MEANS, lower_of

MOST_SPELLED = 8
NUMBERED = 4.0
ITERATIONS = (("iteration", None, 1.0),)
DATA_SETS = (("dataset", None, 1.0),)
FAR = 20.0
_DERIVED = re.compile(r"(?:mean|std|rank)_.*|.*_(?:time|score)", re.DOTALL)  # written by a search
_ENDING = re.compile(r"(.+)([-_. ~/:]\w+)", re.DOTALL)
_BEGINNING = re.compile(r"([^\W_]+[-_. ~/:])(.+)", re.DOTALL)
_LONGEST = 200


def by_number(sample: Sample) -> Iterator[Candidate]:
    """Yield readings of columns whose names differ in a running number."""
    numbered = sample.numbered
    if numbered is None:
        return
    labels = [
        column
        for column in sample.free
        if column.name not in numbered.all and not _DERIVED.fullmatch(column.name)
    ]
    scored = [sample.columns[name] for name in numbered.columns]
    more = sample.markers(scored) | lower_of(numbered.after.replace("\\", ""))
    # a leaderboard has a row for each model, and an average over its tasks
    of_tasks = not numbered.word and any(is_summary(column.name) for column in sample.free)
    of_tasks |= likeness("dataset", numbered.before) > 0
    roles = ("dataset", "classifier")
    lacking = [role for role in roles if not (sample.knows(role) or role in numbered.groups)]
    for changes, likelihood in _labels(sample, labels, lacking):
        units = numbered.units if sample.options.folds is None else ITERATIONS
        if of_tasks and "dataset_col" not in changes and not sample.knows("dataset"):
            units = DATA_SETS
        for role, rho, value in units:
            wide = numbered.expression(role)
            unit = {"wide": wide} | ({"rho": rho} if rho is not None else {})
            yield Candidate(changes | unit | more, 8.0 + likelihood + value)


def _labels(
    sample: Sample, labels: Sequence[Column], lacking: Sequence[str]
) -> Iterator[tuple[Record, float]]:
    """Yield the columns that name the data sets and classifiers of rows."""
    sure: dict[str, str] = {}
    for role in lacking:
        best = max(labels, key=lambda column: likeness(role, column.name), default=None)
        if best and likeness(role, best.name) and best.name not in sure.values():
            sure[role] = best.name
    rest = [c for c in labels if c.name not in sure.values() and c.is_name and len(c.distinct) > 1]
    open_roles = [role for role in lacking if role not in sure]
    changes = {f"{role}_col": name for role, name in sure.items()}
    alone = sample.several or "classifier" not in open_roles
    for column, role in product(rest[:2], open_roles):
        if alone or role == "classifier":
            likely = 1.2 - 0.3 * ((role == "dataset") != sample.several)
            yield changes | {f"{role}_col": column.name}, likely
    if alone:
        yield changes, 0.5 if rest else 1.2


def by_classifier(sample: Sample) -> Iterator[Candidate]:
    """Yield readings of a column for each classifier, with test items, folds or data sets."""
    named = any(is_named(column) and len(column.distinct) > 1 for column in sample.free)
    trained = any(plain(column.name) in TRAINING for column in sample.free)
    if sample.knows("classifier") or named or trained:
        return  # a row is of one classifier, or of one step of a training
    for names, expression, value in _side_by_side(sample):
        scored = [sample.columns[name] for name in names]
        changes = {"wide": expression} | sample.markers(scored)
        changes |= lower_of(expression.replace("(?P<classifier>", " "))
        binary = all({*column.numbers.tolist()} <= {0.0, 1.0} for column in scored)
        few = not binary and len(scored[0].cells) <= MOST_FOLDS
        numbered = [("item", 1.0 * binary - 0.5), *[("fold", 0.1), ("seed", -0.2)] * few]
        for part in sample.names("dataset", of_answers=binary):
            if {*names} & {*part.columns}:
                continue
            wide, taken = Candidate(changes, value) + part, {*names, *part.columns}
            for each in sample.repetitions(taken, has_dataset=False, of_answers=binary):
                if sample.is_key([*part.columns, *each.columns, *sample.known_keys()]):
                    yield wide + each
            is_key = sample.is_key([*part.columns, *sample.known_keys()])
            if sample.has(part) and is_key and not sample.knows("fold"):
                first = part.columns == (sample.header[0],) and not binary
                yield wide.likelier(1.0 + 1.5 * first)
            if not ({"item", "fold", "seed"} & sample.given.keys()):
                for role, likelihood in numbered:
                    yield wide + Candidate({f"{role}_col": ROW_NUMBERS}, likelihood)


def _side_by_side(sample: Sample) -> Iterator[tuple[list[str], str, float]]:
    """Yield columns of scores, the expression for them, and how likely they are alike."""
    scores = [column for column in sample.free if column.may_be_scores]
    seen: set[str] = set()
    for names, expression, text in _of_one_metric(sample, scores, "classifier"):
        seen |= {*names}
        yield names, expression, 5.0 + 0.1 * len(names) - 2.0 * is_loss(text)
    alike = [
        column
        for column in scores
        if column.name not in {"", *(sample.numbered.all if sample.numbered else ())}
        and not is_about(column.name)
        and not is_metric(column.name)
        and not is_key(column.name)
    ]
    of_one_size = _of_one_size(alike)
    alike = of_one_size if len(of_one_size) > 2 * len(alike) / 3 else []
    if len(alike) > 1 and not seen.issuperset(column.name for column in alike):
        each = [column.name for column in alike]
        usual = sum(likeness("score", name) > 0 for name in each)
        yield each, _spelled(sample, "classifier", each), 4.0 - 2.0 * usual


def _of_one_metric(
    sample: Sample, columns: Sequence[Column], role: str
) -> Iterator[tuple[list[str], str, str]]:
    """Yield columns that begin or end with the same metric, their expression and the metric."""
    for ending, pattern, place in ((2, _ENDING, 1), (1, _BEGINNING, 2)):
        groups: dict[str, dict[str, str]] = {}
        for column in columns:
            found = pattern.fullmatch(column.name[:_LONGEST])
            if found and (likeness("score", found[ending]) or plain(found[ending]) in METRICS):
                groups.setdefault(found[ending], {})[column.name] = found[place]
        for text, names in groups.items():
            words = {word for name in names.values() for word in words_of(name)}
            about = any(is_about(name) or is_metric(name) for name in names.values())
            if len(names) < 2 or about or words & {"train", "test", "val", "mean"}:
                continue
            has = str.endswith if ending == 2 else str.startswith
            fits = [name for name in sample.columns if has(name, text)]
            inner = ".+" if len(fits) == len(names) else _either(names.values())
            group = f"(?P<{role}>{inner})"
            yield (
                [*names],
                group + literal(text) if ending == 2 else literal(text) + group,
                text,
            )


def _spelled(sample: Sample, role: str, names: Sequence[str]) -> str:
    """Return an expression that fits these columns and no others."""
    others = [name for name in sample.header if name not in names]
    if len(names) > MOST_SPELLED and len(others) < len(names):
        none = "|".join(f"{literal(name)}$" for name in others)
        return rf"(?!{none})(?P<{role}>.+)"
    return f"(?P<{role}>{_either(names)})"


def means(sample: Sample) -> Iterator[Candidate]:
    """Yield readings of a table of means, with classifiers in its columns or in its rows."""
    numbers = [c for c in sample.free if c.is_number and not is_about(c.name)]
    kept = _of_one_size([c for c in numbers if not c.is_counting])
    labels = [
        column
        for column in sample.free
        if column.is_name
        and len(column.distinct) == len(column.cells)
        and not any(likeness(role, column.name) for role in ("item", "key", "fold"))
    ]
    metrics = sum(is_metric(column.name) for column in kept)
    if sample.options.preset is not None or len(kept) < 1 or metrics > len(kept) / 2:
        return
    names = [column.name for column in kept]
    markers = sample.markers(kept)
    metric_by_metric = [(own, wide) for own, wide, _ in _of_one_metric(sample, kept, "dataset")]
    expressions = metric_by_metric or [(names, _spelled(sample, "dataset", names))]
    given = [c for c in sample.columns.values() if c.name == sample.given.get("classifier")]
    if lone_scores(given) is not None:
        labels = given
    for label in labels:
        as_data, as_who = (likeness(role, label.name) for role in ("dataset", "classifier"))
        first = label.name == sample.header[0]
        is_plain = first and {*names} == {*sample.header} - {label.name}
        if is_plain and len(names) > 1 and not sample.knows("dataset"):
            likelihood = 6.0 + as_data - 2 * as_who
            yield Candidate({"preset": MEANS}, likelihood)
        if len(label.distinct) > 1 and (label in given or not sample.knows("classifier")):
            changes: Record = {"classifier_col": label.name} | markers
            likelihood = 5.0 + as_who - 2 * as_data
            for own, wide in expressions:
                is_lower = {"lower_is_better": True} if all(map(is_loss, own)) else {}
                yield Candidate(changes | {"wide": wide} | is_lower, likelihood)


def is_named(column: Column) -> bool:
    """Return whether a column names classifiers, by its own name."""
    return likeness("classifier", column.name) > 0 and column.is_name


def lone_scores(columns: Sequence[Column]) -> str | None:
    """Return the column of classifiers that have one row each, if there is one."""
    alone = (c.name for c in columns if is_named(c) and len(c.distinct) == len(c.cells))
    return next(alone, None)


def _either(names: Iterable[str]) -> str:
    return "|".join(map(literal, names))


def _of_one_size(columns: Sequence[Column]) -> list[Column]:
    """Return the largest set of columns whose numbers are of about the same size."""
    sets = [
        [c for c in columns if c.size == one.size or one.size / FAR < c.size < one.size * FAR]
        for one in columns
    ]
    return max(sets, key=len, default=[])
