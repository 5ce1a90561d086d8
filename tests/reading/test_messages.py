"""Golden messages: `messages.txt` holds all of them, to be read in a row; and of many alike, few.

To accept a change, look at it, run with BCOMPARE_UPDATE_GOLDEN=1, and read the diff.
"""

import ast
import gzip
import io
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir
from itertools import product
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest
from sklearn.model_selection import ShuffleSplit

from bcompare.basis.messages import InputError, as_keywords
from bcompare.data.rope import Rope
from bcompare.data.scales import scale_notes
from bcompare.data.scores import Scores
from bcompare.files import formats, text
from bcompare.files.options import MEASURE
from bcompare.reading.read import from_frame, from_means, read_scores, read_slices
from bcompare.reading.searches import from_cross_validate, from_cv_results
from tests.command import refused, run
from tests.golden import golden
from tests.reading.rows import as_file, make_rows
from tests.results import HEADER, write_lines

GOLDEN = Path(__file__).with_name("messages.txt")


def made(datasets: int = 1, runs: int = 1, folds: int = 3, names: str = "nbc aode") -> list[str]:
    """Canonical rows; the first is on line 2 of a file."""
    return make_rows(datasets, runs, folds, names.split())


def told(read: Callable[[], Scores]) -> str:
    """What reading tells: problems, or notes."""
    try:
        return "\n".join(f"({note.code}) {note.message}" for note in read().notes)
    except InputError as error:
        return "\n".join([*error.problems, *map(as_keywords, error.advice)])


def of(rows: list[str] | str | bytes, header: str = HEADER, **options: Any) -> str:
    """What reading the rows as r.csv tells."""
    content = rows.encode() if isinstance(rows, str) else rows
    return told(lambda: read_scores(as_file(content, header), **options))


def changed(rows: list[str], *changes: tuple[int, str]) -> list[str]:
    """The rows with some lines replaced."""
    rows = list(rows)
    for line, row in changes:
        rows[line - 2] = row
    return rows


def cells() -> Iterator[tuple[str, str]]:
    """Cells and rows that cannot be read."""
    yield "a score that is not a number", of(changed(made(), (4, "d0,1,2,nbc,good")))
    yield "a decimal comma between commas", of(changed(made(), (4, 'd0,1,2,nbc,"0,51"')))
    yield "a comma among thousands", of(changed(made(), (4, 'd0,1,2,nbc,"1,817"')))
    yield "a score with its deviation", of(changed(made(), (4, "d0,1,2,nbc,0.51 ± 0.02")))
    yield "two numbers", of(changed(made(), (4, "d0,1,2,nbc,0.51 ± 0.02 ± 0.01")))
    beside = [f"{row.rpartition(',')[0]},973" for row in made()]
    yield "points among thousands", of(changed(beside, (4, "d0,1,2,nbc,1.017")))
    yield "words for scores", of(changed(made(), (4, "d0,1,2,nbc,pass")))
    yield "several values", of(changed(made(), (4, "d0,1,2,nbc,{'a': 1}")))
    yield "a percent sign", of(changed(made(), (4, "d0,1,2,nbc,51%")))
    yield "an empty score", of(changed(made(), (3, "d0,1,1,aode,")))
    yield "a missing marker", of(changed(made(), (3, "d0,1,1,aode,NA")))
    yield "an infinite score", of(changed(made(), (3, "d0,1,1,aode,-inf")))
    yield "a score too large", of(changed(made(), (3, "d0,1,1,aode,1e999")))
    yield "truth values", of(changed(made(), (2, "d0,1,1,nbc,True"), (3, "d0,1,1,aode,False")))
    unknown = [f"{row.rpartition(',')[0]},?" for row in made(folds=6)]
    yield "more than ten of a kind", of(unknown)
    yield "a long cell", of(changed(made(), (3, f"d0,1,1,aode,{'x' * 100}")))
    kinds = ((3, "d0,1,1,aode,"), (4, "d0,1,2,,0.5"), (5, "d0,1,2"), (6, "d0,1,3,nbc,x"))
    yield "several kinds", of(changed(made(), *kinds))
    yield "an empty name", of(changed(made(), (5, "d0,1,,aode,0.5")))
    semicolons = [row.replace(",", ";").replace("0.", "0,") for row in made(1, 2, 5)]
    yield "another separator and decimal mark", of(semicolons, HEADER.replace(",", ";"))
    ragged = changed(made(), (3, "d0,1,1,aode"), (4, "d0,1,2,nbc,0,5"))
    yield "too few and too many fields", of(ragged)
    yield "a NUL byte", of(changed(made(), (3, "d0,1,1,ao\0de,0.5")))
    umlaut = "\n".join([HEADER, *changed(made(), (3, "d0,1,1,aödé,0.5"))])
    yield "a byte that is not UTF-8", of(umlaut.encode("latin1"))
    yield "a quote that is not closed", of(changed(made(), (4, 'd0,1,2,"nbc,0.5')))
    yield "a quote that is not doubled", of(changed(made(), (4, 'd0,1,2,"n"b"c",0.5')))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "LONGEST_FIELD", 1000)
        huge = changed(made(), (4, f"d0,1,2,{'x' * 2000},0.5"), (5, "d0,1,2,aode,?"))
        yield "a huge field", of(huge)


