"""Run a Stan program with CmdStan: compile it once, into the user's cache, and run its chains.

cmdstanpy installs CmdStan and knows where it is. It does not run the programs: it shows the
progress of chains on the console only, and on an interrupt waits for those that run, and starts
those that have not run yet.
"""

import hashlib
import json
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

import numpy as np

from bcompare.basis.messages import ComputationError, InputError, arg
from bcompare.basis.progress import Progress, no_progress
from bcompare.data.rope import FloatArray

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


# Seconds between asking a program to end and killing it.
GRACE = 5.0
# Lines of a program's output in an error message.
LINES = 5
# A shell's exit code for a program that cannot be started.
NOT_STARTED = 127


class ProgramError(RuntimeError):
    """A program that failed or could not be started: its exit code and all that it wrote."""

    def __init__(self, code: int, console: str) -> None:
        self.code = code
        self.console = console
        super().__init__(f"a program ended with exit code {code}")

    def excerpt(self) -> str:
        """Return the lines, indented, that say what went wrong, or else the last ones."""
        lines = [line.strip() for line in self.console.splitlines() if line.strip()]
        errors = [line for line in lines if re.search("error|exception|not found", line, re.I)]
        shown = errors[:LINES] or [*lines[-LINES + 1 :], f"(it ended with exit code {self.code})"]
        return "\n".join(f"    {line}" for line in shown)


def run_side_by_side(
    commands: Sequence[Sequence[str]],
    *,
    environment: Mapping[str, str],
    at_once: int = 1,
    folder: Path | None = None,
    on_line: Callable[[int, str], None] | None = None,
) -> None:
    """Run programs, at most `at_once` at a time, until all have ended; if one fails, end the rest.

    They are ended too, with all that they have started, where an exception such as
    KeyboardInterrupt comes in between. `on_line` is called with the number of a program, from 0,
    and a line that it wrote; once at a time.

    Raises
    ------
    ProgramError : if one could not be started, or ended with an exit code other than 0.
    """
    started: list[subprocess.Popen[str]] = []
    ending = False
    starting = Lock()
    reading = Lock()

    def run(number: int, command: Sequence[str]) -> None:
        with starting:
            if ending:
                return
            process = _start(command, folder, environment)
            started.append(process)
        console = []
        with process:
            for line in process.stdout or ():
                console.append(line)
                if on_line:
                    with reading:
                        on_line(number, line)
        if process.returncode != 0:
            raise ProgramError(process.returncode, "".join(console))

    # In threads, as signals interrupt the main thread only.
    with ThreadPoolExecutor(at_once) as pool:
        futures: list[Future[None]] = []
        try:
            for number, command in enumerate(commands):
                futures.append(pool.submit(run, number, command))
            for future in as_completed(futures):
                future.result()
        finally:
            with starting:
                ending = True
            try:
                _end(started, signal.SIGTERM)
                wait(futures, GRACE)
            finally:
                if sys.platform != "win32":
                    _end(started, signal.SIGKILL)


def _start(
    command: Sequence[str], folder: Path | None, environment: Mapping[str, str]
) -> subprocess.Popen[str]:
    # In a process group of its own, so that it can be ended with what it started, and that
    # the terminal's Ctrl-C comes to us alone. If we are killed outright, it ends when it
    # next writes, as nobody holds the other end of its pipe.
    try:
        return subprocess.Popen(  # noqa: S603, no shell, and the commands are ours
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            process_group=0,
        )
    except OSError as error:
        raise ProgramError(NOT_STARTED, f"{error}") from error


def _end(processes: Sequence[subprocess.Popen[str]], request: signal.Signals) -> None:
    for process in processes:
        if process.returncode is None:  # else its number may be another's by now
            try:
                if sys.platform == "win32":
                    process.terminate()
                else:
                    os.killpg(process.pid, request)
            except (ProcessLookupError, PermissionError):
                continue  # it has just ended
