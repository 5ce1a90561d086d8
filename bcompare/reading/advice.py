"""Advice on headers: usual names of columns, and the options to read them."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from bcompare.basis.arguments import arg, setting, spelled
from bcompare.basis.nearest import nearest
from bcompare.data.direction import LOSSES, is_loss
from bcompare.reading.presets import PRESETS, preset_options, recognised
from bcompare.reading.problems import clipped, quoted, shell_word

# Frequent names of columns, in letters and digits only, the most likely first.
USUAL_NAMES = {
    "dataset": ("data", "datasetname", "dataname", "dataid", "task", "taskid", "taskname",
                "problem", "problemname", "benchmark", "benchmarkname"),
    "run": ("repeat", "repeats", "repetition", "repetitions", "rep", "reps", "repeatid", "repid",
            "replicate", "replication", "runid", "cvrun", "iteration", "iter", "seed"),
    "fold": ("cv", "split", "cvfold", "foldid", "splitid", "id2"),
    "classifier": ("model", "wflowid", "algorithm", "algo", "learner", "method", "config",
                   "estimator", "framework", "clf", "classifiername", "modelname", "flow",
                   "flowname", "system", "params"),
    "score": ("accuracy", "acc", "auc", "f1", "result", "value", "testscore", "metricvalue",
              "indicatorvalue", "estimate", "metric", "error", "correct", "iscorrect",
              "exactmatch", "passed", "rating"),
    "item": ("item", "itemid", "question", "questionid", "docid", "document", "documentid",
             "sample", "sampleid", "prompt", "promptid", "example", "exampleid", "query",
             "queryid", "input", "userinput"),
    "key": ("id", "index", "idx"),
    "metric": ("metric", "metricname", "measure", "measurename", "indicator", "indicatorname",
               "scorer", "evaluationmeasure", "type"),
}  # fmt: skip
ITEM_WORDS = {"q", *USUAL_NAMES["item"]}
COUNTERS = ("iteration", "iter", "itr", "execution", "executionid", "seed", "randomseed",
            "randomstate", "trial", "trialid", "repetition", "repeat", "rep", "replicate",
            "resample", "resampleid", "runid", "experiment")  # fmt: skip
"""Names of columns that number independent runs, if the file has no folds."""

METRICS = {"acc", "accuracy", "balacc", "auc", "rocauc", "f1", "logloss", "precision", "recall",
           "rmse", "mae", "mse", "r2", "kappa", "mcc", "brier", "bleu", "rouge", "correctness",
           "faithfulness"}  # fmt: skip
USUAL_FOLDS = (2, 3, 4, 5, 8, 10, 20)
ROLES = ("dataset", "run", "fold", "classifier", "score")

SUMMARY_WORDS = {"average", "avg", "mean", "median", "overall", "summary", "std", "stdev", "rank",
                 "ranks", "ranking", "wins", "ø"}  # fmt: skip
WHAT_IS_SUMMED_UP = {"score", "scores", "all", "of", "total", "results", "macro", "micro",
                     "weighted", *METRICS}  # fmt: skip
"""Words next to those in the name of a summary."""

RIGHT = {"correct", "iscorrect", "exactmatch", "passed"}
"""Names of scores that are 0 or 1."""

TRUTHS = {"actual", "expected", "gold", "groundtruth", "label", "reference", "target", "truelabel",
          "truth", "ytrue"}  # fmt: skip
"""Names of columns with the right answers."""

# The most columns of classifiers to suggest by name, and names that are not classifiers.
MOST_SIDE_BY_SIDE = 8
NO_CLASSIFIERS = {"answer", "category", "cluster", "comment", "difficulty", "domain", "group", "id",
                  "index", "language", "level", "modela", "modelb", "notes", "passage", "subject",
                  "text", "topic", "type", "user", "winner", *COUNTERS, *LOSSES, *METRICS, *TRUTHS,
                  *USUAL_NAMES["item"]}  # fmt: skip

NO_MODELS = {"train", "test", "val", "mean", "std", *METRICS}
"""Words that several columns of scores of one model have before the same ending."""

_FOLD_WORDS, _RUN_WORDS = "cv|folds?|splits?", "seed|run|iter|iteration|itr|rep|trial|resample|exp"
_BEFORE_NUMBER = re.compile(
    rf"(.*?)((?:(?:^|[-_. /:]+)(?:{_FOLD_WORDS}|{_RUN_WORDS}))?[-_. /:]*)", re.IGNORECASE
)
_DERIVED = re.compile(r"(?:mean|std|rank)_.*|.*_(?:time|score)", re.DOTALL)  # written by a search
_LONGEST = 200  # the most characters of a header to examine


_SIDES = (("a", "b"), ("1", "2"), ("left", "right"), ("chosen", "rejected"), ("one", "two"),
          ("first", "second"))  # fmt: skip
_CONTESTANT = re.compile("model|system|assistant|player|agent|llm|contestant|bot|response|chosen")
_WINNER = re.compile(r"(winner|won|vote|voted|preferred|preference|chosen|win)(model|is|ab?|b|tie|"
                     r"bothbad|side|name)*|result|outcome|judge?ment")  # fmt: skip


def plain(name: str) -> str:
    """Return a name in lower case, with letters and digits only."""
    return re.sub(r"[\W_]+", "", name.casefold())


def is_summary(name: str) -> bool:
    """Return whether a name is that of a row or column that sums up others."""
    words = [word for word in _words(name) if word]
    return bool(words) and (
        (not SUMMARY_WORDS.isdisjoint(words) and {*words} <= SUMMARY_WORDS | WHAT_IS_SUMMED_UP)
        or words[-1] in ("std", "stdev")
    )


def usual_name(role: str, header: Sequence[str]) -> str | None:
    """Return a column that probably has this role, by its name."""
    columns = {plain(name): name for name in reversed(header)}
    return next((columns[name] for name in USUAL_NAMES.get(role, ()) if name in columns), None)


def names_classifiers(name: str) -> bool:
    """Return whether a column of that name holds classifiers."""
    return plain(name) == "classifier" or plain(name) in USUAL_NAMES["classifier"]


def sideways(column: str) -> str:
    """Return the options for a table of means with classifiers in its rows, named in a column."""
    others = f"(?!{_literal(column)}$)(?P<dataset>.+)"
    return f"{arg('wide', others)} {arg('classifier_col', column)}"


def is_counter(name: str) -> bool:
    """Return whether a column of that name numbers repetitions, not the folds of one run."""
    return plain(name) in COUNTERS or "seed" in name.casefold()


def readings(column: str, *, chosen: str = "") -> str:
    """Return the options to read a column that numbers repetitions, with what each assumes.

    chosen : the current option, which is left out.
    """
    texts = {
        "seed_col": f"{arg('seed_col', column)} if they are independent runs on one split (ρ 0)",
        "fold_col": f"{arg('fold_col', column)} if they are the folds of one cross-validation "
        "(ρ = 1/folds)",
        "rho": f"{arg('fold_col', column)} {arg('rho', 0.1)} if every one splits the data anew "
        "(0.1 stands for the share of test cases)",
        "item_col": f"{arg('item_col', column)} if they are test items",
    }
    if "seed" in column.casefold():
        del texts["fold_col"]
    return "; ".join(text for option, text in texts.items() if option != chosen)


def votes_in(header: Sequence[str]) -> list[str]:
    """Return the columns of votes between two models: the sides, and which of them won.

    Empty for other files, and for those that have scores of classifiers, too.
    """
    names = {plain(name): name for name in header}
    if {"classifier", "score"} <= names.keys():
        return []
    winners = [key for key in names if _WINNER.fullmatch(key)]
    if len(winners) > 1:  # a column for each answer, of which one is 1
        return [names[key] for key in winners]
    for key in names if winners else ():
        for one, other in _SIDES:
            second = re.sub(rf"^{one}|{one}$", other, key, count=1)
            alone = key == one and second == other  # no more than the side's name
            if second != key and second in names and (alone or _CONTESTANT.search(key)):
                return [names[key], names[second], names[winners[0]]]
    return []


def remedy(
    title: str,
    header: Sequence[str],
    missing: dict[str, str],
    known: Collection[str],
    used: Sequence[str],
    preset: str | None,
) -> str:
    """Return advice on a header that lacks columns.

    missing : role → name of its column. known : roles with a column. used : those columns.
    preset : the chosen one, if any.
    """
    program = recognised(header)
    if program is not None and preset is None:
        placeholder = " (N: the folds of one run)" if PRESETS[program].also else ""
        return (
            f"It looks like a file of {PRESETS[program].program}: say "
            f"{preset_options(program, header)}{placeholder}"
        )
    free = [column for column in header if column not in used]
    metric, name = usual_name("metric", free) or "", missing.get("score", "score")
    if name != "score" and plain(metric) not in ("", "type") and not nearest(name, free):
        others = [column for column in free if column != metric]
        score = "score" if "score" in others else usual_name("score", others) or "score"
        gate = spelled(f", or --col {shell_word(f'metric={metric}')} next to --metric", "")
        return (
            f"If it is a value of column {quoted(metric)}, say {arg('score_col', score)} "
            f"{arg('where', [f'{metric}={name}'])}{gate}."
        )
    lacks = {role: missing.get(role) == role for role in ("classifier", "score")}
    has_classifiers = "classifier" in known or any(map(names_classifiers, free))
    numbered = find_numbered(free, named=has_classifiers) if lacks["score"] else None
    if numbered is not None:
        return _numbered_remedy(title, numbered, free, known)
    if any(re.fullmatch(r"[+-]?\d*[.,]?\d+", name, re.ASCII) for name in header):
        return "The first line must hold the names of the columns."
    if header[0].startswith("#") and header[0] != "#" and all(lacks.values()):
        how = spelled(f": grep -v '^#' {shell_word(title)} | bcompare check -", "")
        return f"Take out the lines that begin with #{how}"
    if len(header) == 1:
        remedies = [f"Is the separator another one? Set {setting('sep')}."]
    else:
        remedies = _column_remedies(
            missing, known, free, first=header[0], may_be_means=all(lacks.values())
        )
    if lacks["classifier"]:
        remedies.append(f"If all of it is one classifier, write NAME={title}.")
    return " ".join(remedies)


def _column_remedies(
    missing: dict[str, str],
    known: Collection[str],
    free: list[str],
    *,
    first: str,
    may_be_means: bool,
) -> list[str]:
    """Suggest unused columns for those that are missing; `first` is the first column of the file.

    may_be_means : whether neither scores nor classifiers are known.
    """
    models, expression = _scores_by_model(free) if may_be_means else ([], "")
    free = [column for column in free if column not in models]
    if models:  # which hold the scores, and name the classifiers
        missing = {role: name for role, name in missing.items() if role == "fold"}
        known = {*known, "classifier", "score"}
    guesses, extra = _guesses(missing, known, free)
    side_by_side = may_be_means and not {"classifier", "score"} & {*guesses}
    others = [f"the {role} with {arg(f'{role}_col')}" for role in missing if role not in guesses]
    options = [guesses[role] for role in dict.fromkeys((*ROLES, *missing)) if role in guesses]
    each = ""
    if not models:
        models = [c for c in free if NO_CLASSIFIERS.isdisjoint([plain(c), *_words(c)])]
        expression = f"(?P<classifier>{'|'.join(map(_literal, models))})"
        models = models if len(models) <= MOST_SIDE_BY_SIDE else []
    if side_by_side and "fold" in {*guesses, *known} and len(models) > 1:
        options.append(arg("wide", expression))
        each, others = " (a column of scores for each classifier)", []
    known_some = each or len(others) < len(missing)
    remedies = [f"Did you mean {' '.join(options)}{each}?{extra}"] if known_some else []
    truth = next((column for column in free if plain(column) in TRUTHS), None)
    if truth is not None and "score" not in {*guesses, *known}:
        remedies.append(
            f"If {quoted(truth)} is the truth, and what other columns hold are predictions, write "
            "scores instead: 1 where a prediction is right, and 0 where it is wrong."
        )
    if others:
        remedies.append(f"Name {', '.join(others)}.")
    is_wide = len(free) > 1 and not {"score", "fold"} & {*guesses, *known}
    if is_wide and names_classifiers(first):
        remedies.append(f"If its other columns are data sets, say {sideways(first)}.")
    elif may_be_means and len(free) > 1 and "score" not in guesses:
        remedies.append(
            f"If it is a table of means, one column a classifier, say {arg('preset', 'means')}."
        )
    if side_by_side and not {"fold", "dataset"} & {*guesses, *known}:
        remedies.append(
            "If rows are test items or folds, one column a classifier, add a column 'item' or "
            "'fold' that numbers them."
        )
    return remedies


def _scores_by_model(free: Sequence[str]) -> tuple[list[str], str]:
    """Return columns such as gpt_score and claude_score, and an expression that fits them."""
    by_ending: dict[str, list[str]] = {}
    for name in free:
        matched = re.fullmatch(r"(.+)([-_. ~]\w+)", name[:_LONGEST])
        if matched and plain(matched[2]) in ("score", *USUAL_NAMES["score"]):
            by_ending.setdefault(matched[2], []).append(name)
    ending, columns = max(by_ending.items(), key=lambda item: len(item[1]), default=("", []))
    words = {word for name in columns for word in _words(name.removesuffix(ending))}
    if len(columns) < 2 or not words.isdisjoint(NO_MODELS):
        return [], ""
    return columns, f"(?P<classifier>.+){_literal(ending)}"


def _guesses(
    missing: dict[str, str], known: Collection[str], free: list[str]
) -> tuple[dict[str, str], str]:
    """Return options for the roles that free columns may have, and a remark on them.

    Removes these columns from `free`.
    """
    columns = _columns_of_roles(missing, known, free)
    item = None
    if "fold" in {*columns, *known}:
        repeats = "id" if columns.get("fold") == "id2" and "id" in free else None  # of tidymodels
        if "run" not in known and (run := repeats or usual_name("run", free)):
            columns["run"] = run
    elif "fold" in missing:
        item = usual_name("item", free)
        if item is None and plain(columns.get("score", "")) in RIGHT and "dataset" not in missing:
            item = columns.pop("dataset", None)  # a task that is solved or not
    guesses = {role: arg(f"{role}_col", name) for role, name in columns.items()}
    if "fold" not in missing or "fold" in columns:
        return guesses, ""
    counters = [*filter(is_counter, free)]
    if item is None and counters:
        seed = min(counters, key=lambda name: "seed" not in name.casefold())  # not a run's ID
        free.remove(seed)
        return {**guesses, "fold": arg("seed_col", seed)}, (
            f" That takes {quoted(seed)} for independent runs on one split (ρ 0), the likelier "
            f"reading; instead of {arg('seed_col')} say {readings(seed, chosen='seed_col')}."
        )
    item = item or usual_name("key", free)
    if item is None:
        return guesses, ""
    free[:] = [column for column in free if column != item]
    return {**guesses, "fold": arg("item_col", item)}, " That takes rows for test items."


def _columns_of_roles(
    missing: dict[str, str], known: Collection[str], free: list[str]
) -> dict[str, str]:
    """Return the free columns that may have a role, by their names; removes them from `free`."""
    columns: dict[str, str] = {}
    for role in dict.fromkeys((*ROLES, *missing)):
        near: list[str] = []
        if role in missing:
            near = nearest(missing[role], free) or nearest(role, free)
        elif role in known or role == "run":
            continue
        if role == "score":
            near = [name for name in near if "time" not in _words(name)]
        guess = near[0] if near else usual_name(role, free) if role in ROLES else None
        if role == "score" and guess is None:
            guess = next((c for c in free if not METRICS.isdisjoint(_words(c))), None)
        if guess:
            free.remove(guess)
            columns[role] = guess
    return columns


class Numbered(NamedTuple):
    """Columns of scores that differ in a running number.

    columns : their names. all : these, and others with as many numbers. before, after : the
    expression around the number, which may have a group of classifiers. word : the word before the
    number, such as cv, or "". many : the count of numbers.
    """

    columns: list[str]
    all: set[str]
    before: str
    after: str
    word: str
    many: int


def find_numbered(header: Sequence[str], *, named: bool = False) -> Numbered | None:
    """Return the largest set of columns whose names differ in a number counting from 0 or 1.

    named : whether the names of the classifiers are elsewhere.
    """
    templates: dict[tuple[str, str], dict[int, str]] = {}
    for name in (name for name in header if len(name) <= _LONGEST):
        for number in re.finditer(r"\d+", name, re.ASCII):
            around = (name[: number.start()], name[number.end() :])
            templates.setdefault(around, {})[int(number[0][:9])] = name
    running = {
        around: numbers
        for around, numbers in templates.items()
        if _runs_on(numbers, around[0]) and not re.search("train|time|rank", "".join(around))
    }
    if not running:
        return None
    count = max(map(len, running.values()))
    alike = [around for around, numbers in running.items() if len(numbers) == count]
    names, endings = zip(*(_taken_apart(before) for before, _ in alike), strict=True)
    afters = [after for _, after in alike]
    grouped = not (named or ITEM_WORDS.issuperset(map(plain, names)))
    if grouped and len({*endings}) == len({*afters}) == 1 and all(names):
        classifier = r"(?P<classifier>.+)" if endings[0] else r"(?P<classifier>.*\D)"
        before, after = f"{classifier}{_literal(endings[0])}", _literal(afters[0])
    elif (
        grouped
        and len({*names, *endings}) <= 2
        and len(alike) > 1
        and not any(map(_is_metric, afters))
    ):
        before, after = _literal(names[0] + endings[0]), r"(?P<classifier>\D.*)"
    else:
        best = min(alike, key=lambda around: is_loss("".join(around)))
        before, after = map(_literal, best)
    return Numbered(
        columns=[name for name in header if re.fullmatch(rf"{before}\d+{after}", name)],
        all={name for around in alike for name in running[around].values()},
        before=before,
        after=after,
        word=re.sub(r"[^a-z]", "", endings[0].casefold()),
        many=count,
    )


def _runs_on(numbers: Collection[int], before: str) -> bool:
    """Return whether numbers count from 0 or 1: at least 3 after a known word, else 5."""
    least = 3 if _taken_apart(before)[1].strip("-_. /:") else 5
    start = min(numbers)
    return len(numbers) >= least and start < 2 and max(numbers) - start == len(numbers) - 1


def _taken_apart(before: str) -> tuple[str, str]:
    """Split the text before a number into a name, and the separators and known word after it."""
    matched = _BEFORE_NUMBER.fullmatch(before)
    return (matched[1], matched[2]) if matched else (before, "")


def _literal(text: str) -> str:
    """Escape text for a regular expression, without superfluous backslashes."""
    return re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", text)


def _is_metric(after: str) -> bool:
    return not {"test", "score", *METRICS}.isdisjoint(_words(after))


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case."""
    return re.split(r"[\W_]+", name.casefold())


