"""Notes on the scale of the scores."""

from bcompare.notes import Note
from bcompare.rope import Rope
from bcompare.scores import Scores


def scale_notes(scores: Scores, rope: Rope) -> tuple[Note, ...]:
    """What makes one wonder whether the rope is meant in the unit of the scores."""
    raise NotImplementedError
