"""Diagnostics of a sampler: R-hat, effective sample size, E-BFMI, divergences.

Source of the first two and of their limits: Vehtari, Gelman, Simpson, Carpenter & Bürkner 2021
(Bayesian Analysis 16:667), "Vehtari 2021", §4; for E-BFMI Betancourt 2016, arXiv:1604.00695.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray

MAX_R_HAT = 1.01
MIN_ESS = 400.0
MIN_E_BFMI = 0.3


@dataclass(frozen=True, slots=True)
class SamplerDiagnostics:
    """The worst value of each diagnostic over all quantities and chains.

    r_hat : largest rank-normalised split R-hat (Vehtari 2021 §4.2), and r_hat_of, the quantity it
        belongs to; 1 where chains agree, trusted up to 1.01.
    ess_bulk : smallest effective sample size for the centre of a distribution, trusted from 400;
        ess_bulk_of names the quantity.
    ess_tail : likewise for the 5 and 95 % quantiles.
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

    @classmethod
    def of(
        cls, quantities: Mapping[str, FloatArray], energy: FloatArray, divergences: int
    ) -> "SamplerDiagnostics":
        """Diagnose a run from the draws of every quantity that is reported.

        Parameters
        ----------
        quantities : name → draws, (chains, draws) each.
        energy : (chains, draws) Stan's ``energy__``.
        divergences : number of transitions after warm-up that diverged.
        """
        from arviz_stats.base.array import array_stats

        names = list(quantities)
        draws = np.stack(list(quantities.values()))
        # R-hat compares chains, or the halves of a single one.
        half = draws.shape[2] // 2
        halves = np.concatenate([draws[..., :half], draws[..., -half:]], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):  # a quantity that never moves
            r_hats = array_stats.rhat(draws if draws.shape[1] > 1 else halves)
            e_bfmi = array_stats.bfmi(energy).min()
        # a diagnostic that is not a number is the worst
        r_hat = int(np.argmax(np.where(np.isnan(r_hats), np.inf, r_hats)))
        bulks = array_stats.ess(draws)
        tails = array_stats.ess(draws, method="tail", prob=0.05)
        bulk = int(np.argmin(bulks))
        tail = int(np.argmin(tails))
        return cls(
            r_hat=float(r_hats[r_hat]),
            r_hat_of=names[r_hat],
            ess_bulk=float(bulks[bulk]),
            ess_bulk_of=names[bulk],
            ess_tail=float(tails[tail]),
            ess_tail_of=names[tail],
            e_bfmi=float(e_bfmi),
            divergences=divergences,
            draws=energy.size,
        )

    @property
    def problems(self) -> tuple[str, ...]:
        """The reasons not to trust the draws, if any.

        A diagnostic that is not a number counts as bad.
        """
        problems = []
        if not self.r_hat <= MAX_R_HAT:
            problems.append(f"R-hat {self.r_hat:.4f} of {self.r_hat_of} is above {MAX_R_HAT:g}")
        for size, what in (
            (self.ess_bulk, self.ess_bulk_of),
            (self.ess_tail, f"the tails of {self.ess_tail_of}"),
        ):
            if not size >= MIN_ESS:
                problems.append(f"effective sample size {size:.0f} of {what} is below {MIN_ESS:g}")
        if not self.e_bfmi >= MIN_E_BFMI:
            problems.append(f"E-BFMI {self.e_bfmi:.2f} is below {MIN_E_BFMI:g}")
        if self.divergences:
            problems.append(f"{self.divergences} of {self.draws} transitions diverged")
        return tuple(problems)


def share_error(won: FloatArray) -> float:
    """Return the Monte Carlo standard error of the share of ones in (chains, draws) of 0 and 1.

    It is the standard deviation of the share's posterior under Jeffreys' prior for the effective
    number of draws, which is not 0 if all draws agree.
    """
    from arviz_stats.base.array import array_stats

    independent = min(float(array_stats.ess(won, method="mean")), won.size)
    share = (float(won.mean()) * independent + 0.5) / (independent + 1)
    return math.sqrt(share * (1 - share) / (independent + 2))
