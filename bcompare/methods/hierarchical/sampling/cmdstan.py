"""Run a Stan program with CmdStan: compile it once, into the user's cache, and run its chains.

cmdstanpy installs CmdStan and knows where it is; `processes` runs the programs.
"""

import hashlib
import json
import os
import platform
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import ComputationError, InputError
from bcompare.data.rope import FloatArray
from bcompare.methods.base import Progress, no_progress
from bcompare.methods.hierarchical.sampling.processes import ProgramError, run_side_by_side

# The oldest CmdStan that compiles the program.
OLDEST = (2, 27)
# Decimal digits of the draws: all that a double has, as they may be tiny next to their mean.
DIGITS = 17
# Shorter steps than Stan takes by default (0.8): a single divergence costs the verdict.
ADAPT_DELTA = 0.98
MIN_DRAWS = 100
MAX_SEED = 2**32 - 1
ITERATION = re.compile(r"Iteration: +(\d+) /")


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
) -> tuple[list[str], FloatArray]:
    """Draws of a Stan program, compiled now or earlier.

    Returns the names of the columns, among them the sampler's own such as ``energy__``, and the
    (chains, draws, columns) draws. `progress` is called with the iterations done and those to be
    done, of all chains together.

    Raises
    ------
    ComputationError : if CmdStan is not installed, or could not compile or run the program.
    """
    executable = compiled(program)
    # Windows looks for the program's libraries on the path.
    libraries = Path(_installed_cmdstan()[0], "stan", "lib", "stan_math", "lib", "tbb")
    path = os.pathsep.join((str(libraries), os.environ.get("PATH", "")))
    total = sampling.chains * (sampling.warmup + sampling.draws)
    done: dict[int, int] = {}

    def on_line(chain: int, line: str) -> None:
        iteration = ITERATION.match(line)
        if iteration:
            done[chain] = int(iteration.group(1))
            progress(sum(done.values()), total)

    progress(0, total)
    with TemporaryDirectory(prefix="bcompare-") as name:
        folder = Path(name)
        lists = {name: np.asarray(value).tolist() for name, value in data.items()}
        (folder / "data.json").write_text(json.dumps(lists), encoding="ascii")
        commands = [
            _chain(executable, folder, number, sampling) for number in range(sampling.chains)
        ]
        try:
            run_side_by_side(
                commands,
                at_once=os.cpu_count() or 1,
                environment={**os.environ, "PATH": path},
                on_line=on_line,
            )
        except ProgramError as error:
            failed = (
                f"Stan could not sample the posterior; {arg('engine', 'quadrature')} does "
                "without it. It says:"
            )
            raise ComputationError([failed, *error.excerpt().splitlines()]) from error
        chains = [_read_chain(_output(folder, i), sampling.draws) for i in range(sampling.chains)]
    return chains[0][0], np.stack([values for _, values in chains])


def _output(folder: Path, number: int) -> Path:
    return folder / f"chain-{number + 1}.csv"


def _chain(executable: Path, folder: Path, number: int, sampling: Sampling) -> tuple[str, ...]:
    """Return the command that runs one chain, in the order that CmdStan's grammar asks for."""
    return (
        str(executable),
        f"id={number + 1}",
        *("random", f"seed={sampling.seed}"),
        *("data", f"file={folder / 'data.json'}"),
        *("output", f"file={_output(folder, number)}", f"sig_figs={DIGITS}"),
        "method=sample",
        f"num_samples={sampling.draws}",
        f"num_warmup={sampling.warmup}",
        "algorithm=hmc",
        *("adapt", "engaged=1", f"delta={ADAPT_DELTA}"),
    )


def _read_chain(path: Path, draws: int) -> tuple[list[str], FloatArray]:
    """Read a chain's names of columns, and its (draws, columns) values.

    Raises
    ------
    ComputationError : if the file is incomplete. CmdStan ends with exit code 0 on a full disk.
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


def compiled(program: Path) -> Path:
    """The executable of a Stan program, from the cache, or compiled into it.

    Its name there holds a digest of the program, of CmdStan's version and place (the
    executable loads a library from there) and of the machine.

    Raises
    ------
    ComputationError : if CmdStan is not installed or does not compile, or the cache cannot be
        written.
    """
    cmdstan, version = _installed_cmdstan()
    facts = (program.read_bytes(), cmdstan, version, platform.system(), platform.machine())
    digest = hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
    suffix = ".exe" if sys.platform == "win32" else ""
    executable = cache_directory() / f"{program.stem}-{digest}{suffix}"
    if executable.is_file():
        return executable
    try:
        executable.parent.mkdir(parents=True, exist_ok=True)
        # compiled elsewhere, then moved: another process never sees half of it
        with TemporaryDirectory(dir=executable.parent) as folder:
            new = Path(folder) / executable.name
            _compile(program, new, cmdstan)
            new.replace(executable)
    except OSError as error:
        raise ComputationError(
            f"the compiled Stan program could not be kept in {executable.parent}: {error}; "
            "choose another folder for it with the environment variable XDG_CACHE_HOME"
        ) from error
    except ProgramError as error:
        if version is not None and version < OLDEST:
            raise ComputationError(
                f"the CmdStan in {cmdstan} is {_dotted(version)}, and too old to compile the Stan "
                f"program: {_dotted(OLDEST)} or later is needed. Install it with {_install()}, "
                f"or use {arg('engine', 'quadrature')}, which needs nothing"
            ) from error
        failed = (
            "CmdStan could not compile the Stan program; it needs make and a C++ compiler, such "
            "as g++ or clang++. It says:"
        )
        raise ComputationError([failed, *error.excerpt().splitlines()]) from error
    return executable


def _compile(program: Path, executable: Path, cmdstan: str) -> None:
    """Compile a Stan program, in a folder for temporary files: make cannot bear a space."""
    make = os.environ.get("MAKE", "mingw32-make" if sys.platform == "win32" else "make")
    with TemporaryDirectory(prefix="bcompare-") as folder:
        source = Path(folder) / program.name
        source.write_bytes(program.read_bytes())
        target = source.with_suffix(executable.suffix)
        run_side_by_side(
            [(make, target.as_posix())],
            folder=Path(cmdstan),
            environment={**os.environ, "TMPDIR": folder},
        )
        shutil.copy(target, executable)


def cache_directory() -> Path:
    """Where this user's compiled programs are kept, by the custom of the platform."""
    chosen = os.environ.get("XDG_CACHE_HOME")
    if chosen:
        return Path(chosen) / "bcompare"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "bcompare"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "bcompare"
    return Path.home() / ".cache" / "bcompare"


def _installed_cmdstan() -> tuple[str, tuple[int, ...] | None]:
    """Return CmdStan's folder and version."""
    import cmdstanpy

    with cmdstanpy.disable_logging():
        try:
            folder: str = cmdstanpy.cmdstan_path()
        except ValueError as error:
            named = os.environ.get("CMDSTAN")
            where = f" (the environment variable CMDSTAN names {named})" if named else ""
            raise ComputationError(
                f"the Stan engine needs CmdStan {_dotted(OLDEST)} or later, and none is "
                f"installed{where}. Install it with {_install()}, which needs make and a C++ "
                f"compiler, or use {arg('engine', 'quadrature')}, which needs nothing"
            ) from error
        version: tuple[int, ...] | None = cmdstanpy.cmdstan_version()
    return folder, version


def _install() -> str:
    return f"{shlex.quote(sys.executable)} -m cmdstanpy.install_cmdstan"


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
