"""The hierarchical correlated t-test, which speaks of the next data set.

`model.py` holds the model's priors, its data and its result; `method.py` the test with its
options; the other files compute the posterior, by quadrature or with Stan.
"""
