"""Users' regular expressions, matched within a time limit."""

import re
import signal
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.reading.problems import quoted

SECONDS = 2.0
"""The limit for one text: ``(a+)+b`` may take longer than the age of the universe on another."""

Groups = dict[str, Any]


class Pattern:
    """An expression, its option, and the names of its groups."""

    def __init__(self, text: str, option: str) -> None:
        """Compile an expression.

        Raises
        ------
        InputError : it is not a regular expression.
        """
        self.text = text
        self.option = option
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # on syntax that may change
                self._compiled = re.compile(text)
        except (re.error, RecursionError, OverflowError) as error:
            raise InputError(f"{arg(option, text)}: not a regular expression ({error})") from None
        self.groups = frozenset(self._compiled.groupindex)

    def fullmatch(self, text: str) -> Groups | None:
        """Return what the groups hold if the expression fits the whole text, else None."""
        with self._bounded(text):
            match = self._compiled.fullmatch(text)
        return None if match is None else match.groupdict()

    def fits_in(self, text: str) -> bool:
        """Return whether the expression fits somewhere in the text."""
        with self._bounded(text):
            return self._compiled.search(text) is not None

    @contextmanager
    def _bounded(self, text: str) -> Iterator[None]:
        """Stop a match that takes too long.

        Only the main thread hears signals, and Windows has no timer: elsewhere Ctrl-C must do.

        Raises
        ------
        InputError : it took too long.
        """
        in_main = threading.current_thread() is threading.main_thread()
        if not (in_main and hasattr(signal, "setitimer")):
            yield
            return
        handler = signal.signal(signal.SIGALRM, _stop)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            yield
        except TimeoutError:
            raise InputError(
                f"{arg(self.option, self.text)}: takes too long to be matched with {quoted(text)}; "
                "write it without repetitions inside repetitions, such as [^_]+ instead of (.*)+"
            ) from None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, handler)


def _stop(*_: object) -> None:
    raise TimeoutError