def keys() -> Iterator[tuple[str, str]]:
    """Rows that do not fit together."""
    gap = [row for row in made() if not row.startswith("d0,1,2,aode")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text.Text, "find", lambda file, rows: {})
        yield "a file that changes", of([*made(), made()[2]])
    yield "the same row twice", of([*made(), made()[2]])
    yield "two scores for one key", of([*made(), "d0,1,2,nbc,0.9"])
    header = HEADER + ",seed,time"
    twice = [f"{row},{k},{i}" for k in (1, 2) for i, row in enumerate(made(folds=6))]
    yield "a column forgotten", of(twice, header)
    repeats = [f"{row},{k}" for k in (1, 2) for row in made(folds=6)]
    yield "repeats forgotten", of(repeats, HEADER.replace("run", "part") + ",repeat")
    yield "a fold that one lacks", of(gap)
    yield "folds of another number", of(made()[:-1])
    yield (
        "folds of another seed",
        of([f"{row},{'12'['aode' in row]}" for row in made()], f"{HEADER},seed"),
    )
    percent = [row.replace("aode,0", "aode,7") for row in made(folds=5)]
    yield "fractions beside percentages", of(percent)
    yield "one of two converted", of(percent, scale={"aode": 0.1})
    yield "a factor of 0", of(made(), scale={"aode": 0.0})
    yield (
        "zero for a failed trial, though others are below",
        of([*made(folds=5)[:-1], "d0,1,5,aode,"], lower_is_better=True, failed="zero"),
    )
    yield "a fold that two lack", of(made(names="nbc aode j48 gbm")[:-2])
    yield "hardly anything in common", of([f"d,1,{i},c{i},0.5" for i in range(5000)])
    yield "no fold in common", of([r if "nbc" in r else r.replace("d0,1", "d0,2") for r in made()])
    yield (
        "no data set of the baseline",
        of([r if "nbc" in r else r.replace("d0", "d1") for r in made()]),
    )
    yield "one classifier", of(made(names="nbc"))
    yield "two scores of each", of(made(folds=2))
    words = [f"{row.rpartition(',')[0]},no" for row in made()]
    yield "words for all scores but one that is missing", of([*words[:-1], words[-1][:-2]])
    yield "two scores of each on three data sets", of(made(datasets=3, folds=2))
    short = [r.replace("d0", "d1") for r in made(folds=2)]
    yield "two scores of each on one data set", of(made() + short)
    yield "one fold a run", of(made(datasets=2, runs=5, folds=1))
    other = [r.replace("d0,1", "d0,2") for r in made(folds=4)]
    yield "runs of different numbers of folds", of(made() + other)
    lacking = [row for row in made(runs=3, folds=5) if row[:6] not in ("d0,2,4", "d0,3,1")]
    yield "folds that all lack", of(lacking)
    absurd = changed(made(runs=4, folds=5), (9, "d0,1,4,aode,74.92"))
    yield "an absurd score", of(absurd)
    yield "absurd scores", of(changed(absurd, (12, "d0,2,1,nbc,-999")))
    yield "all dropped", of(gap, missing="drop-datasets")
    yield "too many dropped", of(gap, missing="drop-folds")
    yield "an unknown classifier", of(made(), classifiers=("nbc", "oade"))
    smo = [row.replace("nbc", "weka.classifiers.functions.SMO -C 1.0") for row in made()]
    yield "a classifier by its cut name", of(smo, classifiers=("SMO",))
    yield "an unknown classifier with nothing near", of(made(), classifiers=("nbc", "xgboost"))
    yield "an unknown data set", of(made(), datasets=("D0",))
    yield "few folds", of(made(datasets=2))
    yield "a classifier that lacks a data set", of(made(2, 2, 5) + made(1, 2, 5, "j48"))
    capital = [row.replace("d0", "D0") for row in made(1, 2, 5)]
    asked = [f"{q},{name},{q % 3 % 2},{'xy'[q % 2]}" for q in range(8) for name in "ab"]
    answers = as_file(asked, "item,classifier,score,topic")
    sliced = told(lambda: read_slices(answers, by="topic", item_col="item")[1])
    yield "slices of few items", sliced
    means = [f"d{i},0.{i + 5},0.6,{i + 1}" for i in range(3)]
    yield "a column of ranks", of(means, "dataset,nbc,aode,Rank", preset="means")
    marked = [row.rpartition(",")[0] + ",-1" if ",3,aode" in row else row for row in made(2, 2, 5)]
    yield "a number for missing scores", of(marked)
    yield (
        "a metric that may be negative",
        of(marked, HEADER.replace("score", "mcc"), score_col="mcc"),
    )
    ended = [f"{row},{'crashed' if ',3,aode' in row else 'finished'}" for row in made(2, 2, 5)]
    yield "runs that crashed", of(ended, f"{HEADER},State")
    yield "runs that crashed, left out", of(ended, f"{HEADER},State", missing="drop-folds")
    total = [row.replace("d1", "average") for row in made(2, 2, 5)]
    yield "an average among data sets", of(total)
    typed = [f"{row},{t}" for t in ("binary", "multiclass") for row in made(1, 2, 5)]
    header = f"{HEADER.replace('score', 'result')},type"
    yield "types of tasks", of(typed, header, score_col="result")
    one = of(typed, header, score_col="result", where=("type=multiclass",))
    yield "one type of tasks, whose metric may be a loss", one
    yield "data sets that differ in case only", of(made(1, 2, 5) + capital)


def columns() -> Iterator[tuple[str, str]]:
    """Headers that cannot be understood."""
    yield "an empty file", of("")
    yield "an empty file of items", of("", item_col="question")
    yield "blank lines only", of("\n \n\n")
    yield "a header only", of(HEADER)
    yield "binary data", of(bytes(range(256)))
    yield "a header that is not UTF-8", of("dataset,run,fold,classifier,scöre\n".encode("latin1"))
    yield "a header with an open quote", of('dataset,run,fold,"classifier,score\n')
    yield "a missing column", of(made(), "dataset,run,fold,classifier,accuracy")
    yield "a misspelt column", of(made(), "dataset,run,fold,clasifier,score")
    yield "questions, and a column a model", of(["q1,1,0", "q2,0,1"], "question,gpt,claude")
    yield "a column a model, and no other", of(["1,0", "0,1"], "gpt,claude")
    yield "a missing column that was named", of(made(), score_col="acuracy", dataset_col="task")
    yield "no classifier column", of(made(), "dataset,run,fold,model,score")
    yield "neither run nor fold", of(made(), "dataset,repeat,cv,classifier,score")
    yield "an optional column misspelt", of(made(), "datasets,runs,fold,classifier,score")
    yield "columns in other case", of(made(1, 2, 5), "Dataset,RUN,Fold,Classifier,score")
    yield "two columns in other case", of(made(), "Dataset,DATASET,fold,classifier,score")
    lines = ['{"dataset": "d", "classifier": "nbc", "score": 0.5}'] * 3
    yield "JSON Lines", of(lines[1:], lines[0])
    yield "JSON nested too deep", of("[" * 5000)
    yield "JSON Lines, damaged", of([*lines[1:], "{", "[1]"], lines[0])
    yield "a JSON document", of(['  "results": []', "}"], "{")
    single = [f"{r[:-5]}{i % 3 % 2}" if "d1," in r else r for i, r in enumerate(made(2, folds=5))]
    yield "folds of single cases", of(single)
    means = {"results": {"arc": {"acc,none": 0.5}}, "configs": {}, "versions": {}}
    yield "a summary of lm-evaluation-harness", of(json.dumps(means), "")
    counts = "dataset,classifier,tp,tn,fp,fn,predict_time"
    yield (
        "counts of right and wrong",
        of([f"d{i},{n},5,4,{i},1,0.{i}" for i in "12" for n in "ab"], counts),
    )
    twice = [f"d{i},{n},0.{i}" for i in "12" for n in "ab"] * 2
    yield "rows that repeat without a number", of(twice, "dataset,model,testing_score")
    own = {"dataset": "d", "fold": 1, "classifier": "nbc", "score": 0.5}
    timed = [own | {"classifier": who, "fold": i} for who in ("nbc", "aode") for i in range(4)]
    summed = [*timed, own | {"fold": 9, "aggregate_name": "mean"}]
    yield "aggregates in JSON", of(json.dumps({"rows": summed}), "")
    yield "a column twice", of([row + ",1" for row in made()], HEADER + ",score")
    yield "one column in two parts", of(made(), run_col="fold")
    seeds = HEADER.replace("fold", "random seed")
    yield "seeds for folds", of(made(), seeds, fold_col="random seed")
    weka = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct\n"
    yield "WEKA's header", of(weka)
    yield "scikit-learn's header", of("mean_fit_time,params,split0_test_score,split1_test_score\n")
    yield "mlr3's header", of("uhash\ttask_id\tlearner_id\titeration\tclassif.ce\n")
    amlb = "id,task,framework,constraint,fold,type,result,metric\n"
    yield "the AutoML Benchmark's header", of(amlb)
    yield "no header", of("iris,1,1,nbc,0.5\niris,1,1,aode,0.5\n")
    yield "one column", of("hello\nworld\n")
    yield "another separator", of("dataset:fold:classifier:score\nd:1:a:0.5\n")
    lone = [f"d,{i},0.{i}" for i in range(1, 6)]
    yield "one classifier without its name", of(lone, "dataset,fold,score")
    yield "predictions", of(["1,cat,dog", "2,cat,cat"], "no,label,answer")
    yield "a comment above", of("# by me,x\ndataset,score\na,1\n")
    yield "votes", of(["gpt,claude,gpt"], "model_a,model_b,winner")
    yield "many columns", of(["1," * 29 + "1"], ",".join(f"column {i}" for i in range(30)))


