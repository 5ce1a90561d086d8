"""Scores, their units and pairs, the rope, and differences: the input of every test."""
