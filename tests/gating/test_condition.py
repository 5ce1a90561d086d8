"""The grammar of conditions: what it means, what it refuses, and that nothing breaks it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcompare.basis.errors import InputError
from bcompare.data.rope import RegionProbabilities
from bcompare.gating.condition import LONGEST, NAMES, Condition

P = RegionProbabilities(left=0.2, rope=0.3, right=0.5)
VALUES = {"p_worse": P.left, "p_equivalent": P.rope, "p_better": P.right}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("p_worse > 0.1", True),
        ("p_worse > 0.2", False),
        ("p_worse >= .2", True),
        ("p_worse<2e-1", False),
        ("p_worse<=2E-1", True),
        ("0.4 < p_better", True),
        ("p_worse + p_equivalent >= p_better", True),
        ("p_better - p_worse > 0.31", False),
        ("p_worse > 0.9 or p_better > 0.4 and p_equivalent > 0.2", True),
        ("(p_worse > 0.9 or p_better > 0.4) and p_equivalent > 0.5", False),
        ("not p_worse > 0.9", True),
        ("not not p_worse > 0.9", False),
        ("not (p_worse > 0.1 and p_better > 0.9)", True),
        ("  p_better>p_worse  ", True),
    ],
)
def test_conditions_mean_what_they_say(text: str, holds: bool) -> None:
    assert Condition.parse(text).holds(P) is holds


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("p_worse >", "at its end: this is no condition"),
        ("p_worse", "before 'p_worse': one comparison by > >="),
        ("p_worse > 20", "20 is above 1"),
        ("p_worse == 0.2", "before 'p_worse == 0.2': one comparison"),
        ("p_wrose > 0.2", "before 'p_wrose > 0.2': a number or one of p_worse"),
        ("(p_worse > 0.2", "before '(p_worse > 0.2': this is no condition"),
        ("p_worse > 0.2)", "before ')': this is no condition"),
        ("p_worse > 0.2 p_better < 1", "this is no condition"),
        ("0.3 > 0.2", "names no probability"),
        ("0.1 < p_worse < 0.2", "one comparison by"),
        ("p_worse > 0.2x", "this is no condition"),
        ("p_worse > -0.2", "before '-0.2'"),
        ("p_worse > 1_0", "10 is above 1"),
        ("p_worse > ٠", "before '٠'"),
        ("__import__('os').system('true') > 0", 'before "__import__'),
        ("p_worse > nan", "before 'nan'"),
        ("> " * LONGEST, "is the most"),
    ],
)
def test_what_is_no_condition_is_refused_where_it_goes_wrong(text: str, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        Condition.parse(text)


WORDS = [*NAMES, "and", "or", "not", "(", ")", ">", ">=", "<", "<=", "+", "-", "0.2", "1", " ", "x"]


@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS)).map(" ".join)))
def test_any_text_is_a_condition_or_an_input_error(text: str) -> None:
    try:
        condition = Condition.parse(text)
    except InputError:
        return
    assert condition.holds(P) in {True, False}


NUMBER = st.floats(0, 1).map(lambda x: f"{x:.3f}")
SUM = st.lists(st.one_of(st.sampled_from(list(NAMES)), NUMBER), min_size=1, max_size=3).map(
    " + ".join
)
COMPARISON = st.tuples(SUM, st.sampled_from([">", ">=", "<", "<="]), SUM).map(" ".join)
TREE = st.recursive(
    COMPARISON,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
        inner.map(lambda text: f"not ({text})"),
        inner.map(lambda text: f"({text})"),
    ),
    max_leaves=6,
)


@given(TREE)
def test_what_the_grammar_makes_means_what_python_makes_of_it(text: str) -> None:
    if not any(name in text for name in NAMES):
        return
    expected = eval(text, {"__builtins__": {}}, dict(VALUES))
    assert Condition.parse(text).holds(P) is expected


def test_brackets_within_brackets_have_an_end() -> None:
    deep = "(" * 40 + "p_worse > 0.1" + ")" * 40
    assert Condition.parse(deep).holds(RegionProbabilities(0.5, 0.3, 0.2))
    for text in ("(" * 400 + "p_worse > 0.1" + ")" * 400, "not " * 200 + "p_worse >"):
        with pytest.raises(InputError, match="this is no condition"):
            Condition.parse(text)
    assert Condition.parse("not " * 200 + "p_worse > 0.1").holds(P)
