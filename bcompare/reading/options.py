"""How results are to be read: everything that a user may choose. Imports nothing heavy."""

from dataclasses import dataclass
from typing import Literal, get_args

from bcompare.errors import InputError

Missing = Literal["refuse", "drop-folds", "drop-datasets"]
MISSING_POLICIES: tuple[str, ...] = get_args(Missing)


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadOptions:
    """How to read results; the defaults read the canonical columns.

    Attributes
    ----------
    dataset_col, run_col, fold_col, classifier_col, score_col : names of the columns where they
        are not dataset, run, fold, classifier and score.
    rho : correlation between the folds' differences, in [0, 1); None takes 1/folds.
    lower_is_better : the scores are errors or losses: they are negated on entry.
    percent : the scores are percentages: they are divided by 100.
    missing : what to do with a fold that one classifier has and another lacks.
    classifiers, datasets : read only these; all by default.

    Raises
    ------
    InputError : a correlation outside [0, 1) or an unknown policy.
    """

    dataset_col: str | None = None
    run_col: str | None = None
    fold_col: str | None = None
    classifier_col: str | None = None
    score_col: str | None = None
    rho: float | None = None
    lower_is_better: bool = False
    percent: bool = False
    missing: Missing = "refuse"
    classifiers: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.rho is not None and not 0 <= self.rho < 1:
            raise InputError(
                f"rho {self.rho:g} is outside [0, 1): give the share of test cases in a fold, "
                "such as 0.1 for 10-fold cross-validation, or 0 for independent scores"
            )
        if self.missing not in MISSING_POLICIES:
            raise InputError(f"missing {self.missing!r}: choose from {', '.join(MISSING_POLICIES)}")
