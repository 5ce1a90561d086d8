"""Convert results of known programs to rows: a score with its model, item and error.

Each function takes the objects of a file, its lines or its only document, and yields a dictionary
for each trial: the program's own keys, and dataset, classifier, item, epoch, score and error if
known. An error explains why a trial has no score; a trial with score 0 has no error. Imports
nothing heavy.
"""

import json
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from bcompare.basis.messages import InputError, Record
from bcompare.files.options import MEASURE, OTHERS

Row = Record

# The seconds of the units of time that benchmarks write.
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "hr": 3600.0}

_ABOUT = {
    "doc_id",
    "doc",
    "target",
    "arguments",
    "resps",
    "filtered_resps",
    "filter",
    "metrics",
    "doc_hash",
    "prompt_hash",
    "target_hash",
    "input",
    "input_media",
    "token_counts",
}


# Statistics of HELM that score an answer, the main ones first.
_OF_HELM = (
    "exact_match",
    "quasi_exact_match",
    "prefix_exact_match",
    "quasi_prefix_exact_match",
    "final_number_exact_match",
    "math_equiv_chain_of_thought",
    "ifeval_strict_accuracy",
    "pass",
    "f1_score",
    "rouge_l",
    "bleu_4",
)


def _number(value: object) -> object:
    """Return a number, a boolean or the content of {"score": …}; None for anything else."""
    value = value.get("score") if isinstance(value, dict) else value
    return value if isinstance(value, int | float) else None


def harness(lines: Sequence[Row]) -> Iterator[Row]:
    """Yield samples of lm-evaluation-harness and lmms-eval, with the first numeric metric."""
    for row in lines:
        metrics = row.get("metrics") or [key for key in row if key not in _ABOUT]
        measure = next((m for m in metrics if _number(row.get(m)) is not None), None)
        score = None if measure is None else _number(row[measure])
        others = [m for m in metrics if m != measure and _number(row.get(m)) is not None]
        yield row | {
            "item": row["doc_id"],
            "score": score,
            "error": None,
            MEASURE: measure,
            OTHERS: ", ".join(others),
        }


