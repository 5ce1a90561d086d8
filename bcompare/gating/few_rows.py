"""What a gate of few rows leaves open: losses that are too rare to have occurred in them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scipy.special import betaincinv

from bcompare.basis.messages import Note
from bcompare.comparing.comparison import Comparison
from bcompare.data.scores import Scores
from bcompare.gating.rule import Outcome

# A comparison, and the scores that it is of.
Compared = tuple[Scores, Comparison]

FEW_ROWS = 10
# The note on few rows of the input, which a gate keeps only where it is undecided.
FEW = "few-folds"
RARE = "rare-losses"


@dataclass(frozen=True, slots=True)
class RareLosses:
    """What n rows of a data set leave open.

    lost : rows that are worse by more than the rope.
    share : the largest share of losses that would show no more than these with a probability of at
        least alpha (Clopper and Pearson 1934).
    """

    n: int
    lost: int
    share: float

    def describe(self, rows: str, where: str) -> str:
        """Return the note. rows : what they are called. where : of a data set, if of several."""
        fewer = math.ceil(self.share * self.n)
        loss = f"a loss that occurs in fewer than {fewer} of {self.n} {rows}{where}"
        seen = f", as {self.lost} show one" if self.lost else ""
        return f"{loss} cannot be excluded{seen}: more {rows} would show it"


def largest_share(n: int, lost: int, alpha: float) -> float:
    """Return the upper limit of a share of which `lost` of n rows are seen."""
    return float(betaincinv(lost + 1, n - lost, 1 - alpha)) if lost < n else 1.0


def notes_for(
    outcome: Outcome, notes: Sequence[Note], compared: Sequence[Compared], alpha: float
) -> tuple[Note, ...]:
    """Return the notes of a gate, with the one on few rows that its outcome asks for.

    Few rows are the reason why a gate is undecided. Where it passes they leave rare losses open,
    and where it fails they change nothing.

    compared : what the gate judges by rows of these data sets.
    """
    if outcome == "undecided":
        return tuple(notes)
    kept = [note for note in notes if note.code != FEW]
    if outcome == "pass":
        kept += _rare_losses(compared, alpha)
    return tuple(kept)


def _rare_losses(compared: Sequence[Compared], alpha: float) -> list[Note]:
    """Return the note on the data set that leaves most open; none if all have enough rows."""
    questions = [question for one in compared for question in _open_questions(*one, alpha)]
    if not questions:
        return []
    scores, _ = compared[0]
    rows = "clusters" if scores.is_clustered else scores.unit.plural
    where = " of a data set" if len(scores.datasets) > 1 else ""
    widest = max(questions, key=lambda question: question.share)
    return [Note("rare-losses", "info", widest.describe(rows, where))]


def _open_questions(scores: Scores, comparison: Comparison, alpha: float) -> Iterator[RareLosses]:
    """Yield what each data set with few rows leaves open."""
    statistics = comparison.differences.statistics
    unit = scores.unit
    if not unit.has_spread or unit.has_offset or unit.is_unpaired:
        return
    for i, n in enumerate(statistics.n.tolist()):
        if n < FEW_ROWS:
            lost = int((statistics.differences(i) < comparison.rope.low).sum())
            yield RareLosses(n, lost, largest_share(n, lost, alpha))
