"""What is asked about a file: what its columns hold, and the words that only the user can fill in.

The shell, Python and JSON get renderings of one `Question`.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bcompare.basis.messages import (
    InputError,
    Record,
    arg,
    as_keywords,
    as_options,
    printable,
    spelled,
)
from bcompare.basis.words import WORDS
from bcompare.files.problems import clipped, named

# The first number in a name, behind a letter or a mark.
_NUMBER = re.compile(r"([-_ .a-zA-Z])\d+")
MOST_LINES = 16
MOST_CHOICES = 8
WIDEST = 36
THROUGH = "iteration: folds numbered on through several runs of cross-validation, HOW_MANY in a run"
# What the options of a choice mean, by their names.
MEANINGS = (
    ({"iteration_col"}, THROUGH),
    ({"fold_col", "rho"}, "fold, with --rho: splits drawn anew each time"),
    ({"fold_col"}, "fold: folds of one cross-validation"),
    ({"seed_col"}, "seed: independent runs on one split"),
    ({"item_col"}, "item: test cases"),
    ({"unpaired"}, "unpaired: nothing is shared, each side is a sample of its own"),
)


@dataclass(frozen=True)
class Choice:
    """Options that answer a word. needs : further words that they leave open."""

    changes: Record
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ask:
    """A word of the command, with its choices."""

    word: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Entry:
    """A line of the table of columns.

    columns : their names.
    pattern : the names as one text.
    holds : such as "3 names: a, b, …".
    roles : that they have, or could have.
    is_sure : whether they have them.
    """

    columns: tuple[str, ...]
    pattern: str
    holds: str
    roles: tuple[str, ...]
    is_sure: bool

    @property
    def could_be(self) -> str:
        """The roles in words."""
        text = ", ".join(self.roles)
        return text if self.is_sure else f"{text}?"


@dataclass(frozen=True)
class Call:
    """How the user asked for the results.

    shell : the command with its words.
    python : a call, with further arguments.
    takes_rope : whether a rope can be said.
    """

    shell: str
    python: Callable[[Sequence[str]], str]
    takes_rope: bool = False


@dataclass(frozen=True)
class Question:
    """What a file leaves open.

    entries : lines of the table of columns.
    rest : the columns that can be nothing.
    changes : the options that are sure.
    needs : words that the sure options leave open.
    asks : words with their choices.
    reasons : why nothing can be compared.
    reads : what the options read, where no word is left.
    sure : role → columns.
    remarks : sentences before the command.
    """

    entries: tuple[Entry, ...] = ()
    rest: tuple[str, ...] = ()
    changes: Record = field(default_factory=dict)
    asks: tuple[Ask, ...] = ()
    reasons: tuple[str, ...] = ()
    sure: Mapping[str, str] = field(default_factory=dict)
    reads: str = ""
    remarks: tuple[str, ...] = ()

    def asked(self, call: Call) -> list[Ask]:
        """Return the words that this call leaves open."""
        return [ask for ask in self.asks if ask.word != "WHICH_ROPE" or call.takes_rope]

    def lines(self, call: Call) -> Iterator[str]:
        """Yield the lines that follow the error, in both spellings."""
        yield from self._table()
        yield from self.reasons
        if self.reasons:
            return
        yield from self.remarks
        asks = self.asked(call)
        if asks:
            yield "Say what only you know, in place of each word in capitals:"
        else:
            yield "It can be read by:"
        yield "  " + self.command(call)
        for ask in asks:
            yield f"    {ask.word}: {WORDS[ask.word]}: {_choices(ask, call)}"
            meanings = _meanings(ask)
            if meanings:
                yield f"      {'; '.join(meanings)}"
        inner = {word for ask in asks for choice in ask.choices for word in _words_in(choice)}
        for word in ("HOW_MANY", "SHARE_OF_TEST"):
            if word in inner and not (word == "HOW_MANY" and _explains_folds(asks)):
                yield f"    {word}: {WORDS[word]}"
        if not asks and self.reads:
            yield f"    {self.reads}"

    def command(self, call: Call) -> str:
        """Return the command, or call, with words for what is open, in both spellings."""
        words = [said(name, value) for name, value in self.changes.items()]
        shell = [call.shell, *map(as_options, words)]
        python = [*map(as_keywords, words)]
        within = {word for ask in self.asks for choice in ask.choices for word in choice.needs}
        for ask in self.asked(call):
            if ask.word not in within:
                shell.append(f"--col {ask.word}" if _are_columns(ask) else ask.word)
                python.append(ask.word)
        return spelled(" ".join(shell), call.python(python))

    def record(self, call: Call) -> Record:
        """Return the question for JSON."""
        singles = [entry for entry in self.entries if len(entry.columns) == 1]
        groups = [entry for entry in self.entries if len(entry.columns) > 1]
        asks = [] if self.reasons else self.asked(call)
        columns = [{"name": entry.columns[0], **_entry_record(entry)} for entry in singles]
        unknown: Record = {"holds": "", "could_be": [], "is_sure": False}
        columns += [{"name": name, **unknown} for name in self.rest]
        of_groups = []
        for entry in groups:
            beginning: Record = {"columns": [*entry.columns], "pattern": entry.pattern}
            of_groups.append(beginning | _entry_record(entry))
        return {
            "sure": dict(self.sure),
            "changes": dict(self.changes),
            "asks": [_ask_record(ask, call) for ask in asks],
            "columns": columns,
            "groups": of_groups,
            "reasons": [*map(as_options, self.reasons)],
            "command": None if self.reasons else as_options(self.command(call)),
        }

    def _table(self) -> Iterator[str]:
        """Yield a line for each column that could be something, and one for all others."""
        shown = self.entries[: MOST_LINES - 1]
        names = [_short(clipped(entry.pattern)) for entry in shown]
        width = max(map(len, names), default=0)
        holds = max((len(entry.holds) for entry in shown), default=0)
        for name, entry in zip(names, shown, strict=True):
            yield f"  {name:{width}}  {entry.holds:{holds}}  {entry.could_be}".rstrip()
        further = [name for entry in self.entries[len(shown) :] for name in entry.columns]
        without = _alike([name or repr("") for name in (*self.rest, *further)])
        if without:
            yield f"  no role: {named(without, 8)}"


def _alike(names: Sequence[str]) -> list[str]:
    """Return names, those that differ in their last number only as one."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_NUMBER.sub(lambda match: match[1] + "…", name, count=1), []).append(name)
    return [text if len(same) > 1 else same[0] for text, same in groups.items()]


