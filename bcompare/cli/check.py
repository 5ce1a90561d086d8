"""`bcompare check`."""

from bcompare.cli.options import Choice, Input, Output, grouped


@grouped
def check(results: Input, choice: Choice, output: Output) -> None:
    """Show what is in the files, and which tests can run on them."""
