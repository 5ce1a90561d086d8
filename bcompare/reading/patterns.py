"""Users' regular expressions, matched within a time limit."""

import re
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.reading.problems import quoted

SECONDS = 2.0
"""The limit for one text: ``(a+)+b`` may take longer than the age of the universe on another."""

Groups = dict[str, Any]


class Pattern:
    """An expression, its option, and the names of its groups.

    matches : the number of matches so far, of all expressions; running : whether one is running.
    """

    matches: ClassVar[int] = 0
    running: ClassVar[bool] = False

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
        Pattern.matches += 1
        Pattern.running = True
        try:
            return method(text)
        except TimeoutError:
            raise InputError(
                f"{arg(self.option, self.text)}: takes too long to be matched with {quoted(text)}; "
                "write it without repetitions inside repetitions, such as [^_]+ instead of (.*)+"
            ) from None
        finally:
            Pattern.running = False


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
        if Pattern.running and Pattern.matches == last:
            raise TimeoutError
        last = Pattern.matches

    handler = signal.signal(signal.SIGALRM, look)
    before = signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, handler)
