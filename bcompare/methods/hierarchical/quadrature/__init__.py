"""Deterministic integration of the posterior of the hierarchical model."""
