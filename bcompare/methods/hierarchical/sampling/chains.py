"""Run the chains of a compiled Stan program side by side: quietly, and nothing left behind."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import ComputationError, InputError
from bcompare.data.rope import FloatArray
from bcompare.methods.base import Progress, no_progress
from bcompare.methods.hierarchical.sampling.cmdstan import compiled, with_libraries
from bcompare.methods.hierarchical.sampling.processes import ProgramError, run_side_by_side

# Decimal digits of the draws: all that a double has, as they may be tiny beside their mean.
DIGITS = 17

# Shorter steps than Stan takes by default (0.8): a single divergence costs the verdict.
ADAPT_DELTA = 0.98

MIN_DRAWS = 100

MAX_SEED = 2**32 - 1


@dataclass(frozen=True, slots=True)
class Sampling:
    """How much to sample: chains, iterations of each for warm-up, draws of each after it, seed.

    Raises
    ------
    InputError : no chain, fewer than 100 draws or iterations, or a seed that Stan cannot use.
    """

    chains: int = 4
    warmup: int = 1000
    draws: int = 5000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.chains < 1:
            raise InputError(f"{self.chains} chains: give at least 1, or better 4")
        for what, number in (("draws", self.draws), ("warm-up iterations", self.warmup)):
            if number < MIN_DRAWS:
                raise InputError(f"{number} {what} a chain: give at least {MIN_DRAWS}")
        if not 0 <= self.seed <= MAX_SEED:
            raise InputError(f"seed {self.seed}: give a whole number from 0 to {MAX_SEED}")


def sample(
    program: Path,
    data: Mapping[str, int | float | FloatArray],
    sampling: Sampling,
    progress: Progress = no_progress,
) -> dict[str, FloatArray]:
    """Draws of every variable of a Stan program, compiled now or earlier.

    Returns variable → (chains, draws) array, (chains, draws, k) for a vector; among them the
    sampler's own, such as ``energy__`` and ``divergent__``. `progress` is called with the
    iterations done and those to be done, of all chains together.

    Raises
    ------
    ComputationError : if CmdStan is not installed, or could not compile or run the program.
    """
    executable = compiled(program)
    with TemporaryDirectory(prefix="bcompare-") as name:
        folder = Path(name)
        given = folder / "data.json"
        plain = {name: np.asarray(value).tolist() for name, value in data.items()}
        given.write_text(json.dumps(plain), encoding="ascii")
        outputs = [folder / f"chain-{chain}.csv" for chain in range(1, sampling.chains + 1)]
        iterations = Iterations(sampling, progress)
        try:
            run_side_by_side(
                [
                    _chain(executable, chain, given, output, sampling)
                    for chain, output in enumerate(outputs, start=1)
                ],
                at_once=os.cpu_count() or 1,
                environment=with_libraries(),
                heard=iterations.heard,
            )
        except ProgramError as error:
            raise ComputationError(
                f"Stan could not sample the posterior; {arg('engine', 'quadrature')} does without "
                f"it. It says:\n{error.excerpt()}"
            ) from error
        chains = [read_chain(output, sampling.draws) for output in outputs]
    return by_variable(chains[0][0], np.stack([values for _, values in chains]))


def _chain(
    executable: Path, chain: int, data: Path, output: Path, sampling: Sampling
) -> Sequence[str]:
    """Return the command that runs one chain, in the order that CmdStan's grammar asks for."""
    return (
        str(executable),
        f"id={chain}",
        *("random", f"seed={sampling.seed}"),
        *("data", f"file={data}"),
        *("output", f"file={output}", f"sig_figs={DIGITS}"),
        "method=sample",
        f"num_samples={sampling.draws}",
        f"num_warmup={sampling.warmup}",
        "algorithm=hmc",
        *("adapt", "engaged=1", f"delta={ADAPT_DELTA}"),
    )


def read_chain(path: Path, draws: int) -> tuple[list[str], FloatArray]:
    """Read a chain's names of columns, and its (draws, columns) values.

    Raises
    ------
    ComputationError : if the file is not whole. CmdStan ends as if all were well on a full disk.
    """
    with path.open(encoding="ascii") as file:
        rows = (line for line in file if not line.startswith("#"))
        names = next(rows, "").rstrip("\n").split(",")
        try:
            values = np.array([row.split(",") for row in rows], dtype=np.float64)
        except ValueError:  # a row too short, or half a number
            values = np.empty(0)
    if values.shape != (draws, len(names)):
        raise ComputationError(
            f"a chain's file in {path.parent.parent} is not whole; is the disk full? Another "
            "folder can be chosen with the environment variable TMPDIR"
        )
    return names, values


def by_variable(names: Sequence[str], values: FloatArray) -> dict[str, FloatArray]:
    """Sort (chains, draws, columns) by variable: a vector x has columns x.1, x.2 and so on."""
    columns: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        columns.setdefault(name.partition(".")[0], []).append(i)
    is_vector = {name.partition(".")[0] for name in names if "." in name}
    return {
        name: values[:, :, at] if name in is_vector else values[:, :, at[0]]
        for name, at in columns.items()
    }


class Iterations:
    """Reads from what chains write how far they are."""

    TOLD = re.compile(r"Iteration: +(\d+) /")

    def __init__(self, sampling: Sampling, progress: Progress) -> None:
        self.progress = progress
        self.total = sampling.chains * (sampling.warmup + sampling.draws)
        self.done: dict[int, int] = {}
        progress(0, self.total)

    def heard(self, chain: int, line: str) -> None:
        """Report the iteration that a line of a chain tells of."""
        told = self.TOLD.match(line)
        if told:
            self.done[chain] = int(told.group(1))
            self.progress(sum(self.done.values()), self.total)
