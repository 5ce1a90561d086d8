"""Report what is in the files, and which tests can run on it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter

import numpy as np

from bcompare.basis.messages import Record, arg, number_of
from bcompare.data.defaults import LEAST_DATASETS
from bcompare.data.scores import Scores
from bcompare.files.problems import named
from bcompare.methods import METHODS
from bcompare.reading.profile import Profile
from bcompare.report.fields import Field, Getter, head, plain, record, record_rows, table
from bcompare.report.input_record import account_record, reading_record
from bcompare.report.pair_report import Report
from bcompare.report.sentences import file_names, joined
from bcompare.report.table import Kind, Table, condensed, decimals_for

# With more classifiers than this, a table counts them instead of listing them.
MOST_COLUMNS = 12
MOST_ROWS = 10
ENOUGH_DATASETS = 5
ABOUT_RHO = "ρ is the correlation of scores between folds · bcompare explain correlation; "
ABOUT_DECISIONS = "can decide: whether there is enough for a verdict"


def _of(key: str, kind: Kind = "name", heading: str = "", printed: Getter = "") -> Field:
    """Return a field of records."""
    return Field(key, itemgetter(key), kind, heading, printed)


def _known(key: str, heading: str, decimals: int | None = None) -> Field:
    """Return a field of a number that may be unknown."""

    def known(row: Record) -> float | None:
        return None if np.isnan(row[key]) else row[key]

    return Field(key, known, "number", heading, decimals=decimals, nullable=True)


YES = {True: "yes", False: "no"}
NAME = _of("dataset", heading="data set")
RUNS = _of("runs", "count", "runs", lambda row: row["runs"] or None)
FOLDS = _of("folds", "count", "folds", lambda row: row["folds"] or None)
RHO = _known("rho", "ρ", 3)
LOW = _known("low", "lowest score")
HIGH = _known("high", "highest score")
DATASET = (
    NAME,
    _of("splits", "count"),
    RUNS,
    FOLDS,
    RHO,
    LOW,
    HIGH,
    _of("comparable", "truth"),
    _of("counts", "object"),
)
# A test's name, whether it can run, whether it could decide, and any remark.
TEST = (
    Field("test", itemgetter(0), heading="test"),
    Field("can_run", itemgetter(1), "truth", "can run", lambda row: YES[row[1]]),
    Field("can_decide", itemgetter(2), "truth", "can decide", lambda row: YES[row[2]]),
    Field("remark", itemgetter(3), heading="remark"),
)
GAP = (
    NAME,
    _of("run", heading="run"),
    _of("fold", heading="fold"),
    _of("lacking", heading="lacking", printed=lambda gap: ", ".join(gap["lacking"])),
)
CONSTANT = (
    NAME,
    _of("left", heading="left"),
    _of("right", heading="right"),
    _of("difference", "difference", "difference"),
)


def build_check_report(profile: Profile, *, scores: bool = False, details: bool = False) -> Report:
    """Return what there is, what is not regular, and which tests can come to a verdict.

    scores : begin with the mean scores of the classifiers. details : all data sets and tests.
    """
    means = profile.scores if scores else None
    about = ABOUT_DECISIONS if details else ""
    if details and profile.unit.has_folds:
        about = ABOUT_RHO + ABOUT_DECISIONS
    of_each = list[Table]()
    if means is not None:
        from bcompare.report.own_scores import ABOUT_MEANS, tables_of_each

        about = ABOUT_MEANS
        of_each = tables_of_each(means)
    what = (
        f"{number_of(profile.rows, 'score')} of {number_of(len(profile.classifiers), 'classifier')}"
        f" on {number_of(len(profile.datasets), 'data set')}"
    )
    files = f"from {file_names(profile.files)}"
    lower = "lower is better" if profile.lower_is_better else ""
    in_words = [replace(field, kind="name") for field in TEST]
    tests = [(name, *_ability(profile, name)) for name in (*METHODS, "rank")]
    rows = _rows(profile)
    if details:
        grid = _grid(profile, rows, "each data set")
    else:
        grid = _grid(profile, _odd(rows), "data sets that are incomplete or of another size")
    others = [
        grid,
        _first("Gaps", _gap_fields(profile), profile.gaps),
        _first("Classifiers that always differ by the same", CONSTANT, profile.constant),
    ]
    if details:
        others.append(table("Which tests can run, and come to a verdict", in_words, tests))
    sentences = [profile.taken_for, _trials(profile)]
    if profile.account.left_out:
        sentences.append(profile.account.describe())
    if profile.duplicates:
        many = number_of(profile.duplicates, "score")
        sentences.append(f"{many} too many: data set, run, fold and classifier occurred before")
    if not details:
        sentences += _can_decide(tests)
    sentences.append(_rope(profile))
    # the words on how to read it are about the scores where they are shown
    tables = [replace(own_table, by_test=True) for own_table in of_each]
    tables += [replace(other, by_test=not of_each) for other in others]
    return Report(
        tables=condensed(tables),
        lead=() if of_each else (_summary(profile, rows),),
        sentences=tuple(sentences),
        context=lambda: (what, ""),
        detailed=details,
        reading=about,
        settings=joined(files, lower),
        notes=profile.notes,
        document=lambda: _document(profile, tests, means),
        rows=lambda: record_rows([record(DATASET, row) for row in rows]),
        names=profile.classifiers,
    )


def _shape(row: Record) -> tuple[int, int, int]:
    """Return the runs, folds and scores of a data set."""
    return row["runs"], row["folds"], row["splits"]


def _usual(rows: Sequence[Record]) -> tuple[int, int, int]:
    """Return the runs, folds and scores that most data sets have."""
    return Counter(map(_shape, rows)).most_common(1)[0][0]


def _odd(rows: Sequence[Record]) -> list[Record]:
    """Return the data sets that differ in their size from most, or lack scores."""
    if not rows:
        return []
    usual = _usual(rows)
    odd = []
    for row in rows:
        is_complete = set(row["counts"].values()) == {row["splits"]}
        if _shape(row) != usual or not is_complete:
            odd.append(row)
    return odd


def _summary(profile: Profile, rows: Sequence[Record]) -> str:
    """Return how many scores there are of what, and whether they are complete."""
    scores = number_of(profile.rows, "score")
    if not profile.datasets:
        return f"{scores}, of which none can be read"
    runs, folds, splits = _usual(rows)
    parts = [number_of(len(profile.classifiers), "classifier")]
    parts += [number_of(len(profile.datasets), "data set")]
    if profile.unit.has_folds and folds:
        parts += [number_of(runs, "run"), number_of(folds, "fold")]
    elif profile.unit.has_spread:
        parts += [number_of(splits, profile.unit.noun)]
    odd = len(_odd(rows))
    low = profile.columns["low"]
    high = profile.columns["high"]
    has_scores = not np.isnan(low).all()
    span = f" from {np.nanmin(low):.4g} to {np.nanmax(high):.4g}" if has_scores else ""
    left_out = profile.account.left_out if profile.unit.has_spread else ()
    lacking = sum(part.rows for part in left_out if part.reason == "no-score")
    state = "complete"
    if lacking:
        state = f"{lacking:,} without a score"
    if odd:
        state = f"{number_of(odd, 'data set')} incomplete or of another size"
    return f"{scores}{span}: {' × '.join(parts)}; {state}"


def _can_decide(tests: Sequence[tuple[str, bool, bool, str]]) -> list[str]:
    """Return the tests that can come to a verdict, and why others cannot."""
    able = [name for name, _, decides, _ in tests if decides]
    why: dict[str, list[str]] = {}
    for name, _, _, remark in tests:
        if remark:
            why.setdefault(remark, []).append(name)
    lines = []
    if able:
        lines.append(f"Can decide: {', '.join(able)}")
    lines += [f"{', '.join(names)}: {remark}" for remark, names in why.items()]
    return lines


def _rope(profile: Profile) -> str:
    """Return that the rope must be said, if none is assumed for such scores; else ""."""
    if profile.scores is None or profile.rope is not None:
        return ""
    return (
        f"Rope: must be said, as {arg('rope', 'R')}, the smallest difference that matters in the "
        "unit of these scores"
    )


def _gap_fields(profile: Profile) -> tuple[Field, ...]:
    """Return the columns of gaps; items stand in the place of folds, and epochs of runs."""
    if not profile.unit.has_answers:
        return GAP
    dataset, run, fold, lacking = GAP
    return dataset, replace(run, heading="epoch"), replace(fold, heading="item"), lacking


def _trials(profile: Profile) -> str:
    """Return the metric, and how test items are clustered and repeated."""
    metrics = [*profile.metrics]
    if len(metrics) > 1:
        metrics = [f"{metric} on {named(of, 3)}" for metric, of in profile.metrics.items()]
    facts = []
    if metrics:
        facts.append(f"the score is {'; '.join(metrics)}")
    if profile.answers_an_item > 1:
        facts.append(f"{profile.answers_an_item:.3g} answers per item")
    if profile.clusters:
        facts.append(number_of(profile.clusters, "cluster"))
    sentence = ", ".join(facts)
    return sentence[:1].upper() + sentence[1:]


def _grid(profile: Profile, rows: Sequence[Record], which: str) -> Table:
    """Return a table of the number of scores of each classifier on these data sets."""
    high = profile.columns["high"]
    highest = float(np.abs(high[~np.isnan(high)]).max(initial=0.0)) or 1.0
    by_fold = (RUNS, FOLDS, RHO) if profile.unit.has_folds else ()
    splits = _of("splits", "count", profile.unit.plural)
    names = profile.classifiers
    if len(names) <= MOST_COLUMNS:
        title = f"How many scores each classifier has on {which}"
        counts = [Field("", partial(_mark, name), "figure", name) for name in names]
    else:
        title = f"Data sets, and how many of {len(names)} classifiers are complete"

        def with_gaps(row: Record) -> int:
            return len(names) - _number(row, row["splits"], 0)

        counts = [
            Field("", lambda row: _number(row, row["splits"]), "count", "complete"),
            Field("", with_gaps, "count", "with gaps"),
            Field("", lambda row: _number(row, 0), "count", "absent"),
        ]
    fields = [NAME, *by_fold]
    if profile.unit.has_column:
        fields.append(splits)
    fields += [LOW, HIGH, *counts]
    return table(title, fields, rows, decimals_for(highest) + 1)


def _number(row: Record, *counts: int) -> int:
    """Return the number of classifiers with one of these counts of scores on a data set."""
    return sum(count in counts for count in row["counts"].values())


def _mark(name: str, row: Record) -> str:
    count = row["counts"][name]
    splits = row["splits"]
    if count == 0:
        return "–"
    if count == splits:
        return f"{count:,}"
    return f"{count:,} of {splits:,}"


def _first(title: str, fields: Sequence[Field], rows: Sequence[object]) -> Table:
    """Return a table of the first rows, with their number in its title."""
    share = f": the first {MOST_ROWS} of {len(rows):,}" if len(rows) > MOST_ROWS else ""
    return table(f"{title}{share}", fields, rows[:MOST_ROWS])


def _ability(profile: Profile, name: str) -> tuple[bool, bool, str]:
    """Return whether a test can run, whether it could decide, and any remark."""
    if profile.error is not None:
        return False, False, "see the errors"
    q = len(profile.comparable)
    if q == 0:
        return False, False, "no data set on which two classifiers share enough folds"
    test = METHODS.get(name)
    if test is None:  # a single data set is ranked by itself
        to_run = 1 if profile.unit.has_spread else 2
        to_decide = to_run if q == 1 else LEAST_DATASETS
    elif profile.unit not in test.units:
        return False, False, f"needs folds, seeds or items, and rows are {profile.unit.rows}"
    else:
        to_run = test.to_run
        to_decide = test.to_decide
    if q < to_run:
        return False, False, f"needs at least {to_run} data sets: use ttest"
    if q < to_decide:
        return True, False, f"no verdict below {to_decide} data sets: use ttest"
    speaks_of_others = test is None or test.over
    remark = ""
    if speaks_of_others and 1 < q < ENOUGH_DATASETS:
        remark = f"{number_of(q, 'data set')} say little about others"
    return True, True, remark


def _document(
    profile: Profile, tests: Sequence[tuple[str, bool, bool, str]], scores: Scores | None
) -> Record:
    more: Record = {}
    if scores is not None:
        from bcompare.report.own_scores import records_of_each

        more["scores"] = records_of_each(scores)
    read = {
        "files": list(profile.files),
        "rows": profile.rows,
        "datasets": len(profile.datasets),
        "classifiers": list(profile.classifiers),
        "lower_is_better": profile.lower_is_better,
        **account_record(profile.account),
    }
    return {
        **head("check"),
        "settings": {} if profile.scores is None else reading_record(profile.scores),
        "unit": profile.unit,
        "taken_for": profile.taken_for,
        "metrics": plain(profile.metrics),
        "answers_an_item": profile.answers_an_item,
        "clusters": profile.clusters,
        "input": read,
        "datasets": [record(DATASET, row) for row in _rows(profile)],
        "gaps": list(profile.gaps),
        "duplicates": profile.duplicates,
        "constant": list(profile.constant),
        "tests": [record(TEST, test) for test in tests],
        "problems": [] if profile.error is None else list(profile.error.messages),
        "notes": [note.record() for note in profile.notes],
        **more,
    }


def _rows(profile: Profile) -> list[Record]:
    """Return a record of each data set."""
    columns = {key: values.tolist() for key, values in profile.columns.items()}
    all_counts = profile.counts.tolist()
    rows = []
    for i, name in enumerate(profile.datasets):
        row: Record = {key: values[i] for key, values in columns.items()}
        row["dataset"] = name
        row["counts"] = dict(zip(profile.classifiers, all_counts[i], strict=True))
        rows.append(row)
    return rows
