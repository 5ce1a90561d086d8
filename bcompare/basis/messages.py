"""Messages to users: the arguments that they name, errors, notes, and text that is safe to print.

A message that names an argument contains both of its spellings, as an option in a shell and as a
keyword in Python, between Unicode noncharacters, which never occur in input. So a message is an
ordinary string that can be joined, compared and pickled; the code that shows it chooses the
spelling and changes nothing else.

Exit codes of errors: 0 success; 2 usage or input; 3 the computation failed. A gate has two more,
which are not errors: 4 failed, 5 undecided under the policy "fail". Python itself uses 1 for
unexpected exceptions.

Warnings are data: a note travels inside the result that it qualifies.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

# Values by name, of any kind: JSON objects, rows of files, keyword arguments.
Record = dict[str, Any]


def with_texts(value: object, convert: Callable[[str], str]) -> Any:
    """Return a record with all its texts converted, but for the keys."""
    match value:
        case str():
            return convert(value)
        case dict():
            return {key: with_texts(inner, convert) for key, inner in value.items()}
        case list() | tuple():
            return [with_texts(inner, convert) for inner in value]
        case _:
            return value


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


class BcompareError(Exception):
    """Base class of the errors that bcompare raises on purpose.

    The message says what is wrong, where, and what to do about it. `str()` gives it with arguments
    as they are written in Python, `messages` with both of their spellings.

    advice : lines that follow the messages, such as commands, to be copied.
    """

    exit_code = 3

    def __init__(self, message: str | Sequence[str], advice: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.messages: tuple[str, ...] = (message,) if isinstance(message, str) else tuple(message)
        self.advice = tuple(advice)

    @property
    def text(self) -> str:
        """The message with both spellings, to be part of another one."""
        return "\n".join(self.messages)

    def __str__(self) -> str:
        return as_keywords("\n".join([*self.messages, *self.advice]))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class InputError(BcompareError, ValueError):
    """The results or an argument cannot be used as they are (exit code 2).

    `problems` holds one message per problem; `str()` joins them, a line each.
    """

    exit_code = 2

    @property
    def problems(self) -> tuple[str, ...]:
        """One message per problem."""
        return tuple(map(as_keywords, self.messages))


class ComputationError(BcompareError, RuntimeError):
    """The input is fine, but no trustworthy number could be computed from it (exit code 3)."""


class PairError(ComputationError):
    """One pair of classifiers could not be computed; the others are not affected."""


# The least similarity of two names, from 0 to 1: one letter of three may be wrong. The least length
# of a name that another one begins or ends with.
ALIKE, ALIKE_IF_SHORT, SHORT = 0.7, 0.6, 3


def nearest(name: str, names: Iterable[str], most: int = 1) -> list[str]:
    """Return the names most similar to an unknown one, the most similar first.

    Names that differ only in case come first, then similar ones, then those of which one begins or
    ends with the other.

    most : how many names.
    """
    folded_name = name.casefold()
    folded_of = {other: other.casefold() for other in names}
    same = [other for other, folded in folded_of.items() if folded == folded_name]
    folded_names = {folded: other for other, folded in reversed(folded_of.items())}
    alike = ALIKE_IF_SHORT if len(folded_name) <= SHORT else ALIKE
    close = [folded_names[f] for f in get_close_matches(folded_name, folded_names, most, alike)]
    within = [
        other
        for other, folded in folded_of.items()
        if _within(*sorted((folded, folded_name), key=len))
    ]
    return list(dict.fromkeys([*same, *close, *within]))[:most]


def _within(short: str, long: str) -> bool:
    return len(short) >= SHORT and (long.startswith(short) or long.endswith(short))


Severity = Literal["info", "warning"]

# Codes of notes on a gate's rule, which every output has.
ON_THE_RULE = ("configured", "metrics")


@dataclass(frozen=True, slots=True, repr=False)
class Note:
    """A warning or a remark on a result.

    Attributes
    ----------
    code : short stable name for scripts, such as ``zero-variance``.
    severity : ``warning`` if the result should be doubted or the input looked at, else ``info``.
    text : one or two sentences: what was seen, and what to do; arguments in both spellings.
    """

    code: str
    severity: Severity
    text: str

    @property
    def message(self) -> str:
        """The text, with arguments as they are written in Python."""
        return as_keywords(self.text)

    def __repr__(self) -> str:
        return f"<{self.word} {self.code}: {self.message}>"

    @property
    def word(self) -> str:
        """The severity as it is printed."""
        return "warning" if self.severity == "warning" else "note"

    @property
    def line(self) -> str:
        """The note as a line of text; its code leads to its explanation."""
        return f"{self.word}: {self.text} [{self.code}]"

    def record(self) -> dict[str, str]:
        """Return the note for the JSON document."""
        return {"code": self.code, "severity": self.severity, "message": self.text}


def lacking(absent: Mapping[str, Sequence[str]], shown: int = 10) -> str:
    """Return who lacks which data sets: "tree, svm on 2 data sets (a, b); knn on data set c"."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, datasets in absent.items():
        groups.setdefault(tuple(datasets), []).append(name)
    few = shown if len(groups) == 1 else 3
    parts = [
        f"{listed(names, shown)} on {counted(datasets, 'data set', few)}"
        for datasets, names in groups.items()
    ]
    more = f"; and {len(parts) - shown:,} more like these" if len(parts) > shown else ""
    return "; ".join(parts[:shown]) + more


def likewise(text: str, pairs: Sequence[str], count: int) -> str:
    """Return a message on some pairs, of which the first are named."""
    shown = [*pairs]
    if count > len(pairs):
        shown.append("…")
    names = _joined(shown)
    return f"{names}: {text}" if count == 1 else f"{number_of(count, 'pair')} ({names}): {text}"


def number_of(count: int, noun: str) -> str:
    """Return a number of things as text, such as "1 row" or "12,500 rows"."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def counted(names: Sequence[str], noun: str, shown: int = 10) -> str:
    """Return names with their number: "data set iris", "3 data sets (a, b, c)"."""
    if len(names) == 1:
        return f"{noun} {names[0]}"
    return f"{number_of(len(names), noun)} ({listed(names, shown)})"


def listed(names: Sequence[str], shown: int = 10) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - shown:,} more" if len(names) > shown else ""
    return _joined(names[:shown]) + more


def _joined(names: Sequence[str]) -> str:
    """Join names, by semicolons where they have commas, as those of a grid search."""
    return ("; " if any(", " in name for name in names) else ", ").join(names)


# Characters that change the direction of text.
_TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_NONCHARACTERS = (0xFFFE, 0xFFFF)
_CONTROL = dict.fromkeys((*range(32), *range(127, 160), *_TURNS, *_NONCHARACTERS), "�")
# Commands of a workflow's runner, and a character without width.
_RUNNER = re.compile(r"^\s*::|##\[")
_JOINER = "\N{WORD JOINER}"
# Characters that JSON need not escape, and that a terminal obeys.
_BARE = {code: f"\\u{code:04x}" for code in (*range(127, 160), *_TURNS)}


def printable(text: str) -> str:
    """Return the text with control characters, line breaks among them, made visible.

    What the runner of a workflow takes for its commands in a log, ``::`` at the beginning of a line
    and ``##[`` anywhere, is broken by a character without width.
    """
    shown = text.translate(_CONTROL)
    return _RUNNER.sub(lambda match: f"{match[0][:-1]}{_JOINER}{match[0][-1]}", shown)


def printable_json(text: str) -> str:
    """Return equivalent JSON text without characters that a terminal or a runner obeys."""
    return text.translate(_BARE).replace("##[", "#\\u0023[")
