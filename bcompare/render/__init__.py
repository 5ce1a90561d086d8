"""One file a format: a report in, text out."""
