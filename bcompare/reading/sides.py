"""Whether all classifiers were measured alike, by the columns that say on what and by what.

A column that says what was measured, such as the split or the judge, must have the same values for
all classifiers. One that says how a classifier was set up, such as its prompt, is named in a note.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import Note, arg, listed
from bcompare.columns.vocabulary import plain, words_of
from bcompare.data.rope import IntArray
from bcompare.files.presets import Preset, preset_of
from bcompare.files.problems import Problems, clipped, quoted
from bcompare.files.tables import CellTable, Coded, distinct
from bcompare.reading.chosen_rows import Survey
from bcompare.reading.header import Layout
from bcompare.reading.long_table import ABOUT, Long

# Names of columns, in letters and digits only, that say on or by what scores were measured.
MEASURED = {
    *("split", "splits", "partition", "subset", "foldset", "splitseed", "cvseed", "foldseed"),
    *("filter", "unit", "units", "scoreunit", "timeunit", "judge", "judgemodel", "grader"),
    *("gradermodel", "scorer", "scorermodel", "evaluator", "dochash"),
}
# Those whose values belong to single rows.
OF_ROWS = {"dochash"}
# Words between which a name says which edition of the data was used.
_DATA = {"dataset", "data", "task", "benchmark", "corpus"}
_EDITION = {"version", "revision", "hash", "checksum"}
# Names of columns, likewise, that say how a classifier was set up.
SETUP = {
    *("prompt", "prompttemplate", "systemprompt", "template", "prompthash", "temperature", "topp"),
    *("topk", "shots", "nshot", "nshots", "numfewshot", "fewshot", "maxtokens", "version", "model"),
    *("modelname", "language", "commit", "sha", "gitsha", "revision", "branch", "host", "hostname"),
    *("machine", "device", "gpu", "date", "seed", "randomstate", "randomseed"),
}
SEEDS = {"seed", "randomstate", "randomseed"}
# Other columns with at most so many values may describe a side.
FEW_VALUES = 20
SAMPLED = 1000
# A column that groups items has at least so many rows for each value: two items of two classifiers.
ROWS_IN_GROUP = 4
# With fewer groups, these are hardly drawn at random.
LEAST_GROUPS = 10
# The most columns, and the most of their values, in a note.
MOST_COLUMNS = 5
MOST_VALUES = 3


def columns_about(table: CellTable, layout: Layout, preset: Preset) -> dict[str, int]:
    """Return the columns without a role that say how scores came about, by name.

    They are those known by their names, and others with few values in the first rows; of test items
    also those with several rows a value, which may group items.
    """
    used = {*layout.keys, *layout.values}
    conditions = {*layout.where.values()}
    free = [i for i in range(len(table.header)) if i not in used and table.header[i]]
    recognised = [i for i in free if _is_known(table.header[i], preset)]
    others = [i for i in free if i not in recognised and i not in conditions]
    sample = table.first_rows(SAMPLED) if others else []
    groups = len(sample) // ROWS_IN_GROUP if layout.unit.has_answers else 0
    most = max(FEW_VALUES, groups)
    about = [*recognised]
    for i in others:
        values = {row[i] for row in sample}
        if len(values) <= most:
            about.append(i)
    return {table.header[i]: i for i in sorted(about)}


def check_alike(survey: Survey, problems: Problems) -> list[Note]:
    """Refuse classifiers that were not measured alike; return the note on how they were set up.

    The values of a column are compared within each data set, or row by row.
    """
    long = survey.scored
    preset = preset_of(survey.options)
    setup: list[str] = []
    has_seed = False
    for role in [role for role in long.keys if role.startswith(ABOUT)]:
        name = role.removeprefix(ABOUT)
        _check_names(survey, name, long.keys[role], problems)
        difference = _difference(long, long.keys[role], by_row=plain(name) in OF_ROWS)
        if not difference:
            continue
        if not is_measured_by(name, preset):
            if _is_setup(name) or _describes_sides(long, long.keys[role]):
                setup.append(f"{name} ({difference})")
                has_seed |= plain(name) in SEEDS
        elif not survey.accepts(name, f"column {quoted(name)} is {difference}"):
            problems.tell(
                f"column {quoted(name)} is {difference}: scores are comparable only if both sides "
                f"were measured alike; choose rows with {arg('where')}, measure anew, or say "
                f"{arg('accept', name)} if it makes no difference"
            )
    if "named" in long.keys:
        _check_names(survey, "classifier", long.keys["named"], problems)
    if not setup:
        return []
    text = f"the classifiers differ in {listed(setup, MOST_COLUMNS)}"
    if has_seed and long.unit.has_folds:
        text += "; if the seed drew the folds, they are other folds, and not paired"
    return [Note("setup", "info", text)]


def _check_names(survey: Survey, name: str, column: Coded, problems: Problems) -> None:
    """Refuse rows of one classifier that a column says to be another's, such as pr's of main."""
    who = survey.scored.keys["classifier"]
    filled = np.flatnonzero(column.which(bool))
    pairs = _pairs(who.codes[filled], column.codes[filled]).T.tolist()
    for k, value in pairs:
        text = column.names[value]
        alone = sum(k == other for other, _ in pairs) == 1
        if not alone or text == who.names[k] or text not in who.names:
            continue
        what = f"column {quoted(name)} calls {clipped(who.names[k])} {clipped(text)}"
        if not survey.accepts(text, what):
            problems.tell(
                f"{what}, which is another one: give each name its own file, or say "
                f"{arg('accept', [text])} if that column means something else"
            )


def notes_on_groups(long: Long) -> Iterator[Note]:
    """Yield a note on the first column that groups the test items, as their documents or users.

    There are at least ten groups of several items, the same for all classifiers.
    """
    if not long.unit.has_answers or "cluster" in long.keys:
        return
    item = long.codes("dataset", "fold")
    for role in [role for role in long.keys if role.startswith(ABOUT)]:
        pairs = _pairs(item, long.codes("dataset", role))
        if "" in long.keys[role].names or pairs.shape[1] > len(np.unique(item)):
            continue  # some item has no group, or two
        sizes = np.unique(pairs[1], return_counts=True)[1]
        if len(sizes) < LEAST_GROUPS or sizes.min() < 2:
            continue
        name = role.removeprefix(ABOUT)
        size = f"{sizes.min()}" if sizes.min() == sizes.max() else f"{sizes.min()} to {sizes.max()}"
        yield Note(
            "groups",
            "info",
            f"column {quoted(name)} groups {size} items each; if these groups were drawn at random "
            f"(documents, users), not chosen (topics), say {arg('cluster_col', name)}",
        )
        return


def is_measured_by(name: str, preset: Preset) -> bool:
    """Return whether a column says on or by what scores were measured."""
    words = words_of(name)
    is_edition = len(words) > 1 and words[0] in _DATA and words[-1] in _EDITION
    return bool(plain(name) in MEASURED or is_edition or name in preset.measured)


def _is_setup(name: str) -> bool:
    return plain(name) in SETUP


def _is_known(name: str, preset: Preset) -> bool:
    return is_measured_by(name, preset) or _is_setup(name)


def _describes_sides(long: Long, column: Coded) -> bool:
    """Return whether each of two classifiers has one value, which is no part of its name."""
    who = long.keys["classifier"]
    pairs = _pairs(who.codes, column.codes).T.tolist()
    if not len(who.used()[0]) == len(pairs) == 2:
        return False
    return any(column.names[value] not in who.names[k] for k, value in pairs)


def _difference(long: Long, column: Coded, *, by_row: bool) -> str:
    """Return the values of two classifiers that differ in a column, in words; "" if none do.

    Rows without a value do not count.
    """
    roles = ("dataset", "run", "fold") if by_row else ("dataset",)
    filled = np.flatnonzero(column.which(bool))
    who = long.keys["classifier"]
    if not len(filled):
        return ""
    group = long.codes(*roles)[filled]
    sides, side = distinct(group, who.codes[filled], len(who.names))
    side_codes, values = _pairs(side, column.codes[filled])
    triples = np.stack([*np.divmod(sides[side_codes], len(who.names)), values])
    unlike = _first_unlike(triples)
    if unlike < 0:
        return ""
    _, classifiers, values = triples[:, triples[0] == unlike]
    sets = {k: frozenset(values[classifiers == k].tolist()) for k in classifiers.tolist()}
    first = next(iter(sets))
    other = next(k for k in sets if sets[k] != sets[first])
    return " and ".join(
        f"{_values(column, sorted(sets[k]))} for {clipped(who.names[k])}" for k in (first, other)
    )


def _first_unlike(triples: IntArray) -> int:
    """Return the first group in which not all classifiers have the same values; -1 if none.

    triples : (3, n) distinct groups, classifiers and values, sorted.
    """
    groups, classifiers, values = triples
    with_classifier = _pairs(groups, classifiers)[0]
    classifiers_in = np.bincount(with_classifier)
    size = int(values.max()) + 1
    with_value, which = distinct(groups, values, size)
    count = np.bincount(which)
    unlike = np.flatnonzero(count < classifiers_in[with_value // size])
    return int(with_value[unlike[0]] // size) if len(unlike) else -1


def _pairs(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.int64]:
    """Return the (2, n) distinct pairs of two columns of codes, sorted."""
    size = int(other.max(initial=-1)) + 1
    codes, _ = distinct(one, other, max(size, 1))
    return np.stack(np.divmod(codes, max(size, 1)))


def _values(column: Coded, codes: Sequence[int]) -> str:
    return listed([clipped(column.names[code], 30) for code in codes], MOST_VALUES)
