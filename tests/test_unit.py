"""The unit of a row: a string that knows what follows from it."""

import json
import pickle
from dataclasses import replace
from typing import Any

import pytest

import bcompare
from bcompare.data.units import FOLD, ITEM, UNITS, Unit, unit_named
from bcompare.files.options import MISSING_POLICIES


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_written_compared_and_sent_as_its_name(unit: Unit) -> None:
    name = str(unit)
    assert type(name) is str
    assert unit == name
    assert repr(unit) == repr(name)
    assert json.dumps({"unit": unit}) == json.dumps({"unit": name})
    sent = pickle.loads(pickle.dumps(unit))
    assert type(sent) is type(unit)
    assert sent == unit
    assert unit_named(name) is unit


def test_scores_take_the_name_of_a_unit() -> None:
    scores = bcompare.read_scores("sample_data/results.csv", datasets=("iris",))
    assert scores.unit is FOLD
    given: dict[str, Any] = {"unit": "item"}
    assert replace(scores, **given).unit is ITEM
    with pytest.raises(bcompare.InputError, match="no unit 'folds': choose from fold, seed"):
        unit_named("folds")


@pytest.mark.parametrize("unit", UNITS)
def test_each_policy_on_missing_rows_is_an_option(unit: Unit) -> None:
    assert unit.policy in MISSING_POLICIES
