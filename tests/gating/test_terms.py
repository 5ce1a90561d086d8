"""The terms of a gate are its baseline's: nothing that a candidate brings, or lacks, helps it."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bcompare
from tests.command import Outcome, refused, run
from tests.results import small_csv, write_lines

FOLDS = (0.80, 0.81, 0.79, 0.82, 0.78, 0.80, 0.81, 0.79, 0.83, 0.80)
NEVER = ("passed: ", "undecided (passes)")


def folds(path: Path, scores: Sequence[float], who: str = "b", dataset: str = "d") -> Path:
    """Write the folds of one classifier on one data set."""
    rows = (f"{dataset},{k},{who},{score}" for k, score in enumerate(scores))
    return write_lines(path, "dataset,fold,classifier,score", *rows)


def shifted(by: float) -> list[float]:
    return [round(score + by, 6) for score in FOLDS]


def judged(folder: Path, *words: str) -> Outcome:
    """Run a gate in a folder, and check that it does not pass."""
    outcome = run(*words, folder=folder)
    assert outcome.code in (2, 4), outcome.out
    assert not outcome.out.startswith(NEVER)
    return outcome


def items(path: Path, counts: dict[str, tuple[int, int, int]]) -> Path:
    """Write items that the candidate loses, wins and answers as the baseline does, by data set."""
    rows = [
        f"{name},{i},{who},{score}"
        for name, numbers in counts.items()
        for i, (main, pr) in enumerate(
            pair
            for pair, n in zip(((1, 0), (0, 1), (1, 1)), numbers, strict=True)
            for _ in range(n)
        )
        for who, score in (("main", main), ("pr", pr))
    ]
    return write_lines(path, "dataset,item,classifier,score", *rows)


ITEMS = ("gate", "r.csv", "--baseline", "main", "--col", "item=item")


@pytest.mark.parametrize("rope", ["0", "0.001", "0.01", "0.3"])
def test_items_of_which_none_is_concordant(tmp_path: Path, rope: str) -> None:
    for counts in ((20, 0, 0), (200, 0, 0), (950, 50, 0), (27, 3, 0)):
        items(tmp_path / "r.csv", {"d": counts})
        assert judged(tmp_path, *ITEMS, "--rope", rope).code == 4
    items(tmp_path / "r.csv", {"d": (8, 2, 0)})
    few = json.loads(run(*ITEMS, "--rope", rope, "--format", "json", folder=tmp_path).out)
    assert few["outcome"] in ("undecided", "fail")
    assert few["verdicts"][0]["p_worse"] > 0.7
    items(tmp_path / "r.csv", {"d": (28, 2, 0), "e": (3, 3, 24), "f": (2, 4, 24)})
    suite = json.loads(judged(tmp_path, *ITEMS, "--rope", rope, "--format", "json").out)
    assert {v["dataset"]: v["outcome"] for v in suite["verdicts"]}["d"] == "fail"
    items(tmp_path / "r.csv", dict.fromkeys("def", (20, 0, 0)))
    assert judged(tmp_path, *ITEMS, "--rope", rope).code == 4


def test_bets_go_by_the_order_of_the_baseline(tmp_path: Path) -> None:
    """Right by pr on ten items only, which its own file has first."""
    names = [f"q{i}" for i in range(40)]
    main = [f"{q},{int(i >= 10)}" for i, q in enumerate(names)]
    pr = [f"{q},{int(i < 10)}" for i, q in enumerate(names)]
    write_lines(tmp_path / "main.csv", "item,score", *main[10:], *main[:10])
    write_lines(tmp_path / "pr.csv", "item,score", *pr)
    sides = ("main=main.csv", "pr=pr.csv")
    for files in (sides, sides[::-1]):
        order = ("gate-anytime", *files, "--baseline", "main", "--col", "item=item")
        assert judged(tmp_path, *order).code == 4


def test_no_pull_request_brings_rows_of_its_baseline(tmp_path: Path) -> None:
    folds(tmp_path / "main.csv", FOLDS, "main")
    rows = [
        f"x,{k},{who},{score}" for k in range(10) for who, score in (("main", 0.5), ("pr", 0.9))
    ]
    own = [f"d,{k},pr,{score}" for k, score in enumerate(shifted(-0.05))]
    write_lines(tmp_path / "pr.csv", "dataset,fold,classifier,score", *own, *rows)
    sides = ("gate", "main.csv", "pr.csv", "--baseline", "main", "--candidate", "pr")
    assert "pr.csv: rows of main on data set x" in refused(run(*sides, folder=tmp_path))


def test_a_baseline_is_named(tmp_path: Path) -> None:
    for command in ("gate", "plan-gate"):
        folds(tmp_path / "r.csv", shifted(-0.05), "candidate")
        with (tmp_path / "r.csv").open("a") as file:
            file.writelines(f"d,{k},main,{score}\n" for k, score in enumerate(FOLDS))
        err = refused(run(command, "r.csv", folder=tmp_path))
        assert "--baseline candidate or --baseline main" in err
    items(tmp_path / "r.csv", {"d": (20, 0, 5)})
    for command in ("gate-anytime", "self-check"):
        err = refused(run(command, "r.csv", "--col", "item=item", folder=tmp_path))
        assert "--baseline main" in err
    folds(tmp_path / "main.csv", FOLDS)
    folds(tmp_path / "pr.csv", shifted(-0.05))
    first = judged(tmp_path, "gate", "main=main.csv", "pr=pr.csv")
    assert "against baseline main" in first.out
    assert run("gate", "pr=pr.csv", "main=main.csv", folder=tmp_path).code == 0


LOST: dict[str, Callable[[list[str]], list[str]]] = {
    "emptied": lambda rows: [
        f"{r.rpartition(',')[0]}," if i < 5 else r for i, r in enumerate(rows)
    ],
    "absent": lambda rows: rows[5:],
}


@pytest.mark.parametrize("how", LOST)
@pytest.mark.parametrize("more", [(), ("--missing", "drop-folds"), ("--failed", "drop")])
def test_trials_that_a_run_of_the_candidate_lacks(
    tmp_path: Path, how: str, more: tuple[str, ...]
) -> None:
    for name in ("main", "pr"):
        (tmp_path / name).mkdir()
    for i in range(3):
        folds(tmp_path / "main" / f"r{i}.csv", shifted(0.002 * i))
    rows = folds(tmp_path / "pr" / "r0.csv", [0.1] * 5 + shifted(0.0)[5:]).read_text().splitlines()
    sides = ("gate", "main=main", "pr=pr")
    assert judged(tmp_path, *sides).code == 4
    write_lines(tmp_path / "pr" / "r0.csv", rows[0], *LOST[how](rows[1:]))
    assert judged(tmp_path, *sides, "--na-values", "", *more).code == 2
    folds(tmp_path / "main.csv", FOLDS)
    alone = ("gate", "main=main.csv", "pr=pr/r0.csv", "--na-values", "", *more)
    assert judged(tmp_path, *alone).code == 2


def test_a_candidate_that_vanishes(tmp_path: Path) -> None:
    split = [f"{k},test,{0.8 + k / 100},{0.7 + k / 100}" for k in range(10)]
    for name in ("main", "pr", "pr2"):
        write_lines(tmp_path / f"{name}.csv", "fold,split,acc,f1", *split)
    sides = ("gate", "main=main.csv", "pr=pr.csv", "pr2=pr2.csv", "--col", "score=acc")
    assert run(*sides, "--where", "split=test", folder=tmp_path).code == 0
    write_lines(
        tmp_path / "pr2.csv", "fold,split,acc,f1", *(r.replace("test", "val") for r in split)
    )
    assert "pr2.csv" in judged(tmp_path, *sides, "--where", "split=test").err
    (tmp_path / "none.json").write_text("{}")
    assert "none.json" in judged(tmp_path, *sides[:3], "pr2=none.json", *sides[4:]).err
    for name, metrics in (("main", ("acc", "f1")), ("pr", ("acc", "f1")), ("pr2", ("f1",))):
        rows = [f"{k},{m},{0.8 + k / 100}" for k in range(10) for m in metrics]
        write_lines(tmp_path / f"{name}.csv", "fold,metric,score", *rows)
    stacked = (*sides[:4], "--col", "metric=metric")
    for metrics in (("acc", "f1"), ("f1", "acc")):
        named = [word for metric in metrics for word in ("--metric", metric)]
        assert "pr2.csv" in judged(tmp_path, *stacked, *named).err


def test_a_candidate_is_judged_in_every_metric() -> None:
    frame = pd.DataFrame(
        [(k, who, 0.8 + k / 100) for k in range(10) for who in ("main", "pr", "pr2")],
        columns=["fold", "classifier", "score"],
    )
    less = frame[frame["classifier"] != "pr2"]
    for metrics in ({"acc": frame, "f1": less}, {"f1": less, "acc": frame}):
        with pytest.raises(bcompare.InputError, match="no scores of pr2"):
            bcompare.gate(metrics, baseline="main")


ANSWERS = ("gate", "main=main.csv", "pr=pr.csv", "--col", "item=item", "--col", "epoch=epoch")


def answers(path: Path, score: Callable[[int, int], float | None]) -> None:
    rows = [
        f"{i},{e},{value}"
        for i in range(60)
        for e in range(3)
        if (value := score(i, e)) is not None
    ]
    write_lines(path, "item,epoch,score", *rows)


def test_whole_epochs_that_a_candidate_lacks(tmp_path: Path) -> None:
    def right(item: int, epoch: int) -> int:
        return int((item + epoch) % 5 > 0)

    answers(tmp_path / "main.csv", right)
    answers(tmp_path / "pr.csv", lambda i, e: 0 if e == 2 else right(i, e))
    assert judged(tmp_path, *ANSWERS).code == 4
    answers(tmp_path / "pr.csv", lambda i, e: None if e == 2 else right(i, e))
    assert "no row for" in judged(tmp_path, *ANSWERS).err
    answers(tmp_path / "pr.csv", lambda i, e: right(i, e) or (None if e else 0))  # the best only
    assert judged(tmp_path, *ANSWERS).code == 2
    answers(tmp_path / "pr.csv", lambda i, e: None if e == 2 else right(i, e))
    failed = judged(tmp_path, *ANSWERS, "--failed", "0")
    assert failed.code == 4  # an absent answer is a failed one


def mteb(folder: Path, languages: dict[str, float]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model_meta.json").write_text("{}")
    for k in range(12):
        subsets = [
            {"hf_subset": name, "main_score": score + k / 100} for name, score in languages.items()
        ]
        task = {"task_name": f"T{k}", "mteb_version": "2", "scores": {"test": subsets}}
        (folder / f"T{k}.json").write_text(json.dumps(task))


def test_subsets_inside_a_mean(tmp_path: Path) -> None:
    mteb(tmp_path / "main" / "m" / "1", {"en": 0.7, "de": 0.5})
    sides = ("gate", "main=main/m", "pr=pr/m", "--config", "none")
    mteb(tmp_path / "pr" / "m" / "1", {"en": 0.65, "de": 0.45})
    assert judged(tmp_path, *sides).code == 4
    mteb(tmp_path / "pr" / "m" / "1", {"en": 0.65})
    assert judged(tmp_path, *sides).code == 2


def test_another_metric_of_a_program(tmp_path: Path) -> None:
    def samples(name: str, **scores: int) -> None:
        row = {"target": "1", "filtered_resps": ["1"], "resps": [], "metrics": [*scores]}
        lines = [json.dumps({**row, "doc_id": i, **scores}) for i in range(40)]
        (tmp_path / name).mkdir()
        (tmp_path / name / "samples_arc.jsonl").write_text("\n".join(lines))

    samples("main", acc=1, acc_norm=1)
    samples("pr", acc_norm=1)
    err = judged(tmp_path, "gate", "main=main", "pr=pr").err
    assert "acc of main and acc_norm of pr" in err


def two(folder: Path, name: str, main: Sequence[float], pr: Sequence[float], **more: Any) -> None:
    """Write a file for each side; more : further columns of pr."""
    for who, scores in (("main", main), ("pr", pr)):
        frame = pd.DataFrame({"dataset": "d", "fold": range(len(scores)), name: scores})
        (frame.assign(**more) if who == "pr" else frame).to_csv(folder / f"{who}.csv", index=False)


SIDES = ("gate", "main=main.csv", "pr=pr.csv")


@pytest.mark.parametrize(("main", "factor"), [(5.0, 0.12), (1.5, 0.05)])
def test_shares_in_two_units(tmp_path: Path, main: float, factor: float) -> None:
    own = [main + 0.02 * k for k in range(10)]
    two(tmp_path, "error_rate", own, [factor * x for x in own])
    assert judged(tmp_path, *SIDES, "--metric", "error_rate: 5%").code == 2
    two(tmp_path, "accuracy", FOLDS, [1.12, *FOLDS[1:]])
    assert "up to 1.12" in judged(tmp_path, *SIDES, "--col", "score=accuracy").err


def test_ratings_on_two_scales(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    for top in (10, 100):
        main, pr = rng.integers(1, 6, 60), rng.integers(1, top + 1, 60)
        two(tmp_path, "score", [*main], [*pr])
        rated = (*SIDES, "--col", "item=fold", "--rope", "0.5")
        assert judged(tmp_path, *rated).code == 2
        assert run(*rated, "--scale", "pr=1", folder=tmp_path).code == 0


def test_bounds_of_a_metric_that_has_none(tmp_path: Path) -> None:
    two(tmp_path, "log_loss", [0.93] * 9 + [0.92], [0.93, *[np.nan] * 9])
    judge = (*SIDES, "--metric", "log_loss: 0.1", "--na-values", "")
    assert judged(tmp_path, *judge, "--failed", "bounds").code == 2


def test_columns_of_the_candidate_decide_nothing(tmp_path: Path) -> None:
    worse = [0.79, 0.805, 0.78, 0.80, 0.79, 0.80, 0.79, 0.80, 0.81, 0.79]
    json_ = (*SIDES, "--format", "json")
    two(tmp_path, "score", FOLDS, worse)
    plain = json.loads(run(*json_, folder=tmp_path).out)["verdicts"]
    two(tmp_path, "score", FOLDS, worse, n_train=10, n_test=990)
    assert json.loads(run(*json_, folder=tmp_path).out)["verdicts"] == plain
    two(tmp_path, "score", FOLDS, worse, metric="f1")
    assert judged(tmp_path, *SIDES, "--col", "score=score").code == 2
    two(tmp_path, "score", FOLDS, worse)
    frame = pd.read_csv(tmp_path / "pr.csv")
    further = pd.concat([frame.assign(run=r) for r in range(2, 6)])
    pd.concat([frame.assign(run=1), further]).to_csv(tmp_path / "pr.csv", index=False)
    pd.read_csv(tmp_path / "main.csv").assign(run=1).to_csv(tmp_path / "main.csv", index=False)
    assert json.loads(run(*json_, folder=tmp_path).out)["verdicts"] == plain


@pytest.mark.parametrize("value", [0, -1])
def test_times_that_were_not_measured(tmp_path: Path, value: int) -> None:
    own = [10 + 0.1 * k for k in range(10)]
    two(tmp_path, "fit_time", own, [value if k < 4 else 1.1 * x for k, x in enumerate(own)])
    assert judged(tmp_path, *SIDES, "--metric", "fit_time: 1").code == 2


@pytest.mark.parametrize(
    "column",
    [{"status": "failed (1)"}, {"State": "CRASHED"}, {"errors_cnt": 1}, {"exception": "OOM"}],
    ids=str,
)
def test_failures_beside_a_score(tmp_path: Path, column: dict[str, object]) -> None:
    (name, value), *_ = column.items()
    fine = {"status": "ok", "State": "FINISHED", "errors_cnt": 0, "exception": ""}[name]
    own = [10 + 0.1 * k for k in range(10)]
    fast = [0.5 if k < 4 else x for k, x in enumerate(own)]
    words = [value if k < 4 else fine for k in range(10)]
    two(tmp_path, "fit_time", own, fast, **{name: words})
    assert "without a score: pr 4" in judged(tmp_path, *SIDES, "--metric", "fit_time: 1").err


def test_one_key_twice(tmp_path: Path) -> None:
    for name, twice in (("main", ""), ("pr", ', "score": 0.99')):
        lines = [f'{{"fold": {k}, "score": {0.8 + k / 100}{twice}}}' for k in range(10)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
        (tmp_path / f"{name}.json").write_text(f"[{', '.join(lines)}]")
    for suffix in ("jsonl", "json"):
        sides = ("gate", f"main=main.{suffix}", f"pr=pr.{suffix}")
        assert "two values of 'score'" in judged(tmp_path, *sides).err


def test_names_that_differ_by_their_spelling(tmp_path: Path) -> None:
    rows = [
        f"{d},{k},{who},{0.8 + k / 100 - 0.3 * (d == 'Sick')}"
        for who, names in (("main", ("iris", "sick")), ("pr", ("iris", "sick", "Sick")))
        for d in names
        for k in range(10)
    ]
    write_lines(tmp_path / "r.csv", "dataset,fold,classifier,score", *rows)
    assert (
        run("gate", "r.csv", "--baseline", "main", folder=tmp_path).code == 0
    )  # not the baseline's
    rows = [r.replace(",pr,", ", PR ,").replace("Sick,", "sick ,") for r in rows if "Sick" not in r]
    more = [r.replace(", PR ,", ",pr,") for r in rows if ", PR ," in r]
    write_lines(tmp_path / "r.csv", "dataset,fold,classifier,score", *rows, *more)
    assert judged(tmp_path, "gate", "r.csv", "--baseline", "main").code == 2


def test_items_in_no_random_order_pass_nothing() -> None:
    x = np.concatenate([np.ones(40), -np.ones(960)])
    rows = [(f"q{i}", "main", float(d < 0)) for i, d in enumerate(x)]
    rows += [(f"q{i}", "pr", float(d > 0)) for i, d in enumerate(x)]
    frame = pd.DataFrame(rows, columns=["item", "classifier", "score"])
    for baseline, other, outcome in (("main", "pr", "undecided"), ("pr", "main", "fail")):
        scores = bcompare.from_items(frame, "item", baseline=baseline)
        gate = bcompare.anytime(bcompare.gate(scores, baseline=baseline, candidate=other))
        (verdict,) = gate.verdicts
        assert gate.outcome == outcome
        assert np.isnan(verdict.interval).all()
        assert [note.code for note in gate.gate.notes if note.severity == "warning"] == ["order"]


def rope_of(tmp_path: Path, rope: str, level: float = 0.8, *words: str) -> Outcome:
    folds(tmp_path / "main.csv", [round(level / 0.8 * x, 6) for x in FOLDS])
    folds(tmp_path / "pr.csv", [round(level / 0.8 * x / 16, 6) for x in FOLDS])
    gate = ("gate", "main=main.csv", "pr=pr.csv", *words)
    return run(*gate, f"--rope={rope}", folder=tmp_path)


@pytest.mark.parametrize("rope", ["1", "0.81", "-0.9,0.01"])
def test_a_rope_by_which_nothing_can_be_worse(tmp_path: Path, rope: str) -> None:
    assert "so nothing can be worse by more: give " in refused(rope_of(tmp_path, rope))
    assert rope_of(tmp_path, "-0.01,0.9").code == 4  # better by how much is another matter
    assert rope_of(tmp_path, "0.7").code == 4
    asked = ("gate", "main=main.csv", "pr=pr.csv", "--col", "score=score")
    refused(run(*asked, "--metric", "score: higher, 1", folder=tmp_path))


def test_a_wide_rope_where_lower_is_better_is_said_everywhere(tmp_path: Path) -> None:
    for form in ("github", "junit", "comment", "json"):
        outcome = rope_of(tmp_path, "1", 0.05, "--lower-is-better", "--format", form)
        assert outcome.code == 0
        assert "is as wide as the scores are large" in outcome.out


@pytest.mark.parametrize("test", [(), ("--test", "sign"), ("--test", "signrank")])
@pytest.mark.parametrize("q", [1, 2])
def test_data_sets_of_which_no_candidate_could_fail(
    tmp_path: Path, q: int, test: tuple[str, ...]
) -> None:
    rows = [f"d{i},{who},{x}" for i in range(q) for who, x in (("main", 0.9), ("pr", 0.1))]
    write_lines(tmp_path / "r.csv", "dataset,classifier,score", *rows)
    for rule in ("worse", "not-better", "not-better-or-equivalent"):
        judge = ("gate", "r.csv", "--baseline", "main", "--fail-if", rule, *test)
        assert "no candidate could fail" in refused(run(*judge, folder=tmp_path))


def test_what_a_rule_asks_is_asked_by_bets_too(tmp_path: Path) -> None:
    items(tmp_path / "r.csv", {"d": (6, 0, 2)})
    asked = ("gate-anytime", *ITEMS[1:], "--fail-if", "not-better")
    outcome = run(*asked, folder=tmp_path)
    assert outcome.code == 5
    assert "for better" in outcome.out
    assert "for not better" in outcome.out
    assert "worse" not in outcome.out


@pytest.mark.parametrize(
    ("share", "words"), [(0.0, ("--bar", "0")), (0.5, ("--bar", "0.5", "--rope", "0.6"))]
)
def test_bars_and_ropes_that_reach_outside_the_scores(
    tmp_path: Path, share: float, words: tuple[str, ...]
) -> None:
    rows = [f"{i},pr,{int(i < 50 * share)}" for i in range(50)]
    write_lines(tmp_path / "r.csv", "item,classifier,score", *rows)
    for more in ((), ("--lower-is-better",)):
        gate = ("gate", "r.csv", "--col", "item=item", *words, *more, "--format", "json")
        (verdict,) = json.loads(run(*gate, folder=tmp_path).out)["verdicts"]
        shares = [verdict[f"p_{word}"] for word in ("worse", "equivalent", "better")]
        assert sum(shares) == pytest.approx(1)


def test_a_low_bar_for_answers_is_in_their_unit(tmp_path: Path) -> None:
    rows = [f"{i},pr,{int(i % 10 == 0)}" for i in range(50)]
    write_lines(tmp_path / "r.csv", "item,classifier,toxic", *rows)
    gate = ("gate", "r.csv", "--col", "item=item", "--metric", "toxic: lower, bar 0.01")
    outcome = judged(tmp_path, *gate)
    assert outcome.code == 4
    assert "unit" not in outcome.err


def test_names_are_no_mentions(tmp_path: Path) -> None:
    folds(tmp_path / "main.csv", FOLDS, "main", "@org/team")
    folds(tmp_path / "pr.csv", shifted(-0.1), "@everyone", "@org/team")
    gate = ("gate", "main.csv", "pr.csv", "--baseline", "main")
    for form in ("comment", "markdown"):
        assert not re.search(r"@\w", run(*gate, "--format", form, folder=tmp_path).out)


def test_names_are_no_links(tmp_path: Path) -> None:
    for name in ("https://a.example/x", "www.example.org"):
        folds(tmp_path / "main.csv", FOLDS, "main", "d")
        folds(tmp_path / "pr.csv", shifted(-0.1), name, "d")
        gate = ("gate", "main.csv", "pr.csv", "--baseline", "main")
        for form in ("comment", "markdown"):
            assert not re.search(r"://|www\.", run(*gate, "--format", form, folder=tmp_path).out)


def test_a_data_set_called_average_is_told_from_the_average(tmp_path: Path) -> None:
    names = {"main": 0.0, "pr": -0.1}
    small_csv(tmp_path / "results.csv", names, ("average", "other"), noise=0.001)
    out = run("gate", "results.csv", "--baseline", "main", folder=tmp_path).out
    assert len(re.findall(r"^ average  ", out, re.MULTILINE)) == 1
    assert len(re.findall(r"^ average \(data set\)  ", out, re.MULTILINE)) == 1
