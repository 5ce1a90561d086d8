"""What more data would do: the truth is drawn from the posterior, and further results under it."""
