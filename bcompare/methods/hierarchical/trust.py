"""When the draws of a sampler can be trusted: the limits, and what fell short of them.

The diagnostics themselves are computed in `sampling/diagnostics.py`.
Source of the limits: Vehtari 2021, §4; for E-BFMI Betancourt 2016, arXiv:1604.00695.
"""

from dataclasses import dataclass

MAX_R_HAT = 1.01
MIN_ESS = 400.0
MIN_E_BFMI = 0.3


@dataclass(frozen=True, slots=True)
class SamplerDiagnostics:
    """The worst value of each diagnostic over all quantities and chains.

    r_hat : largest rank-normalised split R-hat (Vehtari 2021 §4.2), and r_hat_of, the quantity
        it belongs to; 1 where chains agree, trusted up to 1.01.
    ess_bulk : smallest effective sample size for the centre of a distribution, trusted from
        400; ess_bulk_of names the quantity. ess_tail : likewise for the 5 and 95 % quantiles.
    e_bfmi : smallest energy fraction of missing information over the chains, trusted from 0.3.
    divergences : number of transitions after warm-up that left the true path, trusted at 0.
    draws : number of draws after warm-up, all chains together.
    """

    r_hat: float
    r_hat_of: str
    ess_bulk: float
    ess_bulk_of: str
    ess_tail: float
    ess_tail_of: str
    e_bfmi: float
    divergences: int
    draws: int

    @property
    def problems(self) -> tuple[str, ...]:
        """What makes the draws untrustworthy, a phrase each; empty if nothing does.

        Written so that a diagnostic that is not a number counts as bad.
        """
        found = []
        if not self.r_hat <= MAX_R_HAT:
            found.append(f"R-hat {self.r_hat:.4f} of {self.r_hat_of} is above {MAX_R_HAT:g}")
        for size, what in (
            (self.ess_bulk, self.ess_bulk_of),
            (self.ess_tail, f"the tails of {self.ess_tail_of}"),
        ):
            if not size >= MIN_ESS:
                found.append(f"effective sample size {size:.0f} of {what} is below {MIN_ESS:g}")
        if not self.e_bfmi >= MIN_E_BFMI:
            found.append(f"E-BFMI {self.e_bfmi:.2f} is below {MIN_E_BFMI:g}")
        if self.divergences:
            found.append(f"{self.divergences} of {self.draws} transitions diverged")
        return tuple(found)
