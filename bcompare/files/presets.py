r"""Options for the files of known programs, and the recognition of such files.

To add a preset, add an entry to `PRESETS`. Imports nothing heavy, since the command line needs the
names at start-up.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bcompare.basis.messages import InputError, Note, Record, arg
from bcompare.columns.direction import is_loss
from bcompare.files.options import PAIRING, ROW_NUMBERS, ReadOptions
from bcompare.files.problems import named

MEANS = "means"


@dataclass(frozen=True, slots=True)
class Preset:
    """Options to read the files of one program.

    program : whose files they are.
    summary : which file of it, for help.
    options : fields of `ReadOptions`.
    header : columns by which its files are known, as regular expressions.
    keys : by which its JSON is known, also one inside another, as "a.b" or with its text, as
        "a.b=c".
    rows : what in `programs` turns it into rows.
    also : options that only the user knows, with an example, to be shown with a suggestion.
    optional : columns of the options that some of its files lack.
    counts_epochs : the answers to an item are its epochs, in the order in which they are read.
    errors : the column that counts the errors of a fit, or holds that of a trial, where there is
        one.
    measures : what columns of scores are called, as a regular expression, where its files have
        several.
    metric : the column that holds the scores again where they are of this metric, and is empty
        elsewhere.
    glob : what its files are called in a folder, and marker : a file that must be there, too.
    path : the end of their paths, without suffixes, as a regular expression whose groups are
        dataset and classifier.
    scored_by : the command if not one answer has a score.
    measured : columns that say on what the scores were measured, besides those with usual names.
    """

    program: str
    summary: str
    options: Record
    header: tuple[str, ...] = ("(?!)",)
    keys: tuple[str, ...] = ()
    rows: str = ""
    also: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    counts_epochs: bool = False
    calibrates: bool = False
    compares: str = ""
    errors: str = ""
    measures: str = "(?!)"
    metric: str = ""
    glob: str = ""
    marker: str = ""
    path: str = ""
    scored_by: str = ""
    measured: tuple[str, ...] = ()


# The preset if none was chosen.
NONE = Preset("", "", {}, ())
# Roles of columns that the user may name besides those of a preset.
UNKNOWN = {"score", "cluster"}


def _of_trials(program: str, summary: str, **more: Any) -> Preset:
    """Return a preset for JSON that `programs` turns into rows.

    Some columns are optional, or replaced by the file's name.
    """
    columns = {f"{role}_col": role for role in ("dataset", "classifier", "item", "epoch")}
    optional = ("dataset", "classifier", "epoch")
    options = columns | {"na_values": ("",)}
    return Preset(program, summary, options, errors="error", optional=optional, **more)


def _of_means(**more: Any) -> Preset:
    """Return a preset for the records of EuroEval, which has two forms."""
    options: Record = {"dataset_col": "dataset", "classifier_col": "classifier"}
    measured = ("few_shot", "validation_split")
    return Preset("EuroEval", options=options, rows="euroeval", measured=measured, **more)


def _of_times(program: str, summary: str, **more: Any) -> Preset:
    """Return a preset for the seconds of benchmarks, of which a file has those of one version."""
    options: Record = {
        "dataset_col": "benchmark",
        "seed_col": "seed",
        "na_values": ("",),
    }
    summary = f"{summary}, a file for each version, which names it"
    if "measures" not in more:
        options |= {"score_col": "seconds", "lower_is_better": True}
        summary = f"{summary}; less is better"
    return Preset(program, summary, options, errors="error", **more)


PRESETS = {
    "sklearn-cv-results": Preset(
        program="scikit-learn",
        summary="cv_results_ of a search, saved by pandas; needs " + arg("folds"),
        options={
            "classifier_col": "params",
            "wide": r"split(?P<iteration>\d+)_test_score",
            "na_values": ("",),
        },
        header=("params", r"split\d+_test_score"),
        also=("folds",),
    ),
    "sklearn-cross-validate": Preset(
        program="scikit-learn's cross_validate",
        summary="its result as CSV or JSON; the file, or a column 'model', names the model",
        options={"classifier_col": "model", "fold_col": ROW_NUMBERS},
        header=("fit_time", "score_time", r"test_.+"),
        optional=("model",),
        measures=r"test_.+",
    ),
    "weka": Preset(
        program="WEKA",
        summary="results of the Experimenter as CSV, Percent_correct",
        options={
            "dataset_col": "Key_Dataset",
            "run_col": "Key_Run",
            "fold_col": "Key_Fold",
            "classifier_col": "Key_Scheme,Key_Scheme_options",
            "score_col": "Percent_correct",
            "percent": True,
            "na_values": ("?",),
        },
        header=("Key_Dataset", "Key_Run", "Key_Scheme", "Percent_correct"),
        optional=("Key_Fold", "Key_Scheme_options"),
    ),
    "amlb": Preset(
        program="the AutoML Benchmark",
        summary="results.csv",
        options={
            "dataset_col": "task",
            "fold_col": "fold",
            "classifier_col": "framework,constraint",
            "score_col": "result",
            "na_values": ("", "nan"),
        },
        header=("task", "framework", "fold", "result", "metric|utc"),
        metric="auc",
        optional=("constraint",),
    ),
    "mlr3": Preset(
        program="mlr3",
        summary=f"scores of a benchmark result; needs {arg('folds')} and {arg('score_col')}",
        options={
            "dataset_col": "task_id",
            "classifier_col": "learner_id",
            "iteration_col": "iteration",
            "na_values": ("NA", "NaN"),
        },
        header=("task_id", "learner_id", "iteration"),
        errors="errors_cnt",
        also=("folds",),
        measures=r"(classif|regr|surv|dens|clust)\..+",
    ),
    "lm-eval": _of_trials(
        program="lm-evaluation-harness or lmms-eval",
        summary="samples_TASK_DATE.jsonl; the folder, or LABEL=FILE, names the model",
        keys=("doc_id", "target", "filtered_resps"),
        rows="harness",
        measured=("version", "n-shot", "n_shot", "num_fewshot"),
        glob="*samples_*.jsonl",
        path=r"(?:(?P<classifier>[^/]+)/)?(?:[^/]*?_)?samples_(?P<dataset>[^/]+?)"
        r"(?:_\d{4}-\d\d-\d\dT[\d.:-]+)?",  # task and time
    ),
    "inspect": Preset(
        program="Inspect",
        summary="its logs, or samples_df with EvalTask and EvalModel as CSV",
        options={
            "dataset_col": "task_name",
            "classifier_col": "model",
            "item_col": "id",
            "epoch_col": "epoch",
            "grades": {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0},
            "na_values": ("",),
        },
        header=("eval_id", "id", "epoch", "score_.+"),
        measures=r"score_.+",
        errors="error",
        glob="*.eval",
        scored_by="inspect score LOG",
    ),
    "promptfoo": _of_trials(
        program="promptfoo",
        summary="results as JSON",
        keys=("testIdx", "promptIdx"),
        rows="promptfoo",
        counts_epochs=True,
    ),
    "deepeval": _of_trials(
        program="deepeval",
        summary="test_run_DATE.json; the run's identifier names the model",
        keys=("testCases", "metricsScores"),
        rows="deepeval",
        glob="test_run_*.json",
    ),
    "every-eval-ever": _of_trials(
        program="Every Eval Ever",
        summary="…_samples.jsonl, into which it turns the files of others",
        keys=("model_id", "evaluation_name", "sample_id", "evaluation"),
        rows="every_eval_ever",
        glob="*_samples.jsonl",
    ),
    "helm": _of_trials(
        program="HELM",
        summary="its folder of runs, whose names tell scenario and model",
        keys=("instance_id", "stats"),
        rows="helm",
        glob="per_instance_stats.json",
        path=r"(?P<dataset>[^/]+?)[,:]model=(?P<classifier>[^,/]+)[^/]*/[^/]+",
    ),
    "openai-evals": _of_trials(
        program="OpenAI's evals",
        summary="the log of a run of oaieval",
        keys=("spec.eval_name", "spec.completion_fns"),
        rows="openai_evals",
    ),
    "harbor": _of_trials(
        program="Harbor",
        summary="its folder of jobs",
        keys=("task_name", "trial_name", "agent_info"),
        rows="harbor",
        counts_epochs=True,
        glob="result.json",
    ),
    "swe-bench": _of_trials(
        program="SWE-bench",
        summary="the report of its harness, a file for each model, which names it",
        keys=("submitted_ids", "resolved_ids"),
        rows="swe_bench",
    ),
    "tau-bench": _of_trials(
        program="tau-bench",
        summary="its trajectories as JSON, a file for each model, which names it",
        keys=("task_id", "reward", "traj"),
        rows="tau_bench",
    ),
    "lighteval": Preset(
        program="lighteval",
        summary="details_TASK_DATE.parquet; its folder names the model",
        options={
            "dataset_col": "doc.task_name",
            "item_col": "doc.id",
            "na_values": ("",),
        },
        header=("doc.id", "doc.task_name", r"metric\..+"),
        measures=r"metric\..+",
        glob="details_*.parquet",
        path=r"(?P<classifier>[^/]+)/[^/]+/[^/]+",
    ),
    "mteb": Preset(
        program="MTEB",
        summary="its folder of results, MODEL/REVISION/TASK.json",
        options={"dataset_col": "dataset"},
        keys=("mteb_version", "scores", "task_name"),
        rows="mteb",
        glob="*.json",
        marker="model_meta.json",
        path=r"(?P<classifier>[^/]+)/[^/]+/[^/]+",
    ),
    "euroeval": _of_means(
        keys=("eval_library.name=euroeval", "evaluation_results", "model_info"),
        summary="euroeval_benchmark_results.jsonl, of which bootstrap samples count as their mean",
    ),
    "euroeval-17": _of_means(
        keys=("dataset", "task", "model", "few_shot", "results.raw", "results.total"),
        summary="the same before version 18",
    ),
    "openml": Preset(
        program="OpenML",
        summary="list_evaluations(..., per_fold=True) as CSV or JSON; needs " + arg("folds"),
        options={
            "dataset_col": "data_name",
            "classifier_col": "flow_name",
            "iteration_col": "iteration",
            "score_col": "score",
        },
        header=("data_name", "flow_name", "setup_id", "metric", "iteration", "score"),
        keys=("run_id", "flow_name", "setup_id", "data_name", "function", "values"),
        rows="openml",
        also=("folds",),
    ),
    "trec-eval": Preset(
        program="trec_eval",
        summary="trec_eval -q, a file for each system, which names it",
        options={"item_col": "query", "score_col": "trec_eval"},
        header=("metric", "query", "trec_eval"),
    ),
    "opencompass": Preset(
        program="OpenCompass",
        summary="summary_DATE.csv",
        options={
            "dataset_col": "dataset",
            "wide": r"(?!(?:dataset|version|metric|mode)$)(?P<classifier>.+)",
            "na_values": ("-",),
            "percent": True,
        },
        header=("dataset", "version", "metric", "mode"),
        glob="summary_*.csv",
        measured=("version", "metric", "mode"),
    ),
    "evalplus": _of_trials(
        program="EvalPlus",
        summary="…_eval_results.json, a file for each model, which names it",
        keys=("date", "hash", "eval"),
        rows="evalplus",
    ),
    "mt-bench": Preset(
        program="MT-bench",
        summary="judgements of single answers as JSON Lines, 1 to 10",
        options={
            "classifier_col": "classifier",
            "item_col": "item",
            "cluster_col": "question",
            "score_col": "score",
            "lower_is_better": False,
            "na_values": ("",),
        },
        keys=("question_id", "model", "judge", "score"),
        rows="mt_bench",
        errors="error",
    ),
    "hyperfine": _of_times(
        program="hyperfine",
        summary="--export-json",
        keys=("command", "times", "mean"),
        rows="hyperfine",
        calibrates=True,
        compares="benchmark",
    ),
    "pytest-benchmark": _of_times(
        program="pytest-benchmark",
        summary="--benchmark-json with --benchmark-save-data",
        keys=("machine_info", "benchmarks"),
        rows="pytest_benchmark",
        calibrates=True,
    ),
    "google-benchmark": _of_times(
        program="Google Benchmark",
        summary="--benchmark_out with --benchmark_repetitions",
        keys=("context", "benchmarks"),
        rows="google_benchmark",
    ),
    "jmh": _of_times(
        program="JMH",
        summary="-rf json, whose forks count as one each",
        keys=("jmhVersion", "benchmark", "primaryMetric.rawData"),
        rows="jmh",
        measures="seconds|throughput",
    ),
    "pyperf": _of_times(
        program="pyperf",
        summary="-o FILE, whose processes count as one each",
        keys=("benchmarks", "version"),
        rows="pyperf",
    ),
    "criterion": _of_times(
        program="Criterion.rs",
        summary="sample.json of each benchmark, or a folder of them",
        keys=("sampling_mode", "iters", "times"),
        rows="criterion",
        glob="sample.json",
        path=r"(?P<dataset>[^/]+)/(?:new|base)/sample",
        optional=("benchmark",),
    ),
    "benchmark-dotnet": _of_times(
        program="BenchmarkDotNet",
        summary="the full JSON exporter",
        keys=("HostEnvironmentInfo", "Benchmarks"),
        rows="benchmark_dotnet",
    ),
    "go-bench": _of_times(
        program="go test -bench",
        summary="its text, with -count",
        header=("benchmark", "seed", "seconds", "of Go"),
    ),
    MEANS: Preset(
        program="a table of means",
        summary="data sets in the first column, every other column a classifier",
        options={"na_values": ("", "-", "–", "—", "?", "NA", "N/A", "n/a", "NaN", "nan")},
    ),
}


def with_preset(options: ReadOptions) -> ReadOptions:
    """Return the options, completed by those of the preset.

    Raises
    ------
    InputError : if there is no preset of that name.
    """
    if options.preset is None:
        return options
    if options.preset not in PRESETS:
        raise InputError(
            f"there is no preset called {options.preset!r}; choose from {', '.join(PRESETS)}"
        )
    preset_options = PRESETS[options.preset].options
    if options.shares_nothing:  # a column that no option names pairs nothing
        pairing = {f"{role}_col" for role in PAIRING}
        preset_options = {k: v for k, v in preset_options.items() if k not in pairing}
    missing = tuple(dict.fromkeys((*preset_options.get("na_values", ()), *options.na_values)))
    return replace(options, **preset_options | options.changed | {"na_values": missing})


def preset_of(options: ReadOptions) -> Preset:
    """Return the chosen preset, or that of nothing."""
    return PRESETS.get(options.preset or "", NONE)


def fitted(options: ReadOptions, header: Sequence[str]) -> ReadOptions:
    """Return the options without optional columns of the preset that the file lacks."""
    preset = preset_of(options)

    def there(column: str) -> str:
        return "" if column not in header and column in preset.optional else column

    if options.fold_col == ROW_NUMBERS and options.folds is not None:  # of all runs
        options = replace(options, fold_col=None, iteration_col=ROW_NUMBERS)
    changes: Record = {}
    others = {"seed_col", "item_col"} - preset.options.keys()
    otherwise = any(getattr(options, name) for name in others)
    for name, value in preset.options.items():
        if not name.endswith("_col") or getattr(options, name) != value:
            continue
        if otherwise and name in ("run_col", "fold_col", "iteration_col"):
            changes[name] = None
        else:
            changes[name] = ",".join(filter(None, map(there, value.split(",")))) or None
        if value == ROW_NUMBERS and name.removesuffix("_col") in header:
            changes[name] = None
    if options.score_col is None and not preset.also:
        changes["score_col"] = next(iter(measures_of(preset, header)), None)
    return replace(options, **changes)


def measures_of(preset: Preset, header: Sequence[str]) -> list[str]:
    """Return the columns of scores in a file, for presets with several."""
    return [column for column in header if re.fullmatch(preset.measures, column)]


def several_measures(chosen: str, *others: str) -> Note:
    """Return a note on the score, where nobody chose it from several."""
    verb = "is" if len(others) == 1 else "are"
    message = (
        f"the score is {chosen}; there {verb} also {named(others)}, "
        f"chosen by {arg('score_col', others[0])}"
    )
    return Note("several-measures", "info", message)


def recognised(header: Sequence[str]) -> str | None:
    """Return the preset that reads files with this header."""
    for name, preset in PRESETS.items():
        if all(_has_column(header, pattern) for pattern in preset.header):
            return name
    return None


def _has_column(header: Sequence[str], pattern: str) -> bool:
    return any(re.fullmatch(pattern, column) for column in header)


def recognised_json(first: Mapping[str, object]) -> str | None:
    """Return the preset for JSON with this first object, or document, or one in its results."""
    known = _known_by_keys(first)
    inner = first.get("results")
    if known or not inner or not isinstance(inner, dict | list):
        return known
    inside = inner[0] if isinstance(inner, list) else inner  # promptfoo has results in results
    return recognised_json(inside) if isinstance(inside, dict) else None


def _known_by_keys(record: Mapping[str, object]) -> str | None:
    """Return the preset whose keys an object has: its own, those inside, or with a text there."""
    keys = set(record)
    for key, value in record.items():
        if not isinstance(value, dict):
            continue
        for inner, content in value.items():
            keys.add(f"{key}.{inner}")
            if isinstance(content, str):
                keys.add(f"{key}.{inner}={content}")
    return next((n for n, p in PRESETS.items() if p.keys and {*p.keys} <= keys), None)


def by_itself(options: ReadOptions, name: str | None) -> ReadOptions:
    """Return the options with the recognised preset, if those that it needs are given.

    Columns named by the user take precedence.
    """
    described = [options.preset, options.wide, options.split]
    if name is None or any(described) or options.columns.keys() - UNKNOWN:
        return options
    preset = PRESETS[name]
    takes_folds = "folds" in preset.also or preset.options.get("fold_col") == ROW_NUMBERS
    lacks = any(getattr(options, needed) is None for needed in preset.also)
    if lacks or (options.folds is not None and not takes_folds):
        return options
    return with_preset(replace(options, preset=name))


def lower_of(measure: str) -> Record:
    """Return the change of options for a measure of which less is better; none for others."""
    return {"lower_is_better": True} if is_loss(measure) else {}


def lower(measure: str) -> str:
    """Return the option for a measure for which lower is better, after a blank; else ""."""
    return f" {arg('lower_is_better', True)}" if is_loss(measure) else ""
