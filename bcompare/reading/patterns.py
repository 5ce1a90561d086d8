"""Regular expressions that users write, matched within bounds.

An expression such as ``(a+)+b`` may take longer than the age of the universe on a text of forty
characters, and Python cannot interrupt it. So whatever is not plainly fast is matched in a process
of its own, which is stopped when it takes too long.
"""

import json
import re
import subprocess
import sys
import warnings
import weakref
from contextlib import suppress
from threading import Timer
from typing import IO

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.reading.problems import quoted

SECONDS = 2.0  # for one text; starting the process takes a few hundredths
MOST_STEPS = 10**6  # that are matched here: a few hundredths of a second

Groups = dict[str, str | None]

_ATOMS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_OPENINGS = re.compile(r"\(\?(?:P<\w+>|:|[aiLmsux]+\))")
_QUANTIFIERS = re.compile(r"(?:[*+?]|\{[\d,]*\})[?+]?")
_WORKER = """
import json, re, sys
expression = re.compile(json.loads(sys.stdin.readline()))
for line in sys.stdin:
    how, text = json.loads(line)
    found = getattr(expression, how)(text)
    print(json.dumps(found and found.groupdict()), flush=True)
"""


class Pattern:
    """An expression as it was written, behind which option, and the names of its groups."""

    def __init__(self, text: str, option: str) -> None:
        """Compile an expression.

        Raises
        ------
        InputError : it is none.
        """
        self.text = text
        self.option = option
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # on what may be meant otherwise some day
                self._compiled = re.compile(text)
        except (re.error, RecursionError, OverflowError) as error:
            raise InputError(f"{arg(option, text)}: not a regular expression ({error})") from None
        self.groups = frozenset(self._compiled.groupindex)
        atoms = _OPENINGS.sub("(", _ATOMS.sub("x", text))
        self._quantifiers = len(_QUANTIFIERS.findall(atoms))
        self._choices = atoms.count("|")
        self._unbounded = "(?" in atoms or re.search(r"\)[*+?{]|\\\d", atoms + text) is not None
        self._worker: subprocess.Popen[str] | None = None
        self._known: dict[tuple[str, str], Groups | None] = {}

    def fullmatch(self, text: str) -> Groups | None:
        """Return what the groups hold if the expression fits the whole text, else None."""
        return self._match("fullmatch", text)

    def fits_in(self, text: str) -> bool:
        """Return whether the expression fits somewhere in the text."""
        return self._match("search", text) is not None

    def _match(self, how: str, text: str) -> Groups | None:
        """Match here what is plainly fast, all else in the other process."""
        steps = (len(text) + 2) ** (self._quantifiers + (how == "search")) << self._choices
        if steps <= MOST_STEPS and not self._unbounded:
            match = getattr(self._compiled, how)(text)
            return None if match is None else match.groupdict()
        if (how, text) not in self._known:
            self._known[how, text] = self._ask(how, text)
        return self._known[how, text]

    def _ask(self, how: str, text: str) -> Groups | None:
        """Ask the process, and stop it if it takes too long."""
        if self._worker is None:
            self._worker = subprocess.Popen(  # which knows nothing but Python itself
                [sys.executable, "-I", "-c", _WORKER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="ascii",
            )
            weakref.finalize(self, _stop, self._worker)
            _pipes(self._worker)[0].write(json.dumps(self.text) + "\n")
        questions, answers = _pipes(self._worker)
        watchdog = Timer(SECONDS, self._worker.kill)
        watchdog.start()
        try:
            questions.write(json.dumps([how, text]) + "\n")
            questions.flush()
            answer = answers.readline()
        except OSError:  # it is gone
            answer = ""
        finally:
            watchdog.cancel()
        if not answer:
            raise InputError(
                f"{arg(self.option, self.text)}: takes too long to be matched with {quoted(text)}; "
                "write it without repetitions inside repetitions, such as [^_]+ instead of (.*)+"
            )
        groups: Groups | None = json.loads(answer)
        return groups


def _pipes(worker: "subprocess.Popen[str]") -> tuple[IO[str], IO[str]]:
    if worker.stdin is None or worker.stdout is None:
        raise RuntimeError("a process without pipes")
    return worker.stdin, worker.stdout


def _stop(worker: "subprocess.Popen[str]") -> None:
    worker.kill()
    worker.wait()
    for pipe in _pipes(worker):
        with suppress(OSError):  # what was not sent cannot be sent any more
            pipe.close()
