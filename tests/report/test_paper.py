"""The sentences for a paper hold the numbers of the answer, whatever it is."""

import json
from pathlib import Path

import pytest

from bcompare.report.number import probability
from bcompare.version import __version__
from tests.command import run

SAMPLE = Path(__file__).parents[2] / "sample_data"
PAIRS = {
    "decided": ("hier", "--left", "tree", "--right", "forest"),
    "undecided": ("hier", "--left", "knn", "--right", "forest"),
    "one data set": ("ttest", "--dataset", "two_hard", "--left", "knn", "--right", "forest"),
    "equivalent": ("ttest", "--dataset", "two_easy", "--left", "knn", "--right", "forest",
                   "--rope", "0.03"),
    "on average": ("hier", "--left", "tree", "--right", "forest", "--over", "average"),
    "means": ("sign", "means.csv", "--preset", "means", "--left", "tree", "--right", "forest"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_a_pair(name: str) -> None:
    command = PAIRS[name]
    method, result = run(*command, "--format", "sentence", folder=SAMPLE).out.splitlines()
    document = json.loads(run(*command, "--format", "json", folder=SAMPLE).out)
    pair = document["comparisons"][0]
    for region in ("p_left", "p_rope", "p_right"):
        assert probability(pair[region]) in result
    assert "treating differences in score of at most 0.01" in method or name == "equivalent"
    assert "prior" in method
    assert pair["left"] in result
    assert pair["right"] in result
    assert f"bcompare {document['bcompare']}" in method
    assert ("undecided (0.95 is needed)" in result) == (pair["decision"] == "none")
    assert ("equivalent on two_easy" in result) == (pair["decision"] == "rope")
    assert ("likeliest" in method) == (name in ("decided", "undecided", "means"))
    assert "95 % credible interval" in result


@pytest.mark.slow
@pytest.mark.parametrize("command", ["hier", "rank"])
def test_a_sentence_states_what_is_unusual(command: str) -> None:
    options = ("--rho", "0.2", "--alpha", "0.1", "--format", "sentence")
    method, *_ = run(command, *options, folder=SAMPLE).out.splitlines()
    assert f"ρ 0.2; decided above 0.9; bcompare {__version__})" in method


def test_a_family_and_many_pairs() -> None:
    method, result = run("rank", "--format", "sentence", folder=SAMPLE).out.splitlines()
    best = json.loads(run("rank", "--format", "json", folder=SAMPLE).out)["family"]["best"][0]
    assert "5 classifiers" in method
    assert f"{best['classifier']} is the best choice" in result
    assert probability(best["p_least_regret"]) in result
    assert len(run("sign", "--format", "sentence", folder=SAMPLE).out.splitlines()) == 11