def layouts() -> Iterator[tuple[str, str]]:
    """Options that do not fit the file."""
    rows = made()
    yield "a condition that is none", of(rows, where=("classifier",))
    yield "a condition on a missing column", of(rows, where=("clasifier=nbc", "metric=auc"))
    yield "a condition that no row meets", of(rows, where=("classifier=nbx", "fold!=1"))
    both = ("classifier=nbc", "classifier=aode")
    yield "conditions that no row meets together", of(rows, where=both)
    yield "a condition with a bad expression", of(rows, where=("classifier~(nbc",))
    yield "a wide layout that fits nothing", of(rows, wide=r"split(?P<fold>\d+)_test_score")
    yield "a wide layout without groups", of(rows, wide="score")
    yield "a wide layout with an unknown group", of(rows, wide="(?P<model>nbc|aode)")
    yield "a wide layout that is no expression", of(rows, wide="(?P<fold")
    suffix = "(?P<classifier>.*)_score"
    empty = of(["1,0.5,0.6"], "run,nbc_score,_score", wide=suffix)
    yield "a wide layout with an empty group", empty
    both_ways = {"wide": "(?P<classifier>nbc|aode)", "classifier_col": "model"}
    twofold = of(["1,a,0.5,0.6"], "run,model,nbc,aode", **both_ways)
    yield "a wide layout and a column for one part", twofold
    key = "key,classifier,score"
    split = "key=(?P<dataset>.*)_(?P<fold>.*)"
    misspelt = split.replace("key", "kye")
    yield "a column to split that is missing", of(["d_1,nbc,0.5"], key, split=misspelt)
    cells = ["d_1,nbc,0.5", "d,nbc,0.5", "d_,nbc,0.5"]
    yield "cells that cannot be split", of(cells, key, split=split)
    header = "iteration,classifier,score"
    column = "iteration"
    yield "iterations without folds", of(["1,nbc,0.5"], header, iteration_col=column)
    yield "a missing column of iterations", of(["1,nbc,0.5"], header, iteration_col="nr", folds=3)
    three: dict[str, Any] = {"iteration_col": column, "run_col": column, "folds": 3}
    yield "iterations and runs", of(["1,nbc,0.5"], header, **three)
    yield "folds without iterations", of(rows, folds=10)
    bad = ["a,nbc,0.5", "-1,nbc,0.4"]
    yield "iterations that are no numbers", of(bad, header, iteration_col=column, folds=3)
    sizes = HEADER + ",n_train,n_test"
    yield "sizes that are not whole", of([f"{row},0.9,0.1" for row in rows], sizes)
    sized = [f"{row},{'' if 'nbc' in row else 3}" for row in rows]
    yield "a cost that is missing", of(sized, HEADER + ",size", cost_col="size")
    marked = [f"{row},{'NA' if 'nbc' in row else 3}" for row in rows]
    yield "a cost that is marked", of(marked, HEADER + ",size", cost_col="size", na_values=("NA",))
    yield "missing scores only", of([row[:-5] + "NA" for row in rows], na_values=("NA",))
    yield (
        "missing scores that leave gaps",
        of(changed(rows, (2, "d0,1,1,nbc,NA")), na_values=("NA",)),
    )
    semicolons = ["d0;1;1;nbc;0,5", "d0;1;1;aode;0.5"]
    yield "points among decimal commas", of(semicolons, HEADER.replace(",", ";"))
    yield "missing scores that are refused", of(changed(rows, (2, "d0,1,1,nbc,")), na_values=("",))
    absent = made(2, 2, 5) + made(1, 2, 5, "j48")
    yield "data sets that are refused where one lacks them", of(absent, missing="refuse")
    metrics = [f"{row},{'auc' if i % 2 else 'acc'}" for i, row in enumerate(rows)]
    yield "several metrics", of(metrics, HEADER + ",metric")
    amlb = "task,fold,framework,result,metrics,utc,auc"
    tasks = (("a", 0.5), ("b", ""))
    of_2019 = [f"{t},{f},{n},0.5,,,{auc}" for t, auc in tasks for f in "123" for n in "ab"]
    yield "results of 2019", of(of_2019, amlb, preset="amlb")
    many = [f"d,{i},{n},0.{i + 10}" for i in range(12) for n in "ab"]
    yield "runs as folds", of(many, "dataset,seed nr,classifier,score", fold_col="seed nr")
    trials = "dataset,trial,classifier,score"
    yield "runs as folds in unusual numbers", of(many, trials, fold_col="trial")
    yield "fewer iterations than folds", of(many, trials, iteration_col="trial", folds=20)
    yield "scores too large to compute with", of(changed(rows, (2, "d0,1,1,nbc,1e308")))
    yield "no fold a run", told(lambda: read_scores(folds=1))
    yield "a separator that cannot be", told(lambda: read_scores(sep="||"))
    yield "a decimal mark that cannot be", told(lambda: read_scores(decimal="'"))
    yield "one mark for both", told(lambda: read_scores(sep=",", decimal=","))


