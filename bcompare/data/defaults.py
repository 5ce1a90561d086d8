"""Defaults that Python and the command line share."""

DEFAULT_ROPE = 0.01
"""The half-width of the rope: one percentage point, of scores from 0 to 1, does not matter."""

DEFAULT_ROPE_TEXT = f"{DEFAULT_ROPE:g}"
"""The same as the command line takes it."""

LEAST_DATASETS = 3
"""So many can speak of others by their means."""
