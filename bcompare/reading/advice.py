"""Which options read a header: what columns are usually called, and what each reading assumes.

Imports nothing heavy.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bcompare.basis.arguments import arg
from bcompare.reading.presets import PRESETS, is_loss, preset_options, recognised
from bcompare.reading.problems import clipped, nearest, quoted

USUAL_NAMES = {
    "dataset": ("data", "datasetname", "dataname", "dataid", "task", "taskid", "taskname",
                "problem", "benchmark"),
    "run": ("repeat", "repetition", "rep", "replicate", "seed"),
    "fold": ("cv", "split", "cvfold", "foldid", "splitid"),
    "classifier": ("model", "algorithm", "learner", "method", "estimator", "framework", "clf",
                   "classifiername", "modelname", "params"),
    "score": ("accuracy", "acc", "auc", "f1", "result", "value", "testscore", "metricvalue",
              "indicatorvalue", "metric", "error", "correct", "iscorrect", "exactmatch", "passed"),
}  # fmt: skip
"""What the columns are often called instead; letters and digits only."""

ITEM_NAMES = ("item", "itemid", "question", "questionid", "docid", "document", "documentid",
              "sample", "sampleid", "prompt", "promptid", "example", "exampleid", "query",
              "queryid")  # fmt: skip
"""What columns of test items are called."""

COUNTERS = ("iteration", "iter", "itr", "execution", "executionid", "seed", "randomseed",
            "randomstate", "trial", "trialid", "repetition", "repeat", "rep", "replicate",
            "resample", "resampleid", "runid", "experiment")  # fmt: skip
"""What columns are called that number independent runs, if there are no folds beside them."""

METRIC_COLUMNS = ("metric", "metricname", "measure", "measurename", "indicator", "indicatorname",
                  "scorer", "evaluationmeasure", "type")  # fmt: skip
"""What columns are called that name the metric of a row's score."""

METRICS = {"acc", "accuracy", "balacc", "auc", "rocauc", "f1", "logloss", "precision", "recall",
           "rmse", "mae", "mse", "r2", "kappa", "mcc", "brier"}  # fmt: skip
USUAL_FOLDS = (2, 3, 4, 5, 8, 10, 20)
OTHERS = {"dataset": "data sets", "classifier": "classifiers"}

_FOLD_WORDS, _RUN_WORDS = "cv|folds?|splits?", "seed|run|iter|iteration|itr|rep|trial|resample|exp"
_NUMBERED = re.compile(r"\d+", re.ASCII)
_ENDING = re.compile(
    rf"(.*?)((?:(?:^|[-_. /:]+)(?:{_FOLD_WORDS}|{_RUN_WORDS}))?[-_. /:]*)", re.IGNORECASE
)
_DERIVED = re.compile(r"(?:mean|std|rank)_.*|.*_(?:time|score)", re.DOTALL)  # by a search
_LONGEST = 200  # characters of a header that are looked at
_NUMBER = re.compile(r"[+-]?\d*[.,]?\d+", re.ASCII)


def plain(name: str) -> str:
    """A name without capitals, blanks and marks."""
    return re.sub(r"[\W_]+", "", name.casefold())


def called(names: Collection[str], header: Sequence[str]) -> str | None:
    """The first of some usual names that the header has, as it stands there."""
    found = {plain(name): name for name in reversed(header)}
    return next((found[name] for name in names if name in found), None)


def usual_name(role: str, header: Sequence[str]) -> str | None:
    """A column of the header that may well play the part."""
    return called(USUAL_NAMES.get(role, ()), header)


def item_name(header: Sequence[str]) -> str | None:
    """A column of the header that may well name test items."""
    return next((name for name in header if plain(name) in ITEM_NAMES), None)


def counter_name(header: Sequence[str]) -> str | None:
    """A column of the header that numbers what was repeated."""
    return next((name for name in header if is_counter(name)), None)


def is_counter(name: str) -> bool:
    """Whether a column of that name numbers what was repeated, not the folds of one run."""
    return plain(name) in COUNTERS or "seed" in name.casefold()


def readings(column: str, *, chosen: str = "") -> str:
    """What a column that numbers repetitions may be, and what each reading assumes.

    chosen : an option that was chosen already, and is not to be advised again.
    """
    found = {
        "seed_col": f"{arg('seed_col', column)} if they are independent runs on one split (ρ 0)",
        "fold_col": f"{arg('fold_col', column)} if they are the folds of one cross-validation "
        "(ρ = 1/folds)",
        "rho": f"{arg('fold_col', column)} {arg('rho', 0.1)} if every one splits the data anew "
        "(0.1 stands for the share of test cases)",
        "item_col": f"{arg('item_col', column)} if they are test items",
    }
    if "seed" in column.casefold() or chosen == "fold_col":
        del found["fold_col"]
    return "; ".join(text for option, text in found.items() if option != chosen)


