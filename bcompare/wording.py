"""Messages name an option as whoever reads them would write it: in a shell, or in Python.

Messages are written with the options of the command line, such as ``--score-col auc``. The
command line says so at its start; everybody else reads ``score_col=auc``.
"""

import re
from contextvars import ContextVar

in_shell: ContextVar[bool] = ContextVar("in_shell", default=False)

# Options without a value, and those that Python calls otherwise.
FLAGS = "percent|lower-is-better|exact|also|sensitivity|empirical-bayes|details"
_RENAMED = {"classifier": "classifiers", "dataset": "datasets"}

_PAIR = re.compile(r"--left (\S+) --right (\S+)")
_FLAG = re.compile(rf"--({FLAGS})\b(?!=)")
_BORDERS = re.compile(r"--([a-z][a-z0-9-]*)=(-?[\d.]+),(-?[\d.]+)")
_VALUE = re.compile(r"--([a-z][a-z0-9-]*)[ =](?=[A-Z0-9'{]|-?\d)")
_NAME = re.compile(r"--([a-z][a-z0-9-]*)")


def worded(message: str) -> str:
    """The message with its options as the reader would write them."""
    if in_shell.get() or "--" not in message:
        return message
    message = _PAIR.sub(r"pairs=[(\1, \2)]", message)
    message = _FLAG.sub(lambda m: f"{_argument(m[1])}=True", message)
    message = _BORDERS.sub(lambda m: f"{_argument(m[1])}=({m[2]}, {m[3]})", message)
    message = _VALUE.sub(lambda m: f"{_argument(m[1])}=", message)
    return _NAME.sub(lambda m: _argument(m[1]), message)


def _argument(option: str) -> str:
    return _RENAMED.get(option, option).replace("-", "_")
