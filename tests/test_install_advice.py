"""Nothing installs, or advises to install, what somebody else could publish under our name."""

import re
import tomllib
from pathlib import Path

import pytest

from bcompare import version
from bcompare.version import RELEASE, Release, install_command
from tests.command import run

PROJECT = Path(__file__).parents[1]
PLACES = (
    "README.md",
    "Makefile",
    "pyproject.toml",
    ".pre-commit-config.yaml",
    ".pre-commit-hooks.yaml",
    ".ci/run",
    ".github",
    ".lab",
    "bcompare",
    "sample_data",
    "tests",
)
TEXT = {"", ".md", ".py", ".toml", ".txt", ".yaml", ".yml", ".jinja", ".js", ".html", ".ipynb"}

# Our name as a requirement; with an address behind it, it says what is installed.
INSTALLERS = r"(?:pip3? install|pipx (?:install|run)|uvx|uv (?:tool|add|pip install)|conda install)"
OPTIONS = r"(?:\s+-\S+)*"
BY_NAME = re.compile(rf"{INSTALLERS}{OPTIONS}\s+[\"']?bcompare\b(?! @)|\bbcompare\[(?![^\]]*\] @)")
# Versions of what we have not tagged.
BY_TAG = re.compile(r"bcompare/\.github/actions/gate@v|of/bcompare\n\s*rev: v")
# Modules of the working directory would be run.
FROM_HERE = re.compile(r"(?i)python3?\)? (?!-I )(?:-\w+ )*-m (?:pip|venv|build)\b")


def texts() -> dict[Path, str]:
    """The text of all that people read or machines run, but for the one place and this file."""
    roots = [PROJECT / place for place in PLACES]
    files = [p for root in roots for p in ([root] if root.is_file() else root.rglob("*"))]
    apart = {Path(version.__file__).resolve(), Path(__file__).resolve()}
    return {
        path: path.read_text(encoding="utf-8", errors="replace")
        for path in files
        if path.is_file() and path.suffix in TEXT and path.resolve() not in apart
    }


@pytest.mark.parametrize("pattern", [BY_NAME, BY_TAG])
def test_until_a_release_nothing_is_installed_by_name(pattern: re.Pattern[str]) -> None:
    found = {p.relative_to(PROJECT): pattern.findall(text) for p, text in texts().items()}
    assert len(found) > 300
    assert RELEASE or not {path: words for path, words in found.items() if words}


def test_readme_and_recipes_install_as_the_release_says() -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    recipes = (PROJECT / "bcompare/explain/ci.md").read_text(encoding="utf-8")
    assert ("$ pip install .\n" in readme) == (RELEASE is None)
    assert ("git+URL@COMMIT" in recipes) == (RELEASE is None)
    assert ("There is no release yet" in recipes) == (RELEASE is None)


def test_what_the_program_says_of_a_release(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ("not released yet" in run("--version").out) == (RELEASE is None)
    monkeypatch.setattr(version, "RELEASE", None)
    assert "note    = {Not released yet: write the commit" in run("cite").out
    assert "doi" not in run("cite", "--format", "cff").out
    released = Release(year=2031, url="https://forge.example/bcompare", doi="10.1/b")
    monkeypatch.setattr(version, "RELEASE", released)
    entry = run("cite").out.partition("@article")[0]
    assert "Not released" not in entry
    for line in ("year    = {2031},", "doi     = {10.1/b},", "url     = {https://forge.example/"):
        assert f"\n  {line}" in entry
    assert "\ndoi: 10.1/b\n" in run("cite", "--format", "cff").out


def test_every_extra_that_is_advised_exists() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    advised = {name for text in texts().values() for name in re.findall(r"'\.\[(\w+)\]'", text)}
    advised |= set(re.findall(r"install_command\([\"'](\w+)", "".join(texts().values())))
    assert {"plot", "report", "parquet", "excel", "inspect", "stan", "dask"} <= advised
    assert advised <= project["optional-dependencies"].keys()


def test_no_module_of_a_checkout_installs() -> None:
    found = {p.relative_to(PROJECT): FROM_HERE.findall(text) for p, text in texts().items()}
    assert not {path: words for path, words in found.items() if words}


BY_OUR_NAME = (
    "pip install bcompare", "pip install\nbcompare", "pip install -U 'bcompare'", "uvx bcompare",
    "pip install 'bcompare[plot]'", '"bcompare[plot]"', "pipx run bcompare",
)  # fmt: skip
OTHERWISE = (
    "pip install .", "pip install '.[plot]'", "pip install 'bcompare @ git+URL'", "bcompare hier",
    "pip install git+URL@COMMIT",
)  # fmt: skip


@pytest.mark.parametrize("text", [*BY_OUR_NAME, *OTHERWISE])
def test_the_pattern_finds_the_name_and_nothing_else(text: str) -> None:
    assert bool(BY_NAME.search(text)) == (text in BY_OUR_NAME)


def test_the_advice_installs_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version, "RELEASE", None)
    assert install_command("plot").startswith("pip install '.[plot]' (")
    monkeypatch.setattr(version, "RELEASE", Release(2031, "https://forge.example", "10.1/b"))
    assert install_command("plot") == "pip install 'bcompare[plot]'"
