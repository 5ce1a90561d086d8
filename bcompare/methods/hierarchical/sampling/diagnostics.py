"""Can draws of a Markov chain be trusted: R-hat, effective sample size, E-BFMI.

Source: Vehtari, Gelman, Simpson, Carpenter & Bürkner 2021, "Rank-normalization, folding, and
localization: an improved R-hat for assessing convergence of MCMC" (Bayesian Analysis 16:667),
"Vehtari 2021"; for E-BFMI Betancourt 2016, arXiv:1604.00695.

Everywhere `draws` has shape (chains, draws a chain), of one quantity.
"""

import math
from collections.abc import Mapping

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import ndtri

from bcompare.data.rope import FloatArray
from bcompare.methods.hierarchical.trust import SamplerDiagnostics

MIN_DRAWS = 8  # a chain: each of its halves needs a few


def diagnose(
    quantities: Mapping[str, FloatArray], energy: FloatArray, divergences: int
) -> SamplerDiagnostics:
    """Diagnostics of a run, given the draws of every quantity that is reported.

    Parameters
    ----------
    quantities : name → draws, (chains, draws) each.
    energy : (chains, draws) Stan's ``energy__``.
    divergences : how many transitions after warm-up were divergent.
    """
    r_hats = {name: r_hat(draws) for name, draws in quantities.items()}
    bulks = {name: ess_bulk(draws) for name, draws in quantities.items()}
    tails = {name: ess_tail(draws) for name, draws in quantities.items()}
    r_hat_of = max(r_hats, key=lambda name: _or(r_hats[name], math.inf))
    ess_bulk_of = min(bulks, key=lambda name: _or(bulks[name], -math.inf))
    ess_tail_of = min(tails, key=lambda name: _or(tails[name], -math.inf))
    return SamplerDiagnostics(
        r_hat=r_hats[r_hat_of],
        r_hat_of=r_hat_of,
        ess_bulk=bulks[ess_bulk_of],
        ess_bulk_of=ess_bulk_of,
        ess_tail=tails[ess_tail_of],
        ess_tail_of=ess_tail_of,
        e_bfmi=float(e_bfmi(energy).min()),
        divergences=divergences,
        draws=energy.size,
    )


def r_hat(draws: FloatArray) -> float:
    """Rank-normalised split R-hat, of the draws or of their distance from the median.

    The larger of the two: the first sees chains at different places, the second chains of
    different spread (Vehtari 2021 §4.2). NaN for a quantity that never moves.
    """
    halves = _split(draws)
    folded = np.abs(halves - np.median(halves))
    return max(_r_hat(_rank_normalised(halves)), _r_hat(_rank_normalised(folded)))


def ess_bulk(draws: FloatArray) -> float:
    """Effective sample size of the rank-normalised draws: Vehtari 2021 §4.3."""
    return _ess(_rank_normalised(_split(draws)))


def ess_tail(draws: FloatArray) -> float:
    """Effective sample size of the 5 and 95 % quantiles, the smaller one: Vehtari 2021 §4.3."""
    halves = _split(draws)
    low, high = np.quantile(halves, [0.05, 0.95])
    return min(_ess((halves <= low).astype(np.float64)), _ess((halves <= high).astype(np.float64)))


def ess_mean(draws: FloatArray) -> float:
    """Effective sample size for the mean of the draws as they are: Vehtari 2021 §3.2."""
    return _ess(_split(draws))


def mcse_mean(draws: FloatArray) -> float:
    """Monte Carlo standard error of the mean of the draws, in their unit."""
    return float(draws.std(ddof=1)) / math.sqrt(ess_mean(draws))


def e_bfmi(energy: FloatArray) -> FloatArray:
    """(chains,) how well the momenta's energy explores that of the target: Betancourt 2016."""
    steps = (np.diff(energy, axis=1) ** 2).sum(axis=1)
    spread = ((energy - energy.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(steps / spread)


def _or(value: float, replacement: float) -> float:
    return replacement if math.isnan(value) else value


def _split(draws: FloatArray) -> FloatArray:
    """(2 chains, draws // 2): each chain in two halves; a middle draw too many is left out."""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def _rank_normalised(draws: FloatArray) -> FloatArray:
    """Normal quantiles of the ranks of the pooled draws: Vehtari 2021 eq. 14. Ties share.

    A draw that is not finite has no rank, and spoils what is computed from them.
    """
    _, inverse, counts = np.unique(draws, return_inverse=True, return_counts=True)
    average_rank = np.cumsum(counts) - (counts - 1) / 2
    rank = average_rank[inverse].reshape(draws.shape)
    return np.where(np.isfinite(draws), ndtri((rank - 0.375) / (draws.size + 0.25)), np.nan)


def _r_hat(chains: FloatArray) -> float:
    """√(pooled variance estimate / within-chain variance): Vehtari 2021 eq. 1-4."""
    n = chains.shape[1]
    within = chains.var(axis=1, ddof=1).mean()
    between = n * chains.mean(axis=1).var(ddof=1)
    if within == 0:
        return math.nan if between == 0 else math.inf
    return math.sqrt(((n - 1) / n * within + between / n) / within)


def _ess(chains: FloatArray) -> float:
    """Effective sample size from the chains' autocorrelations: Vehtari 2021 eq. 10-13.

    Geyer's initial monotone sequence cuts the sum off where the noise begins; as in Stan, a
    positive first half of the pair after the cut still counts, and the size is at most
    N log10(N), both for antithetic chains. NaN for a quantity that never moves.
    """
    m, n = chains.shape
    covariance = _autocovariance(chains).mean(axis=0)
    within = covariance[0] * n / (n - 1)
    pooled = covariance[0] + chains.mean(axis=1).var(ddof=1)
    if pooled == 0:
        return math.nan
    # eq. 10 at lag 0 falls short of 1 by within / (n pooled); a correlation with itself is 1
    correlation = 1 - (within - covariance) / pooled
    correlation[0] = 1.0
    # sums of neighbours fall and stay positive in theory: Geyer 1992
    pairs = correlation[: n - n % 2].reshape(-1, 2).sum(axis=1)
    first_negative = np.flatnonzero(pairs < 0)
    stop = int(first_negative[0]) if first_negative.size else len(pairs)
    initial = np.minimum.accumulate(pairs[:stop])
    remainder = max(correlation[2 * stop], 0.0) if stop < len(pairs) else 0.0
    time = max(2 * initial.sum() - 1 + remainder, 1 / math.log10(m * n))
    return float(m * n / time)


def _autocovariance(chains: FloatArray) -> FloatArray:
    """(chains, draws) autocovariance of each chain at every lag, divided by n at all of them."""
    n = chains.shape[1]
    centred = chains - chains.mean(axis=1, keepdims=True)
    size = next_fast_len(2 * n, real=True)
    spectrum = rfft(centred, size, axis=1)
    covariance: FloatArray = irfft(np.abs(spectrum) ** 2, size, axis=1)[:, :n] / n
    return covariance
