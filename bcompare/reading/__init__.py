"""Files to validated `Scores`; the only room that knows pandas."""
