"""The names of ``baycomp.multiple``."""

from bcompare.baycomp import (
    HierarchicalTest,
    Posterior,
    SignedRankTest,
    SignTest,
    Test,
    two_on_multiple,
)

__all__ = [
    "HierarchicalTest",
    "Posterior",
    "SignTest",
    "SignedRankTest",
    "Test",
    "two_on_multiple",
]
