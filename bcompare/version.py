"""The version, and whether it is released.

`RELEASE` stays None until these are decided; the tests then ask for the rest:

- a name on the package index, where `bcompare` is taken: `name` in `pyproject.toml`, and in README
  and `bcompare/explain/ci.md` how to install it; a tag starts `.github/workflows/release.yml`
- the repository's address: `url` here, `[project.urls]`, `URL` in `bcompare/explain/ci.md`
- the licence, BSD-3-Clause: move `bcompare/LICENSE` to the top; `license-files` in `pyproject.toml`
- a DOI, by Zenodo: `doi` and `year` here
"""

from dataclasses import dataclass

__version__ = "0.1.0"


@dataclass(frozen=True, slots=True)
class Release:
    """Where a released version is.

    year, doi : of this version.
    url : of the repository.
    """

    year: int
    url: str
    doi: str


RELEASE: Release | None = None
"""None while nobody can install by name: the package index's `bcompare` may be somebody else's."""


def install_command(extra: str) -> str:
    """Return how to install the packages of an extra, such as ``plot``."""
    if RELEASE is not None:
        return f"pip install 'bcompare[{extra}]'"
    return f"pip install '.[{extra}]' (in a copy of the repository)"
