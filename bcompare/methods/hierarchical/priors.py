"""The priors of the degrees of freedom ν, by name: Corani 2017, §3 and §7, and the Tutorial."""

from dataclasses import dataclass

from bcompare.basis.errors import InputError

Bounds = tuple[float, float]

# The range of α and β; beyond it ν is practically 1, or infinite.
LEAST_HYPER, MOST_HYPER = 1e-5, 1e5


@dataclass(frozen=True, slots=True)
class NuPrior:
    """Prior of the degrees of freedom: ν = 1 + ν′, ν′ ~ Gamma(shape α, rate β).

    alpha_bounds, beta_bounds : α and β are uniform between them; fixed if both are equal.
    """

    alpha_bounds: Bounds
    beta_bounds: Bounds

    def __post_init__(self) -> None:
        for name, (low, high) in (("alpha", self.alpha_bounds), ("beta", self.beta_bounds)):
            if not LEAST_HYPER <= low <= high <= MOST_HYPER:
                raise InputError(
                    f"{name} bounds ({low:g}, {high:g}): give two numbers from {LEAST_HYPER:g} to "
                    f"{MOST_HYPER:,.0f}, the smaller one first"
                )


# `gaussian` has no ν: the data sets' δ_i are then normal.
PRIORS: dict[str, NuPrior | None] = {
    "corani": NuPrior((1.0, 2.0), (0.01, 0.1)),
    "tutorial": NuPrior((0.5, 5.0), (0.05, 0.15)),
    "kruschke": NuPrior((1.0, 1.0), (0.0345, 0.0345)),
    "juarez-steel": NuPrior((2.0, 2.0), (0.1, 0.1)),
    "gaussian": None,
}


def nu_prior(
    name: str, alpha_bounds: Bounds | None = None, beta_bounds: Bounds | None = None
) -> NuPrior | None:
    """Return the named prior, with other bounds if given.

    Raises
    ------
    InputError : an unknown name, bad bounds, or bounds for a prior that has none.
    """
    if name not in PRIORS:
        raise InputError(f"there is no prior called {name!r}; choose from {', '.join(PRIORS)}")
    prior = PRIORS[name]
    if alpha_bounds is None and beta_bounds is None:
        return prior
    if prior is None:
        raise InputError(
            f"the {name} prior has no α and β: leave their bounds out, or choose another prior"
        )
    return NuPrior(alpha_bounds or prior.alpha_bounds, beta_bounds or prior.beta_bounds)
