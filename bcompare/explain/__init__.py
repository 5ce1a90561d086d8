"""Explanations of the words in tables, notes and options: short topics, one Markdown file each.

To add a topic, write its file: the file name is the topic's, the first line its title. Every
section is a topic, too, under each of the names in its heading, which are separated by semicolons
and end at a dash. The names of notes are their codes. The first paragraph of a test's section is
shown below its tables.
"""

import re
from functools import cache
from importlib.resources import files

from bcompare.basis.messages import InputError, nearest
from bcompare.methods import METHODS, load_method

ORDER = ("tests", "rope", "probabilities", "undecided", "paper")
LINK = re.compile(r"\[([^\]]+)\]\([\w-]+\.md(?:#[\w-]+)?\)")
# Characters by which texts are taken for longer, since a word alone does not make a topic.
ROUGHLY = 500
# The most sections that are listed below their topic.
MOST_NAMED = 12


@cache
def topics() -> dict[str, str]:
    """Return the title of every topic by its name, in reading order."""
    texts = {}
    for entry in files(__name__).iterdir():
        if entry.name.endswith(".md"):
            title = entry.read_text("utf-8").splitlines()[0]
            texts[entry.name.removesuffix(".md")] = title.lstrip("# ")
    names = [name for name in ORDER if name in texts] + sorted(texts.keys() - set(ORDER))
    return {name: texts[name] for name in names}


@cache
def sections(topic: str) -> dict[str, str]:
    """Return the sections of a topic as Markdown, by each of the names in their headings."""
    texts: dict[str, str] = {}
    for part in _text(topic).split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        text = f"# {heading.replace('; ', ', ')}\n\n{body.strip()}\n"
        texts |= dict.fromkeys(heading.partition(" – ")[0].split("; "), text)
    return texts


def explained(name: str) -> str:
    """Return the explanation of a topic, a column or a note's code, as Markdown.

    For another word, return the text that is most about it, by its share of the words.

    Raises
    ------
    InputError : no text speaks of it; with the nearest names.
    """
    requested = _key(name.strip().strip("[]").removesuffix(".md"))
    names_of = {_key(key): topic for topic, title in topics().items() for key in (title, topic)}
    if requested in names_of:
        return _introduction(names_of[requested])
    parts = {_key(key): text for topic in topics() for key, text in sections(topic).items()}
    if (numbered := re.sub(r"\d+", "k", requested)) in parts:  # as in "p(in top 2)"
        requested = numbered
    if requested in parts:
        return parts[requested]
    if requested in METHODS:
        return f"# {requested}\n\n{METHODS[requested].summary}\n\n{load_method(requested).about}\n"
    texts = [*map(_introduction, topics()), *parts.values()]
    shares = [_key(text).count(requested) / (ROUGHLY + len(text)) for text in texts]
    if requested and max(shares):
        best = texts[shares.index(max(shares))]
        return f"There is no topic {name!r}; this text speaks of it most.\n\n{best}"
    near = nearest(requested, sorted(names_of | parts), most=3)
    advice = f"did you mean {' or '.join(near)}?" if near else "`bcompare explain` lists them"
    raise InputError(f"there is no topic {name!r}: {advice}")


def _introduction(topic: str) -> str:
    """Return the text of a topic before its sections, and how to see these."""
    text, *others = _text(topic).split("\n## ")
    if not others:
        return text
    names = [part.partition("\n")[0].partition(" – ")[0].split("; ")[0] for part in others]
    more = ", ".join(f"`{name}`" for name in names[:MOST_NAMED])
    of_all = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{text.rstrip()}\n\nMore: `bcompare explain` {more}{of_all}.\n"


def picture_names() -> list[str]:
    """Return the names of the pictures from the topic; the registry itself would load NumPy."""
    _, *names = re.findall(r"^\| ([a-z][a-z-]*) \|", _text("pictures"), re.MULTILINE)
    return names


def _key(name: str) -> str:
    return re.sub(r"[\s_–−?:-]+", "-", name.casefold()).strip("-")


def reading(test: str) -> str:
    """Return how to read the answers of a test, in a sentence or two.

    A test without a topic explains itself.
    """
    section = sections("tests").get(test)
    return " ".join(section.split("\n\n")[1].split()) if section else load_method(test).about


def _text(topic: str) -> str:
    """Return the text of a file, with links among the files replaced by names."""
    text = files(__name__).joinpath(f"{topic}.md").read_text("utf-8")
    return LINK.sub(r"`\1`", text)
