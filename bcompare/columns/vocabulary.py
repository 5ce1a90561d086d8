"""What columns, rows and metrics are usually called."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from bcompare.columns.direction import COSTS, GAINS, LOSSES, TIMES

_USUAL = {
    "dataset": """
        data datasetname dataname dataid datasetid task taskid taskname dsid problem problemname
        problemid benchmark benchmarkname corpus subset problemset env envid envname environment
        game validationid instance instancename datensatz conjunto language lang locale langpair
    """,
    "run": """
        repeat repeats repetition repetitions rep reps repeatid repid replicate replication runid
        cvrun iteration iter seed wiederholung run randomseed randomstate execution executionid
        seedid runidx runindex runno resample durchlauf semilla graine experiment
    """,
    "fold": """
        cv split cvfold foldid splitid foldno id2 resample folds partition falte pli outerfold kfold
        foldindex foldidx cvindex cvid foldnumber
    """,
    "classifier": """
        model wflowid algorithm algo learner method config estimator framework clf classifiername
        modelname flow flowname system systemname agent llm approach pipeline variant modelid
        learnerid policy alg algname approachname candidate modell verfahren modèle modelo params
        solver engine optimizer interface runname datasetrunname promptversion
    """,
    "score": """
        accuracy acc auc f1 result value testscore metricvalue indicatorvalue estimate metric error
        correct iscorrect exactmatch passed rating reward resolved isresolved success solved
        metricerror return genauigkeit exactitud exactitude fehler scores
    """,
    "item": """
        item itemid question questionid qid docid document documentid sample sampleid prompt
        promptid example exampleid query queryid instance instanceid input userinput inputid
        datasetitemid case caseid testid testcase testcaseid traceid recordid patient patientid
        image imageid imagefile filename videoid utterance utteranceid utt uttid segment segmentid
        segid sentenceid
    """,
    "key": "id index idx key row no",
    "epoch": """
        epoch attempt trial try repeat repetition run sampleindex seed iteration rater annotator
        sample trialid trialindex step epochs steps globalstep timestep generation iter
    """,
    "cluster": """
        cluster clusterid subject subjectid participant participantid speaker user userid category
        passage passageid paragraph paragraphid context contextid conversation conversationid
        dialogue dialogueid
    """,
    "metric": """
        metric metricname measure measurename indicator indicatorname scorer evaluationmeasure type
    """,
}
_SECOND = {
    "dataset": "domain query queryid subject category uniqueid",
    "classifier": "prompt promptid run runid experiment version release commit branch",
    "item": """
        subject participant speaker user passage conversation conversationid dialogue dialogueid
        task taskid taskname problem problemid problemname domain uniqueid
    """,
}
# Frequent names of columns, in letters and digits only, the most likely first.
USUAL_NAMES = {role: tuple(names.split()) for role, names in _USUAL.items()}
# Names that are as frequent for another role.
SECOND_NAMES = {role: tuple(names.split()) for role, names in _SECOND.items()}

# Words of longer names of columns.
KINDS_OF = {
    "dataset": {"dataset", "data", "task", "problem", "benchmark", "corpus"},
    "classifier": {
        "classifier",
        "model",
        "algorithm",
        "learner",
        "method",
        "estimator",
        "system",
        "framework",
        "agent",
        "llm",
        "alg",
        "algo",
    },
    "fold": {"fold", "folds", "cv", "resample"},
}

# Names of columns, in letters and digits only, that say how a run ended.
STATES = {"state", "status", "runstate", "runstatus", "jobstate", "trialstate"}
# States of runs that have not come to their end.
ENDED_BADLY = {
    *("crashed", "failed", "fail", "failure", "error", "killed", "timeout", "timedout", "oom"),
    *("outofmemory", "aborted", "cancelled", "canceled", "preempted", "nodefail", "pruned"),
    *("running", "pending", "queued", "waiting"),
}

# Names of columns, in letters and digits only, that hold the errors of a trial.
FAILURES = {"errorscnt", "exception", "exceptiontype", "errormessage", "traceback",
            "failurereason"}  # fmt: skip

# Names of columns that number independent runs, if the file has no folds.
COUNTERS = ("iteration", "iter", "itr", "execution", "executionid", "seed", "randomseed",
            "randomstate", "trial", "trialid", "repetition", "repeat", "rep", "replicate",
            "resample", "resampleid", "run", "runid", "experiment", "durchlauf", "semilla",
            "graine")  # fmt: skip

METRICS = {"acc", "accuracy", "top1", "top5", "map", "ndcg", "mrr", "wer", "cer", "em", "iou",
           "ari", "nmi", "ami", "balacc", "auc", "rocauc", "f1", "logloss", "precision", "recall",
           "rmse", "mae", "mse", "r2", "kappa", "mcc", "brier", "bleu", "rouge", "correctness",
           "faithfulness"}  # fmt: skip

# Words beside a metric's.
QUALIFIERS = {"test", "val", "valid", "score", "mean", "balanced", "macro", "micro", "weighted"}

# Names of columns that may count the steps of a training.
TRAINING = {"epoch", "epochs", "step", "steps", "globalstep", "timestep", "generation"}
# What caret calls a fold of a run.
FOLD_OF_RUN = re.compile(r"fold\d+\.rep\d+", re.IGNORECASE)
# The expression that takes such names apart.
FOLD_AND_RUN = r"(?P<fold>.+)\.(?P<run>.+)"
USUAL_FOLDS = (2, 3, 4, 5, 8, 10, 20)

# Names of scores of single answers.
ANSWERED = {
    "correct",
    "iscorrect",
    "exactmatch",
    "passed",
    "resolved",
    "isresolved",
    "success",
    "solved",
    "reward",
}

# Names of columns with the right answers.
TRUTHS = {"actual", "expected", "gold", "groundtruth", "label", "reference", "target", "truelabel",
          "truth", "ytrue"}  # fmt: skip
# Words of columns of truths, predictions and confidences, next to which a score may be another.
JUDGEMENTS = TRUTHS | {
    *("y", "labels", "class", "prediction", "predictions", "predicted", "pred", "preds", "ypred"),
    *("probability", "prob", "confidence", "logit", "logits", "winner", "vote", "preferred"),
    "forecast",
}
# Words of numbers that are no scores, whatever else the name says.
NO_QUALITY = {
    *("risk", "anomaly", "outlier", "propensity", "similarity", "confidence", "probability"),
    *("prob", "probs", "logit", "credit", "fraud", "churn", "lead", "severity", "difficulty"),
    *("threshold", "baseline", "max", "min", "lower", "upper", "n", "num", "p", "ci", "var", "std"),
    *("stdev", "stddev", "sd", "se", "sem", "stderr", "variance", "count", "size"),
}
# Words of scores that may be above 1, or below 0.
OPEN_SCORES = {
    *("reward", "rewards", "return", "rating", "psnr", "comet", "fps", "throughput", "tps", "qps"),
    *("wins", "win", "r2", "mcc", "kappa", "cider", "pesq", "sdr"),
}

# Parts of the data, for training and testing.
TRAINED = {"train", "training"}
SPLITS = TRAINED | {"test", "testing", "eval", "val", "valid", "validation", "dev"}

# Words of columns that hold neither scores nor classifiers.
ABOUT = {
    *("answer", "best", "cases", "category", "classes", "cluster", "comment", "cost", "count"),
    *("created", "date", "delta", "description", "diff", "difference", "difficulty", "domain"),
    *("duration", "end", "examples", "features", "group", "id", "idx", "index", "instances"),
    *("language", "level", "license", "licence", "link", "message", "n", "notes", "num"),
    *("oracle", "org", "organisation", "organization", "output", "outputs", "parameters"),
    *("params", "passage", "prediction", "predictions", "predicted", "price", "rank", "ranks"),
    *("ranking", "response", "samples", "size", "start", "state", "status", "std", "stdev"),
    *("stderr", "step", "steps", "subject", "support", "text", "timestamp", "tokens", "topic"),
    *("type", "url", "user", "version", "votes", "winner", "year", "mean", "median", "average"),
    *("avg", "δ", "inst", "attributes", "train", "lower", "upper", "min", "max"),
    *("stddev", "sd", "se", "sem", "variance", "tp", "fp", "fn", "tn"),
}

SUMMARY_WORDS = {"average", "avg", "mean", "median", "overall", "summary", "std", "stdev", "rank",
                 "ranks", "ranking", "wins", "ø"}  # fmt: skip
# Names of rows that sum up others, next to words that columns of scores may have.
ROWS_OF_SUMS = {"total", "sum", "macro", "micro", "stddev", "cv", "sd", "pvalue", "wtl", "wdl",
                "mittelwert", "durchschnitt", "gesamt", "moyenne", "promedio", "mittel", "rang",
                "mittlererrang", "durchschnittlicherrang", "ørang", "mittlrang"}  # fmt: skip
# The same among test items and folds.
OTHER_SUMS = {"all", "total", "accuracy", "min", "max", "minimum", "maximum", "variance", "var",
              "stderr", "sem", "iqr", "count", "overall"}  # fmt: skip
_QUANTILE = re.compile(r"q?\d+(?:st|nd|rd|th)?(?:quantile|percentile|quartile|pct)|(?:quantile|"
                       r"percentile|quartile)\d+")  # fmt: skip
# Words next to those in the name of a summary.
WHAT_IS_SUMMED_UP = {"score", "scores", "all", "of", "total", "results", "macro", "micro",
                     "weighted", *METRICS}  # fmt: skip

_UNIT = re.compile(r"\(.*?\)|\[.*?\]")
# What trackers of experiments write before the name of a column.
_PREFIX = re.compile(
    r"(?:params?|config|hparams|tags|(?:eval_)?metrics|scores|feedback)[./_](?=.)", re.IGNORECASE
)
_SIDES = (
    ("a", "b"),
    ("1", "2"),
    ("left", "right"),
    ("chosen", "rejected"),
    ("one", "two"),
    ("first", "second"),
)
_CONTESTANT = re.compile("model|system|assistant|player|agent|llm|contestant|bot|response|chosen")
_WINNER = re.compile(r"(winner|won|vote|voted|preferred|preference|chosen|win)(model|is|ab?|b|tie|"
                     r"bothbad|side|name)*|result|outcome|judge?ment")  # fmt: skip


def counts_rounds(name: str) -> bool:
    """Return whether a column counts rounds, in each of which every side was measured once."""
    return plain(name) in ("round", "rounds")


def plain(name: str) -> str:
    """Return a name in lower case, with letters and digits only."""
    return re.sub(r"[\W_]+", "", name.casefold())


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, also of one in camelCase."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", "_", name)
    return tuple(word for word in re.split(r"[\W_]+", apart.casefold()) if word)


def ended_badly(state: str) -> bool:
    """Return whether a run with this state has not come to its end, such as "failed (1)"."""
    words = {plain(state), *words_of(state)}
    return not ENDED_BADLY.isdisjoint(words) and {"no", "not", "0"}.isdisjoint(words)


def _without_unit(name: str) -> str:
    return _UNIT.sub("", name)


def core_of(name: str) -> str:
    """Return a column's name without its unit, and without the prefix of a tracker."""
    return _PREFIX.sub("", _without_unit(name).strip(), count=1)


