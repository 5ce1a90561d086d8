"""`bcompare rank`: its defaults, and what its options do or refuse."""

import json
from pathlib import Path
from typing import Any

import pytest

from bcompare.ranking.best import Best
from tests.command import refused, run
from tests.results import small_csv

SETS = ("one", "two", "three", "four")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    small_csv(tmp_path / "results.csv", {"a": -0.1, "b": 0.0, "c": -0.2}, SETS)
    return tmp_path


def settings(folder: Path, *options: str) -> dict[str, Any]:
    """Return the settings in the JSON."""
    result = run("rank", *options, "--format", "json", "-q", folder=folder)
    assert result.code == 0, result.err
    return dict(json.loads(result.out)["settings"])


def test_the_defaults_are_those_of_the_posterior(folder: Path) -> None:
    by_default = settings(folder)
    assert (by_default["draws"], by_default["seed"], by_default["interval"]) == (
        Best().draws,
        Best().seed,
        Best().level,
    )
    assert settings(folder, "--seed", "3")["seed"] == 3


def test_a_hundred_draws_are_the_fewest(folder: Path) -> None:
    assert settings(folder, "--draws", "100")["draws"] == 100
    assert "--draws" in refused(run("rank", "--draws", "99", folder=folder))


def test_what_could_not_be_written_is_refused_by_the_number_of_pairs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bcompare.cli.compare.MOST_IN_JSON", 2)
    message = refused(run("rank", "--format", "json", folder=folder))
    assert "3 pairs are too many for one JSON document, which holds 2" in message
    monkeypatch.setattr("bcompare.cli.compare.MOST_IN_JSON", 3)
    assert settings(folder)["draws"] == Best().draws


def test_pairs_are_compared_by_the_first_test_and_by_the_others(folder: Path) -> None:
    result = run("rank", "--test", "sign", "--test", "signrank", folder=folder)
    assert "Bayesian sign test" in result.out
    several = result.out.partition("The same pairs by several tests")[2]
    assert "signrank" in several
    alone = run("rank", "--test", "sign", folder=folder)
    assert "several tests" not in alone.out


def test_a_test_that_answers_on_each_data_set_is_refused(folder: Path) -> None:
    message = refused(run("rank", "--test", "ttest", folder=folder))
    assert "--test ttest: it answers for each data set separately" in message
