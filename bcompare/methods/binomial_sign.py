"""The binomial sign test of "no difference" (Demšar 2006, JMLR 7, §3.1.4)."""

from scipy.special import bdtr

from bcompare.data.rope import FloatArray
from bcompare.methods.base import PairedNhst


def binomial_sign_test(differences: FloatArray) -> PairedNhst:
    """Exact sign test on the mean differences of q data sets.

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
    left = len(counted) - right
    p_left, p_right = (float(bdtr(wins, len(counted), 0.5)) for wins in (right, left))
    return PairedNhst(
        test="binomial-sign",
        statistic=float(min(left, right)),
        p_value=min(1.0, 2 * min(p_left, p_right)),
        p_left_better=p_left,
        p_right_better=p_right,
    )
