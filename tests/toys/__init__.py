"""Toys: a test of each kind in one file, as a newcomer would write it."""
