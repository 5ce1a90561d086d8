"""Run `bcompare gate` with the inputs of the action as its arguments; no shell reads them.

`python -I` imports nothing from the working directory.
"""

import os
import shlex
import sys
from collections.abc import Mapping

from bcompare.cli.main import program


def arguments(inputs: Mapping[str, str]) -> list[str]:
    """Return the arguments that the inputs stand for.

    Words may be quoted; results are never options.

    Raises
    ------
    ValueError : a quotation without an end.
    """
    metrics = [line.strip() for line in inputs["METRICS"].splitlines()]
    return [
        "gate",
        *shlex.split(inputs["OPTIONS"]),
        *(f"--metric={metric}" for metric in metrics if metric),
        f"--config={inputs['CONFIG']}",
        "--format=github",
        "--",
        *shlex.split(inputs["RESULTS"]),
    ]


if __name__ == "__main__":
    try:
        sys.argv[1:] = arguments(os.environ)
    except ValueError as error:
        sys.stderr.write(f"error: results or options: {error}\n")
        sys.exit(2)
    program()