def remedy(
    title: str,
    header: Sequence[str],
    missing: Sequence[tuple[str, str]],
    known: Collection[str],
    taken: Sequence[str],
    preset: str | None,
) -> str:
    """Say how a header can be read in which some columns are missing, as (role, name).

    known : roles that are told. taken : columns that play them. preset : chosen already.
    """
    program = recognised(header)
    if program is not None and preset is None:
        placeholder = " (N: the folds of one run)" if PRESETS[program].also else ""
        return (
            f"It looks like a file of {PRESETS[program].program}: say "
            f"{preset_options(program, header)}{placeholder}"
        )
    free = [column for column in header if column not in taken]
    wide = {("classifier", "classifier"), ("score", "score")} & {*missing}
    numbered = find_numbered(free) if ("score", "score") in wide else None
    if numbered is not None:
        return _numbered_remedy(title, numbered, free, known)
    if any(_NUMBER.fullmatch(name) for name in header):
        return "The first line must hold the names of the columns."
    if len(header) == 1:
        remedies = [f"Is the separator another one? Name it with {arg('sep')}."]
    else:
        remedies = _column_remedies(missing, known, free, several=len(wide) == 2)
    if ("classifier", "classifier") in missing:
        remedies.append(f"If all of it is one classifier, write NAME={title}.")
    return " ".join(remedies)


def _column_remedies(
    missing: Sequence[tuple[str, str]], known: Collection[str], free: list[str], *, several: bool
) -> list[str]:
    """What to say for columns that are missing, from those that are left."""
    guesses: dict[str, str] = {}
    names = dict(missing)
    roles = tuple(dict.fromkeys((*USUAL_NAMES, *names)))
    for role in roles:
        if role in names:
            guess = nearest(names[role], free) or nearest(role, free) or usual_name(role, free)
        else:
            guess = None if role in known or role == "run" else usual_name(role, free)
        if guess:
            free.remove(guess)
            guesses[role] = arg(f"{role}_col", guess)
    counter, item = counter_name(free), item_name(free)
    extra = ""
    if "fold" in guesses and "run" not in known and (run := usual_name("run", free)):
        guesses["run"] = arg("run_col", run)
    elif "fold" in names and "fold" not in guesses and item is not None:
        guesses["fold"] = f"{arg('item_col', item)} (rows are test items)"
    elif "fold" in names and "fold" not in guesses and counter is not None:
        guesses["fold"] = arg("seed_col", counter)
        extra = (
            f" That takes {quoted(counter)} for independent runs on one split (ρ 0), the likelier "
            f"reading; instead of {arg('seed_col')} say {readings(counter, chosen='seed_col')}."
        )
    others = [f"the {role} with {arg(f'{role}_col')}" for role in names if role not in guesses]
    found = " ".join(guesses[role] for role in roles if role in guesses)
    remedies = [f"Did you mean {found}?{extra}"] if names.keys() & guesses.keys() else []
    if others:
        remedies.append(f"Name {', '.join(others)}.")
    if several and len(free) > 1 and "score" not in guesses:
        remedies.append(
            f"If it is a table of means, one column a classifier, say {arg('preset', 'means')}."
        )
    return remedies


@dataclass(frozen=True, slots=True)
class Numbered:
    """Columns of scores that a running number tells apart.

    columns : their names. numbered : those, and others with as many numbers. before, after : the
    expression around the number, which may have a group of classifiers. word : what stands at the
    number, such as cv, or "". many : how many numbers.
    """

    columns: tuple[str, ...]
    numbered: tuple[str, ...]
    before: str
    after: str
    word: str
    many: int

    @property
    def names_classifiers(self) -> bool:
        """Whether the headers also name the classifiers."""
        return "(?P<classifier>" in self.before + self.after

    def expression(self, role: str) -> str:
        """The expression for --wide, with the number in this part."""
        return f"{self.before}(?P<{role}>\\d+){self.after}"


