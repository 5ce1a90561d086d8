"""The same results in every layout, dialect and preset give the same tables, to the last bit."""

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bcompare.data.account import LeftOut
from bcompare.files import presets
from bcompare.files.cells import SENTINELS
from bcompare.files.options import ReadOptions
from bcompare.files.presets import with_preset
from bcompare.reading.read import from_frame, read_scores
from tests.reading.written import (
    EQUAL,
    PRESETS,
    SMALL,
    Layout,
    Results,
    amlb,
    as_file,
    as_json_lines,
    canonical,
    cv_results,
    facts,
    iterated,
    sized,
    weka,
    wide_classifiers,
)

NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="\0\r"), min_size=1, max_size=6
).filter(lambda name: name == name.strip() and "__fold_" not in name and "'" not in name)
SHARES = st.decimals(0, 1, places=4).map(float)
OTHERS = st.floats(-1e100, 1e100).filter(
    lambda number: not 0 < abs(number) <= 1 and number not in SENTINELS  # these are asked about
)


@st.composite
def any_results(draw: st.DrawFn) -> Results:
    """Results with any names and any scores."""
    datasets = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    classifiers = draw(st.lists(NAMES, min_size=2, max_size=3, unique=True))
    runs, folds = draw(st.integers(1, 2)), draw(st.integers(2, 3))
    count = len(datasets) * runs * folds * len(classifiers)
    numbers = draw(st.sampled_from([SHARES, OTHERS]))  # shares and percentages are not read
    scores = draw(st.lists(numbers, min_size=count, max_size=count))
    if runs * folds < 3:
        return draw(any_results())
    return Results(datasets, runs, folds, classifiers, scores)


@given(any_results(), st.sampled_from(EQUAL))
@settings(max_examples=40)
def test_every_layout_gives_the_same(results: Results, layout: Layout) -> None:
    plain = read_scores(as_file(canonical(results).table))
    written = layout(results)
    scores = read_scores(as_file(written.table), **written.options)
    assert facts(scores) == facts(plain)
    assert scores.classifiers == plain.classifiers
    assert [d.name for d in scores.datasets] == [d.name for d in plain.datasets]


@pytest.mark.parametrize("layout", [canonical, wide_classifiers, iterated])
@pytest.mark.parametrize("sep", [",", ";", "\t", "|"])
@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("quoting", [0, 2])
def test_dialects_are_found_out(layout: Layout, sep: str, decimal: str, quoting: int) -> None:
    written = layout(SMALL)
    expected = facts(read_scores(as_file(written.table), **written.options))
    table = [written.table[0]] + [
        [cell.replace("0.", f"0{decimal}") for cell in row] for row in written.table[1:]
    ]
    if sep == decimal:
        written.options["decimal"] = decimal  # commas in quotes are not found out
    scores = read_scores(as_file(table, delimiter=sep, quoting=quoting), **written.options)
    assert facts(scores) == expected
    noted = {note.code: note.message for note in scores.notes}
    assert ("dialect" in noted) == (sep != "," or (decimal != "." and sep != decimal))


