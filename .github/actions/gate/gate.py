"""Run `bcompare gate` with the inputs of the action as its arguments; no shell reads them.

`python -I` imports nothing from the working directory.
"""

import os
import re
import shlex
import sys
from collections.abc import Mapping

from bcompare.cli.main import program

# Options that print help or the version, also among other short ones.
HELP = re.compile(r"-q*[hV].*|--help(-all)?|--version")


def arguments(inputs: Mapping[str, str]) -> list[str]:
    """Return the arguments that the inputs stand for.

    Words may be quoted; results are never options.

    Raises
    ------
    ValueError : a quotation without an end, no results, or options that judge nothing.
    """
    metrics = [line.strip() for line in inputs["METRICS"].splitlines()]
    options, results = (shlex.split(inputs[name]) for name in ("OPTIONS", "RESULTS"))
    if not results:
        raise ValueError("results is empty: name the files, such as main=main.csv pr=pr.csv")
    if any(map(HELP.fullmatch, options)):
        raise ValueError("options ask for help, which judges nothing")
    return [
        "gate",
        *options,
        *(f"--metric={metric}" for metric in metrics if metric),
        f"--config={inputs['CONFIG']}",
        "--format=github",
        "--",
        *results,
    ]


if __name__ == "__main__":
    try:
        sys.argv[1:] = arguments(os.environ)
    except ValueError as error:
        sys.stdout.write(f"::error title=bcompare gate::results or options: {error}\n")
        sys.exit(2)
    program()
