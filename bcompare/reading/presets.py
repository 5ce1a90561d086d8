r"""Option sets for the files of known programs, and how such files are recognised.

Imports nothing heavy: the command line offers the names at start-up.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from bcompare.errors import InputError
from bcompare.reading.options import ReadOptions
from bcompare.reading.words import shell_word

LOSSES = ("ce", "error", "err", "loss", "logloss", "bbrier", "mse", "rmse", "mae", "fpr", "fnr")
"""How names of scores end for which lower is better."""

USUAL_NAMES = {
    "dataset": ("data", "data_set", "task", "task_id", "problem", "data.name"),
    "run": ("repeat", "repetition", "rep", "replicate", "seed"),
    "fold": ("cv", "split", "cv_fold", "fold_id", "iteration"),
    "classifier": ("model", "algorithm", "learner", "method", "estimator", "framework", "clf"),
    "score": ("accuracy", "acc", "auc", "f1", "result", "value", "test_score", "metric", "error",
              "correct", "is_correct", "exact_match", "passed"),
}  # fmt: skip
"""What the columns are often called instead."""

ITEM_NAMES = ("item", "item_id", "question", "question_id", "doc_id", "document", "document_id",
              "sample", "sample_id", "prompt", "prompt_id", "example", "example_id", "query",
              "query_id")  # fmt: skip
"""What columns of test items are called."""


@dataclass(frozen=True, slots=True)
class Preset:
    """How to read the files of one program.

    program : whose files they are. summary : which file of it, for help. options : fields of
    `ReadOptions`. header : columns by which its files are known, as regular expressions. also :
    options that only the user knows, with an example, to be shown with a suggestion.
    """

    program: str
    summary: str
    options: dict[str, Any]
    header: tuple[str, ...]
    also: dict[str, str] = field(default_factory=dict)


LM_EVAL, PROMPTFOO, MEANS = "lm-eval", "promptfoo", "means"

SAMPLES = re.compile(r"samples_(.+?)(?:_\d{4}-\d\d-\d\dT[\d.:-]+)?")
"""How lm-evaluation-harness calls its files: by the task and the time."""

PRESETS = {
    "sklearn-cv-results": Preset(
        program="scikit-learn",
        summary="cv_results_ of a search, saved by pandas; needs --folds",
        options={"classifier_col": "params", "wide": r"split(?P<iteration>\d+)_test_score"},
        header=("params", r"split\d+_test_score"),
        also={"--folds": "N"},
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
            "na": ("?",),
        },
        header=("Key_Dataset", "Key_Run", "Key_Scheme", "Key_Scheme_options", "Percent_correct"),
    ),
    "amlb": Preset(
        program="the AutoML Benchmark",
        summary="results.csv",
        options={
            "dataset_col": "task",
            "fold_col": "fold",
            "classifier_col": "framework,constraint",
            "score_col": "result",
            "na": ("", "nan"),
        },
        header=("task", "framework", "constraint", "fold", "result", "metric"),
    ),
    "mlr3": Preset(
        program="mlr3",
        summary="scores of a benchmark result; needs --folds and --score-col",
        options={
            "dataset_col": "task_id",
            "classifier_col": "learner_id",
            "iteration_col": "iteration",
            "na": ("NA", "NaN"),
        },
        header=("task_id", "learner_id", "iteration"),
        also={"--folds": "N"},
    ),
    LM_EVAL: Preset(
        program="lm-evaluation-harness",
        summary="samples_TASK_DATE.jsonl; the folder, or LABEL=FILE, names the model",
        options={"item_col": "doc_id", "score_col": "acc"},
        header=("doc_id", "target", "resps|filtered_resps|.*\\.resps"),
    ),
    "inspect": Preset(
        program="Inspect",
        summary="its logs, or samples_df with EvalTask and EvalModel as CSV; needs --score-col",
        options={
            "dataset_col": "task_name",
            "classifier_col": "model",
            "item_col": "id",
            "epoch_col": "epoch",
            "grades": {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0},
        },
        header=("eval_id", "id", "epoch", "score_.+"),
    ),
    PROMPTFOO: Preset(
        program="promptfoo",
        summary="results as JSON",
        options={
            "classifier_col": "provider.label,prompt.label",
            "item_col": "testIdx",
            "score_col": "score",
        },
        header=("testIdx", "promptIdx", "provider.*", "score"),
    ),
    MEANS: Preset(
        program="a table of means",
        summary="data sets in the first column, every other column a classifier",
        options={"na": ("", "-", "–", "—", "?", "NA", "N/A", "n/a", "NaN", "nan")},
        header=("(?!)",),  # nothing in a header tells it
    ),
}


def with_preset(options: ReadOptions) -> ReadOptions:
    """The options with those of the preset where the user chose none.

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
    untouched = {
        option.name for option in fields(options) if getattr(options, option.name) == option.default
    }
    chosen = PRESETS[options.preset].options
    return replace(options, **{name: chosen[name] for name in chosen.keys() & untouched})


def recognised(header: Sequence[str]) -> str | None:
    """The preset that reads files with this header."""
    for name, preset in PRESETS.items():
        if all(any(re.fullmatch(known, column) for column in header) for known in preset.header):
            return name
    return None


def suggested(header: Sequence[str]) -> str | None:
    """Options that read files with this header, to be copied behind a command; None if none do.

    A number or name that only the user knows stands there as an example.
    """
    preset = recognised(header)
    if preset is not None:
        words = ["--preset", preset]
        for option, example in PRESETS[preset].also.items():
            words += [option, example]
        if preset == "mlr3":
            words += _mlr3_score(header)
        if preset in ("lm-eval", "inspect"):
            words += _measure(header)
        return " ".join(map(shell_word, words))
    words = []
    free = list(header)
    folded = {name.casefold() for name in header}
    for role in USUAL_NAMES:
        if role in folded:
            continue
        usual = usual_name(role, free)
        if usual is not None:
            free.remove(usual)
            words += [f"--{role}-col", usual]
    item = item_name(free)
    if item is not None and not folded & {"run", "fold"} and "--fold-col" not in words:
        words += ["--item-col", item]
    return " ".join(map(shell_word, words)) or None


def usual_name(role: str, header: Sequence[str]) -> str | None:
    """A column of the header that may well play the part."""
    folded = {name.casefold(): name for name in reversed(header)}
    return next((folded[name] for name in USUAL_NAMES.get(role, ()) if name in folded), None)


def item_name(header: Sequence[str]) -> str | None:
    """A column of the header that may well name test items."""
    return next((name for name in header if name.casefold() in ITEM_NAMES), None)


def is_loss(name: str) -> bool:
    """Whether a score of that name is better when it is lower, as far as names tell."""
    return re.split(r"[._\s]", name.casefold())[-1] in LOSSES


def _measure(header: Sequence[str]) -> list[str]:
    """The first column of the header that is a measure of a language model's answer."""
    known = r"acc|acc_norm|exact_match|em|f1|pass@1|score_.+"
    measure = next((name for name in header if re.fullmatch(known, name)), None)
    return [] if measure in (None, "acc") else ["--score-col", str(measure)]


def _mlr3_score(header: Sequence[str]) -> list[str]:
    """The first column of the header that is a measure, as mlr3 names them."""
    measure = next((name for name in header if re.match(r"(classif|regr)\.", name)), None)
    if measure is None:
        return ["--score-col", "classif.acc"]
    return ["--score-col", measure, *(["--lower-is-better"] if is_loss(measure) else [])]
