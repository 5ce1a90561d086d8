"""Whether lower or higher scores are better, judged by the words of a metric's name."""

import re
from typing import Literal

Direction = Literal["lower", "higher"]

# Words in snake_case, camelCase and others; numbers belong to the letters before them.
_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*")

_TIMES = """
    time duration elapsed hours latencies latency minutes ms ns runtime s sec second seconds secs
    times us
"""
_COSTS = """
    bytes cost costs emissions energy flops gb gib kb kib macs mb memory mib params price ram size
    tokens vram
"""
_LOSSES = f"""
    bbrier brier ce cer err errors fnr fpr graf loss losses mae mape mse nll perplexity rmse wer
    error {_TIMES} {_COSTS}
    crashes failures false fails misses toxicity
"""
_GAINS = """
    acc accuracy ap auc auprc auroc bertscore bleu chrf correct dice em exact f1 f2 fps iou jaccard
    kappa likelihood map mcc meteor mrr ndcg pass passed precision psnr qps quality r2 recall
    reward rewards roc rouge rouge1 rouge2 rps sensitivity specificity ssim success throughput tps
    true uptime win wins
"""
TIMES = frozenset(_TIMES.split())
"""Words of times."""
COSTS = frozenset(_COSTS.split())
"""Words of what a model needs."""
LOSSES = frozenset(_LOSSES.split())
"""Words of losses, times, costs and failures; so is each word that ends in loss, error or time."""
GAINS = frozenset(_GAINS.split())
"""Words of scores of which more is better."""
NEGATIONS = frozenset({"neg", "negative"})
"""First words that turn the direction round, as in scikit-learn's neg_log_loss."""


def direction_of(name: str) -> Direction | None:
    """Return which scores are better; None if the name does not say, or says both.

    Examples
    --------
    >>> direction_of("fit_time"), direction_of("neg_log_loss"), direction_of("images_per_s")
    ('lower', 'higher', None)
    """
    first, *others = [word.casefold() for word in _WORD.findall(name)] or [""]
    words = {first, *others}
    if "per" in words:  # images per second, errors per hour: only a reader knows
        return None
    is_loss = any(word in LOSSES or word.endswith(("loss", "error", "time")) for word in words)
    is_loss &= "uptime" not in words
    is_gain = bool(words & GAINS) or (words >= {"score"} and not is_loss)
    if is_loss == is_gain:
        return None
    return "lower" if is_loss != (first in NEGATIONS) else "higher"


def is_time(name: str) -> bool:
    """Return whether the name is that of a time."""
    words = [word.casefold() for word in _WORD.findall(name)]
    return is_loss(name) and any(word in TIMES or word.endswith("time") for word in words)


def is_loss(name: str) -> bool:
    """Return whether the name says that lower scores are better."""
    return direction_of(name) == "lower"
