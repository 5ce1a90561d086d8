"""Repeated looks at a gate: shares of alpha, and the history that counts them."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import bcompare
from bcompare.data.scores import Scores
from bcompare.gating.history import Entry, History
from bcompare.gating.looks import Look
from bcompare.show import document
from tests.command import run
from tests.results import small_csv


def test_shares_of_any_number_of_looks_sum_to_alpha() -> None:
    shares = [Look(k, None, 0.05).share for k in range(1, 2001)]
    assert shares[:3] == pytest.approx([0.05 / 2, 0.05 / 6, 0.05 / 12])
    assert math.fsum(shares) == pytest.approx(0.05 * 2000 / 2001)
    assert Look(2000, None, 0.05).left == pytest.approx(0.05 - math.fsum(shares))


@pytest.mark.parametrize("planned", [1, 5, 50])
def test_shares_of_declared_looks_are_those_of_lan_and_demets(planned: int) -> None:
    looks = [Look(k, planned, 0.05) for k in range(1, planned + 1)]
    spent = 2 * norm.sf(norm.isf(0.025) / np.sqrt(np.arange(1, planned + 1) / planned))
    assert math.fsum(look.share for look in looks) == pytest.approx(0.05)
    assert [0.05 - look.left for look in looks] == pytest.approx(list(spent), abs=1e-15)
    assert all(look.share > 0 for look in looks)


def test_a_look_is_a_gate_at_its_share(tmp_path: Path) -> None:
    scores = bcompare.read_scores(small_csv(tmp_path / "r.csv", {"a": 0.0, "b": -0.02}))
    seventh = bcompare.gate(scores, look=7, alpha=0.2)
    alone = bcompare.gate(scores, alpha=0.2 / 56)
    assert [v.outcome for v in seventh.verdicts] == [v.outcome for v in alone.verdicts]
    assert seventh.rule.alpha == pytest.approx(0.2 / 56)
    assert seventh.alpha == seventh.rule.overall == 0.2
    look = document(seventh)["look"]
    assert look == {"number": 7, "planned": None, "alpha": 0.2, "left": pytest.approx(0.025)}
    with pytest.raises(bcompare.InputError, match="at most 3, as declared"):
        bcompare.gate(scores, look=4, looks=3)


def test_declared_looks_need_no_number_with_a_history(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "r.csv", {"a": 0.0, "b": 0.0}, noise=0.05)
    judged = ("gate-series", path, "--history", tmp_path / "h.jsonl")
    for number in ("1 of 2", "2 of 2"):
        assert f"\nLook {number}: it may spend" in run(*judged, "--looks", "2").out
    assert run(*judged).code == 2


@pytest.fixture
def scores(tmp_path: Path) -> Scores:
    return bcompare.read_scores(small_csv(tmp_path / "r.csv", {"main": 0.0, "pr": 0.3}))


def test_two_gates_cannot_take_the_same_look(scores: Scores, tmp_path: Path) -> None:
    path = str(tmp_path / "h.jsonl")
    entry = Entry.of(bcompare.gate(scores, look=1), "nightly", "fine")
    one, other = History.read(path), History.read(path)
    one.append(entry)
    with pytest.raises(bcompare.InputError, match="changed by somebody else"):
        other.append(entry)
    assert History.read(path).entries == (entry,)
    other.append(replace(entry, look=None))  # which shares no alpha


def test_an_entry_survives_the_file(scores: Scores, tmp_path: Path) -> None:
    entry = Entry.of(bcompare.gate(scores), "nightly", "fine")
    path = str(tmp_path / "api.jsonl")
    History.read(path).append(entry)
    assert History.read(path).entries == (entry,)
    assert "1 verdict:" in bcompare.as_text(History.read(path))
