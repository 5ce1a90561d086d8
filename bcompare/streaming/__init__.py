"""Stores the rows of any number of pairs on disk until all are known."""