def roles_of(name: str) -> set[str]:
    """Return the roles for which a column's whole name is known, but that of scores.

    Examples
    --------
    >>> roles_of("model_name"), sorted(roles_of("prompt"))
    ({'classifier'}, ['classifier', 'item'])
    """
    core = core_of(name)
    texts = {plain(core), plain(core.rpartition(".")[2])}  # of objects in JSON
    roles = {
        role
        for role, usual in USUAL_NAMES.items()
        if role not in ("score", "key")
        and not texts.isdisjoint((role, *usual, *SECOND_NAMES.get(role, ())))
    }
    return roles - {"epoch"} | {"run"} if "epoch" in roles else roles


def is_summary(name: str) -> bool:
    """Return whether a name is that of a row or column that sums up others."""
    words = words_of(_without_unit(name))
    return bool(words) and (
        (not SUMMARY_WORDS.isdisjoint(words) and {*words} <= SUMMARY_WORDS | WHAT_IS_SUMMED_UP)
        or words[-1] in ("std", "stdev")
    )


def sums_up(name: str) -> bool:
    """Return whether a row of that name sums up others."""
    return is_summary(name) or plain(name) in ROWS_OF_SUMS


def sums_up_rows(name: str) -> bool:
    """Return whether a test item or a fold of that name sums up others, such as 25quantile."""
    text = plain(name)
    return sums_up(name) or text in OTHER_SUMS or _QUANTILE.fullmatch(text) is not None