def find_numbered(header: Sequence[str]) -> Numbered | None:
    """The largest set of columns whose names differ in a number that runs on from 0 or 1."""
    templates: dict[tuple[str, str], dict[int, str]] = {}
    for name in (name for name in header if len(name) <= _LONGEST):
        for number in _NUMBERED.finditer(name):
            around = (name[: number.start()], name[number.end() :])
            templates.setdefault(around, {})[int(number[0][:9])] = name
    running = {
        around: numbers
        for around, numbers in templates.items()
        if _runs_on(numbers, around) and not re.search("train|time|rank", "".join(around))
    }
    if not running:
        return None
    most = max(map(len, running.values()))
    alike = [around for around, numbers in running.items() if len(numbers) == most]
    before, ending = zip(*(_taken_apart(before) for before, _ in alike), strict=True)
    afters = [after for _, after in alike]
    word = re.sub(r"[^a-z]", "", ending[0].casefold())
    if len({*ending}) == len({*afters}) == 1 and all(before):
        name = r"(?P<classifier>.+)" if ending[0] else r"(?P<classifier>.*\D)"
        found = (f"{name}{_literal(ending[0])}", _literal(afters[0]))
    elif len({*before, *ending}) <= 2 and len(alike) > 1 and not any(map(_is_metric, afters)):
        found = (_literal(before[0] + ending[0]), r"(?P<classifier>\D.*)")
    else:
        best = min(range(len(alike)), key=lambda i: is_loss(afters[i]))
        found = (_literal(before[best] + ending[best]), _literal(afters[best]))
    expression = re.compile("{}\\d+{}".format(*found))
    return Numbered(
        columns=tuple(name for name in header if expression.fullmatch(name)),
        numbered=tuple(name for around in alike for name in running[around].values()),
        before=found[0],
        after=found[1],
        word=word,
        many=most,
    )


def _runs_on(numbers: Collection[int], around: tuple[str, str]) -> bool:
    """Whether numbers run on from 0 or 1: from 3 of them beside a known word, else from 5."""
    least = 3 if _taken_apart(around[0])[1].strip("-_. /:") else 5
    start = min(numbers)
    return len(numbers) >= least and start < 2 and set(numbers) == set(
        range(start, start + len(numbers))
    )  # fmt: skip


def _taken_apart(before: str) -> tuple[str, str]:
    """What stands before a number, as a name and the separators and known word behind it."""
    matched = _ENDING.fullmatch(before)
    return (matched[1], matched[2]) if matched else (before, "")


def _literal(text: str) -> str:
    """Text as an expression that fits it alone, with no more backslashes than it needs."""
    return re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", text)


def _is_metric(after: str) -> bool:
    return bool({"test", "score", *METRICS} & {*re.split(r"[\W_]+", after.casefold())})


def _numbered_remedy(
    title: str, numbered: Numbered, free: Sequence[str], known: Collection[str]
) -> str:
    """Say how a table can be read that has a column for each fold, seed or item."""
    labels = [n for n in free if n not in numbered.numbered and not _DERIVED.fullmatch(n)]
    told = {*known, *(["classifier"] if numbered.names_classifiers else [])}
    guesses = {
        role: guess
        for role in ("dataset", "classifier")
        if role not in told and (guess := usual_name(role, labels)) is not None
    }
    unsure = ""
    if len(labels) == 1 and not guesses and not {"dataset", "classifier"} <= told:
        unsure = "classifier" if _is_metric(numbered.after) else "dataset"
        guesses[unsure] = labels[0]
    also = [arg(f"{role}_col", guess) for role, guess in guesses.items()]
    lone = "classifier" not in told | guesses.keys()

    def say(role: str, *more: str) -> str:
        return " ".join([arg("wide", numbered.expression(role)), *also, *more])

    folds = f"{say('fold')} if they are the {numbered.many} folds of one cross-validation"
    seeds = f"{say('seed')} if they are independent runs on one split (ρ 0)"
    anew = (
        f"{say('fold', arg('rho', 0.1))} if every one splits the data anew (0.1 stands for the "
        "share of test cases)"
    )
    order = [folds, seeds, anew]
    if re.fullmatch(_RUN_WORDS, numbered.word):
        order = [seeds, anew, folds]
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
        text += (
            f" If {quoted(labels[0])} names {OTHERS[other]}, say {arg(f'{other}_col', labels[0])} "
            f"instead of {arg(f'{unsure}_col', labels[0])}."
        )
    if not numbered.word and numbered.names_classifiers:
        text += (
            " If every column is a classifier and every row a data set, say "
            f"{arg('preset', 'means')}."
        )
    return text
