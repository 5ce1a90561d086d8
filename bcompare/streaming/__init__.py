"""Rows of any number of pairs, by way of the disk."""
