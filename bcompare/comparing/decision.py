"""Decision rules: from probabilities to a decision, by a threshold or by expected loss."""

from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import InputError
from bcompare.data.rope import REGIONS, FloatArray, Region, RegionProbabilities

Decision = Region | Literal["none"]

ACTIONS: tuple[Decision, ...] = (*REGIONS, "none")


def one_minus(alpha: float, digits: int = 6) -> str:
    """Return 1 - alpha as text; as a difference if these digits do not tell it from 1."""
    text = f"{1 - alpha:.{digits}g}"
    return f"1 - {alpha:.2g}" if text == "1" else text


@dataclass(frozen=True, slots=True)
class Threshold:
    """Decide for the region whose probability exceeds 1 - alpha, else for none (Tutorial §3.2).

    Raises
    ------
    InputError : alpha outside (0, 0.5]; above a half, two regions could win at once.
    """

    alpha: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.alpha <= 0.5:
            raise InputError(
                f"alpha {self.alpha:g}: give a number above 0 and at most 0.5; "
                "0.05 asks for a probability above 0.95"
            )

    def describe(self) -> str:
        """Return the threshold in words."""
        return f"decided above {one_minus(self.alpha, 10)}"

    def expected(self, probabilities: RegionProbabilities[FloatArray]) -> None:
        """Return None: a threshold has no losses."""

    def decide(self, probabilities: RegionProbabilities[FloatArray]) -> tuple[Decision, ...]:
        """Return the region above the threshold; at most one can be."""
        p = np.stack([*probabilities], axis=1)
        above = 1 - p < self.alpha  # also accurate for an alpha lost in 1 - alpha
        return _named(np.where(above.any(axis=1), above.argmax(axis=1), 3))


@dataclass(frozen=True, eq=False, slots=True)
class ExpectedLoss:
    """Decide for the action with the smallest expected loss (Tutorial eq. 7).

    matrix : (3, 4) losses of the truths left, rope, right (rows) under the actions
        left, rope, right, none (columns). An action that ties with another is not chosen.

    Raises
    ------
    InputError : another shape, or a loss that is not a finite number.
    """

    matrix: FloatArray

    def __post_init__(self) -> None:
        usable = np.isfinite(self.matrix) & (self.matrix >= 0)
        if self.matrix.shape != (3, 4) or not usable.all():
            raise InputError(
                "a loss matrix has 3 rows (the truths left, rope, right) and 4 columns "
                "(the actions left, rope, right, none) of finite numbers of at least 0"
            )

    @classmethod
    def simple(cls, wrong: float = 20.0, none: float = 1.0) -> "ExpectedLoss":
        """Return the rule with losses `wrong` for a wrong decision and `none` for not deciding.

        The default is the rule of `Threshold(0.05)`: 20 x 0.05 = 1.
        """
        losses = np.full((3, 4), wrong)
        np.fill_diagonal(losses, 0.0)
        losses[:, 3] = none
        return cls(losses)

    def describe(self) -> str:
        """Return the losses in words; unless they are simple, those of each truth."""
        wrong = float(self.matrix[0, 1])
        none = float(self.matrix[0, 3])
        if np.array_equal(self.matrix, ExpectedLoss.simple(wrong, none).matrix):
            return f"decided by expected loss (wrong {wrong:g}, none {none:g})"
        rows = []
        for truth, losses in zip(REGIONS, self.matrix.tolist(), strict=True):
            losses_in_words = "/".join(f"{loss:g}" for loss in losses)
            rows.append(f"{truth} {losses_in_words}")
        return f"decided by expected loss ({', '.join(rows)} for left/rope/right/none)"

    def expected(self, probabilities: RegionProbabilities[FloatArray]) -> FloatArray:
        """Return the (q, 4) expected losses of left, rope, right, none: Tutorial eq. 7."""
        return np.stack([*probabilities], axis=1) @ self.matrix

    def decide(self, probabilities: RegionProbabilities[FloatArray]) -> tuple[Decision, ...]:
        """Return the action with the smallest expected loss; "none" on a tie."""
        expected = self.expected(probabilities)
        least = expected.min(axis=1, keepdims=True)
        best = expected <= least + 1e-12 * np.abs(self.matrix).max()
        return _named(np.where(best.sum(axis=1) == 1, best.argmax(axis=1), 3))


# Decides on each of (q,) probabilities.
Rule = Threshold | ExpectedLoss


def levels_of(rule: Rule) -> tuple[float, ...]:
    """Return the probability that a verdict must exceed; none for a rule without one."""
    return (1 - rule.alpha,) if isinstance(rule, Threshold) else ()


def as_answers(probabilities: RegionProbabilities[Any]) -> RegionProbabilities[FloatArray]:
    """Return (k,) arrays; a single answer becomes an array of one."""
    return RegionProbabilities(*map(np.atleast_1d, probabilities))


def decide_one(rule: Rule, probabilities: RegionProbabilities[float]) -> Decision:
    """Return the decision on a single answer."""
    return rule.decide(as_answers(probabilities))[0]


def _named(actions: NDArray[np.intp]) -> tuple[Decision, ...]:
    return cast("tuple[Decision, ...]", tuple([ACTIONS[k] for k in actions.tolist()]))
