"""Users' regular expressions, matched within a time limit."""

import re
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
        match = self._match(self._compiled.fullmatch, text)
        return None if match is None else match.groupdict()

    def fits_in(self, text: str) -> bool:
        """Return whether the expression fits somewhere in the text."""
        return self._match(self._compiled.search, text) is not None

    def _match(self, method: Callable[[str], re.Match[str] | None], text: str) -> Any:
        """Return a match, if there is one.

        Raises
        ------
        InputError : it took too long.
        """
        _current.count += 1
        _current.running = True
        try:
            return method(text)
        except TimeoutError:
            raise InputError(
                f"{arg(self.option, self.text)}: takes too long to be matched with {quoted(text)}; "
                "write it without repetitions inside repetitions, such as [^_]+ instead of (.*)+"
            ) from None
        finally:
            _current.running = False


@dataclass(slots=True)
class _Current:
    """The current match: its number, and whether it is running."""

    count: int = 0
    running: bool = False


_current = _Current()


@contextmanager
def time_limit() -> Iterator[None]:
    """Stop a match that takes too long, by a timer that looks after it every few seconds.

    Only the main thread receives signals, and Windows has no such timer: elsewhere a slow match
    goes on until Ctrl-C.
    """
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    last = -1

    def look(*_: object) -> None:
        nonlocal last
        if _current.running and _current.count == last:
            raise TimeoutError
        last = _current.count

    handler = signal.signal(signal.SIGALRM, look)
    before = signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, handler)
