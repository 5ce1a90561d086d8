"""The names of ``baycomp.single``."""

from bcompare.baycomp import CorrelatedTTest, SinglePosterior, two_on_single

__all__ = ["CorrelatedTTest", "SinglePosterior", "two_on_single"]
