"""Signals that ask us to end: Ctrl-C, `kill`, a terminal that is closed."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# Of a shell, for a program that a signal ends: this and the signal's number.
ENDED_BY = 128

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows lacks the last


@contextmanager
def ended_once() -> Iterator[None]:
    """End by the first of these signals as by `sys.exit`: programs end, temporary folders go.

    More of them, as of an impatient Ctrl-C, do not disturb that.
    """
    ours = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    # what is ignored, as under nohup, stays so
    before = {number: signal.getsignal(number) for number in ours}
    caught = {number: old for number, old in before.items() if old not in (signal.SIG_IGN, None)}
    ended = False

    def end(number: int, _: FrameType | None) -> None:
        nonlocal ended
        ended = True
        for other in caught:
            signal.signal(other, signal.SIG_IGN)
        sys.exit(ENDED_BY + number)

    for number in caught:
        signal.signal(number, end)
    try:
        yield
    finally:
        if not ended:
            for number, old in caught.items():
                signal.signal(number, old)
