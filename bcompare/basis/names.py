"""Short names of classifiers, for people; machine formats have the full ones.

Programs name a classifier by its class and all options, which can take hundreds of characters.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache

from bcompare.basis.messages import printable

# Options are cut if one of the names that have them is longer, or begins with a package.
LONGEST = 40

_PACKAGE = re.compile(r"(?<![^\s(\[\"'=,])(?:_?[a-z][a-z_]\w*\.)+(?=[A-Z])")
_OPTIONS = re.compile(r"[(\[{]|\s(?=--?[A-Za-z]|\S*[=:])")  # where they begin
_WORD = re.compile(r"-\S+ [^-\s]\S*|\S+: \S+|\S+")
_PUNCTUATION = str.maketrans("()[]{},;", " " * 8, "\"'")


def short_names(names: tuple[str, ...]) -> dict[str, str]:
    """Return the short form of each name that has one; all forms are distinct.

    A class loses its package. Options stay where they tell classifiers of the same class apart; all
    names lose the others, or none does.
    """
    words = {name: _words(name) for name in names}
    if not any(len(parts) > 1 and _is_cut(name) for name, parts in words.items()):
        words = {name: [_PACKAGE.sub("", name)] for name in names}
    of_class: dict[str, list[set[str]]] = {}
    for head, *options in words.values():
        of_class.setdefault(head, []).append(set(options))
    common = {head: set.intersection(*options) for head, options in of_class.items()}
    result = {name: name for name in names}
    for name, (head, *options) in words.items():
        if common[head] or _PACKAGE.search(name):
            telling = [word for word in options if word not in common[head]]
            result[name] = " ".join([head, *telling])
    while (count := Counter(result.values())).total() > len(count):
        result = {name: name if count[short] > 1 else short for name, short in result.items()}
    return {name: short for name, short in result.items() if name != short}


def _words(name: str) -> list[str]:
    """Return the class in a name, without its package, and the options."""
    plain = _PACKAGE.sub("", name)
    if (options := _OPTIONS.search(plain, 1)) is None:
        return [plain]
    head = len(_words_in(plain[: options.start()])) or 1
    words = _words_in(plain) or [plain]
    return [" ".join(words[:head]), *words[head:]]


def _is_cut(name: str) -> bool:
    """Return whether the options of a name are cut, and so those of all names."""
    return len(name) > LONGEST or _PACKAGE.search(name) is not None


def _words_in(text: str) -> list[str]:
    return _WORD.findall(text.translate(_PUNCTUATION))


@cache
def shown_by(names: tuple[str, ...]) -> Callable[[str], str]:
    """Return a function that makes text printable, with short forms in place of these names."""
    short = short_names(names)
    if not short:
        return printable
    longest_first = sorted(short, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, longest_first)))
    return lambda text: printable(pattern.sub(lambda match: short[match[0]], text))
