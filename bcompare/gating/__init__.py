"""A gate: a rule over the answers that a comparison already gives, for continuous integration."""
