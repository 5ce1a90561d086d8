"""The version, on the ground floor: no room has to look up for it."""

__version__ = "0.1.0"
