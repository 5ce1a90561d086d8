"""Run `bcompare gate` with the inputs of the action as its arguments; no shell reads them."""

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping


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


def main() -> int:
    """Return the exit code of the gate."""
    try:
        words = arguments(os.environ)
    except ValueError as error:
        sys.stderr.write(f"error: results or options: {error}\n")
        return 2
    # isolated: Python imports nothing from the working directory
    return subprocess.run([sys.executable, "-I", "-m", "bcompare", *words], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
