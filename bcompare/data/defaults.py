"""Defaults that Python and the command line share."""

# The half-width of the rope, as the command line takes it: one percentage point, of scores from 0
# to 1, does not matter.
DEFAULT_ROPE_TEXT = "0.01"

# So many can speak of others by their means.
LEAST_DATASETS = 3
