"""Columns of counts: k successes in n trials."""

from bcompare.basis.messages import Record
from bcompare.columns.direction import direction_of
from bcompare.columns.features import ColumnTable
from bcompare.columns.scored import Scored
from bcompare.columns.vocabulary import plain

# Names of columns with numbers of successes, and of trials.
SUCCESSES = {"successes", "nsuccesses", "nsuccess", "numsuccesses", "numsuccess"}
TRIALS = {"trials", "ntrials", "numtrials", "nepisodes", "numepisodes", "nrollouts", "numrollouts"}


def counts_in(table: ColumnTable) -> Record:
    """Return the options for columns of successes and trials, by their whole names; else none."""
    successes = [name for name in table.header if plain(name) in SUCCESSES]
    trials = [name for name in table.header if plain(name) in TRIALS]
    if len(successes) != 1 or len(trials) != 1:
        return {}
    won, tried = table[successes[0]], table[trials[0]]
    if not (won.is_whole and tried.is_whole) or len(won.numbers) != len(tried.numbers):
        return {}
    if (won.numbers > tried.numbers).any():
        return {}
    return {"successes_col": successes[0], "trials_col": trials[0]}


def scored_counts(column: str, changes: Record) -> Scored:
    """Return a column of successes as the scores; more is better unless its name says otherwise."""
    direction = direction_of(column) or "higher"
    return Scored((column,), changes, direction, is_named=True, needs_rope={}, is_binary=True)
