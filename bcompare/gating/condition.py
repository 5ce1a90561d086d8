"""Conditions on the three probabilities, such as ``p_worse > 0.2 and not p_better > 0.5``.

The syntax is Python's: comparisons of sums of probabilities and numbers, joined by ``and``, ``or``
and ``not``. Python parses them, and only nodes on the list below are computed, here; nothing is
ever evaluated as Python.
"""

import ast
import operator
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.rope import RegionProbabilities

NAMES = {"p_worse": "left", "p_equivalent": "rope", "p_better": "right"}
"""The baseline is left and the candidate right, so a worse candidate is a better left."""

COMPARE: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Lt: operator.lt, ast.LtE: operator.le,
}  # fmt: skip
ADD: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub,
}  # fmt: skip
JOIN: dict[type[ast.boolop], Callable[[list[bool]], bool]] = {ast.And: all, ast.Or: any}

LONGEST = 1000  # the most characters of a condition

Probabilities = RegionProbabilities[float]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition as text, and as a function of the probabilities."""

    text: str
    holds: Callable[[Probabilities], bool]

    @classmethod
    def parse(cls, text: str) -> "Condition":
        """Parse a condition.

        Raises
        ------
        InputError : it is none; the message points at the place.
        """
        if len(text) > LONGEST:
            raise InputError(
                f"{arg('fail_if')}: a condition of {len(text):,} characters; "
                f"{LONGEST:,} is the most"
            )
        text = text.strip()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # on syntax that may change
                tree = ast.parse(text, mode="eval").body
        except SyntaxError as error:
            at = error.offset - 1 if error.offset else len(text.encode())
            raise _wrong(text, at, "this is no condition") from None
        except (RecursionError, MemoryError, ValueError):
            raise _wrong(text, 0, "this is no condition") from None
        condition = cls(text, _truth(text, tree))
        if not any(isinstance(node, ast.Name) for node in ast.walk(tree)):
            raise InputError(f"{arg('fail_if', text)} names no probability: use {_names()}")
        return condition


def _truth(text: str, node: ast.expr) -> Callable[[Probabilities], bool]:
    """Compile a boolean expression: comparisons, possibly joined."""
    match node:
        case ast.BoolOp(op, values):
            join, parts = JOIN[type(op)], [_truth(text, value) for value in values]
            return lambda p: join([part(p) for part in parts])
        case ast.UnaryOp(ast.Not(), operand):
            inner = _truth(text, operand)
            return lambda p: not inner(p)
        case ast.Compare(left, [sign], [right]) if type(sign) in COMPARE:
            compare, low, high = COMPARE[type(sign)], _value(text, left), _value(text, right)
            return lambda p: compare(low(p), high(p))
    raise _wrong(text, node.col_offset, "one comparison by > >= < or <= is expected")


def _value(text: str, node: ast.expr) -> Callable[[Probabilities], float]:
    """Compile a numeric expression: probabilities, numbers and sums."""
    match node:
        case ast.BinOp(left, op, right) if type(op) in ADD:
            add, one, other = ADD[type(op)], _value(text, left), _value(text, right)
            return lambda p: add(one(p), other(p))
        case ast.Name(name) if name in NAMES:
            return lambda p: float(getattr(p, NAMES[name]))
        case ast.Constant(int() | float() as number) if not isinstance(number, bool):
            if number > 1:
                what = f"{number:g} is above 1, and probabilities are not"
                raise _wrong(text, node.col_offset, what)
            return lambda _: float(number)
    raise _wrong(text, node.col_offset, f"a number or one of {_names()} is expected")


def _names() -> str:
    return ", ".join(NAMES)


def _wrong(text: str, at: int, what: str) -> InputError:
    """Return an error at a position, which Python's parser counts in bytes."""
    rest = text.encode()[at:].decode(errors="replace")
    where = f"before {rest!r}" if rest.strip() else "at its end"
    return InputError(f"{arg('fail_if', text)}: {where}: {what}; an example is 'p_worse > 0.2'")
