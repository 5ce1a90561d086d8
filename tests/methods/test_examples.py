"""The examples in docstrings print what they say."""

import doctest
from importlib import import_module

import pytest

MODULES = ("correlated_t", "sign", "signed_rank", "poisson_binomial", "ranks")


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    outcome = doctest.testmod(import_module(f"bcompare.methods.{name}"))
    assert outcome.attempted > 0
    assert outcome.failed == 0
