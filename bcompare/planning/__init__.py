"""The effect of more data: truths are drawn from the posterior, and further results under them."""
