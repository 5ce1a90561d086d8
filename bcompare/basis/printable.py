"""Makes any name safe to print: replaces control characters and terminal commands.

Characters that turn the direction of writing are replaced too: they would change how a line reads.
"""

_TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CONTROL = dict.fromkeys((*range(32), *range(127, 160), *_TURNS), "�")
# JSON escapes what it must; these it may leave bare, and a terminal obeys them.
_BARE = {code: f"\\u{code:04x}" for code in (*range(127, 160), *_TURNS)}


def printable(text: str) -> str:
    """Return the text with control characters, line breaks among them, made visible."""
    return text.translate(_CONTROL)


def printable_json(text: str) -> str:
    """Return a JSON text of the same value, with what a terminal would obey escaped."""
    return text.translate(_BARE)
