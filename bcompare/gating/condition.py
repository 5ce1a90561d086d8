"""Conditions on the three probabilities, such as ``p_worse > 0.2 and not p_better > 0.5``.

    condition   =  all { "or" all }
    all         =  one { "and" one }
    one         =  "not" one  |  "(" condition ")"  |  sum compare sum
    compare     =  ">"  |  ">="  |  "<"  |  "<="
    sum         =  term { ( "+" | "-" ) term }
    term        =  number  |  "p_worse"  |  "p_equivalent"  |  "p_better"

Parsed here, and never evaluated as Python.
"""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.rope import RegionProbabilities

NAMES = {"p_worse": "left", "p_equivalent": "rope", "p_better": "right"}
"""The baseline is left and the candidate right, so a worse candidate is a better left."""

COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le,
}  # fmt: skip
# Characters, and brackets or negations within each other: more is no condition that people write.
LONGEST, DEEPEST = 1000, 50

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(?![\w.]))|(?P<word>[^\W\d]\w*)"
    r"|(?P<sign>>=|<=|[<>()+-]))",
    re.ASCII | re.IGNORECASE,
)

Holds = Callable[[RegionProbabilities[float]], bool]
_Value = Callable[[RegionProbabilities[float]], float]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition as it was written, and as a function of the probabilities."""

    text: str
    holds: Holds

    @classmethod
    def parse(cls, text: str) -> "Condition":
        """Read a condition.

        Raises
        ------
        InputError : it is none; the message points at the place.
        """
        return cls(text, _Parser(text).parsed())


@dataclass(frozen=True, slots=True)
class _Token:
    """kind : number, word, sign, or end. at : its place in the text."""

    kind: str
    text: str
    at: int


class _Parser:
    """Recursive descent, one method a line of the grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > LONGEST:
            raise InputError(
                f"{arg('fail_if')}: a condition of {len(text):,} characters; "
                f"{LONGEST:,} is the most"
            )
        self.tokens = self._tokens()
        self.next = self.depth = 0
        self.named = False

    def parsed(self) -> Holds:
        holds = self._condition()
        if self._token.kind != "end":
            raise self._error("a comparison ends here; join it to more by and, or")
        if not self.named:
            raise InputError(
                f"{arg('fail_if', self.text)} names no probability: use {', '.join(NAMES)}"
            )
        return holds

    def _tokens(self) -> list[_Token]:
        found: list[_Token] = []
        at, end = 0, len(self.text.rstrip())
        while at < end:
            match = _TOKEN.match(self.text, at)
            if match is None:
                at += len(self.text[at:]) - len(self.text[at:].lstrip())
                raise _wrong(self.text, at, "this is neither a number nor a name nor a sign")
            kind = str(match.lastgroup)
            found.append(_Token(kind, match[kind], match.start(kind)))
            at = match.end()
        return [*found, _Token("end", "", end)]

    @property
    def _token(self) -> _Token:
        return self.tokens[self.next]

    def _take(self, *texts: str) -> str | None:
        """The next token if it is one of these words or signs."""
        if self._token.kind in ("word", "sign") and self._token.text in texts:
            self.next += 1
            return self.tokens[self.next - 1].text
        return None

    def _error(self, what: str) -> InputError:
        return _wrong(self.text, self._token.at, what)

    def _condition(self) -> Holds:
        parts = [self._all()]
        while self._take("or"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else lambda p: any(part(p) for part in parts)

    def _all(self) -> Holds:
        parts = [self._one()]
        while self._take("and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else lambda p: all(part(p) for part in parts)

    def _one(self) -> Holds:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._error(f"more than {DEEPEST} brackets and negations within each other")
        if self._take("not"):
            inner = self._one()
            self.depth -= 1
            return lambda p: not inner(p)
        if self._take("("):
            inside = self._condition()
            if not self._take(")"):
                raise self._error("a bracket is not closed")
            self.depth -= 1
            return inside
        self.depth -= 1
        left = self._sum()
        sign = self._take(*COMPARE)
        if sign is None:
            raise self._error("one of > >= < <= is expected")
        compare, right = COMPARE[sign], self._sum()
        return lambda p: compare(left(p), right(p))

    def _sum(self) -> _Value:
        terms = [(1, self._term())]
        while sign := self._take("+", "-"):
            terms.append((1 if sign == "+" else -1, self._term()))
        return terms[0][1] if len(terms) == 1 else lambda p: sum(s * term(p) for s, term in terms)

    def _term(self) -> _Value:
        token = self._token
        if token.kind == "number":
            value = float(token.text)
            if value > 1:
                raise self._error(f"{token.text} is above 1, and probabilities are not")
            self.next += 1
            return lambda _: value
        if token.kind == "word" and token.text in NAMES:
            region = NAMES[token.text]
            self.next += 1
            self.named = True
            return lambda p: float(getattr(p, region))
        raise self._error(f"a number or one of {', '.join(NAMES)} is expected")


def _wrong(text: str, at: int, what: str) -> InputError:
    where = f"before {text[at:]!r}" if text[at:].strip() else "at its end"
    return InputError(f"{arg('fail_if', text)}: {where}: {what}; an example is 'p_worse > 0.2'")
