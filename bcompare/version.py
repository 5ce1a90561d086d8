"""The version, and whether it is released, on the ground floor: no room has to look up for it."""

from dataclasses import dataclass

__version__ = "0.1.0"


@dataclass(frozen=True, slots=True)
class Release:
    """Where a released version is: `explain release` says what else to do on that day.

    year, doi : of this version. url : of the repository.
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
