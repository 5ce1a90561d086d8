"""What is known of a metric by its whole name: which scores are better, and on what scale.

A name is known if, without qualifiers, it stands in a table as a whole. A part of a name tells
nothing: ``tokens/s`` is no time, and ``survival_time`` is none that should be short.
"""

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from bcompare.data.meaning import Direction, Meaning


def _words_in(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Names in letters and digits only, by what they mean.
_SHARES = _words_in("""
    acc accuracy balacc balancedacc balancedaccuracy top1 top5 top1acc top5acc top1accuracy
    top5accuracy topkaccuracy accall accbytes partialaccuracy clusteraccuracy em exact
    exactmatch exactitud exactitude genauigkeit correct iscorrect correctness pass passed
    passrate resolved isresolved solved success successrate win winrate f1 f2 f05 fbeta fscore
    fmeasure dice generalizeddice dsc iou miou meaniou jaccard intersectionoverunion precision
    recall sensitivity specificity tpr tnr ppv npv hitrate auc auroc rocauc auprc prauc aucroc
    aucpr ap ap50 ap75 map map50 map5095 averageprecision rankingaverageprecision lrap
    rprecision mrr ndcg normalizeddcg bleu rouge rouge1 rouge2 rougel rougelsum sacrebleu meteor
    bleurt bertscore bert chrf panopticquality pq mota hota idf1 nmi normalizedmutualinfo
    vmeasure homogeneity completeness rand fowlkesmallows criticalsuccess stoi quasiexactmatch
    prefixexactmatch quasiprefixexactmatch finalnumberexactmatch mathequivchainofthought
    ifevalstrictaccuracy pluspassed basepassed bleu1 bleu2 bleu3 bleu4
    shorttimeobjectiveintelligibility
""")
_SHARES_OF_MISTAKES = _words_in("""
    errorrate classifce fpr fnr fdr falsepositiverate falsenegativerate falsealarmrate fallout
    hamming hammingloss hammingdistance zerooneloss brier brierscore bbrier ece mce eer
    calibrationerror expectedcalibrationerror toxicity
""")
# At most 1; where they are worse than chance they may be below 0.
_AGREEMENTS = _words_in("""
    r2 rsquared mcc matthewscorrcoef matthewscorrelation matthewscorrelationcoefficient kappa
    cohenkappa cohenskappa fleisskappa quadraticweightedkappa qwk ari adjustedrand ami
    adjustedmutualinfo corrcoef spearman spearmanr spearmancorrcoef spearmancorrelation
    cosinespearman concordancecorrcoef explainedvariance d2absoluteerror d2pinball d2logloss
    d2brier ssim msssim structuralsimilarity structuralsimilarityindexmeasure
    multiscalestructuralsimilarityindexmeasure generalizediou generalizedintersectionoverunion
    completeintersectionoverunion distanceintersectionoverunion cosinesimilarity comet
""")
# At least 0; with more mistakes than words they are above 1.
_RATES_OF_MISTAKES = _words_in("""
    wer cer ter mer wape worderrorrate charactererrorrate charerrorrate matcherrorrate
    translationeditrate tokenerrorrate phoneerrorrate
""")
# Errors are at least 0; there are more in `_ERROR_WORDS`.
_ERRORS = _words_in("""
    err error errors fehler mae mape mase mse msle nmse nrmse rmsd rmse rmsle smape graf
    hausdorff hd95 assd hausdorffdistance directedhausdorff directedchamfer editdistance
    extendededitdistance medae minkowskidistance coverageerror relativeaveragespectralerror
    errorrelativeglobaldimensionlesssynthesis
""")
_LOSSES = _words_in("""
    loss losses valloss testloss trainloss evalloss logloss crossentropy ce nll crps
    continuousrankedprobabilityscore perplexity ppl wordperplexity byteperplexity bpb
    bitsperbyte fid kid frechetinceptiondistance memorizationinformedfrechetinceptiondistance
    kernelinceptiondistance lpips learnedperceptualimagepatchsimilarity regret winkler wql
    deviance kldivergence jensenshannondivergence poissondeviance gammadeviance
    spectralanglemapper totalvariation
""")
_GAINS = _words_in("""
    reward rewards return returns psnr peaksignalnoiseratio snr signalnoiseratio
    scaleinvariantsignalnoiseratio sdr sisdr signaldistortionratio
    scaleinvariantsignaldistortionratio pesq perceptualevaluationspeechquality cider plddt fps
    tps qps rps throughput likelihood loglikelihood calinskiharabasz mutualinfo inception wins
""")
# Which scores are better is known, and their scale is not.
_UNSCALED = _words_in("""
    score mainscore quality faithfulness relevancy helpfulness harmlessness
""")

_TIMES = _words_in("""
    time times duration durations elapsed latency latencies runtime walltime wallclock cputime
    fittime scoretime traintime makespan timetofirsttoken ttft timeperoutputtoken tpot
""")
_SIZES = _words_in("""
    memory mem ram vram rss maxrss size params parameters numparams nparams numparameters bytes
""")
_COSTS = _words_in("""
    cost costs price spend energy emissions co2 flops macs tokens crashes failures fails misses
    falsepositives falsenegatives timeouts
""")
_UNITS_OF_TIME = _words_in("""
    s sec secs second seconds ms msec msecs millisecond milliseconds us usec microsecond
    microseconds ns nsec nanosecond nanoseconds minute minutes
""")
_UNITS_OF_SIZE = _words_in("kb kib mb mib gb gib tb tib")

# Words of which the names of errors, of times, of sizes and of costs are composed.
_ERROR_WORDS = _ERRORS | _words_in("""
    mean median geometric squared square absolute percentage percent scaled relative log root
    weighted symmetric normalized normalised max min maximum quantile forecast asymmetric
    arctangent linex cosh using sliding window stabilized normalizedbysd
""")
_STAGES = _words_in("""
    fit score scoring inference query total peak train training test predict prediction cpu gpu
    wall clock user system sys real build compile load startup response request generation
    decode prefill max min mean median avg average overall first run execution processing
""")
_TIME_WORDS = _TIMES | _UNITS_OF_TIME | _STAGES | {"hours", "hour", "h", "taken"}
_SIZE_WORDS = _SIZES | _UNITS_OF_SIZE | _STAGES | {"model", "disk", "file", "usage", "used"}
_COST_WORDS = (
    _COSTS
    | _STAGES
    | _words_in("""
    input output completion prompt api usd eur dollars cents kwh joules carbon
""")
)
# Words at either end that change nothing.
_QUALIFIERS = _words_in("""
    test val valid validation train split cv mean avg average macro micro weighted samples ovr
    ovo norm percent pct percentage usd eur p50 p90 p95 p99 eval evaluation overall binary
    multiclass multilabel retrieval metrics metric classif regr surv dens clust
""")
# Words at the end that name what is known without them.
_NOUNS = ("index", "coefficient", "measure", "func", "function")
# What may stand behind the name of a data set or a task.
_BEHIND_DATA = _words_in("accuracy acc f1 em auc loss")
# Words before these that may turn the direction round.
_TURNING = _words_in("""
    saved saving savings free fixed avoided skill to per neg negative non not no inverse inv
    minus effect sample attack attacker reduction reduced improvement gain delta diff difference
    change ratio rank privacy private safety unsafe safe mia membership jailbreak jailbroken
    adversarial adversary adv leak leakage leaked backdoor poison poisoned poisoning trojan
    harmful bias unlearning forget forgetting memorization memorized refusal hallucination
    weight
""")
_COMPLEMENT = re.compile(r"\s*1\s*[-\u2013\u2212]")
# Scorers of scikit-learn that are losses, negated.
_NEGATED = re.compile(
    "neg_(log_loss|brier_score|max_error|negative_likelihood_ratio|"
    "(root_)?(mean|median)_[a-z_]+_(error|deviance))"
)
# Words in snake_case, camelCase and others; numbers belong to the letters before them.
_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")
_AT_RANK = re.compile(r"(?:@|_at_)\d+$")

_NEGATED_LOSS = Meaning("higher", "number")
_TIME = Meaning("lower", "amount", low=0.0, is_time=True)
_SIZE = Meaning("lower", "amount", low=0.0, is_size=True)
_COST = Meaning("lower", "amount", low=0.0)
_ERROR = Meaning("lower", "number", low=0.0)


@cache
def _known() -> dict[str, Meaning]:
    """Return the meaning of each whole name."""
    meanings = {
        _SHARES: Meaning("higher", "bounded", low=0.0, high=1.0),
        _SHARES_OF_MISTAKES: Meaning("lower", "bounded", low=0.0, high=1.0),
        _AGREEMENTS: Meaning("higher", "bounded", high=1.0),
        _RATES_OF_MISTAKES: Meaning("lower", "bounded", low=0.0),
        _ERRORS: _ERROR,
        _LOSSES: Meaning("lower", "number"),
        _GAINS: Meaning("higher", "number"),
        _UNSCALED: Meaning("higher", None),
        _TIMES | _UNITS_OF_TIME: _TIME,
        _SIZES | _UNITS_OF_SIZE: _SIZE,
        _COSTS: _COST,
    }
    return {name: meaning for names, meaning in meanings.items() for name in names}


@lru_cache(maxsize=4096)
def meaning_of(name: str) -> Meaning | None:
    """Return what a metric's whole name says; None if it is not known.

    Examples
    --------
    >>> meaning_of("latency_ms").direction, meaning_of("gsm8k_accuracy").kind
    ('lower', 'bounded')
    >>> meaning_of("tokens/s"), meaning_of("survival_time"), meaning_of("mia_auc")
    (None, None, None)
    """
    words = _words(name)
    if not words or _COMPLEMENT.match(name):
        return None
    if _NEGATED.fullmatch("_".join(words)):
        return _NEGATED_LOSS
    for shorter in _without_qualifiers(words):
        meaning = _of_words(shorter)
        if meaning is not None:
            return meaning
    return _inside_objects(name)


def _inside_objects(name: str) -> Meaning | None:
    """Return the meaning of the last key of several joined by dots, such as ``grade.correct``."""
    before, dot, last = name.rpartition(".")
    if not dot or not _TURNING.isdisjoint(_words(before)):
        return None
    meaning = meaning_of(last)
    return meaning if meaning is not None and meaning.kind == "bounded" else None


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case, without a rank such as that of ndcg@10.

    What a tracker writes before a slash is left out; other slashes are words.
    """
    *before, last = name.split("/")
    if before and not _QUALIFIERS.issuperset(word.casefold() for word in before):
        last = " per ".join([*before, last])
    return [word.casefold() for word in _WORD.findall(_AT_RANK.sub("", last.strip()))]


def _without_qualifiers(words: list[str]) -> Iterator[list[str]]:
    """Yield the words, then without one qualifier after the other at either end."""
    yield words
    while len(words) > 1 and words[-1] in _QUALIFIERS:
        words = words[:-1]
        yield words
    while len(words) > 1 and words[0] in _QUALIFIERS:
        words = words[1:]
        yield words


def _of_words(words: list[str]) -> Meaning | None:
    """Return the meaning of a name by its words."""
    known = _known()
    whole = "".join(words)
    if whole in known:
        return known[whole]
    *before, last = words
    if last == "score" and before:  # that of an error, or of a hallucination, is none
        meaning = _of_words(before)
        return meaning if meaning is not None and meaning.direction == "higher" else None
    if last in _NOUNS and before:
        return _of_words(before)
    return _composed(words) or _behind_data(before, last)


def _composed(words: Sequence[str]) -> Meaning | None:
    """Return the meaning of an error, a time, a size or a cost by words that say nothing else."""
    used = {*words}
    if words[-1] in ("error", "errors") and used <= _ERROR_WORDS:
        return _ERROR
    if used <= _TIME_WORDS and used & (_TIMES | _UNITS_OF_TIME):
        return _TIME
    if used <= _SIZE_WORDS and used & (_SIZES | _UNITS_OF_SIZE):
        return _SIZE
    if used <= _COST_WORDS and used & _COSTS:
        return _COST
    return None


def _behind_data(before: Sequence[str], last: str) -> Meaning | None:
    """Return the meaning of a metric behind the name of a data set or a task."""
    if last not in _BEHIND_DATA or not before or not _TURNING.isdisjoint(before):
        return None
    meaning = _known()[last]
    others = [_known()[word] for word in before if word in _known()]
    against = any(other.direction != meaning.direction for other in others)
    return None if against else meaning


def direction_of(name: str) -> Direction | None:
    """Return which scores are better; None if the name does not say."""
    meaning = meaning_of(name)
    return None if meaning is None else meaning.direction


def is_loss(name: str) -> bool:
    """Return whether the name says that lower scores are better."""
    return direction_of(name) == "lower"


def is_share(name: str) -> bool:
    """Return whether the name is that of a share or a rate, from 0 to 1."""
    meaning = meaning_of(name)
    return meaning is not None and meaning.is_share


def is_never_negative(name: str) -> bool:
    """Return whether the name is that of a share or an error, which are not below 0."""
    meaning = meaning_of(name)
    return meaning is not None and meaning.low == 0.0


def is_measured(name: str) -> bool:
    """Return whether the name is that of a time or a size, which is above 0."""
    meaning = meaning_of(name)
    return meaning is not None and (meaning.is_time or meaning.is_size)


def is_time(name: str) -> bool:
    """Return whether the name is that of a time."""
    meaning = meaning_of(name)
    return meaning is not None and meaning.is_time


def no_better(score: float, *, lower_is_better: bool) -> float:
    """Return a number of three digits that is as bad as a score, or worse.

    Examples
    --------
    >>> no_better(0.3622971, lower_is_better=True), no_better(0.81, lower_is_better=False)
    (0.363, 0.81)
    """
    digits = 2 - math.floor(math.log10(abs(score))) if score else 0
    worse = 1 if lower_is_better else -1
    near = round(score, digits)
    return near if worse * (near - score) >= 0 else round(near + worse * 10.0**-digits, digits)


# Words of names of metrics, by which columns are told from those of classifiers.
TIMES = _TIMES | _UNITS_OF_TIME | {"hours"}
COSTS = _SIZES | _UNITS_OF_SIZE | _COSTS
LOSSES = TIMES | COSTS | _SHARES_OF_MISTAKES | _RATES_OF_MISTAKES | _ERRORS | _LOSSES
GAINS = _SHARES | _AGREEMENTS | _GAINS
