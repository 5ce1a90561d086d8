"""Termination signals: Ctrl-C, `kill`, a closed terminal."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

# A shell's exit code for a program that a signal ended: this plus the signal's number.
ENDED_BY = 128

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows lacks the last


@contextmanager
def ended_once() -> Iterator[None]:
    """End the program on the first of these signals, as `sys.exit` does.

    Child processes end and temporary folders are removed. Further signals, as from repeated
    Ctrl-C, are ignored meanwhile, and so are those that arrive while Python shuts down.
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
