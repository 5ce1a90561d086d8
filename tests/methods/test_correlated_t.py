"""The correlated t-test."""
