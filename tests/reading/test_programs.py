"""What evaluators of models write is read without a word.

The files in written_by/ are the programs' own (promptfoo 0.120.0, inspect-ai 0.3.285, deepeval
4.3.1, Every Eval Ever 0.2.3rc1 from a log of Inspect); the others are built here after the schema
that their programs document or write.
"""

import csv
import json
import re
import shlex
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bcompare.basis.messages import InputError
from bcompare.explain import sections
from bcompare.files.presets import recognised
from bcompare.reading.profile import profile_results
from bcompare.reading.read import read_scores
from tests.command import refused, run
from tests.reading.written import as_file, facts
from tests.results import write_lines

WRITTEN = Path(__file__).parent / "written_by"

Trials = dict[tuple[str, str], list[float | None]]
"""(model, item) → the scores of its epochs, None of those that failed."""


def read(folder: Path | str, **options: Any) -> Trials:
    """What is read, an epoch a value, by way of a frame of means."""
    scores = read_scores(str(folder), **options)
    return {
        (name, str(i)): [float(value)]
        for dataset in scores.datasets
        for i, row in enumerate(dataset.table)
        for name, value in zip(scores.classifiers, row, strict=True)
    }


def means(trials: Trials) -> dict[str, list[float]]:
    """Each model's sorted item means, over items of which every trial has a score."""
    bad = {item for (_, item), values in trials.items() if None in values}
    result = defaultdict(list)
    for (model, item), values in trials.items():
        if item not in bad:
            result[model].append(float(np.mean([v for v in values if v is not None])))
    return {model: sorted(values) for model, values in result.items()}


def by_promptfoo() -> Trials:
    trials: Trials = defaultdict(list)
    document = json.loads((WRITTEN / "promptfoo/results.json").read_text(encoding="utf-8"))
    for row in document["results"]["results"]:
        model = row["provider"]["label"] or row["provider"]["id"]
        failed = row["failureReason"] == 2
        trials[model, row["vars"]["q"]].append(None if failed else row["score"])
    return trials


def by_deepeval() -> Trials:
    trials: Trials = defaultdict(list)
    for path in WRITTEN.glob("deepeval/*.json"):
        run_ = json.loads(path.read_text(encoding="utf-8"))
        for case in run_["testCases"]:
            trials[run_["identifier"], case["input"]].append(case["metricsData"][0].get("score"))
    return trials


