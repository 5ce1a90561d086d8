// Hierarchical comparison of two classifiers on q data sets: Corani et al. 2017 §3, on the
// sufficient statistics, each variance σ_i² integrated out in closed form under its flat prior.
//
// Two Student distributions remain, both written as scale mixtures of normals:
//   mean difference x̄_i  given δ_i : scale τ_i, n_i - 2 degrees of freedom, mixed by κ_i
//   true difference δ_i   given δ0  : scale σ0, ν degrees of freedom,       mixed by λ_i
// Given κ, λ and σ0 all is normal, so δ and δ0 are integrated out too, and drawn again, exactly,
// at the end. Sampled, they would make funnels: δ where most data sets sit at one value, δ0
// where there are few data sets.
// log κ and log λ are sampled as deviations from their prior mean in units of their prior
// standard deviation: otherwise ν could move only as far as the q values of λ let it.
//
// Written for every CmdStan from 2.27 on: no std_normal_log_qf, no 1 / vector, no conditional
// between vectors.
functions {
  // Mean and standard deviation of the logarithm of a Gamma(shape, shape) variable.
  real log_gamma_mean(real shape) {
    return digamma(shape) - log(shape);
  }
  real log_gamma_sd(real shape) {
    return sqrt(trigamma(shape));
  }
  // Variances of the normals that a Student is mixed from; without mixing it is normal itself.
  vector mixed(vector variance, vector log_mixing) {
    if (rows(log_mixing) == 0) {
      return variance;
    }
    return variance .* exp(-log_mixing);
  }
  // Logarithm of the standard normal probability of [low, high], exact in either tail.
  real log_mass(real low, real high) {
    return low > 0 ? log_diff_exp(std_normal_lcdf(-low), std_normal_lcdf(-high))
                   : log_diff_exp(std_normal_lcdf(high), std_normal_lcdf(low));
  }
  // Standard normal quantile of the probability exp(log_p), which may be too small for a double.
  real std_normal_quantile(real log_p) {
    real x = -sqrt(-2 * log_p);
    if (log_p > -300) {
      return inv_Phi(exp(log_p));
    }
    // Newton's method: the logarithm of the cdf is concave, and x starts below the root.
    for (i in 1:5) {
      x += (log_p - std_normal_lcdf(x)) * exp(std_normal_lcdf(x) - std_normal_lpdf(x));
    }
    return x;
  }
  // A draw from the standard normal distribution between low and high.
  real std_normal_between_rng(real low, real high) {
    real sign = low > 0 ? -1 : 1;
    real start = low > 0 ? -high : low;
    return sign * std_normal_quantile(
      log_sum_exp(std_normal_lcdf(start), log(uniform_rng(0, 1)) + log_mass(low, high))
    );
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
  int<lower=0, upper=1> sigma_known;     // 1: σ_i fixed at its maximum-likelihood value
  int<lower=0, upper=1> heavy_tails;     // 1: ν - 1 ~ Gamma(α, β); 0: ν = ∞, without α and β
  real<lower=0> alpha_low;               // flat prior of α between these; fixed if equal
  real<lower=alpha_low> alpha_high;
  real<lower=0> beta_low;                // likewise of β
  real<lower=beta_low> beta_high;
}
transformed data {
  vector[q] tau2 = ss ./ (n - (sigma_known ? 0 : 2)) .* (inv(n) + rho ./ (1 - rho));
  vector[q] half_dof = (n - 2) / 2;
  // Variables, because in Stan 2.35 the declaration of log_kappa goes wrong, in every run
  // differently, if it holds the vector expressions themselves.
  vector[sigma_known ? 0 : q] log_kappa_mean;
  vector[sigma_known ? 0 : q] log_kappa_sd;
  int alpha_free = heavy_tails && alpha_low < alpha_high;
  int beta_free = heavy_tails && beta_low < beta_high;
  int delta0_bounded = !(is_inf(delta0_low) && is_inf(delta0_high));
  if (!sigma_known) {
    log_kappa_mean = digamma(half_dof) - log(half_dof);
    log_kappa_sd = sqrt(trigamma(half_dof));
  }
}
parameters {
  real<lower=0, upper=sigma0_high> sigma0;
  array[alpha_free] real<lower=alpha_low, upper=alpha_high> alpha;
  array[beta_free] real<lower=beta_low, upper=beta_high> beta;
  array[heavy_tails] real<lower=0> nu_excess;
  vector<offset=log_kappa_mean, multiplier=log_kappa_sd>[sigma_known ? 0 : q] log_kappa;
  vector<offset=(heavy_tails ? log_gamma_mean((1 + nu_excess[1]) / 2) : 0),
         multiplier=(heavy_tails ? log_gamma_sd((1 + nu_excess[1]) / 2) : 1)>
    [heavy_tails ? q : 0] log_lambda;
}
model {
  if (!sigma_known) {
    exp(log_kappa) ~ gamma(half_dof, half_dof);
    target += sum(log_kappa);  // Jacobian of exp
  }
  if (heavy_tails) {
    real half_nu = (1 + nu_excess[1]) / 2;
    nu_excess[1] ~ gamma(alpha_free ? alpha[1] : alpha_low, beta_free ? beta[1] : beta_low);
    exp(log_lambda) ~ gamma(half_nu, half_nu);
    target += sum(log_lambda);
  }
  {
    // ∫ Π N(x̄_i; δ0, variance_i) dδ0 over the bounds of δ0
    vector[q] variance = mixed(tau2, log_kappa)
                         + mixed(rep_vector(square(sigma0), q), log_lambda);
    real precision = sum(inv(variance));
    real centre = sum(xbar ./ variance) / precision;
    xbar ~ normal(centre, sqrt(variance));
    target += -0.5 * log(precision);
    if (delta0_bounded) {
      target += log_mass((delta0_low - centre) * sqrt(precision),
                         (delta0_high - centre) * sqrt(precision));
    }
  }
}
generated quantities {
  real nu = heavy_tails ? 1 + nu_excess[1] : positive_infinity();
  real delta0;
  vector[q] delta;
  {
    vector[q] v = mixed(tau2, log_kappa);
    vector[q] w = mixed(rep_vector(square(sigma0), q), log_lambda);
    real precision = sum(inv(v + w));
    real centre = sum(xbar ./ (v + w)) / precision;
    delta0 = centre + inv_sqrt(precision) * std_normal_between_rng(
      (delta0_low - centre) * sqrt(precision), (delta0_high - centre) * sqrt(precision)
    );
    // written so that an infinite w, from λ near 0, leaves δ_i ~ normal(x̄_i, √v_i)
    for (i in 1:q) {
      delta[i] = normal_rng(xbar[i] + (delta0 - xbar[i]) / (1 + w[i] / v[i]),
                            inv_sqrt(1 / v[i] + 1 / w[i]));
    }
  }
}
