"""The version, and how to install it, on the ground floor: no room has to look up for it."""

__version__ = "0.1.0"

RELEASED = False
"""Whether this name stands for us on the package index; until then nobody must install by it."""


def install_command(extra: str) -> str:
    """Return how to install the packages of an extra, such as ``plot``."""
    if RELEASED:
        return f"pip install 'bcompare[{extra}]'"
    return f"pip install '.[{extra}]' (in a copy of the repository)"