def arguments() -> Iterator[tuple[str, str]]:
    """Arguments that name no results; files are in the working directory."""
    yield "no argument and no results.csv in an empty folder", told(read_scores)
    good = "\n".join([HEADER, *made()])
    Path("first.csv").write_text(good)
    yield "no argument and no results.csv", told(read_scores)
    yield "no such file", told(lambda: read_scores("frist.csv", "nowhere/x.csv"))
    yield "a name that no file can have", told(lambda: read_scores("a\0b"))
    write_lines(Path("copy.csv"), HEADER, made()[0])
    write_lines(Path("renamed.csv"), HEADER.replace("score", "scored"), *made()[1:2])
    yield "a column of one file", told(lambda: read_scores("first.csv", "renamed.csv"))
    yield "a row in two files", told(lambda: read_scores("first.csv", "copy.csv"))
    Path("folder").mkdir()
    yield "an empty folder", told(lambda: read_scores("folder"))
    yield "a folder", told(lambda: read_scores("."))
    yield "the same file twice", told(lambda: read_scores("first.csv", "./first.csv"))
    Path("cut.parquet").write_bytes(b"PAR1 and so on")
    yield "a damaged Parquet file", told(lambda: read_scores("cut.parquet"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "pyarrow", None)
        yield "Parquet without pyarrow", told(lambda: read_scores("cut.parquet"))
    Path("cut.feather").write_bytes(b"ARROW1 and so on")
    yield "a damaged Feather file", told(lambda: read_scores("cut.feather"))
    Path("cut.zst").write_bytes(b"\x28\xb5\x2f\xfd and so on")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "compression.zstd", None)
        patch.setitem(sys.modules, "compression", None)
        yield "Zstandard before Python 3.14", told(lambda: read_scores("cut.zst"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "narwhals", None)
        lazy: Any = SimpleNamespace()
        yield "a frame of another library", told(lambda: from_frame(lazy))
    for name in ("nbc", "aode"):
        rows = [row.partition(",")[2] for row in made(folds=5) if name in row]
        write_lines(Path(f"{name}.csv"), "run,fold,classifier,score", *rows)
        write_lines(Path(f"{name}2.csv"), "run,fold,classifier,score", *rows)
    yield "files of a classifier each", told(lambda: read_scores("nbc.csv", "aode.csv"))
    yield "files of one classifier", told(lambda: read_scores("nbc.csv", "nbc2.csv"))
    yield "an unknown preset", told(lambda: read_scores("first.csv", preset="sklearn"))
    yield "a label without a file", told(lambda: read_scores("old="))
    yield "a label for several classifiers", told(lambda: read_scores("old=first.csv"))
    Path("book.xlsx").write_bytes(b"PK\x03\x04 and so on")
    yield "a workbook", told(lambda: read_scores("book.xlsx"))
    Path("log.eval").write_bytes(b"PK\x03\x04 and so on")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "inspect_ai.analysis", None)
        yield "a log of Inspect", told(lambda: read_scores("log.eval"))
    analysis = ModuleType("inspect_ai.analysis")
    vars(analysis).update(EvalTask=[], EvalModel=[], SampleSummary=[])
    vars(analysis)["samples_df"] = lambda log, **_: Path(log, "sample").read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "inspect_ai", ModuleType("inspect_ai"))
        patch.setitem(sys.modules, "inspect_ai.analysis", analysis)
        yield "a damaged log of Inspect", told(lambda: read_scores("log.eval"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "openpyxl", None)
        yield "a workbook without openpyxl", told(lambda: read_scores("book.xlsx"))
    book = openpyxl.Workbook()
    book.create_sheet("scores")
    book.save("two.xlsx")
    yield "a workbook of two sheets", told(lambda: read_scores("two.xlsx"))
    yield "an unknown sheet", told(lambda: read_scores("two.xlsx#score"))
    yield "a sheet of no workbook", told(lambda: read_scores("first.csv#scores"))
    yield "a pattern that fits nothing", told(lambda: read_scores("a=runs/*.csv"))
    Path("cut.csv.gz").write_bytes(gzip.compress(good.encode())[:50])
    yield "damaged gzip data", told(lambda: read_scores("cut.csv.gz"))
    Path("cut.txt").write_bytes(good.encode("utf-16") + b"x")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formats, "MOST_UNPACKED", 1 << 20)
        Path("bomb.csv.gz").write_bytes(gzip.compress(bytes(1 << 21)))
        yield "a compressed file that is too large", told(lambda: read_scores("bomb.csv.gz"))
        patch.setattr(formats, "MOST_UNPACKED", 1 << 10)
        yield "a workbook that is too large", told(lambda: read_scores("two.xlsx"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formats, "MOST_CELLS", 5)
        book.worksheets[0]["C3"] = 1
        book.save("far.xlsx")
        yield "a sheet with a far corner", told(lambda: read_scores("far.xlsx#Sheet"))
    Path("r.arff").write_text("@relation r\n@attribute a numeric\n@data\n{0 1}\n")
    yield "a sparse ARFF file", told(lambda: read_scores("r.arff"))
    Path("r.arff").write_text("@relation r\n@attribute a numeric\n")
    yield "an ARFF file without rows", told(lambda: read_scores("r.arff"))
    yield "a LaTeX table that is cut off", of("\\begin{tabular}{lr}\na & 1 \\\\\n")
    Path("turned.csv").write_text(",0,1\nparams,a,b\nsplit0_test_score,0.5,0.6\n")
    yield "a search that is turned over", told(lambda: read_scores("turned.csv"))
    yield "damaged UTF-16", told(lambda: read_scores("cut.txt"))
    Path("second.csv").write_text(good.replace("0.523", "?"))
    Path("third.csv").write_text("nothing")
    three = ("first.csv", "second.csv", "third.csv")
    yield "problems of several files", told(lambda: read_scores(*three))
    yield "rho outside its range", told(lambda: read_scores("first.csv", rho=1.0))
    yield "an unknown policy", told(lambda: read_scores("first.csv", missing="skip"))


def scales() -> Iterator[tuple[str, str]]:
    """The rope and the unit of the scores."""

    def noted(*factors: float, rope: float = 0.01) -> str:
        rows = [
            f"d{i},1,{f},{name},{factor * (0.8 + f / 100 + k / 50):.4f}"
            for i, factor in enumerate(factors)
            for f in range(10)
            for k, name in enumerate(("nbc", "aode"))
        ]
        notes = scale_notes(read_scores(as_file(rows)), Rope.of(rope))
        return "\n".join(f"({note.code}) {note.message}" for note in notes)

    yield "percentages", noted(100, 90)
    yield "percentages with a rope for them", noted(100, 90, rope=1)
    yield "ratings", noted(10, 9)
    error = HEADER.replace("score", "error")
    yield "losses that are not said to be", of(made(), error, score_col="error")
    yield "very different scales", noted(1, 2000)
    ranks = [f"d,1,{f},{name},{(f + k) % 3 + 1}" for f in range(3) for k, name in enumerate("abc")]
    ranked = scale_notes(read_scores(as_file(ranks)), Rope.of(0.1))
    yield "ranks", "\n".join(note.message for note in ranked)
    table = ["iris,1,2,3", "wine,2,1,3", "glass,1,3,2"]
    yield "a table of ranks", of(table, "dataset,a,b,c")
    curves = [f"{m},{s},{e},0.{e}{s}{k}" for k, m in enumerate("ab") for s in "123" for e in "123"]
    shifted = [f"{f + k},{m},0.{f}{k}" for k, m in enumerate("ab") for f in range(5)]
    yield "folds from 0 and from 1 on", of(shifted, "fold,classifier,score")
    yield "steps of a training", of(curves, "model,seed,epoch,val_acc")
    units = {("b", "y"): 100}
    mixed = [
        f"{d},{f},{m},{units.get((d, m), 1) * (0.7 + f / 100):g}"
        for d, f, m in product("ab", (1, 2, 3), "xy")
    ]
    yield "percentages on some data sets", of(mixed, "dataset,fold,classifier,score")


def sklearn() -> Iterator[tuple[str, str]]:
    """What scikit-learn holds, where it cannot be used."""

    def searched(results: Any, **options: Any) -> str:
        return told(lambda: from_cv_results(results, **options))

    results: dict[str, Any] = {"params": [{"C": 1}, {"C": 10}]}
    results |= {f"split{i}_test_acc": np.array([0.8, 0.9]) for i in range(5)}
    search = SimpleNamespace(cv=ShuffleSplit(test_size=0.1), n_splits_=5, cv_results_=results)
    yield "a search without fit", searched(object())
    yield "an unknown metric", searched(results, folds=5)
    yield "folds not known", searched(results, metric="acc")
    yield "splits that are no cross-validation", searched(search, metric="acc")
    yield "a metric that a search lacks", searched(search, metric="auc")
    yield "rounds of a search", searched(results | {"iter": [0, 1]}, metric="acc", folds=5)
    cv: dict[str, Any] = {"preset": "sklearn-cv-results", "folds": 3}
    rows = ["0,20,C=1,0.5,0.6,0.7", "1,40,C=1,0.6,0.7,0.8"]
    header = "iter,n_resources,params,split0_test_score,split1_test_score,split2_test_score"
    yield "rounds of a search in a file", told(lambda: read_scores(as_file(rows, header), **cv))
    auc = header.replace("_score", "_auc")
    yield "a metric of a search in a file", told(lambda: read_scores(as_file(rows, auc), **cv))
    costs = {"metric": "acc", "folds": 5, "cost_col": "size"}
    yield "a search without such costs", searched(results, **costs)
    yield "costs that are no numbers", searched(results | {"size": ["small", "large"]}, **costs)
    yield "names that are not different", searched(results, metric="acc", folds=5, names=["a", "a"])
    failed = results | {"split3_test_acc": np.array([0.8, np.nan])}
    yield "a fit that failed", searched(failed, metric="acc", folds=5)
    only_auc = {"svm": {"test_auc": [0.8] * 5}}
    yield "a metric that was not computed", told(lambda: from_cross_validate(only_auc, folds=5))
    yield "one cross_validate", told(lambda: from_cross_validate({"test_score": [0.8]}, folds=5))
    yield "nothing that was computed", told(lambda: from_cross_validate({"svm": {}}, folds=5))


def units() -> Iterator[tuple[str, str]]:
    """Rows that are no folds, or may not be."""
    items = [f"q{i},{name},{(i + k) % 2}" for i in range(12) for k, name in enumerate("ab")]
    header = "question,classifier,score"
    item: dict[str, Any] = {"item_col": "question"}
    yield "items, not named", of(items, header)
    yield "items", of(items, header, **item)
    yield "few items", of(items[:8], header, **item)
    yield "too few items", of(items[:4], header, **item)
    yield "an item twice", of([*items, items[3]], header, **item)
    yield "missing items", of([*items[:6], *items[7:11], *items[12:]], header, **item)
    three = [f"q{i},{name},1" for i in range(6) for name in "abc" if i > 1 or name == "a"]
    yield (
        "items by two kinds of names",
        of([r.replace("q", "", "b" in r) for r in items], header, **item),
    )
    yield "items that one of three answered", of(three, header, **item)
    clusters = [f"{row},c{i // 4}" for i, row in enumerate(items)]
    wrong = changed(clusters, (3, f"{items[1]},c2"))
    yield "an item in two clusters", of(wrong, f"{header},passage", **item, cluster_col="passage")
    yield "a correlation of items", of(items, header, **item, rho=0.1)
    yield "folds to drop of items", of(items, header, **item, missing="drop-folds")
    yield "items to drop of folds", of(made()[:-1], missing="drop-items")
    yield "items with folds", of(items, header, **item, fold_col="score")
    header = "item,epoch,classifier,score"
    options = {"item_col": "item", "epoch_col": "epoch", "epochs": "pass@2", "lone": True}
    alone = of([f"q{i},{e},a,1" for i in range(4) for e in range(4)], header, **options)
    yield "epochs of a baseline that is judged against itself", alone
    yield "items and seeds", told(lambda: read_scores(item_col="a", seed_col="b"))
    folds = "dataset,fold,sample,classifier,score"
    rows = [f"d,{i // 2},s,{'ab'[i % 2]},0.{i + 10}" for i in range(40)]
    yield "folds and items", of(rows, folds)
    binary = [f"d,1,{i},{name},{(i + k) % 2}" for i in range(12) for k, name in enumerate("ab")]
    yield "folds scored 0 or 1", of(binary)
    many = [f"d,1,{i},{name},0.{i + 100}{k}" for i in range(60) for k, name in enumerate("ab")]
    yield "sixty folds in a run", of(many)
    seeds = [row.removeprefix("d,1,") for row in many]
    yield "seeds", of(seeds, "seed,classifier,score", seed_col="seed")
    wide = r"(?P<classifier>.+)~Accuracy"
    for name, role in (("Fold1.Rep{}", "seed"), ("Fold1.Rep{}", "fold"), ("Fold{}", "seed")):
        caret = [f"{name.format(i)},0.{i},0.5" for i in range(1, 6)]
        header, chosen = "Resample,rf~Accuracy,svm~Accuracy", {f"{role}_col": "Resample"}
        yield f"{name} as a {role}", of(caret, header, wide=wide, **chosen)
    summed = [f"{i},{m},0.5" for i in (1, 2, 3, 4, "Mean") for m in "ab"]
    yield "folds with their mean", of(summed, "fold,classifier,score")
    named_folds = [f"Fold0{i},{m},0.{i + 2}" for i in range(1, 5) for m in "ab"]
    yield "folds as items", of(named_folds, "id,classifier,score", item_col="id")
    solved = [f"q{i},{m},{(i + k) % 2}" for i in range(12) for k, m in enumerate("ab")]
    named = {"dataset_col": "task_id", "classifier_col": "model", "score_col": "correct"}
    yield "items taken for data sets", of(solved, "task_id,model,correct", **named)
    yield "a seed twice", of([*seeds, seeds[3]], "seed,classifier,score", seed_col="seed")
    means = ["d1,0.5,0.6", "d2,0.6,0.5", "Average,0.55,0.55"]
    yield "a table of means", of(means, "data,a,b", preset="means")
    yield "a table of means, not named", of(means, "data,a,b")
    yield "a table of means on its side", of(means, "Model,a,b", preset="means")
    yield "which is not named", of(means, "Model,a,b")
    described = ["d1,0.5,0.6,0.5,100", "d2,0.6,0.5,0.4,200", "d3,0.7,0.4,0.7,150"]
    yield "means with a description", of(described, "data,a,b,c,#Inst", preset="means")
    nameless = [row.partition(",")[2] for row in described]
    yield "means without names", of(nameless, "a,b,c,#Inst", preset="means")
    yield "means of no classifier", of(["d1", "d2"], "data", preset="means")
    long = ["d,a,0.5", "d,b,0.6", "d,a,0.7"]
    yield "two scores for one mean", of(long, "dataset,classifier,score")
    files = (as_file(["d,a,1"], "dataset,classifier,score"), as_file(["d,1,1,a,1"]))
    hollow = (as_file(["d,1,1,a,1"]), as_file([], name="new.csv"))
    yield "a file without rows", told(lambda: read_scores(*hollow))
    indexed = pd.DataFrame({"a": [0.5]}, index=pd.MultiIndex.from_tuples([("d1", 1)]))
    yield "means with an index of two levels", told(lambda: from_means(indexed))
    columns: Any = {"a": [0.5]}
    yield "no frame", told(lambda: from_frame(columns))
    frame: Any = pd.DataFrame()
    yield "a frame for a file", told(lambda: read_scores(frame))
    yield "files of different rows", told(lambda: read_scores(*files))
    latencies = [f"{i},{1 + i / 100},{2 + i / 100}" for i in range(12)]
    latency = r"(?P<classifier>.+)_latency"
    latency_header = "id,a_latency,b_latency"
    yield "losses by their headers", of(latencies, latency_header, item_col="id", wide=latency)
    metrics = "dataset,fold,metric,classifier,score"
    rows = [f"d,{i},acc,{name},0.{i + 3}{k}" for i in range(12) for k, name in enumerate("ab")]
    both = (as_file(rows, metrics), as_file(["d,1,auc,a,0.5"], metrics))
    where = {"where": ("metric=acc",), "rho": 0.1}
    for name in "ab":
        own = [f"d,{i},{name},0.{i}" for i in range(1, 5)]
        Path(f"agent_{name}.csv").write_bytes(as_file(own, "dataset,item,classifier,score").read())
    yield "a label of two", told(lambda: read_scores("old=agent_*.csv", item_col="item"))
    losses = as_file([row.replace("acc", "wer") for row in rows], metrics)
    yield "losses by a condition", told(lambda: read_scores(losses, where="metric=wer", rho=0.1))
    yield "a file without the rows", told(lambda: read_scores(*both, options=None, **where))


def answers(items: int = 12, epochs: int = 1, **more: Any) -> list[dict[str, Any]]:
    """Right and wrong answers of two models; the first item of b lacks its score."""
    return [
        {
            "item": f"q{i}",
            "classifier": name,
            "epoch": epoch,
            "score": None if (i, k) == (0, 1) else (i + k + epoch) % 2,
            "topic": "xyz"[min(i, 2)],
        }
        | more
        for i in range(items)
        for epoch in range(epochs)
        for k, name in enumerate("ab")
    ]


def trials() -> Iterator[tuple[str, str]]:
    """Trials of models, and what failed; files are in the working directory."""
    frame = pd.DataFrame(answers())
    known: dict[str, Any] = {"item_col": "item", "na_values": ("",)}

    def of(rows: "pd.DataFrame", **options: Any) -> str:
        return told(lambda: from_frame(rows, **known | options))

    yield "a trial without a score", of(frame)
    scoreless = frame.assign(dataset="b", score=float("nan"))
    both = pd.concat([frame.assign(dataset="a"), scoreless], ignore_index=True)
    yield "a data set without a score", of(both, failed="zero")
    yield "which is left out by name", of(both, failed="zero", datasets=("a",))
    yield "which is dropped", of(frame, failed="drop")
    never = frame.assign(score=frame["score"].where(frame["classifier"] == "a"))
    yield "a model that always fails", of(never, failed="drop")
    yield "which is failed", of(frame, failed="zero")
    yield "which is anything", of(frame, failed="anything")
    yield "which scores infinity", of(frame, failed=float("inf"))
    yield "epochs that are nothing", of(frame, epochs="best of 3", failed=0)
    yield "epochs of folds", of(frame, item_col=None, fold_col="item", epochs="pass@2", failed=0)
    graded = frame.assign(score=0.5)
    yield "epochs of grades", of(graded, epochs="pass@2")
    yield "too few epochs", of(frame, epochs="pass@2", failed=0)
    yield "epochs without items", of(frame, item_col=None, epoch_col="epoch", strict=True)
    slices = {"by": "topic", **known, "item_col": "item"}

    def sliced(rows: "pd.DataFrame", **options: Any) -> str:
        path = Path("slices.csv")
        rows.to_csv(path, index=False)
        return told(lambda: read_slices(path, **slices | options)[1])

    yield "small slices", sliced(frame, failed=0)
    yield "no slices", sliced(frame, by="item", failed=0)
    yield "slices and bounds", sliced(frame, failed="bounds")

    def lines(name: str, rows: list[dict[str, Any]]) -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    row = {"target": "1", "resps": [], "metrics": ["acc"]}
    twice = [
        row | {"doc_id": i, "filtered_resps": [k], "filter": f, "acc": i % 2}
        for i in range(5)
        for k, f in enumerate(("strict", "loose"))
    ]
    lines("out/a/samples_arc.jsonl", twice)
    lines("out/b/samples_arc.jsonl", twice)
    yield "answers scored in two ways", told(lambda: read_scores("out"))
    lines("out/test_run_1.json", [{}])
    two = [
        row
        | {
            "doc_id": i,
            "filtered_resps": [0],
            "metrics": ["acc", "acc_norm"],
            "acc": 1,
            "acc_norm": i % 2,
        }
        for i in range(5)
    ]
    for name in "ab":
        lines(f"two/{name}/samples_arc.jsonl", two)
        lines(f"two/{name}/results_1.json", [{}])
    yield "several metrics of the harness", told(lambda: read_scores("two"))
    plain = {**row, "metrics": ["exact_match"], "filtered_resps": ["1"]}
    exact = [plain | {"doc_id": i, "exact_match": i % 2} for i in range(5)]
    for name in "ab":
        lines(f"two/{name}/samples_gsm.jsonl", exact)
    chosen = told(lambda: read_scores("two", score_col="acc_norm"))
    yield "a metric that one task of the harness lacks", chosen
    yield "a folder of two programs", told(lambda: read_scores("out"))
    wrong = json.dumps({"testCases": [{"metricsData": [{}]}], "metricsScores": []})
    yield "not what deepeval writes", told(lambda: read_scores(io.BytesIO(wrong.encode())))
    lines("jobs/one/result.json", [{"n_total_trials": 0}])
    yield "a folder without trials", told(lambda: read_scores("jobs"))
    trial = {"trial_name": "t", "agent_info": {"name": "a"}, "exception_info": None}
    for i in range(4):
        for k, agent in enumerate("ab"):
            result = {"verifier_result": {"rewards": {"reward": (i + k) % 2}}}
            who = {"task_name": f"task-{i}", "agent_info": {"name": agent}}
            lines(f"jobs/one/{i}{agent}/result.json", [trial | result | who])
    yield "jobs of Harbor", told(lambda: read_scores("jobs"))
    scored = frame.assign(
        score_match=frame.score.fillna(0),
        score_f1=0.5,
        eval_id="e",
        id=frame.item,
        task_name="t",
        model=frame.classifier,
    )
    scored = scored[["eval_id", "task_name", "model", "id", "epoch", "score_match", "score_f1"]]
    yield "several scores of a trial", told(lambda: from_frame(scored))
    failed = scored.drop(columns="score_f1").assign(score_match=None, error="no connection")
    yield "trials that all failed", told(lambda: from_frame(failed))


def terms() -> Iterator[tuple[str, str]]:
    """What a gate's candidate lacks, or alone has."""
    rows, own = made(2, folds=5), {"baseline": "nbc"}
    yield "a baseline that is not there", of(rows, baseline="bnc")
    yield "a candidate of four folds", of(rows[:-1], **own)
    yield (
        "a fold that a candidate lacks",
        of([r for r in rows if "d1,1,1,aode" not in r], **own),
    )
    failed = [f"{r.rpartition(',')[0]}," if i in (0, 1) else r for i, r in enumerate(rows)]
    yield "failed trials of both sides", of(failed, na_values=("",), **own)
    yield "failed trials of both sides, dropped", of(failed, na_values=("",), failed="drop", **own)
    yield "a policy for pairs", of(rows, missing="drop-folds", **own)
    only = [*rows, "d9,1,1,aode,0.5"]
    yield "a data set of the candidate alone", of(only, **own)
    yield "a fold of the candidate alone", of([*rows, "d1,1,9,aode,0.5"], **own)
    one = [r.replace("d1", "d9") if "aode" in r else r for r in made(1)]
    yield (
        "no data set in common",
        of([r.replace("d0", "d9") if "aode" in r else r for r in one], **own),
    )
    shifted = [re.sub(r",(\d),aode", r",1\1,aode", r) for r in rows]
    yield "no fold of the baseline", of(shifted, **own)
    items = [f"q{i},{e},{m},{(i + e) % 2}" for i in range(4) for e in range(3) for m in "ab"]
    header, known = "item,epoch,classifier,score", {"item_col": "item", "baseline": "a"}
    yield "an answer that a candidate lacks", of(items[:-1], header, epoch_col="epoch", **known)
    named = [
        r.replace(",0,b", ",x,b").replace(",1,b", ",y,b").replace(",2,b", ",z,b") for r in items
    ]
    yield "epochs of other names", of(named, header, epoch_col="epoch", **known)
    more = [*named, "q1,w,b,1"]
    yield "more answers of other names", of(more, header, epoch_col="epoch", **known)
    files = [as_file(rows[:12]), as_file(rows[12:])]
    yield "rows of a side in two files", told(lambda: read_scores(*files, baseline="nbc"))
    lone = [as_file(rows), as_file([r.replace("d", "x") for r in rows if "aode" in r])]
    where = ("classifier=nbc",)
    yield "a file of which nothing is left", told(lambda: read_scores(*lone, where=where))
    yield "one of several alone", of(rows, lone=True)
    alike = [r.replace("d1", "D0") for r in rows]
    yield "names that differ by case", of(alike, **own)
    shares = [r if "nbc" in r else f"{r.rpartition(',')[0]},1.2" for r in rows]
    yield "shares above 1", of(shares, f"{HEADER[:-5]}accuracy", score_col="accuracy", **own)
    measured = "dataset,run,fold,classifier,fit_time"
    yield "a time of 0", of([*rows[:-1], f"{rows[-1][:-3]}0"], measured, score_col="fit_time")
    metrics = [f"{r},{'f1' * ('aode' in r)}" for r in rows]
    yield "a metric of the candidate alone", of(metrics, f"{HEADER},metric", **own)
    unknown = f"{HEADER[:-5]}smape"
    yield "an unknown name", of(rows, unknown, score_col="smape")
    yield "bounds that are not known", of(rows[:-1], failed="bounds", **own)
    yield "a key twice", told(lambda: read_scores(io.BytesIO(b'{"fold": 1, "fold": 2}')))
    for name, score in (("a", {"acc": 1, "acc_norm": 1}), ("b", {"acc_norm": 1})):
        row = {"target": "1", "resps": [], "filtered_resps": ["1"], "metrics": [*score]}
        path = Path(f"measures/{name}/samples_arc.jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps({**row, "doc_id": i, **score}) + "\n" for i in range(5)))
    yield "two metrics of a program", told(lambda: read_scores("measures"))


GROUPS = (units, cells, keys, columns, layouts, arguments, scales, sklearn, trials, terms)


def test_every_message_is_as_it_was_last_read() -> None:
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        cases = dict(case for group in GROUPS for case in group())
    messages = "".join(f"# {name}\n{text or '(nothing)'}\n" for name, text in cases.items())
    assert messages == golden(GOLDEN, messages)


def texts_of(path: Path) -> Iterator[str]:
    """The pieces of text, each at least a few words, in a module's messages."""
    calls = {"InputError", "Note", "add", "tell", "refuse", "_problem", "append"}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            parts = [*node.args, *(word.value for word in node.keywords)] if name in calls else []
        elif isinstance(node, ast.Assign):
            parts = [node.value]  # a message that is made before, or a constant
        elif isinstance(node, ast.For):
            parts = [node.iter]  # a table of messages
        elif isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Tuple):
            parts = [node.value]
        for part in (inner for outer in parts for inner in ast.walk(outer)):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield from (
                    text
                    for text in re.split(r"{.*?}", part.value)
                    if text.count(" ") > 2 and "\n" not in text
                )


def test_no_message_is_without_a_case() -> None:
    known = GOLDEN.read_text(encoding="utf-8")
    package = Path(text.__file__).parents[1]
    # these have tests of their own
    elsewhere = {"arrays.py", "sample.py", "presets.py", "profile.py", "programs.py"}
    missing = [
        (path.name, words)
        for room in ("files", "advice", "reading")
        for path in (package / room).glob("*.py")
        if path.name not in elsewhere
        for words in texts_of(path)
        if words not in known and words != MEASURE
    ]
    assert missing == []


Rows = list[str]


def scored(rows: Rows, score: str) -> Rows:
    """The rows with another score in every third one."""
    return [f"{r.rpartition(',')[0]},{score}" if i % 3 == 0 else r for i, r in enumerate(rows)]


MESSES: dict[str, Callable[[Rows], Rows]] = {
    "not a number": lambda rows: scored(rows, "out of memory"),
    "no score": lambda rows: scored(rows, "NA"),
    "no finite number": lambda rows: scored(rows, "inf"),
    "too large": lambda rows: scored(rows, "1e200"),
    "duplicates": lambda rows: [*rows, *rows[::3]],
    "missing folds": lambda rows: [row for i, row in enumerate(rows) if i % 7],
    "unequal runs": lambda rows: [row for row in rows if ",2,9," not in row],
    "lengths": lambda rows: [f"{r},1,2" if i % 3 == 0 else r for i, r in enumerate(rows)],
    "names": lambda rows: [r.replace("aode", "") for r in rows],
}


@pytest.mark.parametrize("command", ["ttest", "hier", "rank", "check"])
@pytest.mark.parametrize("mess", MESSES)
def test_two_lines_a_kind(mess: str, command: str, tmp_path: Path) -> None:
    rows = MESSES[mess](make_rows(30, 2, 10, ["nbc", "aode", "j48"]))
    (tmp_path / "r.csv").write_bytes(as_file(rows).read())
    error = refused(run(command, "r.csv", folder=tmp_path))
    lines = [line for line in error.strip().splitlines() if line.startswith("error: ")]
    assert len(lines) <= 2
    assert "more like it; " in lines[1] if len(lines) == 2 else lines[0].startswith("error: ")


def test_counts_go_on_over_files(tmp_path: Path) -> None:
    for i in range(20):
        rows = scored(make_rows(1, 2, 10, ["nbc", "aode"]), "NA")
        text = as_file(rows).read().replace(b"d0", f"d{i}".encode())
        (tmp_path / f"r{i:02}.csv").write_bytes(text)
    names = [path.name for path in sorted(tmp_path.iterdir())]
    first, second, *gaps = run("ttest", *names, folder=tmp_path).err.splitlines()
    assert first.startswith("error: r00.csv, line ")
    assert second.startswith(f"error: … and {20 * 14 - 1} more like it; fill it in")
    assert not any(line.startswith("error: ") for line in gaps)


def test_files_with_the_same_error_share_a_line(tmp_path: Path) -> None:
    names = [f"r{i:02}.csv" for i in range(20)]
    for name in names:
        (tmp_path / name).write_bytes(as_file(make_rows(), "a,b,c,d,e").read())
    line, *_ = run("ttest", *names, folder=tmp_path).err.splitlines()
    assert "r00.csv, r01.csv" in line
    assert "r09.csv and 10 more: no column" in line


def test_the_advice_on_gaps_lists_them_all(tmp_path: Path) -> None:
    rows = MESSES["missing folds"](make_rows(30, 2, 10, ["nbc", "aode", "j48"]))
    (tmp_path / "r.csv").write_bytes(as_file(rows).read())
    error = run("ttest", "r.csv", folder=tmp_path).err
    command = error.partition("(bcompare ")[2].partition(" lists it)")[0].split()
    gaps = json.loads(run(command[0], "r.csv", *command[1:], folder=tmp_path).out)["gaps"]
    assert f"… and {len(gaps) - 1:,} more like it" in error


def test_files_that_cannot_be_read_keep_their_own_problems_together(tmp_path: Path) -> None:
    names = [f"r{i}.csv" for i in range(3)]
    for name in names:
        rows = [f"{'no key' if i % 3 else 'd-1'},1,aode,0.5" for i in range(9)]
        (tmp_path / name).write_bytes(as_file(rows, "key,fold,classifier,score").read())
    split = ("--split", "key=(?P<dataset>.*)-(?P<run>.*)")
    lines = run("ttest", *names, *split, folder=tmp_path).err.splitlines()
    assert [line.partition(",")[0] for line in lines] == [f"error: {name}" for name in names]


def test_the_same_mistake_in_the_options_is_told_once(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(as_file(make_rows()).read())
    line = run("ttest", "a.csv", "b.csv", "--col", "epoch=run", folder=tmp_path).err
    assert line.count("a.csv: epochs belong to test items") == 1
