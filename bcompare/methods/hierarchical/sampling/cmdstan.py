"""Run a Stan program with CmdStan, through cmdstanpy: quietly, and nothing left behind.

The compiled program is kept in the user's cache; all else goes to temporary folders.
"""

import hashlib
import io
import os
import platform
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from bcompare.errors import ComputationError, InputError
from bcompare.methods.base import Progress, no_progress
from bcompare.rope import FloatArray

# Decimal digits of the draws: all that a double has, as they may be tiny beside their mean.
DIGITS = 17

# Shorter steps than Stan takes by default (0.8): a single divergence costs the verdict.
ADAPT_DELTA = 0.98

MIN_DRAWS = 100

# Of CmdStan's own words in an error message.
LINES = 5
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
    import cmdstanpy

    with cmdstanpy.disable_logging(), TemporaryDirectory(prefix="bcompare-") as folder:
        executable = compiled(program)
        try:
            # the console is the one way to follow the chains: cmdstanpy's own bar writes to
            # standard output, which may be somebody's JSON
            with redirect_stdout(ChainConsole(sampling, progress)):
                fit = cmdstanpy.CmdStanModel(exe_file=executable).sample(
                    data=data,
                    chains=sampling.chains,
                    iter_warmup=sampling.warmup,
                    iter_sampling=sampling.draws,
                    seed=sampling.seed,
                    adapt_delta=ADAPT_DELTA,
                    sig_figs=DIGITS,
                    output_dir=folder,
                    show_console=True,
                    force_one_process_per_chain=True,
                )
            return by_variable(fit.column_names, fit.draws())
        except (RuntimeError, ValueError) as error:
            raise ComputationError(
                "Stan could not sample the posterior; --engine quadrature does without it. It "
                f"says:\n{_complaints(str(error))}"
            ) from error


def by_variable(names: Sequence[str], values: FloatArray) -> dict[str, FloatArray]:
    """Sort (draws, chains, columns) by variable: a vector x has columns x[1], x[2] and so on."""
    columns: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        columns.setdefault(name.partition("[")[0], []).append(i)
    chains = values.swapaxes(0, 1)
    is_vector = {name.partition("[")[0] for name in names if "[" in name}
    return {
        name: chains[:, :, at] if name in is_vector else chains[:, :, at[0]]
        for name, at in columns.items()
    }


class ChainConsole(io.TextIOBase):
    """Standard output while chains run: reads how far they are, and shows nothing."""

    ITERATION = re.compile(r"Chain \[(\d+)\] Iteration: +(\d+) /")

    def __init__(self, sampling: Sampling, progress: Progress) -> None:
        self.progress = progress
        self.total = sampling.chains * (sampling.warmup + sampling.draws)
        self.done: dict[str, int] = {}
        self.lock = Lock()
        progress(0, self.total)

    def write(self, text: str) -> int:
        """Report the iteration that a line of a chain tells of."""
        for chain, iteration in self.ITERATION.findall(text):
            with self.lock:  # each chain is followed by a thread of its own
                self.done[chain] = int(iteration)
                self.progress(sum(self.done.values()), self.total)
        return len(text)


def compiled(program: Path) -> Path:
    """The executable of a Stan program, from the cache, or compiled into it.

    Its name there holds a digest of the program, of CmdStan's version and place (the
    executable loads a library from there) and of the machine.

    Raises
    ------
    ComputationError : if CmdStan is not installed or does not compile, or the cache cannot be
        written.
    """
    import cmdstanpy

    facts = (program.read_bytes(), _installed_cmdstan(), platform.system(), platform.machine())
    digest = hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
    suffix = ".exe" if sys.platform == "win32" else ""
    executable = cache_directory() / f"{program.stem}-{digest}{suffix}"
    if executable.is_file():
        return executable
    try:
        executable.parent.mkdir(parents=True, exist_ok=True)
        # compiled next to its place, then moved: another process never sees half of it
        with TemporaryDirectory(dir=executable.parent) as workshop:
            source = Path(workshop) / program.name
            source.write_bytes(program.read_bytes())
            Path(cmdstanpy.compile_stan_file(source)).replace(executable)
    except OSError as error:
        raise ComputationError(
            f"the compiled Stan program could not be kept in {executable.parent}: {error}; "
            "choose another folder for it with the environment variable XDG_CACHE_HOME"
        ) from error
    except ValueError as error:
        raise ComputationError(
            "CmdStan could not compile the Stan program; it needs make and a C++ compiler, such "
            f"as g++ or clang++. It says:\n{_complaints(str(error))}"
        ) from error
    return executable


def cache_directory() -> Path:
    """Where this user's compiled programs are kept, by the custom of the platform."""
    given = os.environ.get("XDG_CACHE_HOME")
    if given:
        return Path(given) / "bcompare"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "bcompare"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "bcompare"
    return Path.home() / ".cache" / "bcompare"


def _installed_cmdstan() -> tuple[str, tuple[int, ...] | None]:
    """Return CmdStan's folder and version."""
    import cmdstanpy

    try:
        folder: str = cmdstanpy.cmdstan_path()
    except ValueError as error:
        named = os.environ.get("CMDSTAN")
        where = f" (the environment variable CMDSTAN names {named})" if named else ""
        raise ComputationError(
            f"the Stan engine needs CmdStan, and none is installed{where}. Install it with\n"
            f"    {shlex.quote(sys.executable)} -m cmdstanpy.install_cmdstan\n"
            "which needs make and a C++ compiler, or use --engine quadrature, which needs nothing"
        ) from error
    version: tuple[int, ...] | None = cmdstanpy.cmdstan_version()
    return folder, version


def _complaints(console: str) -> str:
    """The lines of a long console output that say what went wrong, or else the last ones."""
    lines = [line.strip() for line in console.splitlines() if line.strip()]
    telling = [line for line in lines if re.search("error|exception|not found", line, re.I)]
    return "\n".join(f"    {line}" for line in (telling or lines[-LINES:])[:LINES])
