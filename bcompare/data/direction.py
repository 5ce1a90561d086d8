"""Whether lower or higher scores are better, judged by a metric's name.

Only a name that is known is taken so: the whole name, or its last word. A word beside it that may
turn it round, such as in errors_fixed, time_to_failure or 1-error, makes it unknown.
"""

import math
import re
from typing import Literal

Direction = Literal["lower", "higher"]

# Words in snake_case, camelCase and others; numbers belong to the letters before them.
_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*")
_COMPLEMENT = re.compile(r"\s*1\s*[-\u2013\u2212]")


def _words_in(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of times.
TIMES = _words_in("""
    time duration elapsed hours latencies latency minutes ms ns runtime s sec second seconds secs
    times us walltime cputime fittime scoretime traintime
""")
# Words of what a model needs.
COSTS = _words_in("""
    bytes cost costs emissions energy flops gb gib kb kib macs mb memory mib params price ram size
    tokens vram
""")
# Words of losses, times, costs and failures; so is each word that ends in loss or error.
LOSSES = (
    TIMES
    | COSTS
    | _words_in("""
    assd bbrier bpb brier ce cer crps ece eer err error errors fehler fid fnr fpr graf hausdorff
    hd95 kid loss losses lpips mae makespan mape mase mse msle nll nrmse perplexity ppl regret rmsd
    rmse rmsle smape ter wape wer winkler wql crashes failures false fails misses toxicity
""")
)
# Words of scores of which more is better.
GAINS = _words_in("""
    acc accuracy ap ap50 ari auc auprc auroc balacc bleu bleurt chrf cider comet corrcoef correct
    correctness dice dsc em exact exactitud exactitude exactmatch f1 f2 faithfulness fps fscore
    genauigkeit harmlessness helpfulness hota idf1 iou jaccard kappa likelihood map map50 mcc meteor
    mota mrr ndcg nmi pass passed pesq plddt precision psnr qps quality r2 recall relevancy resolved
    return reward rewards roc rouge rouge1 rouge2 rougel rps sdr sensitivity solved specificity ssim
    stoi success throughput top1 top5 tps true win wins
""")
# Words of scores from 0 to 1.
SHARES = _words_in("""
    acc accuracy ap auc auprc auroc balacc correct dice dsc em exact exactitud exactitude
    exactmatch f1 f2 fscore genauigkeit iou jaccard map mrr ndcg nmi pass passed precision recall
    resolved sensitivity solved specificity success top1 top5 win wins fnr fpr
""")
# Words of what is above 0 unless it could not be measured.
MEASURED = TIMES | _words_in("""
    bytes gb gib kb kib mb memory mib params ram size vram
""")
# Words of errors, which are not below 0.
ERRORS = _words_in("cer err errors fehler mae mape mse rmse smape ter wape wer")
# Words at either end that change nothing.
QUALIFIERS = _words_in("""
    test val valid validation train split cv mean avg average macro micro weighted samples ovr ovo
    norm percent pct percentage usd eur p50 p90 p95 p99
""")
# Words that may turn the direction round.
TURNING = _words_in("""
    saved saving savings free fixed avoided skill to per neg negative non not no inverse inv minus
    effect sample attack reduction reduced improvement gain delta diff difference change ratio rank
""")
# Names that say it as a whole, in letters and digits only.
WHOLE: dict[str, Direction] = {
    **dict.fromkeys(("score", "successrate", "passrate", "winrate", "tpr", "tnr"), "higher"),
    **dict.fromkeys(("explainedvariance", "bertscore", "mainscore"), "higher"),
    **dict.fromkeys(("errorrate", "worderrorrate", "charactererrorrate"), "lower"),
    **dict.fromkeys(("falsepositiverate", "falsenegativerate"), "lower"),
    **dict.fromkeys(("brierscore", "timetofirsttoken"), "lower"),
}
# Its scorers of losses, negated.
SCIKIT_LEARN = re.compile(
    "neg_(log_loss|brier_score|max_error|negative_likelihood_ratio|"
    "(root_)?(mean|median)_[a-z_]+_(error|deviance))"
)


def direction_of(name: str) -> Direction | None:
    """Return which scores are better; None if the name does not say, or says both.

    Examples
    --------
    >>> direction_of("fit_time"), direction_of("neg_log_loss"), direction_of("images_per_s")
    ('lower', 'higher', None)
    """
    words = _words(name)
    if SCIKIT_LEARN.fullmatch("_".join(words)):
        return "higher"
    if (whole := "".join(words)) in WHOLE:
        return WHOLE[whole]
    if not words or not TURNING.isdisjoint(words) or _COMPLEMENT.match(name):
        return None
    *before, last = words
    if last == "score":  # that of an error, or of a hallucination, is none
        return "higher" if direction_of("_".join(before)) == "higher" else None
    joined = "".join(words[-2:])
    is_gain = last in GAINS or joined in GAINS
    if is_gain == _is_loss_word(last):
        return None
    against = any(map(_is_loss_word, before)) if is_gain else not GAINS.isdisjoint(before)
    return None if against else "higher" if is_gain else "lower"


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case, without qualifiers at either end."""
    words = [word.casefold() for word in _WORD.findall(name)]
    while len(words) > 1 and words[-1] in QUALIFIERS:
        words.pop()
    while len(words) > 1 and words[0] in QUALIFIERS:
        words.pop(0)
    return words


def _is_loss_word(word: str) -> bool:
    return word in LOSSES or word.endswith(("loss", "error"))


def is_share(name: str) -> bool:
    """Return whether the name is that of a share or a rate, from 0 to 1."""
    words = _words(name)
    whole = "".join(words)
    known = whole in WHOLE and whole.endswith("rate")
    of_last = not SHARES.isdisjoint((words or [""])[-1:]) or "".join(words[-2:]) in SHARES
    return direction_of(name) is not None and (known or of_last)


def is_never_negative(name: str) -> bool:
    """Return whether the name is that of a share or an error, which are not below 0."""
    last = (_words(name) or [""])[-1]
    return is_share(name) or (is_loss(name) and (last in ERRORS or last.endswith("error")))


def is_measured(name: str) -> bool:
    """Return whether the name is that of a time or a size, which is above 0."""
    return is_loss(name) and _words(name)[-1] in MEASURED


def no_better(score: float, *, lower_is_better: bool) -> float:
    """Return a number of three digits that is as bad as a score, or worse.

    Examples
    --------
    >>> no_better(0.3622971, lower_is_better=True), no_better(0.81, lower_is_better=False)
    (0.363, 0.81)
    """
    digits = 2 - math.floor(math.log10(abs(score))) if score else 0
    worse, near = 1 if lower_is_better else -1, round(score, digits)
    return near if worse * (near - score) >= 0 else round(near + worse * 10.0**-digits, digits)


def is_time(name: str) -> bool:
    """Return whether the name is that of a time."""
    return is_loss(name) and _words(name)[-1] in TIMES


def is_loss(name: str) -> bool:
    """Return whether the name says that lower scores are better."""
    return direction_of(name) == "lower"
