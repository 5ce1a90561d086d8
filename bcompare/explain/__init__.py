"""What the words in tables, notes and options mean: short topics, one Markdown file each.

Add a topic by writing its file: its name is the topic's, its first line the title. In `columns` and
`notes` every section is a topic, too, under each of the names in its heading, between semicolons; a
note's name is its code.
"""

from difflib import get_close_matches
from importlib.resources import files

from bcompare.errors import InputError

SECTIONED = ("columns", "notes")
ORDER = ("which-test", "rope", "probabilities", "undecided", "withheld", "hierarchical", "next")


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
    wanted = name.strip().strip("[]").casefold().removesuffix(".md")
    wanted = wanted.replace("_", "-").replace(" ", "-")
    known = {topic: topic for topic in topics()}
    if wanted in known:
        return _text(wanted)
    parts = {
        heading.casefold().replace(" ", "-"): text
        for topic in SECTIONED
        for heading, text in sections(topic).items()
    }
    if wanted in parts:
        return parts[wanted]
    near = get_close_matches(wanted, [*known, *parts], n=3, cutoff=0.5)
    advice = f"did you mean {' or '.join(near)}?" if near else "`bcompare explain` lists them"
    raise InputError(f"there is no topic {name!r}: {advice}")


def _text(topic: str) -> str:
    return files(__name__).joinpath(f"{topic}.md").read_text("utf-8")
