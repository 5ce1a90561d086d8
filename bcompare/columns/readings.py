"""The readings of a file that its columns allow: what names and kinds leave open.

A reading gives each part of the results its columns, so that rows are told apart and the scores of
classifiers are paired.
"""

from collections.abc import Iterable, Iterator

from bcompare.columns.arrangements import STAGES, Stage
from bcompare.columns.keys import Keys
from bcompare.columns.roles import Reading
from bcompare.columns.scored import Scored
from bcompare.columns.search import Search


def readings_of(search: Search) -> list[Reading]:
    """Return all readings that are left, each with one choice for every part."""
    readings: list[Reading] = []
    for scored in search.scores():
        if not (search.options.shares_nothing or "successes_col" in scored.changes):
            readings += _with_scores(search, scored)
    return readings


def _with_scores(search: Search, scored: Scored) -> list[Reading]:
    """Return the readings with these scores, of the first stage that has any."""
    for models in search.model_columns(scored):
        for stage in STAGES:
            readings = [*_at_stage(stage, search, scored, models)]
            if readings:
                return readings
    return []


def _at_stage(
    stage: Stage, search: Search, scored: Scored, models: Iterable[tuple[str, ...]]
) -> Iterator[Reading]:
    """Yield the readings of one stage of the search."""
    for columns in models:
        for metric in search.metrics(scored):
            keys = Keys(search, scored, columns, metric)
            for reading in stage(keys):
                whole = keys.unglued(reading)
                if whole is not None:
                    yield whole