def sums_up_many(name: str) -> bool:
    """Return whether rows of that name sum up others, though there are several of them."""
    return sums_up(name) and not {"rank", "ranks", "ranking", "wins"} & {*words_of(name)}


def is_about(name: str) -> bool:
    """Return whether a column of that name describes or sums up, rather than scores.

    The last word tells: time-cnn is a classifier, and fit_time is none. But rank_cnn is one's rank.
    """
    words = words_of(_without_unit(name))
    is_sign = bool(name) and not words  # such as #
    is_known = not (ABOUT | COSTS | TIMES).isdisjoint(words[-1:])
    is_known |= words[:1] in (("rank",), ("params",), ("param",)) or plain(name) == "pvalue"
    return is_sign or is_known or is_summary(name) or is_counter(name)


def is_metric(name: str) -> bool:
    """Return whether a name is that of a metric, such as test accuracy, and of nothing else."""
    words = {*words_of(name)}
    known = METRICS | GAINS | LOSSES
    return not known.isdisjoint(words) and words <= known | QUALIFIERS


def usual_name(role: str, header: Iterable[str]) -> str | None:
    """Return a column that probably has this role, by its name."""
    columns = {plain(name): name for name in reversed([*header])}
    return next((columns[name] for name in USUAL_NAMES.get(role, ()) if name in columns), None)


@lru_cache(maxsize=4096)
def likeness(role: str, name: str) -> float:
    """Return how well a name suits a role: 4 for its own, about 3 for a usual one, 0 for others."""
    text = plain(name)
    if text == role:
        return 4.0
    usual = USUAL_NAMES.get(role, ())
    if text in usual:
        return max(3.0 - 0.02 * usual.index(text), 2.5)
    if text in SECOND_NAMES.get(role, ()) and text not in ABOUT:
        return 2.5
    return 2.4 if not KINDS_OF.get(role, set()).isdisjoint(words_of(name)) else 0.0


def is_key(name: str) -> bool:
    """Return whether a column has the usual name of what tells scores apart."""
    return any(likeness(role, name) > 2 for role in ("dataset", "fold", "item", "key", "epoch"))


def names_classifiers(name: str) -> bool:
    """Return whether a column of that name holds classifiers rather than items."""
    return likeness("classifier", name) > likeness("item", name)


def is_counter(name: str) -> bool:
    """Return whether a column of that name numbers repetitions, not the folds of one run."""
    return plain(name) in COUNTERS or "seed" in name.casefold()


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
