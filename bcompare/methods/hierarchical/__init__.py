r"""The hierarchical correlated t-test: a guided tour of what each file integrates out.

The model (Corani 2017, eq. 2-6), data sets i = 1…q with n_i correlated score differences each::

    x_i ~ MVN(1 δ_i, Σ_i)      δ_i ~ t(δ0, σ0, ν)      σ_i, δ0, σ0, ν ~ priors    model.py

One canonical form of equivalent data (units, order, sides)                      canonical.py

`quadrature/` integrates, in the order of the formulas:

1. σ_i, in closed form: data set i is a Student likelihood of δ_i, known by x̄_i and SS_i,
   L_i(δ) ∝ (1 + (δ - x̄_i)²/((n_i - 2) τ_i²))^(-(n_i - 1)/2),
   τ_i² = SS_i/(n_i - 2) · (1/n_i + ρ_i/(1 - ρ_i)).                                  canonical
   Of few discordant 0/1 items L_i has the discordance integrated out, and is fitted by
   a mixture of normals.                                                               items
2. Both Students are mixtures of normals: L_i over κ ~ Gamma((n_i - 2)/2), the prior
   t(δ; δ0, σ0, ν) over scales s = σ0/√λ, λ ~ Gamma(ν/2, ν/2).                       mixtures
3. δ_i, in closed form for each pair of normals, leaves the marginal likelihood
   m_i(δ0, σ0, ν) = Σ_s w_s(σ0, ν) Σ_κ w_κ N(x̄_i; δ0, τ_i²/κ + s²), a matrix product.  likelihood
   Of thousands of data sets Σ log m_i is a weighted sum over a few hundred (x̄, τ).   posterior
4. α and β of ν's prior, beforehand: p(ν) is a function of one variable.              posterior
5. The posterior p(δ0, σ0, ν | x) ∝ p(ν) Π_i m_i on three axes,                   axes, posterior
   placed where its mass is and refined until nothing printed moves.            search, integrate
6. Read off it: p(left), p(rope), p(right), by where δ0 passes the border at which the next data
   set's likeliest region changes, for each (σ0, ν); the marginals.                      answers
7. The next data set's δ, and each δ_i (with its shrinkage) and σ_i, as mixtures of the same
   normals.                                                                population, datasets

`model.py` has the priors and the data, `result.py` the answers. `sampling/` draws from the same
posterior by Stan, and computes the same result from the draws; `diagnostics.py` checks whether they
can be trusted. The two engines are independent: `method.py` chooses one, and `canonical.py` mirrors
the result of either. `quadrature/batch.py` gives the deciding probabilities of thousands of
simulated suites, those of a plan, to within 0.01.
"""
