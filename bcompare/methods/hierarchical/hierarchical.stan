// Hierarchical comparison of two classifiers on q data sets: Corani et al. 2017 §3, on the
// sufficient statistics, each variance integrated out in closed form under its flat prior.
//
// Two Student distributions remain, both written as scale mixtures of normals:
//   mean difference x̄_i   given δ_i : scale τ_i, n_i - 2 degrees of freedom, mixed by κ_i
//   true difference  δ_i   given δ0  : scale σ0, ν degrees of freedom,      mixed by λ_i
// Given κ and λ all is normal, so δ is integrated out too and drawn again, exactly, at the end.
// Sampled together with σ0, δ would make a funnel wherever most data sets sit at one value.
// log κ and log λ are sampled as deviations from their prior mean in units of their prior
// standard deviation: otherwise ν could move only as far as the q values of λ let it.
functions {
  // Mean and standard deviation of the logarithm of a Gamma(shape, shape) variable.
  real log_gamma_mean(real shape) {
    return digamma(shape) - log(shape);
  }
  real log_gamma_sd(real shape) {
    return sqrt(trigamma(shape));
  }
  // Variance of δ_i about δ0, given λ_i; no λ at all if ν is infinite.
  vector between(real sigma0, vector log_lambda, int q) {
    return square(sigma0) * (rows(log_lambda) > 0 ? exp(-log_lambda) : rep_vector(1, q));
  }
}
data {
  int<lower=1> q;                        // data sets
  vector<lower=3>[q] n;                  // differences in each
  vector[q] xbar;                        // their mean
  vector<lower=0>[q] ss;                 // their sum of squared deviations from it
  vector<lower=0, upper=1>[q] rho;       // their correlation
  real delta0_low;                       // flat prior of δ0 between these; may be infinite
  real<lower=delta0_low> delta0_high;
  real<lower=0> sigma0_high;             // flat prior of σ0 from 0 to this
  int<lower=0, upper=1> heavy_tails;     // 1: ν - 1 ~ Gamma(α, β); 0: ν = ∞, without α and β
  real<lower=0> alpha_low;               // flat prior of α between these; fixed if equal
  real<lower=alpha_low> alpha_high;
  real<lower=0> beta_low;                // likewise of β
  real<lower=beta_low> beta_high;
}
transformed data {
  vector[q] tau2 = ss ./ (n - 2) .* (1 / n + rho ./ (1 - rho));
  vector[q] half_dof = (n - 2) / 2;
  vector[q] log_kappa_mean = digamma(half_dof) - log(half_dof);
  vector[q] log_kappa_sd = sqrt(trigamma(half_dof));
  int alpha_free = heavy_tails && alpha_low < alpha_high;
  int beta_free = heavy_tails && beta_low < beta_high;
}
parameters {
  real<lower=delta0_low, upper=delta0_high> delta0;
  real<lower=0, upper=sigma0_high> sigma0;
  array[alpha_free] real<lower=alpha_low, upper=alpha_high> alpha;
  array[beta_free] real<lower=beta_low, upper=beta_high> beta;
  array[heavy_tails] real<lower=0> nu_excess;
  vector<offset=log_kappa_mean, multiplier=log_kappa_sd>[q] log_kappa;
  vector<offset=(heavy_tails ? log_gamma_mean((1 + nu_excess[1]) / 2) : 0),
         multiplier=(heavy_tails ? log_gamma_sd((1 + nu_excess[1]) / 2) : 1)>
    [heavy_tails ? q : 0] log_lambda;
}
model {
  exp(log_kappa) ~ gamma(half_dof, half_dof);
  target += sum(log_kappa);  // Jacobian of exp
  if (heavy_tails) {
    real half_nu = (1 + nu_excess[1]) / 2;
    nu_excess[1] ~ gamma(alpha_free ? alpha[1] : alpha_low, beta_free ? beta[1] : beta_low);
    exp(log_lambda) ~ gamma(half_nu, half_nu);
    target += sum(log_lambda);
  }
  xbar ~ normal(delta0, sqrt(tau2 .* exp(-log_kappa) + between(sigma0, log_lambda, q)));
}
generated quantities {
  real nu = heavy_tails ? 1 + nu_excess[1] : positive_infinity();
  vector[q] delta;
  {
    vector[q] v = tau2 .* exp(-log_kappa);
    vector[q] w = between(sigma0, log_lambda, q);
    // written so that an infinite w, from λ near 0, leaves δ_i ~ normal(x̄_i, √v_i)
    for (i in 1:q) {
      delta[i] = normal_rng(xbar[i] + (delta0 - xbar[i]) / (1 + w[i] / v[i]),
                            inv_sqrt(1 / v[i] + 1 / w[i]));
    }
  }
}