def variants(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The same text in other encodings and packings."""
    text = content.decode()
    yield "a byte order mark", text.encode("utf-8-sig")
    yield "UTF-16", text.encode("utf-16")
    yield "gzip", gzip.compress(content)
    yield "gzip and UTF-16", gzip.compress(text.encode("utf-16"))
    yield "blanks behind commas", content.replace(b",", b", ")


@pytest.mark.parametrize("name", [name for name, _ in variants(b"")])
def test_encodings_and_packings(name: str, tmp_path: Path) -> None:
    content = as_file(canonical(SMALL).table).read()
    changed = dict(variants(content))[name]
    path = tmp_path / "r.data"
    path.write_bytes(changed)
    expected = facts(read_scores(io.BytesIO(content)))
    assert facts(read_scores(io.BytesIO(changed))) == expected
    assert facts(read_scores(path)) == expected


@pytest.mark.parametrize("quote", ['"', "'"])
def test_quotes_escaped_by_backslashes(quote: str) -> None:
    names = ("tree -K 'a b'", 'svm "poly" -E 1,2', "knn\\3")
    results = Results(SMALL.datasets, 2, 3, names, SMALL.scores)
    file = as_file(canonical(results).table, quotechar=quote, escapechar="\\", doublequote=False)
    assert read_scores(file).classifiers == names


@pytest.mark.parametrize("layout", PRESETS)
def test_presets(layout: Layout) -> None:
    results = Results(
        ("r",) if layout is cv_results else SMALL.datasets,
        1 if layout is amlb else 2,
        3,
        SMALL.classifiers,
        SMALL.scores[: 18 if layout in (cv_results, amlb) else 36],
    )
    written = layout(results)
    scores = read_scores(as_file(written.table), **written.options)
    suffix = {"weka": " -C 0.25 -M 2", "amlb": " 1h8c"}.get(layout.__name__, "")
    classifiers = [name + suffix for name in results.classifiers]
    plain = Results(results.datasets, results.runs, 3, classifiers, results.scores)
    assert facts(scores) == facts(read_scores(as_file(canonical(plain).table)))
    assert scores.classifiers == tuple(classifiers)


@pytest.mark.parametrize("layout", [canonical, *EQUAL])
def test_every_format_gives_the_same(layout: Layout, tmp_path: Path) -> None:
    written = layout(SMALL)
    header, *rows = written.table
    expected = facts(read_scores(as_file(written.table), **written.options))
    typed = pd.read_csv(as_file(written.table))
    for frame in (pd.DataFrame(rows, columns=header), typed):
        assert facts(from_frame(frame, **written.options)) == expected
    path = tmp_path / "r.data"
    for as_text in (as_json_lines, json.dumps):
        path.write_text(as_text([dict(zip(header, row, strict=True)) for row in rows]))
        assert facts(read_scores(path, **written.options)) == expected
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[parquet]'")
    typed.to_parquet(path)
    with path.open("rb") as stream:
        for file in (path, stream):
            assert facts(read_scores(file, **written.options)) == expected


@pytest.mark.parametrize("marker", ["", "?", "NA", "nan", "-", "n/a"])
def test_missing_markers(marker: str) -> None:
    table = canonical(SMALL).table
    table[5][4] = marker
    kept = read_scores(as_file(table), na_values=(marker,), missing="drop-folds")
    shorter = [row for i, row in enumerate(table) if i != 5]
    expected = read_scores(as_file(shorter), missing="drop-folds")
    assert facts(kept) == facts(expected)
    assert kept.account.folds == expected.account.folds == (("iris", "1", "2"),)
    assert kept.account.rows_left_out == expected.account.rows_left_out + 1
    assert kept.account.left_out[0] == LeftOut("no-score", 1, {table[5][3]: 1})
    frame = pd.DataFrame(table[1:], columns=table[0])
    assert facts(from_frame(frame, na_values=(marker,), missing="drop-folds")) == facts(expected)


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        (("fold!=2",), {"1", "3"}),
        (("fold~[13]",), {"1", "3"}),
        (("fold~^[123]$", "run=1"), {"1", "2", "3"}),
        (("score~^0",), {"1", "2", "3"}),
    ],
)
def test_conditions(where: tuple[str, ...], kept: set[str]) -> None:
    header, *rows = canonical(SMALL).table
    runs = {"1"} if "run=1" in where else {"1", "2"}
    left = [row for row in rows if row[2] in kept and row[1] in runs]
    scores = read_scores(as_file([header, *rows]), where=where, rho=0.1)
    assert facts(scores) == facts(read_scores(as_file([header, *left]), rho=0.1))
    assert scores.account.rows_left_out == len(rows) - len(left)
    frame = pd.DataFrame(rows, columns=header)
    assert facts(from_frame(frame, where=where, rho=0.1)) == facts(scores)


def test_a_classifier_of_several_columns() -> None:
    header = ["dataset", "run", "fold", "framework", "constraint", "score"]
    rows = [
        [dataset, run, fold, name[0], name[1:], score]
        for (dataset, run, fold, name), score in SMALL.items()
    ]
    scores = read_scores(as_file([header, *rows]), classifier_col="framework, constraint")
    assert scores.classifiers == ("n bc", "a ode", "j 48")
    whole = [["dataset", "run", "fold", "a,b", "score"], *canonical(SMALL).table[1:]]
    assert read_scores(as_file(whole), classifier_col="a,b").classifiers == SMALL.classifiers


def test_sizes_give_every_data_set_its_own_correlation() -> None:
    header, *rows = sized(SMALL).table
    for row in rows:
        row[5:] = ["90", "10"] if row[0] == "iris" else ["150", "50"]
    rows[0][5:] = ["91", "9"]  # folds may differ by a case
    rhos = {d.name: d.rho for d in read_scores(as_file([header, *rows])).datasets}
    iris = 18 * 100
    assert rhos == {"iris": (18 * 10 - 1) / iris, "wine": 0.25}
    given = read_scores(as_file([header, *rows]), rho=0.3)
    assert [d.rho for d in given.datasets] == [0.3, 0.3]
    rows[3][5] = "unknown"
    assert read_scores(as_file([header, *rows]), rho=0.3).datasets[0].rho == 0.3


def test_sizes_tell_the_correlation_of_single_holdouts() -> None:
    header, *rows = sized(SMALL).table
    holdouts = [[*row[:2], "1", *row[3:5], "67", "33"] for row in rows if row[2] == "1"]
    more = [[row[0], "3", *row[2:]] for row in holdouts if row[1] == "1"]
    scores = read_scores(as_file([header, *holdouts, *more]))
    assert [(d.runs, d.folds, d.rho) for d in scores.datasets] == [(3, 1, 0.33)] * 2


def test_iterations_go_before_runs_and_folds() -> None:
    header, *rows = canonical(SMALL).table
    counted = [[*row, str(int(row[1]) * 3 + int(row[2]) - 4)] for row in rows]
    for row in counted:
        row[1:3] = ["?", "?"]
    scores = read_scores(
        as_file([[*header, "iteration"], *counted]), iteration_col="iteration", folds=3
    )
    assert facts(scores) == facts(read_scores(as_file([header, *rows])))


@pytest.mark.parametrize(
    "header", ["Dataset,Run,Fold,Classifier,Score", "DATASET,run,fOLD,classifier,score"]
)
def test_headers_in_any_case(header: str) -> None:
    table = canonical(SMALL).table
    scores = read_scores(as_file([header.split(","), *table[1:]]))
    assert facts(scores) == facts(read_scores(as_file(table)))
    (note,) = [note for note in scores.notes if note.code == "other-case"]
    assert (note.severity, f"'{header[:7]}' for dataset" in note.message) == ("info", True)
    frame = pd.DataFrame(table[1:], columns=header.split(","))
    assert [note.code for note in from_frame(frame).notes] == ["other-case", "few-folds"]


def test_a_doubled_quote_among_wekas_quotes() -> None:
    header, *rows = weka(SMALL).table
    options = '-W "a b"'
    lines = [",".join(header)]
    for i, row in enumerate(rows):
        row[4] = "'" + options + "'" if i % 2 else '"-W ""a b"""'
        lines.append(",".join([f"'{row[0]}'", *row[1:]]))
    file = io.BytesIO("\n".join([*lines, ""]).encode())
    assert read_scores(file, preset="weka").classifiers == tuple(
        f"{name} {options}" for name in SMALL.classifiers
    )


@pytest.mark.parametrize(
    ("header", "measures", "changes"),
    [
        ("task_id,learner_id,iteration,regr.rmse", ["regr.rmse"], {"lower_is_better": True}),
        ("task_id,learner_id,iteration,surv.cindex", ["surv.cindex"], {}),
        ("task_id,learner_id,iteration", [], {}),
    ],
)
def test_measures_of_mlr3_that_are_there(
    header: str, measures: list[str], changes: dict[str, bool]
) -> None:
    assert presets.measures_of(presets.PRESETS["mlr3"], header.split(",")) == measures
    assert all(presets.lower_of(measure) == changes for measure in measures)


def test_a_preset_fills_what_the_user_left_open() -> None:
    options = with_preset(ReadOptions(preset="weka", score_col="Area_under_ROC", rho=0.1))
    assert options.score_col == "Area_under_ROC"
    assert options.dataset_col == presets.PRESETS["weka"].options["dataset_col"]
    assert options.rho == 0.1
    assert with_preset(ReadOptions()) == ReadOptions()
