"""Several looks: each spends a share of α, and the shares sum to at most α.

Whatever the looks share, such as growing data or one baseline, the probability that any of them
errs is at most the sum of their shares (Bonferroni). Of an unknown number of looks the k-th may
spend α / (k (k + 1)); of N declared ones the increment of the spending function of Lan & DeMets
1983, 2 - 2 Φ(z_{α/2} / √(k/N)): next to nothing at first and most of it at the end, like the
boundaries of O'Brien & Fleming.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

from bcompare.basis.errors import InputError


@dataclass(frozen=True, slots=True)
class Look:
    """The k-th look, of a declared number or of an unknown one; alpha : for all looks together.

    Raises
    ------
    InputError : a look that is none of those declared.
    """

    number: int
    planned: int | None
    alpha: float

    def __post_init__(self) -> None:
        if self.number < 1 or (self.planned is not None and self.number > self.planned):
            last = "" if self.planned is None else f" and at most {self.planned}, as declared"
            raise InputError(
                f"look {self.number}: the number of a look is at least 1{last}; after the "
                "last one begin anew, with new data"
            )

    @property
    def share(self) -> float:
        """The share of this look."""
        own = self._spent(self.number) - self._spent(self.number - 1)
        return max(own, 1e-300)  # no verdict is possible then, but the level must be positive

    @property
    def left(self) -> float:
        """The share left for later looks."""
        return max(self.alpha - self._spent(self.number), 0.0)  # not less by rounding

    def _spent(self, looks: int) -> float:
        """Return the total share of the first looks."""
        if looks == 0:
            return 0.0
        if self.planned is None:
            return self.alpha * looks / (looks + 1)
        z = NormalDist().inv_cdf(1 - self.alpha / 2)
        return math.erfc(z / math.sqrt(2 * looks / self.planned))
