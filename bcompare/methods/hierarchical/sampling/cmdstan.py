"""Find CmdStan, and compile a Stan program with it, once: it is kept in the user's cache.

cmdstanpy installs CmdStan and knows where it is; `make` is run by `processes`.
"""

import hashlib
import os
import platform
import shlex
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bcompare.basis.arguments import arg
from bcompare.basis.errors import ComputationError
from bcompare.methods.hierarchical.sampling.processes import ProgramError, run_side_by_side

# The oldest CmdStan that compiles the program.
OLDEST = (2, 27)


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
        # made elsewhere, then moved: another process never sees half of it
        with TemporaryDirectory(dir=executable.parent) as beside:
            made = Path(beside) / executable.name
            _compile(program, made, cmdstan)
            made.replace(executable)
    except OSError as error:
        raise ComputationError(
            f"the compiled Stan program could not be kept in {executable.parent}: {error}; "
            "choose another folder for it with the environment variable XDG_CACHE_HOME"
        ) from error
    except ProgramError as error:
        raise ComputationError(_why_not_compiled(cmdstan, version, error)) from error
    return executable


def _compile(program: Path, executable: Path, cmdstan: str) -> None:
    """Compile a Stan program, in a folder for temporary files: make cannot bear a space."""
    make = os.environ.get("MAKE", "mingw32-make" if sys.platform == "win32" else "make")
    with TemporaryDirectory(prefix="bcompare-") as workshop:
        source = Path(workshop) / program.name
        source.write_bytes(program.read_bytes())
        made = source.with_suffix(executable.suffix)
        run_side_by_side(
            [(make, made.as_posix())],
            folder=Path(cmdstan),
            environment={**os.environ, "TMPDIR": workshop},
        )
        shutil.copy(made, executable)


def _why_not_compiled(cmdstan: str, version: tuple[int, ...] | None, error: ProgramError) -> str:
    if version is not None and version < OLDEST:
        return (
            f"the CmdStan in {cmdstan} is {_dotted(version)}, and too old to compile the Stan "
            f"program: {_dotted(OLDEST)} or later is needed. Install it with\n"
            f"    {_install()}\n"
            f"or use {arg('engine', 'quadrature')}, which needs nothing"
        )
    return (
        "CmdStan could not compile the Stan program; it needs make and a C++ compiler, such "
        f"as g++ or clang++. It says:\n{error.excerpt()}"
    )


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

    with cmdstanpy.disable_logging():
        try:
            folder: str = cmdstanpy.cmdstan_path()
        except ValueError as error:
            named = os.environ.get("CMDSTAN")
            where = f" (the environment variable CMDSTAN names {named})" if named else ""
            raise ComputationError(
                f"the Stan engine needs CmdStan {_dotted(OLDEST)} or later, and none is "
                f"installed{where}. Install it with\n"
                f"    {_install()}\n"
                f"which needs make and a C++ compiler, or use {arg('engine', 'quadrature')}, which "
                "needs nothing"
            ) from error
        version: tuple[int, ...] | None = cmdstanpy.cmdstan_version()
    return folder, version


def _install() -> str:
    return f"{shlex.quote(sys.executable)} -m cmdstanpy.install_cmdstan"


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def with_libraries() -> dict[str, str]:
    """The environment of a compiled program; Windows looks for its libraries on the path."""
    libraries = Path(_installed_cmdstan()[0], "stan", "lib", "stan_math", "lib", "tbb")
    return {**os.environ, "PATH": os.pathsep.join((str(libraries), os.environ.get("PATH", "")))}
