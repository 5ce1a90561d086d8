"""Make names safe to print: replace control characters and terminal commands.

Characters that change the direction of text are replaced, too.
"""

_TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CONTROL = dict.fromkeys((*range(32), *range(127, 160), *_TURNS), "�")
# Characters that JSON need not escape, and that a terminal obeys.
_BARE = {code: f"\\u{code:04x}" for code in (*range(127, 160), *_TURNS)}


def printable(text: str) -> str:
    """Return the text with control characters, line breaks among them, made visible."""
    return text.translate(_CONTROL)


def printable_json(text: str) -> str:
    """Return equivalent JSON text without characters that a terminal obeys."""
    return text.translate(_BARE)
