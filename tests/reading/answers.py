"""Answers to what is asked about files: every combination of the choices."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from bcompare.basis.messages import InputError
from bcompare.columns.question import Ask, Choice, Question

# What stands for the words inside a choice.
NUMBERS = {"HOW_MANY": 5, "SHARE_OF_TEST": 0.1}
# Words that other words' choices open, or that reading does not know.
OF_TESTS = {"WHICH_ROPE"}


def question_of(error: InputError) -> Question:
    """The question of a refusal."""
    question = getattr(error, "question", None)
    assert isinstance(question, Question), error
    return question


def answered(question: Question, numbers: Mapping[str, Any] = NUMBERS) -> Iterator[dict[str, Any]]:
    """The options of every combination of choices, with numbers in place of their words."""
    assert not question.reasons, question.reasons
    asks = [ask for ask in question.asks if ask.word not in OF_TESTS]
    inner = {word for ask in asks for choice in ask.choices for word in choice.needs}
    outer = [ask for ask in asks if ask.word not in inner]
    for choices in product(*(ask.choices for ask in outer)):
        for more in _needed(choices, asks):
            options: dict[str, Any] = {}
            for changes in (question.changes, *(c.changes for c in (*choices, *more))):
                where = (*options.get("where", ()), *changes.get("where", ()))
                options |= changes
                if where:
                    options["where"] = tuple(dict.fromkeys(where))
            yield {name: _number(value, numbers) for name, value in options.items()}


def _needed(choices: tuple[Choice, ...], asks: list[Ask]) -> Iterator[tuple[Choice, ...]]:
    """The choices of the words that these choices leave open."""
    words = {word for choice in choices for word in choice.needs} - OF_TESTS
    yield from product(*(ask.choices for ask in asks if ask.word in words))


def _number(value: Any, numbers: Mapping[str, Any]) -> Any:
    return numbers.get(value, value) if isinstance(value, str) else value
