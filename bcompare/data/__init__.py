"""Scores, their units and pairs, the rope, and differences: what every test is given."""
