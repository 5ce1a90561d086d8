"""The sentences of claims."""

import pytest

from bcompare.comparing.decision import ExpectedLoss, Threshold
from bcompare.data.rope import RegionProbabilities, Rope
from bcompare.report.claims import Claim, Relation, verdict_sentence


@pytest.mark.parametrize(
    ("relation", "likeliest", "words"),
    [
        ("better", False, "pr is practically better than main on wine"),
        ("worse", True, "pr is most likely practically worse than main on wine"),
        ("equivalent", False, "pr and main are practically equivalent on wine"),
        ("not worse", False, "pr is not practically worse than main on wine"),
        (
            "not better",
            True,
            "that pr is practically better than main is not the likeliest answer on wine",
        ),
        ("the best choice", False, "pr is the best choice on wine"),
    ],
)
def test_a_claim_in_words(relation: Relation, likeliest: bool, words: str) -> None:
    claim = Claim("pr", relation, "main", " on wine", "0.970", "", True, likeliest)
    assert claim.words == words
    assert claim.shown() == f"{words} (0.970)"


def test_a_claim_that_lacks_probability() -> None:
    so_far = Claim("rbf", "the best choice", scope=" on moons", probability="0.735")
    assert so_far.shown() == "rbf is the best choice on moons (0.735)"
    leads = Claim("rbf", "the best choice", "", " on moons", "0.735", "0.95 is needed to decide")
    assert (
        leads.shown()
        == "rbf leads on moons (0.735 that its mean score is the best; 0.95 is needed to decide)"
    )
    needed = Claim("pr", "worse", "main", "", "p(worse) 0.700", "0.95 is needed to fail")
    assert needed.shown() == "pr is worse than main so far (p(worse) 0.700; 0.95 is needed to fail)"
    assert needed.unknown() == (
        "the data do not show whether pr is worse than main: p(worse) 0.700, 0.95 is needed to fail"
    )
    bet = Claim("pr", "worse", "main")
    assert bet.unknown(yet=True) == "the data do not show yet whether pr is worse than main"
    failed = Claim("pr", "equivalent to or better", "main", "", "0.400", practically=True)
    assert failed.not_shown() == (
        "pr is not shown to be practically equivalent to or better than main (0.400)"
    )


def test_an_undecided_pair_names_what_is_likely_and_what_is_needed() -> None:
    p = RegionProbabilities(0.1, 0.3, 0.6)
    rope = Rope.symmetric(0.01)
    start = "b against a on wine: "
    assert verdict_sentence("none", p, "a", "b", " on wine", rope, Threshold(0.1)) == (
        f"{start}undecided (0.9 is needed) between b better (0.600) and equivalent (0.300)"
    )
    by_loss = verdict_sentence("right", p, "a", "b", " on wine", rope, ExpectedLoss.simple())
    assert by_loss.startswith(f"{start}by expected loss b better: b better (0.600), ")
