"""`bcompare schema`."""

import json
import sys


def schema() -> None:
    """Print the JSON Schema of what --format json prints."""
    from bcompare.report.schema import schema as contract

    sys.stdout.write(json.dumps(contract(), indent=2) + "\n")
