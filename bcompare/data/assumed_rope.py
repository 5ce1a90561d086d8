"""The rope where none was given: one point of scores on a known scale, and none of any other.

A point is one hundredth of a bounded scale. Amounts such as seconds, and numbers such as errors in
a unit of their own, have no usual rope: what matters there, only the user knows.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from bcompare.basis.messages import InputError, arg, spelled
from bcompare.data.meaning import Meaning
from bcompare.data.rope import DEFAULT_ROPE, Rope, RopeLike
from bcompare.data.scales import (
    are_unlike,
    ends,
    look_like_percentages,
    percentages_note,
    round_tenth,
    typical_scores,
)
from bcompare.data.scores import Scores

# A rope is assumed if it is less than this share of a typical score.
LARGEST_SHARE = 0.5
_SIGNS = spelled("sign --rope 0", "test='sign', rope=0")


class NoRopeError(InputError):
    """No rope was given, and none can be assumed.

    what : the scores, and how large they are.
    example : a rope of a fitting size.
    unlike : whether the data sets are on very different scales.
    """

    def __init__(self, what: str, example: float, *, unlike: bool) -> None:
        self.what, self.example, self.unlike = what, example, unlike
        super().__init__(f"{what}. {_advice(example, unlike=unlike)}")


def rope_for(scores: Scores, rope: RopeLike | None, baseline: Sequence[str] = ()) -> Rope:
    """Return the rope that was given or, if none was and the scores' scale is known, the usual one.

    baseline : the classifiers whose mean a rope in a gate must fit; any by default.

    Raises
    ------
    NoRopeError : none was given, and none can be assumed.
    InputError : the scores look like percentages.
    """
    if rope is not None:
        return Rope.of(rope)
    usual = Rope.symmetric(DEFAULT_ROPE)
    if _is_usual(scores, baseline):
        return usual
    if look_like_percentages(scores) and not scores.scaled:
        raise InputError(percentages_note(scores, usual).text)
    raise NoRopeError(
        f"{scores.metric or 'the scores'}: no rope is assumed for {_pronoun(scores)}; "
        f"{_sizes_in_words(scores)}",
        round_tenth(float(np.median(typical_scores(scores)))),
        unlike=are_unlike(scores),
    )


def has_usual_rope(scores: Scores) -> bool:
    """Return whether the usual rope is assumed for scores."""
    return _is_usual(scores, ()) and not look_like_percentages(scores)


def without_rope(errors: Mapping[str, NoRopeError]) -> InputError:
    """Return the one refusal of a gate's metrics, by their names; "" if that of one is unknown."""
    (first, error), *others = errors.items()
    if not first:
        return error
    words = "; ".join(each.what for each in errors.values())
    shares = " ".join(arg("metric", f"{name}: 5%") for name in errors)
    is_common = not others and not error.unlike
    unit = f", or in this unit as {arg('rope', error.example)}" if is_common else ""
    return InputError(
        f"{words}. Say the smallest difference that matters in per cent of the baseline's mean, as "
        f"{shares}{unit}"
    )


def _is_usual(scores: Scores, baseline: Sequence[str]) -> bool:
    """Return whether one point is a difference that is small on a bounded scale."""
    if look_like_percentages(scores) or not _is_bounded(scores):
        return False
    return LARGEST_SHARE * _mean(scores, baseline) > DEFAULT_ROPE


def _is_bounded(scores: Scores) -> bool:
    """Return whether the scores are on a bounded scale, by their name or else by their values.

    Scores of an unknown name are if more is better and all lie between 0 and 1.
    """
    low, high = ends(scores)
    meaning = _meaning(scores)
    if meaning is None or meaning.kind is None:
        return not scores.lower_is_better and low >= 0 and high <= 1
    if meaning.kind != "bounded":
        return False
    above_low = meaning.low is None or low >= meaning.low
    below_high = meaning.high is None or high <= meaning.high
    return above_low and below_high


def _meaning(scores: Scores) -> Meaning | None:
    """Return what the scores' name says, unless the user says that the other ones are better."""
    meaning = scores.meaning
    said = "lower" if scores.lower_is_better else "higher"
    return meaning if meaning is not None and meaning.direction == said else None


def _mean(scores: Scores, baseline: Sequence[str]) -> float:
    """Return the mean over data sets of the baseline's scores, or the largest classifier's."""
    sign = -1.0 if scores.lower_is_better else 1.0
    columns = [k for k, name in enumerate(scores.classifiers) if not baseline or name in baseline]
    means = np.full((len(scores.datasets), len(columns)), np.nan)
    for i, dataset in enumerate(scores.datasets):
        for j, k in enumerate(columns):
            column = dataset.means[:, k]
            if dataset.present[k]:
                means[i, j] = sign * float(np.nanmean(column))
    present = ~np.isnan(means).all(axis=0)
    return float(np.nanmean(means[:, present], axis=0).max(initial=-np.inf))


def _pronoun(scores: Scores) -> str:
    return "it" if scores.metric else "them"


def _sizes_in_words(scores: Scores) -> str:
    """Return the typical scores of the data sets with the smallest, a middle and the largest."""
    typical = typical_scores(scores)
    order = np.argsort(typical, kind="stable").tolist()
    chosen = dict.fromkeys([order[0], order[len(order) // 2], order[-1]])
    if len(chosen) == 1:
        return f"a typical score is {typical[0]:.2g}"
    parts = (f"{typical[i]:.2g} on {scores.datasets[i].name}" for i in chosen)
    return f"typical scores are {', '.join(parts)}"


def _advice(example: float, *, unlike: bool) -> str:
    if unlike:
        return (
            "One rope cannot fit all of these: divide the scores by those of a baseline, or ask "
            f"only who is better, by {_SIGNS}"
        )
    such = f", such as {arg('rope', example)}" if example else ""
    return (
        f"Say the smallest difference that matters, in this unit{such}, or {arg('rope', 0)} to ask "
        "only who is better"
    )
