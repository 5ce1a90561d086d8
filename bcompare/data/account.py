"""An account of the input rows, used or left out; every output reports it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from bcompare.basis.messages import Note, arg, counted, listed, number_of

Reason = Literal["where", "choice", "summary", "beyond", "no-score", "absent", "incomplete"]
REASONS: dict[Reason, str] = {
    "where": f"not meeting the conditions of {arg('where')}",
    "choice": "of classifiers or data sets that were not chosen",
    "summary": "that sum up or describe others",
    "beyond": "of data sets, folds or items that the baseline lacks",
    "no-score": "without a score",
    "absent": "without a score",
    "incomplete": "that another classifier lacks",
}
# Reasons that do not mean that data are missing, or of which another note speaks.
CHOSEN = ("where", "choice", "summary", "beyond", "absent")


# Codes of notes on missing scores, which every output for machines repeats.
INCOMPLETE = ("dropped", "assumed")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Rows that were not used.

    reason : one of `REASONS`.
    rows : their number.
    classifiers : the number for each, where known.
    why : for each, the reasons in the file for trials without a score, with counts.
    names : of what sums up or describes others.
    """

    reason: Reason
    rows: int
    classifiers: Mapping[str, int] = field(default_factory=dict)
    why: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The number of rows, the reason and the classifiers as text."""
        who = f" ({self.who})" if self.classifiers else ""
        return f"{number_of(self.rows, 'row')} {REASONS[self.reason]}{who}"

    @property
    def who(self) -> str:
        """The classifiers, with the reasons in the file for trials without a score."""
        if not any(self.why.values()):
            return by_classifier(self.classifiers)
        parts = []
        for name, n in self.classifiers.items():
            part = f"{name} {n:,}"
            if name in self.why:
                part += f" ({'; '.join(_with_counts(self.why[name])[:3])})"
            parts.append(part)
        return "; ".join(parts)


def _with_counts(reasons: Mapping[str, int]) -> list[str]:
    """Return the reasons, with how often each occurs where there are several."""
    if len(reasons) == 1:
        return list(reasons)
    return [f"{reason} {n:,}" for reason, n in reasons.items()]


@dataclass(frozen=True, slots=True)
class Account:
    """The account of the input rows, used or left out.

    Attributes
    ----------
    read : rows of the input; for a wide table its scores.
    used : rows in the tables of scores.
    left_out : the other rows, by reason.
    folds : (dataset, run, fold) of folds left out because some classifier lacks them.
    items : (dataset, item) of test items, likewise.
    datasets : data sets, likewise.
    lacking : the number of these that each classifier lacks. compared_on : what is compared
        without them, in words.
    failed : rows of each classifier that are used although its fit failed according to the file, so
        that the score is another model's. failed_column : the column of failures.
    assumed : rows of each classifier that had no score and are used with `assumed_score`.
    assumed_is_worst : whether no score can be worse than the one assumed, or the worst assumed.
    fewer_answers : the number of test items to which a classifier has fewer answers than another.
    """

    read: int = 0
    used: int = 0
    left_out: tuple[LeftOut, ...] = ()
    folds: tuple[tuple[str, str, str], ...] = ()
    items: tuple[tuple[str, str], ...] = ()
    datasets: tuple[str, ...] = ()
    lacking: Mapping[str, int] = field(default_factory=dict)
    compared_on: str = ""
    failed: Mapping[str, int] = field(default_factory=dict)
    failed_column: str | None = None
    assumed: Mapping[str, int] = field(default_factory=dict)
    assumed_score: float | None = None
    assumed_is_worst: bool = True
    fewer_answers: Mapping[str, int] = field(default_factory=dict)

    @property
    def rows_left_out(self) -> int:
        """The number of rows that were not used."""
        return sum(part.rows for part in self.left_out)

    @property
    def assumed_value(self) -> str:
        """The score assumed for trials without one, as text."""
        score = self.assumed_score
        return "the worst and the best" if score is None else f"{score:g}"

    def describe(self) -> str:
        """Return the account as a sentence, without a full stop."""
        parts = "; ".join(part.words for part in self.left_out)
        left_out = f"; left out: {parts}" if parts else ""
        return f"{self.used:,} of {self.read:,} rows are used{left_out}"

    def notes(self) -> Iterator[Note]:
        """Yield notes on missing data and failed fits, for the reader of any result."""
        parts = [part.words for part in self.left_out if part.reason not in CHOSEN]
        if parts or self.lacking:
            rows = f"left out of {self.read:,} rows: {'; '.join(parts)}" if parts else ""
            names = "; ".join(self._names())
            (who, *others) = self.lacking or ("",)
            lacks = f"lacking in {by_classifier(self.lacking)}:" if others else f"{who} lacks"
            lacking = f"{lacks} {names}" if names else ""
            words = filter(None, (rows, lacking, self.compared_on))
            yield Note("dropped", "warning", "; ".join(words))
        summing = [name for part in self.left_out for name in part.names]
        if summing:
            yield Note(
                "summary",
                "info",
                f"left out, as they sum up or describe others: {listed(summing, 10)}; to keep one, "
                f"say {arg('accept', [summing[0]])}",
            )
        beyond = [part.who for part in self.left_out if part.reason == "beyond"]
        if beyond:
            yield Note(
                "beyond", "info", f"not judged, as the baseline lacks them: {'; '.join(beyond)}"
            )
        if self.failed:
            total = sum(self.failed.values())
            yield Note(
                "failed-fits",
                "warning",
                f"{total:,} of {self.used:,} scores are a replacement model's, since column "
                f"{self.failed_column} says that the fit failed ({by_classifier(self.failed)}); to "
                f"leave them out say {arg('where', [f'{self.failed_column}=0'])}",
            )
        if self.assumed:
            yield Note(
                "assumed",
                "warning",
                f"trials without a score count as {self.assumed_value}: "
                f"{sum(self.assumed.values()):,} of {self.used:,} ({by_classifier(self.assumed)})",
            )

    def _names(self) -> list[str]:
        """Return the names of the folds, items and data sets that were left out."""
        folds = [f"{name} run {run} fold {fold}" for name, run, fold in self.folds]
        items = [f"{name} {item}" for name, item in self.items]
        parts = ((folds, "fold"), (items, "item"), (self.datasets, "data set"))
        return [counted(names, noun, 3) for names, noun in parts if names]


def by_classifier(counts: Mapping[str, int]) -> str:
    """Return counts as text, the largest first: "gpt 90, claude 45"."""
    ordered = sorted(counts.items(), key=lambda pair: -pair[1])
    return listed([f"{name} {count:,}" for name, count in ordered])
