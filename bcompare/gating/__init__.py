"""A gate: a rule over the answers of a comparison, for continuous integration."""
