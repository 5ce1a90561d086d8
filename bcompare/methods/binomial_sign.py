"""The binomial sign test of "no difference" (Demšar 2006, JMLR 7, §3.1.4)."""

from scipy.special import bdtr

from bcompare.methods.base import Nhst
from bcompare.rope import FloatArray


def binomial_sign_test(differences: FloatArray) -> Nhst:
    """Two-sided exact sign test on the mean differences of q data sets.

    Under the null hypothesis either classifier wins a data set with probability ½; data sets
    without a difference are dropped.

    Parameters
    ----------
    differences : (q,) mean differences, in any unit.

    Returns
    -------
    The test named ``binomial-sign``; its statistic is the number of wins of the classifier with
    fewer of them. With no difference but zeros, p = 1.
    """
    counted = differences[differences != 0]
    right = int((counted > 0).sum())
    fewer = min(right, len(counted) - right)
    return Nhst("binomial-sign", float(fewer), min(1.0, float(2 * bdtr(fewer, len(counted), 0.5))))
