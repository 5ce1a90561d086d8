"""Users' regular expressions."""

import re
import warnings

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.records import Record


class Pattern:
    """An expression, and the names of its groups."""

    def __init__(self, text: str, option: str) -> None:
        """Compile an expression.

        Raises
        ------
        InputError : it is not a regular expression.
        """
        self.text = text
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # on syntax that may change
                self._compiled = re.compile(text)
        except (re.error, RecursionError, OverflowError) as error:
            raise InputError(f"{arg(option, text)}: not a regular expression ({error})") from None
        self.groups = frozenset(self._compiled.groupindex)

    def fullmatch(self, text: str) -> Record | None:
        """Return what the groups hold if the expression fits the whole text, else None."""
        match = self._compiled.fullmatch(text)
        return None if match is None else match.groupdict()

    def fits_in(self, text: str) -> bool:
        """Return whether the expression fits somewhere in the text."""
        return self._compiled.search(text) is not None
