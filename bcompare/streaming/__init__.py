"""Stores the rows of any number of pairs in temporary files until all are known."""
