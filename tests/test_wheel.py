"""What is published: built the same twice, checked, and run from an empty environment."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.long

PROJECT = Path(__file__).parents[1]
PAIR = ("--left", "knn", "--right", "forest")
COMMANDS = (
    ("ttest",),
    ("hier", "--rope", "0.01", *PAIR),
    ("sign",),
    ("signrank", *PAIR),
    ("poisson", *PAIR),
    ("rank", "--draws", "500"),
    ("explain", "rope"),
)
EPOCH = "1700000000"  # the time that archives are stamped with


def done(*command: str | Path, **options: Any) -> str:
    """Standard output of a command that must succeed."""
    result = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, **options
    )
    assert result.returncode == 0, f"{result.stdout}{result.stderr}"
    return str(result.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two folders, each with a source distribution and a wheel of the same source."""
    folders = []
    for number in range(2):
        folder = tmp_path_factory.mktemp(f"built-{number}")
        shutil.copytree(
            PROJECT,
            folder / "source",
            ignore=shutil.ignore_patterns(
                ".git", ".venv", ".*_cache", "build", "dist", "__pycache__"
            ),
        )
        done(
            sys.executable,
            "-m",
            "build",
            "--no-isolation",
            "--outdir",
            folder / "dist",
            folder / "source",
            env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
        )
        folders.append(folder / "dist")
    return folders


def files(folder: Path) -> dict[str, str]:
    """Names and digests."""
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir()}


def test_the_same_source_gives_the_same_archives(built: list[Path]) -> None:
    first, second = map(files, built)
    assert (len(first), first) == (2, second)


def test_archives_pass_the_checks_of_the_index(built: list[Path]) -> None:
    archives = sorted(built[0].iterdir())
    assert "PASSED" in done(sys.executable, "-m", "twine", "check", "--strict", *archives)
    (wheel,) = built[0].glob("*.whl")
    assert "OK" in done(sys.executable, "-m", "check_wheel_contents", wheel)


def test_the_source_distribution_holds_what_its_tests_need(built: list[Path]) -> None:
    (path,) = built[0].glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for needed in (
        "Makefile",
        ".ci/constraints.txt",
        "README.md",
        "sample_data/results.csv",
        "tests/conftest.py",
        "bcompare/LICENSE",
        "bcompare/py.typed",
    ):
        assert needed in names


def environment(folder: Path, *wanted: str | Path, python: str = sys.executable) -> Path:
    """An environment with what is wanted and nothing else; its folder of programs."""
    done(sys.executable, "-m", "uv", "venv", "--python", python, folder)
    binaries = folder / ("Scripts" if os.name == "nt" else "bin")
    done(sys.executable, "-m", "uv", "pip", "install", "--python", binaries / "python", *wanted)
    return binaries


def check_commands(binaries: Path, folder: Path) -> list[str]:
    """What the main commands print; they run, and have nothing to complain of."""
    folder.mkdir()
    shutil.copy(PROJECT / "sample_data" / "results.csv", folder)
    printed = []
    for command in COMMANDS:
        result = subprocess.run(
            [binaries / "bcompare", *command],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        text = [line.partition(":")[0] for line in result.stderr.splitlines()]
        assert set(text) <= {"warning", "note"}, result.stderr  # of the results, not of Python
        assert "forest" in result.stdout or command[0] == "explain"
        printed.append(result.stdout)
    return printed


def other_python(minor: int) -> str | None:
    """An interpreter of this version, on the path or among pyenv's, if there is one that runs."""
    name = f"python3.{minor}"
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [shutil.which(name), *sorted(pyenv.glob(f"3.{minor}.*/bin/{name}"))]
    for candidate in filter(None, candidates):
        asked = [str(candidate), "-c", "pass"]
        if subprocess.run(asked, capture_output=True, check=False).returncode == 0:
            return str(candidate)
    return None


@pytest.mark.parametrize("minor", range(11, 16))
def test_it_runs_from_an_empty_environment(built: list[Path], tmp_path: Path, minor: int) -> None:
    """From its wheel with this Python, and from its source distribution with others."""
    python: str | None = sys.executable
    kind = "*.whl"
    if minor != sys.version_info[1]:
        python = other_python(minor)
        kind = "*.tar.gz"
    if python is None:
        pytest.skip(f"there is no Python 3.{minor} here")
    (archive,) = built[0].glob(kind)
    binaries = environment(tmp_path / "empty", archive, python=python)
    check_commands(binaries, tmp_path / "elsewhere")
    (installed,) = (tmp_path / "empty").glob("lib/*/site-packages/bcompare*.dist-info")
    assert (installed / "licenses" / "bcompare" / "LICENSE").is_file()
    package = installed.parent / "bcompare"
    for needed in ("py.typed", "explain/rope.md", "pages/report.html.jinja"):
        assert (package / needed).is_file()
    assert list(package.rglob("hierarchical.stan"))


def test_it_runs_without_being_installed(built: list[Path], tmp_path: Path) -> None:
    (wheel,) = built[0].glob("*.whl")
    shown = done(
        sys.executable,
        "-m",
        "uv",
        "tool",
        "run",
        "--from",
        wheel,
        "bcompare",
        "--version",
        cwd=tmp_path,
    )
    assert shown.startswith("bcompare ")


def test_the_oldest_packages_that_it_allows_print_the_same(
    built: list[Path], tmp_path: Path
) -> None:
    (wheel,) = built[0].glob("*.whl")
    expected = f"bcompare[plot,report,parquet,excel] @ {wheel.as_uri()}"
    oldest = other_python(11) or sys.executable
    binaries = environment(
        tmp_path / "oldest", "--resolution", "lowest-direct", expected, python=oldest
    )
    newest = Path(sys.executable).parent
    assert check_commands(binaries, tmp_path / "elsewhere") == check_commands(
        newest, tmp_path / "here"
    )
    for command in (["report", "--test", "sign"], ["ttest", "-o", "all.parquet"]):
        done(binaries / "bcompare", *command, cwd=tmp_path / "elsewhere")
