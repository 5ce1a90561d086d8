"""Arguments in messages: an option in a shell, a keyword in Python.

A message that names an argument contains both spellings between Unicode noncharacters, which never
occur in input. So a message is an ordinary string that can be joined, compared and pickled; the
code that shows it chooses the spelling and changes nothing else.
"""

import re
import shlex
from collections.abc import Callable

BEGIN, MIDDLE, END = "\ufdd0", "\ufdd1", "\ufdd2"
_SPELLINGS = re.compile(f"{BEGIN}([^{BEGIN}]*?){MIDDLE}([^{BEGIN}]*?){END}", re.DOTALL)

# Keywords with several values, each of which is an option by itself.
SEVERAL = {"classifiers": "classifier", "datasets": "dataset"}
# Keywords in Python that are words of an option.
WORDS = {
    "percent": "--scale percent",
    "sensitivity": "--also sensitivity",
    "undecided": "--fail-if undecided",
}


def arg(name: str, value: object = None) -> str:
    """Name an argument in a message, with a value for it if one is given.

    name : the keyword in Python. value : True for a flag; a tuple for numbers behind one option; a
    list for an option that is repeated.
    """
    role, is_column, _ = name.rpartition("_col")
    if is_column:
        column = "COL" if value is None else value
        return spelled(
            _with_value("--col", f"{role}={column}"),
            name if value is None else f"{name}={_python(value)}",
        )
    if name in WORDS:
        return spelled(WORDS[name], name if value is None else f"{name}={_python(value)}")
    option = f"--{SEVERAL.get(name, name).replace('_', '-')}"
    if value is None:
        return spelled(option, name)
    if value is True:
        return spelled(option, f"{name}=True")
    if value is False:  # the only flag that has an opposite
        return spelled("--higher-is-better", "lower_is_better=False")
    several = value if isinstance(value, list) else [value]
    shell = " ".join(_with_value(option, one) for one in several)
    return spelled(shell, f"{name}={_python(value)}")


def spelled(shell: str, python: str) -> str:
    """Write something in two ways: for a shell, and for Python."""
    return f"{BEGIN}{shell}{MIDDLE}{python}{END}"


def respelled(message: str, respell: Callable[[str], str]) -> str:
    """Return the message with its arguments spelled otherwise in a shell."""
    return _SPELLINGS.sub(lambda match: spelled(respell(match[1]), match[2]), message)


def as_options(message: str) -> str:
    """Return the message with its arguments as they are written in a shell."""
    return _SPELLINGS.sub(r"\1", message) if BEGIN in message else message


def as_keywords(message: str) -> str:
    """Return the message with its arguments as they are written in Python."""
    if BEGIN not in message:
        return message
    return _SPELLINGS.sub(r"\2", message.replace(f"{END} {BEGIN}", f"{END}, {BEGIN}"))


def _with_value(option: str, value: object) -> str:
    parts = value if isinstance(value, tuple) else (value,)
    text = ",".join(f"{part:g}" if isinstance(part, float) else str(part) for part in parts)
    word = shlex.quote(text)
    return f"{option}={word}" if text.startswith("-") else f"{option} {word}"


def _python(value: object) -> str:
    if isinstance(value, tuple | list):
        inner = ", ".join(map(_python, value))
        return f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
    return f"{value:g}" if isinstance(value, float) else repr(value)
