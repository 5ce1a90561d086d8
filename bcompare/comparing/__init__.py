"""A method over pairs: tasks of pairs, sets of comparisons, families, workers."""
