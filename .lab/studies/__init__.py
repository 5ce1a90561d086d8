"""The papers' simulations and tables, and our own: one file a figure or table.

`STUDIES` is the registry; `run.py` runs them, prints ours next to the paper's, and writes the JSON
and the picture of each. `generators.py` makes the data that several need.
"""