def promptfoo(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield results of promptfoo, from JSON or JSON Lines.

    Tests are identified by variables and assertions, so that repetitions are epochs. A trial that
    failed its assertions has a score; one that ended in an error has none.
    """
    rows = [row for document in documents for row in _results(document)]
    about = (documents[0].get("config") or {}).get("description") or "tests"
    prompts = {_label(row.get("prompt"), row.get("promptIdx")) for row in rows}
    asserted: dict[str, list[object]] = {}
    for row in rows:
        provider = row.get("provider")
        names = [provider if isinstance(provider, str) else _label(provider, "")]
        if len(prompts) > 1:
            names.append(_label(row.get("prompt"), row.get("promptIdx")))
        item = ", ".join(f"{key}: {value}" for key, value in (row.get("vars") or {}).items())
        tests = asserted.setdefault(item, [])
        asked = (row.get("testCase") or {}).get("assert") if item else row.get("testIdx")
        if asked not in tests:
            tests.append(asked)
        if tests.index(asked) or not item:
            item += f" ({tests.index(asked) + 1})"
        error = (row.get("error") or "error") if row.get("failureReason") == 2 else None
        score = None if error else row.get("score")
        yield row | {
            "dataset": about,
            "classifier": " ".join(names),
            "item": item,
            "score": score,
            "error": error,
        }


def _results(document: Row) -> list[Row]:
    """Return the results in a document of promptfoo, or in a line of JSON Lines."""
    results: Any = document
    while isinstance(results, dict) and "results" in results:
        results = results["results"]
    return [results] if isinstance(results, dict) else list(results)


def _label(named: object, otherwise: object) -> str:
    named = named if isinstance(named, dict) else {}
    return str(named.get("label") or named.get("id") or otherwise)


def deepeval(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield a row for each case and metric of deepeval, with the run's identifier or model."""
    for run in documents:
        who = run.get("identifier") or (run.get("hyperparameters") or {}).get("model")
        for case in run["testCases"]:
            of_case = {key: value for key, value in case.items() if key != "metricsData"}
            for metric in case.get("metricsData") or ():
                error = metric.get("error")
                row = of_case | {
                    "dataset": "test cases",
                    "item": case.get("input"),
                    "metric": metric["name"],
                    "error": error,
                    "score": None if error else metric.get("score"),
                }
                if who:
                    row["classifier"] = who
                yield row


def every_eval_ever(lines: Sequence[Row]) -> Iterator[Row]:
    """Yield instances of Every Eval Ever; with an error, the score is not that of the trial."""
    for row in lines:
        error = row.get("error")
        yield row | {
            "dataset": row["evaluation_name"],
            "classifier": row["model_id"],
            "item": row["sample_id"],
            "epoch": (row.get("metadata") or {}).get("epoch", 1),
            "score": None if error else row["evaluation"].get("score"),
            "error": error,
        }


def helm(instances: Sequence[Row]) -> Iterator[Row]:
    """Yield the statistics of each instance of HELM, by name, with one of accuracy as the score.

    Perturbed copies of an instance are left out.
    """
    for row in instances:
        stats = {stat["name"]["name"]: stat.get("mean") for stat in row["stats"]}
        measures = [name for name in _OF_HELM if name in stats]
        if not row.get("perturbation"):
            yield stats | {
                "item": row["instance_id"],
                "epoch": row.get("train_trial_index", 0),
                "score": stats[measures[0]] if measures else None,
                MEASURE: measures[0] if measures else None,
                OTHERS: ", ".join(measures[1:]),
            }


def openai_evals(lines: Sequence[Row]) -> Iterator[Row]:
    """Yield the matches of OpenAI's evals; where there are none, the first number of each sample.

    Samples are those of the log's run, whose first line tells the model.
    """
    run: Row = {}
    kind = "match" if any(line.get("type") == "match" for line in lines) else "metrics"
    for line in lines:
        run = line.get("spec", run)
        if line.get("type") == kind:
            numbers = [key for key, value in line["data"].items() if _number(value) is not None]
            measure = "correct" if kind == "match" else next(iter(numbers), None)
            yield {
                "dataset": run["eval_name"],
                "classifier": ", ".join(run["completion_fns"]),
                "item": line["sample_id"],
                "score": None if measure is None else line["data"][measure],
                MEASURE: measure,
            }


def harbor(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield trials of Harbor; the summary of a job has none.

    A trial that ended in an exception has a score if its verifier ran, as in Harbor itself.
    Attempts at a task have names instead of numbers.
    """
    for trial in documents:
        if "task_name" not in trial:
            continue
        agent = trial.get("agent_info") or {}
        names = (agent.get("name"), (agent.get("model_info") or {}).get("name"))
        rewards = (trial.get("verifier_result") or {}).get("rewards") or {}
        reward = "reward" if "reward" in rewards else next(iter(rewards), None)
        score = rewards.get(reward)
        exception = (trial.get("exception_info") or {}).get("exception_type")
        yield trial | {
            "dataset": trial.get("source") or "tasks",
            "classifier": " ".join(filter(None, names)) or "agent",
            "item": trial["task_name"],
            "score": score,
            "error": None if score is not None else exception or "no verdict of the verifier",
            MEASURE: reward,
        }


def mteb(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield the main score of each task of MTEB, averaged over subsets and splits like MTEB."""
    for task in documents:
        splits = [split for split in (task.get("scores") or {}).values() if split]
        if splits:
            means = [_main_score(split) for split in splits]
            parts = sorted(
                f"{name} {subset.get('hf_subset', k)}"
                for name, split in task["scores"].items()
                for k, subset in enumerate(split, 1)
            )
            yield {
                "dataset": task["task_name"],
                "score": fmean(means),
                MEASURE: f"main_score of {', '.join(parts)}",
            }


def _main_score(subsets: Sequence[Row]) -> float:
    """Return the mean main score of the subsets of a split."""
    return fmean(subset["main_score"] for subset in subsets)


def swe_bench(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield the submitted instances of a report of SWE-bench's harness.

    An instance without a patch, or whose evaluation ended in an error, is not resolved, as in the
    resolved share that SWE-bench itself reports.
    """
    for report in documents:
        resolved = {*report["resolved_ids"]}
        for item in report["submitted_ids"]:
            yield {"dataset": "instances", "item": item, "score": float(item in resolved)}


def tau_bench(trajectories: Sequence[Row]) -> Iterator[Row]:
    """Yield the reward of each trial of each task of tau-bench."""
    for run in trajectories:
        yield {
            "dataset": "tasks",
            "item": run["task_id"],
            "epoch": run.get("trial", 0),
            "score": run["reward"],
        }


def hyperfine(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield the seconds of each run of each command."""
    for benchmark in (row for document in documents for row in _results(document)):
        codes = benchmark.get("exit_codes") or [0] * len(benchmark["times"])
        for i, (seconds, code) in enumerate(zip(benchmark["times"], codes, strict=True), 1):
            error = f"exit code {code}" if code else None
            time = None if error else seconds
            yield {"benchmark": benchmark["command"], "seed": i, "seconds": time, "error": error}


def pytest_benchmark(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield the seconds of each round of each test."""
    for benchmark in (row for document in documents for row in document["benchmarks"]):
        if "data" not in benchmark["stats"]:
            raise InputError(
                "pytest-benchmark has saved no single times: save them by --benchmark-save-data, "
                "or write the file by --benchmark-json=FILE"
            )
        for i, seconds in enumerate(benchmark["stats"]["data"], 1):
            yield {"benchmark": benchmark["fullname"], "seed": i, "seconds": seconds}


def google_benchmark(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield the seconds of each repetition of each benchmark, not its aggregates."""
    for row in (row for document in documents for row in document["benchmarks"]):
        if row.get("run_type") != "aggregate":
            error = row.get("error_message") if row.get("error_occurred") else None
            yield {
                "benchmark": row.get("run_name", row["name"]),
                "seed": row.get("repetition_index", 0) + 1,
                "seconds": None
                if error
                else row["real_time"] * SECONDS[row.get("time_unit", "ns")],
                "error": error,
            }


def mt_bench(judgements: Sequence[Row]) -> Iterator[Row]:
    """Yield the judge's score of each turn of each question of MT-bench; -1 is none.

    The turns of a question are one cluster.
    """
    for row in judgements:
        failed = row["score"] == -1
        yield {
            "classifier": row["model"],
            "item": f"{row['question_id']}, turn {row.get('turn', 1)}",
            "question": row["question_id"],
            "score": None if failed else row["score"],
            "error": "the judge failed" if failed else None,
        }


def jmh(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield the mean of each fork of each benchmark of JMH: seconds an operation, or a throughput.

    The iterations of a fork are measured in one process, so that a fork counts once.
    """
    modes = {str(benchmark["mode"]) for benchmark in documents}
    if "thrpt" in modes and len(modes) > 1:
        raise InputError(
            f"JMH measured in the modes {', '.join(sorted(modes))}, of which more is better in one "
            "and less in the others: write a file for each mode, by -bm"
        )
    for benchmark in documents:
        metric = benchmark["primaryMetric"]
        parameters = benchmark.get("params") or {}
        words = [str(benchmark["benchmark"])]
        words += [f"{name}={value}" for name, value in parameters.items()]
        above, below = str(metric["scoreUnit"]).split("/")
        for fork, iterations in enumerate(metric["rawData"], 1):
            mean = fmean(iterations)
            row = {"benchmark": " ".join(words), "seed": fork}
            if below == "op":
                yield row | {"seconds": mean * SECONDS[above]}
            else:
                yield row | {"throughput": mean / SECONDS[below]}


def pyperf(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield the mean of each process of each benchmark of pyperf, but for its calibrations."""
    for benchmark in (row for document in documents for row in document["benchmarks"]):
        (document, *_) = documents
        about = (document.get("metadata") or {}) | (benchmark.get("metadata") or {})
        if about.get("unit", "second") != "second":
            raise InputError(
                f"pyperf measured {about.get('name', 'a benchmark')} in {about['unit']}s, and only "
                "times are read: save others as CSV"
            )
        measured = [run["values"] for run in benchmark["runs"] if run.get("values")]
        for process, values in enumerate(measured, 1):
            yield {
                "benchmark": about.get("name", "benchmark"),
                "seed": process,
                "seconds": fmean(values),
            }


def criterion(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield the seconds an iteration of each sample of Criterion, for Rust."""
    for document in documents:
        samples = zip(document["iters"], document["times"], strict=True)
        for i, (iterations, nanoseconds) in enumerate(samples, 1):
            yield {"seed": i, "seconds": nanoseconds * SECONDS["ns"] / iterations}


def benchmark_dotnet(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield the mean of each launch of each benchmark of BenchmarkDotNet, in seconds an operation.

    Where there is one launch, its iterations.
    """
    for benchmark in (row for document in documents for row in document["Benchmarks"]):
        launches: dict[int, list[float]] = {}
        for one in benchmark.get("Measurements") or ():
            if (one["IterationMode"], one["IterationStage"]) == ("Workload", "Result"):
                time = one["Nanoseconds"] * SECONDS["ns"] / one["Operations"]
                launches.setdefault(one["LaunchIndex"], []).append(time)
        times = [fmean(values) for values in launches.values()]
        if len(times) < 2:
            values = (benchmark.get("Statistics") or {}).get("OriginalValues") or ()
            times = [value * SECONDS["ns"] for value in values]
        for i, seconds in enumerate(times, 1):
            yield {"benchmark": benchmark["FullName"], "seed": i, "seconds": seconds}


def evalplus(documents: Sequence[Row]) -> Iterator[Row]:
    """Yield whether each answer to each task passes all tests, of EvalPlus where there are any."""
    for item, answers in (pair for document in documents for pair in document["eval"].items()):
        for i, answer in enumerate(answers, 1):
            measure = "plus" if answer.get("plus_status") else "base"
            yield {
                "dataset": item.partition("/")[0],
                "item": item,
                "epoch": i,
                "score": float(answer[f"{measure}_status"] == "pass"),
                MEASURE: f"{measure} passed",
            }


def openml(evaluations: Sequence[Row]) -> Iterator[Row]:
    """Yield each score of each evaluation of OpenML, numbered through all repetitions.

    Raises
    ------
    InputError : an evaluation without the scores of its folds.
    """
    for evaluation in evaluations:
        values = evaluation["values"]
        try:
            scores = json.loads(values or "[]") if isinstance(values, str) else values
        except ValueError:
            scores = None
        if not scores or not isinstance(scores, list):
            raise InputError(
                f"run {evaluation['run_id']} of OpenML has no list of scores in column values: ask "
                "for them by list_evaluations(..., per_fold=True)"
            )
        for i, score in enumerate(scores, 1):
            yield {
                "data_name": evaluation["data_name"],
                "flow_name": evaluation["flow_name"],
                "setup_id": evaluation["setup_id"],
                "metric": evaluation["function"],
                "iteration": i,
                "score": score,
            }


def euroeval(records: Sequence[Row]) -> Iterator[Row]:
    """Yield the score of each model on each data set of EuroEval, in each of its metrics.

    Its raw scores are of bootstrap samples of one test set, which are no seeds, so that their mean
    counts, in per cent like EuroEval's own. Records before version 18 have another form.
    """
    for record in records:
        if "eval_library" in record:
            about = record["eval_library"]["additional_details"]
            model = record["model_info"]["id"]
            scores = {
                result["evaluation_name"]: result["score_details"]["score"]
                for result in record["evaluation_results"]
            }
        else:
            about = record
            model = record["model"]
            totals = record["results"]["total"]
            scores = {name: totals[name] for name in totals if f"{name}_se" in totals}
        for metric, score in scores.items():
            yield {
                "dataset": about["dataset"],
                "classifier": model,
                "task": about["task"],
                "few_shot": about["few_shot"],
                "validation_split": about["validation_split"],
                "metric": metric,
                "score": score,
            }