def by_every_eval_ever() -> Trials:
    trials: Trials = defaultdict(list)
    for path in WRITTEN.rglob("*_samples.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            score = None if row["error"] else row["evaluation"]["score"]
            trials[row["model_id"], row["sample_id"]].append(score)
    return trials


def by_inspect() -> Trials:
    trials: Trials = defaultdict(list)
    with (WRITTEN / "inspect/samples.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            grade = {"C": 1.0, "I": 0.0}.get(row["score_match"])
            trials[row["model"], row["id"]].append(None if row["error"] else grade)
    return trials


REAL: dict[str, tuple[str, Callable[[], Trials]]] = {
    "promptfoo": ("promptfoo/results.json", by_promptfoo),
    "promptfoo, its folder": ("promptfoo", by_promptfoo),
    "deepeval": ("deepeval", by_deepeval),
    "every-eval-ever": ("every_eval_ever", by_every_eval_ever),
    "inspect": ("inspect", by_inspect),
    "inspect, as CSV": ("inspect/samples.csv", by_inspect),
}


@pytest.mark.parametrize("name", REAL)
def test_a_real_file_is_recognised_and_its_failed_trials_are_refused(name: str) -> None:
    path, by_hand = REAL[name]
    trials = by_hand()
    failed = {model for (model, _), values in trials.items() if None in values}
    count = sum(values.count(None) for values in trials.values())
    total = sum(map(len, trials.values()))
    error = refused(run("ttest", str(WRITTEN / path)))
    assert f"{count} of {total} trials without a score: {failed.pop()} {count} (" in error
    assert "--failed drop" in error


@pytest.mark.parametrize("name", REAL)
def test_a_real_file_gives_the_scores_that_are_in_it(name: str) -> None:
    path, by_hand = REAL[name]
    whole = by_hand()
    result = means(read(WRITTEN / path, failed="drop"))
    assert result == {model: pytest.approx(v) for model, v in means(whole).items()}
    filled: Trials = {
        key: [0.25 if value is None else value for value in values] for key, values in whole.items()
    }
    result = means(read(WRITTEN / path, failed=0.25))
    assert result == {model: pytest.approx(v) for model, v in means(filled).items()}


@pytest.mark.parametrize("name", REAL)
def test_check_shows_what_was_understood(name: str) -> None:
    path, by_hand = REAL[name]
    profile = profile_results(str(WRITTEN / path))
    trials = by_hand()
    assert set(profile.classifiers) == {model for model, _ in trials}
    assert profile.unit == "item"
    assert len(profile.datasets) == 1
    (left_out,) = profile.account.left_out
    assert left_out.reason == "no-score"
    assert sum(sum(why.values()) for why in left_out.why.values()) == left_out.rows
    assert profile.answers_an_item == pytest.approx(
        sum(len([v for v in values if v is not None]) for values in trials.values())
        / sum(any(v is not None for v in values) for values in trials.values())
    )


# Built after their schemas

LABELS = {"old": "llama", "new": "qwen"}


def harness(folder: Path, *, lmms: bool) -> None:
    """Two tasks of two models, each with its own metric."""
    for k, model in enumerate(LABELS.values()):
        (folder / model).mkdir()
        for task, metric in (("arc_easy", "acc"), ("gsm8k", "exact_match")):
            rows = [
                {
                    "doc_id": i,
                    "doc": {"question": "?", "score": 7},
                    "target": "0",
                    "filtered_resps": ["x"],
                    "resps": [["x"]],
                    **({} if lmms else {"filter": "none", "metrics": [metric, "other"]}),
                    metric: {"id": i, "score": (i + k) % 2} if lmms else float((i + k) % 2),
                }
                for i in range(12)
            ]
            name = (
                f"20260101_120000_samples_{task}"
                if lmms
                else (f"samples_{task}_2026-01-01T12-00-00.123456")
            )
            lines = "".join(json.dumps(row) + "\n" for row in rows)
            (folder / model / f"{name}.jsonl").write_text(lines, encoding="utf-8")


@pytest.mark.parametrize("lmms", [False, True])
def test_harnesses_have_a_metric_a_task(lmms: bool, tmp_path: Path) -> None:
    harness(tmp_path, lmms=lmms)
    scores = read_scores(str(tmp_path))
    assert scores.classifiers == ("llama", "qwen")
    assert {d.name: d.table.mean(axis=0).tolist() for d in scores.datasets} == {
        "arc_easy": [0.5, 0.5],
        "gsm8k": [0.5, 0.5],
    }
    metrics = profile_results(str(tmp_path)).metrics
    assert metrics == {"acc": ("arc_easy",), "exact_match": ("gsm8k",)}
    pattern = read_scores(f"{tmp_path}/*/*samples_*.jsonl", preset="lm-eval")
    assert facts(pattern) == facts(scores)
    for end in ("", "/*.jsonl"):
        old, new = (f"{label}={tmp_path}/{model}{end}" for label, model in LABELS.items())
        labelled = read_scores(old, new, preset="lm-eval" if end else None)
        assert labelled.classifiers == ("old", "new")
        assert [d.name for d in labelled.datasets] == ["arc_easy", "gsm8k"]
        for own, dataset in zip(labelled.datasets, scores.datasets, strict=True):
            assert own.table.tolist() == dataset.table.tolist()


def test_filters_of_the_harness_are_told_apart_by_name(tmp_path: Path) -> None:
    for model in ("a", "b"):
        (tmp_path / model).mkdir()
        lines = [
            json.dumps(
                {
                    "doc_id": i,
                    "target": "1",
                    "filtered_resps": [1],
                    "resps": [[1]],
                    "filter": name,
                    "metrics": ["exact_match"],
                    "exact_match": i % 2,
                }
            )
            + "\n"
            for i in range(10)
            for name in ("strict-match", "flexible-extract")
        ]
        (tmp_path / model / "samples_gsm8k.jsonl").write_text("".join(lines), encoding="utf-8")
    error = refused(run("ttest", ".", folder=tmp_path))
    assert "--where 'filter!=flexible-extract'" in error
    assert "--col epoch" not in error
    assert run("ttest", ".", "--where", "filter=strict-match", folder=tmp_path).code == 0


def harbor(folder: Path) -> None:
    job = folder / "2026-01-01__12-00-00"
    job.mkdir()
    (job / "result.json").write_text(json.dumps({"id": "j", "n_total_trials": 24, "stats": {}}))
    for k, agent in enumerate(("claude-code", "terminus-2")):
        for i in range(6):
            for attempt in range(2):
                crashed = (k, i, attempt) == (1, 3, 0)
                name = f"task-{i}__{'ab'[k]}{attempt}"
                (job / name).mkdir()
                reward = {"rewards": {"reward": float((i + k * attempt) % 2)}}
                trial = {
                    "id": name,
                    "task_name": f"task-{i}",
                    "trial_name": name,
                    "source": "terminal-bench",
                    "agent_info": {"name": agent, "version": "1", "model_info": {"name": "m"}},
                    "verifier_result": None if crashed else reward,
                    "exception_info": {"exception_type": "AgentTimeoutError"} if crashed else None,
                }
                (job / name / "result.json").write_text(json.dumps(trial), encoding="utf-8")


def test_jobs_of_harbor(tmp_path: Path) -> None:
    harbor(tmp_path)
    refused = run("ttest", ".", folder=tmp_path)
    assert "1 of 24 trials without a score: terminus-2 m 1 (AgentTimeoutError)" in refused.err
    scores = read_scores(str(tmp_path), failed="zero")
    assert scores.classifiers == ("claude-code m", "terminus-2 m")
    (dataset,) = scores.datasets
    assert (dataset.name, scores.answers_an_item) == ("terminal-bench", 2.0)
    assert dataset.table[3].tolist() == [1.0, 0.0]
    assert {note.code for note in scores.notes} >= {"recognised", "no-trials"}
    mixed = run("ttest", "old=.", "--failed", "zero", folder=tmp_path)
    assert "on data set terminal-bench they name claude-code m, terminus-2 m" in mixed.err


def test_reports_of_swe_bench(tmp_path: Path) -> None:
    """Errors and empty patches are failures, and count; instances never submitted do not."""
    ids = [f"django__django-{i}" for i in range(50)]
    for name, count, failed in (("agent_a", 27, 0), ("agent_b", 26, 12)):
        report = {
            "total_instances": 300,
            "submitted_ids": ids,
            "resolved_ids": ids[:count],
            "completed_ids": ids[: 50 - failed],
            "empty_patch_ids": ids[50 - failed : 50 - failed // 2],
            "error_ids": ids[50 - failed // 2 :],
            "schema_version": 2,
        }
        (tmp_path / f"{name}.json").write_text(json.dumps(report), encoding="utf-8")
    for files in (["agent_a.json", "agent_b.json"], ["."]):
        scores = read_scores(*(str(tmp_path / file) for file in files))
        assert scores.classifiers == ("agent_a", "agent_b")
        (dataset,) = scores.datasets
        assert dataset.items == 50
        assert dataset.table.mean(axis=0).tolist() == [0.54, 0.52]


def test_trajectories_of_tau_bench(tmp_path: Path) -> None:
    for k, name in enumerate(("gpt", "sonnet")):
        runs = [
            {
                "task_id": task,
                "reward": float((task + trial * k) % 3 == 0),
                "info": {"task": {"user_id": "u"}, "source": "llm"},
                "traj": [{"role": "user", "content": "…"}],
                "trial": trial,
            }
            for trial in range(4)
            for task in range(12)
        ]
        (tmp_path / f"{name}.json").write_text(json.dumps(runs), encoding="utf-8")
    scores = read_scores(str(tmp_path / "gpt.json"), str(tmp_path / "sonnet.json"))
    assert scores.classifiers == ("gpt", "sonnet")
    (dataset,) = scores.datasets
    assert (dataset.items, scores.answers_an_item) == (12, 4.0)
    shares = [sum((t + e) % 3 == 0 for e in range(4)) / 4 for t in range(12)]
    assert dataset.table[:, 0].tolist() == [float(t % 3 == 0) for t in range(12)]
    assert dataset.table[:, 1].tolist() == shares


def test_details_of_lighteval(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install pyarrow")
    for k, model in enumerate(("base", "tuned")):
        folder = tmp_path / "details" / "org" / model / "2026-01-01T12-00-00"
        folder.mkdir(parents=True)
        rows = [
            {
                "doc": {"id": str(i), "task_name": "lighteval|arc|0", "query": "?"},
                "metric": {"acc": float((i + k) % 3 == 0), "em": 0.5},
                "model_response": {"text": ["x"]},
            }
            for i in range(12)
        ]
        path = folder / "details_lighteval|arc|0_2026-01-01T12-00-00.parquet"
        pd.DataFrame(rows).to_parquet(path)
    scores = read_scores(str(tmp_path))
    assert scores.classifiers == ("base", "tuned")
    assert scores.datasets[0].name == "lighteval|arc|0"
    assert scores.datasets[0].table.mean(axis=0).tolist() == [4 / 12, 4 / 12]
    assert "several-measures" in {note.code for note in scores.notes}
    chosen = read_scores(str(tmp_path), score_col="metric.em")
    assert chosen.datasets[0].table.mean() == 0.5


def test_results_of_mteb(tmp_path: Path) -> None:
    for k, model in enumerate(("org__small", "org__large")):
        folder = tmp_path / model / "revision"
        folder.mkdir(parents=True)
        (folder / "model_meta.json").write_text('{"name": "x"}', encoding="utf-8")
        for t in range(6):
            subsets = [
                {"main_score": 0.5 + 0.01 * t + 0.1 * k + d, "hf_subset": str(d)}
                for d in (0.0, 0.2)
            ]
            task = {"mteb_version": "2.0", "task_name": f"Task{t}", "scores": {"test": subsets}}
            (folder / f"Task{t}.json").write_text(json.dumps(task), encoding="utf-8")
    scores = read_scores(str(tmp_path))
    assert (scores.unit, scores.classifiers) == ("mean", ("org__large", "org__small"))
    assert [d.name for d in scores.datasets] == [f"Task{t}" for t in range(6)]
    assert scores.datasets[2].table[0] == pytest.approx([0.72, 0.62])
    assert run("signrank", str(tmp_path)).code == 0


def test_a_summary_of_opencompass(tmp_path: Path) -> None:
    path = tmp_path / "summary_20260101_120000.csv"
    rows = [f"set{i},abc{i},accuracy,gen,{50 + i},{52 + 2 * i}" for i in range(6)]
    text = "\n".join(["dataset,version,metric,mode,llama,qwen", *rows, "none,-,-,-,-,-", ""])
    path.write_text(text, encoding="utf-8")
    scores = read_scores(str(path))
    assert (scores.unit, scores.classifiers) == ("mean", ("llama", "qwen"))
    assert scores.datasets[1].table.tolist() == [[0.51, 0.54]]


def test_the_recipes_that_are_told_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of `bcompare explain evaluators`."""
    text = sections("layouts")["evaluators"]
    monkeypatch.chdir(tmp_path)
    for k in range(2):
        (tmp_path / "ab"[k]).mkdir()
        bench = [{"task_id": f"t{i}", "is_resolved": bool((i + k) % 3)} for i in range(9)]
        (tmp_path / "ab"[k] / "results.json").write_text(json.dumps({"results": bench}))
    (command,) = (line for line in re.findall(r"`(bcompare [^`]+)`", text) if "old=a/" in line)
    outcome = run(*shlex.split(command)[1:], folder=tmp_path)
    assert outcome.code == 0, outcome.err


def test_helm(tmp_path: Path) -> None:
    for k, model in enumerate(("openai_small", "openai_large")):
        for subject in ("anatomy", "virology"):
            name = f"mmlu:subject={subject},model={model},data_augmentation=canonical"
            folder = tmp_path / "runs" / "v1" / name
            folder.mkdir(parents=True)
            names = ({"name": "num_prompt_tokens"}, {"name": "exact_match", "split": "test"})
            instances = [
                {
                    "instance_id": f"id{i}",
                    "train_trial_index": 0,
                    "stats": [
                        {"name": name, "count": 1, "mean": mean}
                        for name, mean in zip(names, (300.0, float((i + k) % 3 > 0)), strict=True)
                    ],
                }
                for i in range(9)
            ]
            instances.append(instances[0] | {"perturbation": {"name": "typos"}})
            text = json.dumps(instances)
            (folder / "per_instance_stats.json").write_text(text, encoding="utf-8")
    scores = read_scores(str(tmp_path / "runs"))
    assert scores.classifiers == ("openai_large", "openai_small")
    assert [d.name for d in scores.datasets] == ["mmlu:subject=anatomy", "mmlu:subject=virology"]
    assert scores.datasets[0].table.mean(axis=0).tolist() == [6 / 9, 6 / 9]
    tokens = read_scores(str(tmp_path / "runs"), score_col="num_prompt_tokens")
    assert (tokens.datasets[0].table == 300).all()


def test_openai_evals(tmp_path: Path) -> None:
    for k, model in enumerate(("gpt-a", "gpt-b")):
        lines: list[dict[str, Any]] = [
            {"spec": {"completion_fns": [model], "eval_name": "arithmetic.dev.v0"}},
            *(
                {"type": kind, "sample_id": f"arithmetic.dev.{i}", "data": data}
                for i in range(9)
                for kind, data in (
                    ("sampling", {"prompt": "1 + 1"}),
                    ("match", {"correct": bool((i + k) % 3), "expected": "2"}),
                )
            ),
            {"final_report": {"accuracy": 0.6}},
        ]
        write_lines(tmp_path / f"{model}.jsonl", *map(json.dumps, lines))
    scores = read_scores(str(tmp_path / "gpt-a.jsonl"), str(tmp_path / "gpt-b.jsonl"))
    assert (scores.classifiers, scores.unit) == (("gpt-a", "gpt-b"), "item")
    (dataset,) = scores.datasets
    assert (dataset.name, dataset.table.shape) == ("arithmetic.dev.v0", (9, 2))
    assert dataset.table.mean(axis=0).tolist() == [6 / 9, 6 / 9]


def test_tasks_without_the_chosen_metric_keep_their_first(tmp_path: Path) -> None:
    for k, model in enumerate(("a", "b")):
        for task, metrics in (("arc", ["acc", "acc_norm"]), ("gsm8k", ["exact_match"])):
            lines = [
                {"doc_id": i, "target": "", "filtered_resps": [], "metrics": metrics}
                | {name: float((i + k + len(name)) % 3 > 0) for name in metrics}
                for i in range(9)
            ]
            path = tmp_path / model / f"samples_{task}_2026-01-01T00-00-00.000000.jsonl"
            path.parent.mkdir(exist_ok=True)
            write_lines(path, *map(json.dumps, lines))
    scores = read_scores(str(tmp_path), score_col="acc_norm")
    assert [dataset.name for dataset in scores.datasets] == ["arc", "gsm8k"]
    assert scores.datasets[0].table[:3, 0].tolist() == [1, 0, 1]
    (note,) = (note for note in scores.notes if note.code == "several-measures")
    assert "no acc_norm" in note.text
    assert "gsm8k" in note.text
    with pytest.raises(InputError, match="no column 'acc_nrm'"):
        read_scores(str(tmp_path), score_col="acc_nrm")


# promptfoo, Inspect


INSPECT = ["eval_id", "task_name", "model", "id", "epoch", "input", "score_match"]


def inspect_rows() -> list[list[str]]:
    return [
        ["e", "gsm8k", name, f"q{i}", str(epoch), "…", "CIPN"[(i * epoch + k) % 4]]
        for i in range(10)
        for epoch in (1, 2)
        for k, name in enumerate(("a", "b"))
    ]


def test_inspect() -> None:
    assert recognised(INSPECT) == "inspect"
    table = as_file([INSPECT, *inspect_rows()])
    scores = read_scores(table, preset="inspect", score_col="score_match")
    assert (scores.unit, scores.datasets[0].name, scores.rows) == ("item", "gsm8k", 40)
    assert scores.datasets[0].table[:3].tolist() == [[1, 0], [0.25, 0.25], [0.75, 0]]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.eval", b"PK\x03\x04 and so on"),
        ("x.json", b'{"version": 2, "status": "success", "eval": {}, "plan": {}, "results": {}}'),
    ],
)
def test_a_log_of_inspect_is_read_by_inspect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes
) -> None:
    """With a stand-in for Inspect, whose samples_df gives such frames."""
    path = tmp_path / name
    path.write_bytes(content)
    asked = []

    def samples_df(log: str, *, columns: list[str], quiet: bool) -> pd.DataFrame:
        asked.append((log, columns, quiet))
        return pd.DataFrame(inspect_rows(), columns=INSPECT)

    analysis = ModuleType("inspect_ai.analysis")
    vars(analysis).update(
        EvalTask=["t"], EvalModel=["m"], SampleSummary=["s"], samples_df=samples_df
    )
    monkeypatch.setitem(sys.modules, "inspect_ai", ModuleType("inspect_ai"))
    monkeypatch.setitem(sys.modules, "inspect_ai.analysis", analysis)
    scores = read_scores(str(path), preset="inspect", score_col="score_match")
    assert asked == [(str(path), ["t", "m", "s"], True)]
    table = as_file([INSPECT, *inspect_rows()])
    assert facts(scores) == facts(read_scores(table, preset="inspect", score_col="score_match"))


def test_hyperfine_s_runs_are_seconds_and_fewer_are_better(tmp_path: Path) -> None:
    for name, factor in (("main", 1.0), ("pr", 1.2)):
        times = [[factor * (0.1 * k + 0.001 * i) for i in range(1, 11)] for k in (1, 2, 3)]
        results = [
            {"command": f"tool {k}", "mean": 9.9, "times": own, "exit_codes": [0] * 10}
            for k, own in enumerate(times)
        ]
        (tmp_path / f"{name}.json").write_text(json.dumps({"results": results}), "utf-8")
    scores = read_scores(f"main={tmp_path / 'main.json'}", f"pr={tmp_path / 'pr.json'}")
    assert scores.lower_is_better
    assert [dataset.table.shape for dataset in scores.datasets] == [(10, 2)] * 3
    files = [f"{name}={tmp_path / name}.json" for name in ("main", "pr")]
    for metric in ([], ["--metric", "seconds: 5%"]):
        assert run("gate", *files, "--baseline", "main", *metric).code == 4


def test_answers_that_were_never_scored_say_how_to_score_them(tmp_path: Path) -> None:
    header = "eval_id,task_name,model,id,epoch,score_none"
    rows = [f"e,capitals,{model},{i},1," for model in ("a", "b") for i in range(5)]
    err = run("check", write_lines(tmp_path / "r.csv", header, *rows), "--failed", "drop").err
    assert "have not been scored: do that first, by inspect score LOG" in err
