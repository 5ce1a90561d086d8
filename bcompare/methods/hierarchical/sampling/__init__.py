"""Sampling of the posterior of the hierarchical model, by Stan."""
