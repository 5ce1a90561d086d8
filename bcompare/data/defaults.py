"""Defaults that Python and the command line share."""

DEFAULT_ROPE_TEXT = "0.01"
"""The half-width of the rope, as the command line takes it: one percentage point, of scores from 0
to 1, does not matter."""

LEAST_DATASETS = 3
"""So many can speak of others by their means."""
