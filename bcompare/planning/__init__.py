"""The effect of more data, by simulation from the posterior predictive distribution."""
