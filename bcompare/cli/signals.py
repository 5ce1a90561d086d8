"""Signals that ask us to end: Ctrl-C, `kill`, a terminal that is closed."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

# Of a shell, for a program that a signal ends: this and the signal's number.
ENDED_BY = 128

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows lacks the last


@contextmanager
def ended_once() -> Iterator[None]:
    """Let the first of these signals end what is under way, as `sys.exit` does.

    So the programs that it has started end, and its temporary folders go. More signals, as of
    an impatient Ctrl-C, do not disturb that; nor do any after the work, when Python goes home.
    """
    signals = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    # what is ignored, as under nohup, stays so
    ours = [number for number in signals if signal.getsignal(number) is not signal.SIG_IGN]

    def handle(answer: signal.Handlers | Callable[[int, FrameType | None], None]) -> None:
        for number in ours:
            signal.signal(number, answer)

    def end(number: int, _: FrameType | None) -> None:
        handle(signal.SIG_IGN)
        sys.exit(ENDED_BY + number)

    handle(end)
    try:
        yield
    finally:
        handle(signal.SIG_IGN)