def _numbered_remedy(
    title: str, numbered: Numbered, free: Sequence[str], known: Collection[str]
) -> str:
    """Return advice on a table with a column for each fold, seed or item."""
    by_header = "(?P<classifier>" in numbered.before + numbered.after
    lacking = [
        role
        for role in ("dataset", "classifier")
        if role not in known and not (role == "classifier" and by_header)
    ]
    labels = [n for n in free if n not in numbered.all and not _DERIVED.fullmatch(n)]
    guesses = {role: guess for role in lacking if (guess := usual_name(role, labels)) is not None}
    unsure = ""
    if len(labels) == 1 and lacking and not guesses:
        unsure = "classifier" if _is_metric(numbered.after) else "dataset"
        guesses[unsure] = labels[0]
    also = [arg(f"{role}_col", guess) for role, guess in guesses.items()]
    lone = "classifier" in lacking and "classifier" not in guesses

    def say(role: str, *more: str) -> str:
        expression = f"{numbered.before}(?P<{role}>\\d+){numbered.after}"
        return " ".join([arg("wide", expression), *also, *more])

    folds = f"{say('fold')} if they are the {numbered.many} folds of one cross-validation"
    seeds = f"{say('seed')} if they are independent runs on one split (ρ 0)"
    anew = (
        f"{say('fold', arg('rho', 0.1))} if every one splits the data anew (0.1 stands for the "
        "share of test cases)"
    )
    order = [folds, seeds, anew]
    if re.fullmatch(_RUN_WORDS, numbered.word):
        order = [seeds, anew, folds]
    elif plain(numbered.before) in ITEM_WORDS:
        order = [f"{say('item')} if they are test items", *order]
    elif not numbered.word and numbered.many not in USUAL_FOLDS:
        order = [anew, seeds, folds]
    first, last = quoted(numbered.columns[0]), quoted(numbered.columns[-1])
    whose = "one classifier" if lone else "each classifier"
    text = f"Columns {first} to {last} number the scores of {whose}; say, the likeliest "
    text += f"first: {'; '.join(order)}."
    if lone:
        text += f" Write NAME={clipped(title)}: the file does not name its classifier."
    if unsure:
        other = {"dataset": "classifier", "classifier": "dataset"}[unsure]
        what = {"dataset": "data sets", "classifier": "classifiers"}[other]
        text += (
            f" If {quoted(labels[0])} names {what}, say {arg(f'{other}_col', labels[0])} "
            f"instead of {arg(f'{unsure}_col', labels[0])}."
        )
    if not numbered.word and by_header:
        text += (
            " If every column is a classifier and every row a data set, say "
            f"{arg('preset', 'means')}."
        )
    return text
