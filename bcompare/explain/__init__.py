"""What the words in tables, notes and options mean: short topics, one Markdown file each.

Add a topic by writing its file: its name is the topic's, its first line the title. In `columns`,
`details`, `notes` and `tests` every section is a topic, too, under each of the names in its
heading, between semicolons; a note's name is its code. Of a test's section the first paragraph
stands under its tables.
"""

import re
from functools import cache
from importlib.resources import files

from bcompare.basis.errors import InputError
from bcompare.basis.nearest import nearest
from bcompare.methods import METHODS, load_method

SECTIONED = ("columns", "details", "notes", "tests")
ORDER = ("which-test", "rope", "probabilities", "undecided", "withheld", "paper")
LINK = re.compile(r"\[([^\]]+)\]\([\w-]+\.md(?:#[\w-]+)?\)")


def topics() -> dict[str, str]:
    """Return the title of every topic by its name, those to begin with first."""
    found = {
        entry.name.removesuffix(".md"): entry.read_text("utf-8").splitlines()[0].lstrip("# ")
        for entry in files(__name__).iterdir()
        if entry.name.endswith(".md")
    }
    names = [name for name in ORDER if name in found] + sorted(found.keys() - set(ORDER))
    return {name: found[name] for name in names}


def sections(topic: str) -> dict[str, str]:
    """Return the sections of a topic, as Markdown, by each of the names in their headings."""
    found: dict[str, str] = {}
    for part in _text(topic).split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        text = f"# {heading.replace('; ', ', ')}\n\n{body.strip()}\n"
        found |= dict.fromkeys(heading.split("; "), text)
    return found


def explained(name: str) -> str:
    """Return a topic, a column or a note's code in words, as Markdown.

    Raises
    ------
    InputError : there is no such topic; with the nearest ones.
    """
    wanted = _key(name.strip().strip("[]").removesuffix(".md"))
    known = {topic: topic for topic in topics()}
    if wanted in known:
        return _text(wanted)
    parts = {
        _key(heading): text for topic in SECTIONED for heading, text in sections(topic).items()
    }
    if wanted in parts:
        return parts[wanted]
    if wanted in METHODS:
        return f"# {wanted}\n\n{METHODS[wanted].summary}\n\n{load_method(wanted).about}\n"
    near = nearest(wanted, sorted(known | parts), most=3)
    advice = f"did you mean {' or '.join(near)}?" if near else "`bcompare explain` lists them"
    raise InputError(f"there is no topic {name!r}: {advice}")


def picture_names() -> list[str]:
    """The pictures that the topic of pictures lists; the registry itself would load NumPy."""
    _, *names = re.findall(r"^\| ([a-z][a-z-]*) \|", _text("pictures"), re.MULTILINE)
    return names


def _key(name: str) -> str:
    return re.sub(r"[\s_–-]+", "-", name.casefold()).strip("-")


def reading(test: str) -> str:
    """Return how the answers of a test are to be read, in a sentence or two.

    A test that the topics do not know explains itself.
    """
    return _readings().get(test) or load_method(test).about


@cache
def _readings() -> dict[str, str]:
    return {
        test: " ".join(text.split("\n\n")[1].split()) for test, text in sections("tests").items()
    }


def _text(topic: str) -> str:
    """The text of a file; links among the files, which lead nowhere outside, become names."""
    text = files(__name__).joinpath(f"{topic}.md").read_text("utf-8")
    return LINK.sub(r"`\1`", text)
