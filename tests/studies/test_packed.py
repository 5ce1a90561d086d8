"""The check of packed code finds both forms, and nothing else."""

import ast

import pytest
from lint.packed import declared, packed

CLASS = "class A:\n    advisory: bool\n    share: float\n    def is_odd(self) -> bool: ...\n"


def places(code: str) -> int:
    """Return the number of packed forms in a module, whose class is known to all."""
    return len([*packed(ast.parse(code), declared(ast.parse(CLASS)))])


@pytest.mark.parametrize(
    "code",
    [
        "words = 'in all' * (count > 1)",
        "words = f'of {x}' * (not few)",
        "words = ', advised' * row.advisory",
        "words = 's' * row.is_odd()",
        "rows = [note] * isinstance(note, str)",
        "size = 0.1 * (1 < count)",
        "mass = weights * (z >= 0)",
        "several = a > 1\nwords = 'in all' * several",
        "def f(several: bool): return 'in all' * several",
        "first = next(text for holds, text in ((a, f'{a} is large'), (b, 'no')) if holds)",
        "def f(a, b):\n  t = (a, f'{a}'), (b, 'b')\n  return [text for holds, text in t if holds]",
        "for fits, text in [(a, 'no a'), (not b, f'no b, but {a}')]:\n    if not fits: fail(text)",
    ],
)
def test_packed_forms_are_found(code: str) -> None:
    assert places(code) == 1


@pytest.mark.parametrize(
    "code",
    [
        "line = '-' * width",
        "rows = [None] * len(names)",
        "size = 0.1 * row.share",
        "several = a > 1\nseveral = a\nwords = 'x' * several",
        "mass = weights * z",
        "colours = ((0.5, f'grey {a}'), (1.0, 'black'))",
        "both = [text for holds, text in ((a, 'a is large'), (b, 'no')) if holds]",
        "for name, text in ((a, f'{a} is large'), (b, 'no')): print(name, text)",
        "words = 'in all' if count > 1 else ''",
    ],
)
def test_plain_code_is_left_alone(code: str) -> None:
    assert places(code) == 0