def _short(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def said(name: str, value: object) -> str:
    """Return an option with its value, which may be a word."""
    if isinstance(value, str) and value in WORDS:
        option = as_options(arg(name, value))
        return spelled(option, f"{name}={value}")
    return arg(name, [*value] if isinstance(value, tuple) else value)


def _words_in(choice: Choice) -> list[str]:
    return [value for value in choice.changes.values() if isinstance(value, str) and value in WORDS]


def _explains_folds(asks: Sequence[Ask]) -> bool:
    return any("iteration_col" in c.changes for ask in asks for c in ask.choices)


def _are_columns(ask: Ask) -> bool:
    """Return whether every choice begins with a column."""
    return all(next(iter(choice.changes), "").endswith("_col") for choice in ask.choices)


def _choice(choice: Choice, call: Call, *, column: bool) -> str:
    """Return the options of a choice; column : without the first option's name."""
    words = [said(name, value) for name, value in choice.changes.items()]
    needs = [word for word in choice.needs if word != "WHICH_ROPE" or call.takes_rope]
    shell = " ".join([*map(as_options, words), *needs])
    if column:
        shell = shell.removeprefix("--col ")
    python = ", ".join([*map(as_keywords, words), *needs])
    return spelled(shell, python)


def _choices(ask: Ask, call: Call) -> str:
    """Return the choices of a word."""
    column = _are_columns(ask)
    words = [_choice(choice, call, column=column) for choice in ask.choices[:MOST_CHOICES]]
    more = len(ask.choices) - MOST_CHOICES
    if more > 0:
        words.append(f"{more} more")
    return " | ".join(words)


def _meanings(ask: Ask) -> list[str]:
    """Return what the choices of a word mean, where their names do not say."""
    meanings = []
    for names, meaning in MEANINGS:
        fits = (names <= choice.changes.keys() for choice in ask.choices)
        plain = names != {"fold_col"} or any(
            "fold_col" in c.changes and "rho" not in c.changes for c in ask.choices
        )
        if any(fits) and plain:
            meanings.append(meaning)
    return meanings


def _ask_record(ask: Ask, call: Call) -> Record:
    choices = [_choice_record(choice, call) for choice in ask.choices]
    return {"word": ask.word, "about": WORDS[ask.word], "choices": choices}


def _choice_record(choice: Choice, call: Call) -> Record:
    return {
        "options": as_options(_choice(choice, call, column=False)),
        "changes": dict(choice.changes),
        "needs": [word for word in choice.needs if word != "WHICH_ROPE" or call.takes_rope],
    }


def _entry_record(entry: Entry) -> Record:
    return {"holds": entry.holds, "could_be": [*entry.roles], "is_sure": entry.is_sure}


class AskedError(InputError):
    """Results whose columns leave something open; `question` says what."""

    def __init__(self, messages: Sequence[str], question: Question, call: Call) -> None:
        super().__init__(messages, [*question.lines(call)])
        self.question, self.call = question, call


def shell_of(arguments: Sequence[str]) -> str:
    """Return a command line as text."""
    return " ".join(["bcompare", *map(shlex.quote, map(printable, arguments))])
