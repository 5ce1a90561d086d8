"""Bayesian comparison of classifiers from cross-validation results."""

__version__ = "0.1.0"
