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
        "table = ((a > 1, f'{a} is large'), (b < 0, 'b is negative'))",
        "for wrong, text in [(a is None, 'no a'), (not b, f'no b, but {a}')]: ...",
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
        "edges = ((a > 1, b), (b > 1, a))",
        "words = 'in all' if count > 1 else ''",
    ],
)
def test_plain_code_is_left_alone(code: str) -> None:
    assert places(code) == 0
