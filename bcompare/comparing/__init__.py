"""A method over pairs: chunks of answers, sets of comparisons, families, workers."""
