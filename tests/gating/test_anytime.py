"""A gate by bets: its verdicts, its order, what it refuses, and its promise."""

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bcompare
from bcompare.data.rope import FloatArray
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.units import ITEM
from bcompare.gating.anytime import GROWTH, AnytimeGate, Bets, Evidence, anytime
from bcompare.planning.power import draw, plan_anytime
from tests.command import Outcome, run
from tests.results import write_lines

COLUMNS = ("--col", "item=item")


def items(*streams: FloatArray) -> Scores:
    """Scores of items whose differences to the first classifier are these."""
    base = np.where(np.asarray(streams).max(axis=0) > 0, 0.0, 1.0)
    table = np.stack([base, *(base + x for x in streams)], axis=1)
    n, c = table.shape
    dataset = DatasetScores("d", table, np.ones(c, np.bool_), 1, n, 0.0, n, np.arange(n))
    names = ("main", "pr", "pr-2")[:c]
    return Scores(names, (dataset,), unit=ITEM, baseline=names[:1])


def stream(truth: float, n: int, seed: int = 1) -> FloatArray:
    (x,) = draw(truth, math.sqrt(0.2 - truth**2), (1, n), np.random.default_rng(seed))
    return np.asarray(x)


def judged(x: FloatArray, bets: Bets = GROWTH, **options: Any) -> AnytimeGate:
    return anytime(bcompare.gate(items(x), baseline="main", **options), bets)


def write(path: Path, x: FloatArray) -> Path:
    """A file of items whose names are in another order than its lines."""
    rows = ["item,classifier,score"]
    for i, difference in enumerate(x):
        left = 1.0 if difference <= 0 else 0.0
        rows += [f"q{9973 - i},main,{left:g}", f"q{9973 - i},pr,{left + difference:g}"]
    return write_lines(path, *rows)


def gate(folder: Path, *options: str) -> Outcome:
    return run("gate-anytime", "r.csv", "--baseline", "main", *COLUMNS, *options, folder=folder)


@pytest.mark.parametrize(
    ("truth", "n", "word", "outcome", "code"),
    [
        (-0.1, 3000, "worse", "fail", 4),
        (0.1, 3000, "better", "pass", 0),
        (0.02, 4000, "not worse", "pass", 0),
        (0.0, 200, "go on", "undecided", 5),
    ],
)
@pytest.mark.parametrize("bets", [Bets(), Bets(budget=3000)], ids=["growth", "budget"])
def test_verdicts_and_exit_codes(
    truth: float, n: int, word: str, outcome: str, code: int, bets: Bets
) -> None:
    result = judged(stream(truth, n), bets, undecided="fail")
    (verdict,) = result.verdicts
    assert (verdict.word, verdict.outcome, result.exit_code) == (word, outcome, code)
    low, high = verdict.interval
    assert low < truth < high
    if verdict.at is not None:  # and not one item before
        assert judged(stream(truth, n)[: verdict.at], bets).outcome == outcome
        assert judged(stream(truth, n)[: verdict.at - 1], bets).outcome == "undecided"


def test_the_sentence_names_the_item_that_showed_it() -> None:
    x = stream(0.1, 3000)
    result = judged(x)
    named = re.search(
        r"practically better than main, shown by ([\d,]+) items", bcompare.as_text(result)
    )
    assert named is not None
    at = int(named[1].replace(",", ""))
    words = [judged(x[:n]).verdicts[0].word for n in (at - 1, at)]
    assert words == ["not worse", "better"]


def test_what_was_shown_stays_shown() -> None:
    worse = stream(-0.1, 3000)
    at = judged(worse).verdicts[0].at
    assert at is not None
    later = judged(np.concatenate([worse[:at], np.ones(3000)]))
    assert (later.outcome, later.verdicts[0].at) == ("fail", at)


def test_left_and_right_mirror_each_other() -> None:
    x, bets = stream(0.03, 1500), Bets(budget=2000)
    (one,) = judged(x, bets).verdicts
    (other,) = judged(-x, bets).verdicts
    assert other.interval == pytest.approx((-one.interval[1], -one.interval[0]))
    assert one.wealths["better"] == pytest.approx(other.wealths["worse"])
    assert one.wealths["not better"] == pytest.approx(other.wealths["not worse"])


def test_the_order_is_that_of_the_file_or_shuffled_and_said_so(tmp_path: Path) -> None:
    x = stream(0.0, 300)
    file = write(tmp_path / "r.csv", x)
    scores = bcompare.read_scores(file, item_col="item", baseline="main")
    assert anytime(bcompare.gate(scores, baseline="main")).verdicts[0].differences == pytest.approx(
        x
    )
    assert not np.allclose(scores.datasets[0].table[:, 1] - scores.datasets[0].table[:, 0], x)
    (shuffled,) = anytime(bcompare.gate(scores, baseline="main"), Bets(seed=3)).verdicts
    assert sorted(shuffled.differences) == sorted(x)
    assert not np.allclose(shuffled.differences, x)
    assert "the order of the file" in gate(tmp_path).out
    assert "shuffled by 3" in gate(tmp_path, "--seed", "3").out


@pytest.mark.parametrize("sizes", [(3, 3, 3), (1, 2, 5)])
def test_clusters_are_one_observation_each_of_their_weight(
    tmp_path: Path, sizes: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(4)
    rows, means, counts = ["item,passage,classifier,score"], [], []
    for k in range(60):
        size = sizes[k % 3]
        pairs = rng.random((size, 2)).round(3)
        means.append(float((pairs[:, 1] - pairs[:, 0]).mean()))
        counts.append(size)
        for i, scores in enumerate(pairs):
            key = f"q{k}-{i},p{(7 * k) % 60}"
            rows += [f"{key},{name},{s}" for name, s in zip(("a", "b"), scores, strict=True)]
    write_lines(tmp_path / "r.csv", *rows)
    result = bcompare.read_scores(
        tmp_path / "r.csv", item_col="item", cluster_col="passage", baseline="a"
    )
    judged_by_bets = anytime(bcompare.gate(result, baseline="a"))
    (verdict,) = judged_by_bets.verdicts
    assert judged_by_bets.observations == "clusters"
    assert verdict.differences == pytest.approx(means)
    assert verdict.mean_difference == pytest.approx(np.average(means, weights=counts))
    if verdict.weights is None:
        assert len(set(sizes)) == 1
    else:
        assert verdict.weights == pytest.approx(np.array(counts) / max(counts))


def test_a_finite_suite_is_decided_by_its_last_item() -> None:
    x = stream(0.0, 400)
    some = judged(x[:100], Bets(of=400))
    assert some.outcome == "undecided"
    whole = judged(x, Bets(of=400), rope=0.2)
    assert whole.verdicts[0].word == "not worse"
    assert whole.verdicts[0].interval == pytest.approx((x.mean(), x.mean()), abs=1e-6)
    border = abs(float(x.mean()))  # a mean on the border is not worse, and not better
    on = judged(-np.sign(x.mean()) * x, Bets(of=400), rope=border)
    assert on.verdicts[0].word == "not worse"
    with pytest.raises(bcompare.InputError, match="has 400 already"):
        judged(x, Bets(of=399))


def test_several_claims_share_alpha_by_holm() -> None:
    x = np.minimum(stream(-0.05, 1200), 0.0)
    at = judged(x).verdicts[0].at
    assert at is not None
    two = anytime(bcompare.gate(items(x[:at], np.zeros(at)), baseline="main"))
    assert two.threshold == pytest.approx(40)
    first, other = two.verdicts
    assert 20 < first.largest("worse") < 40
    assert (first.word, other.word) == ("go on", "go on")
    # once the other is refuted at 2/alpha, 1/alpha is enough for the first
    both = anytime(bcompare.gate(items(x[:at], -np.ones(at)), baseline="main"))
    assert [(v.word, v.outcome) for v in both.verdicts] == [("worse", "fail")] * 2
    assert both.verdicts[0].largest("worse") == first.largest("worse")


def test_an_aim_must_be_shown_better(tmp_path: Path) -> None:
    for truth, outcome in ((0.1, "pass"), (-0.1, "fail"), (0.0, "undecided")):
        result = judged(stream(truth, 600 if truth == 0 else 2000), fail_if="not-better")
        assert result.outcome == outcome
    write(tmp_path / "r.csv", stream(0.1, 2000))
    assert "better" in gate(tmp_path, "--metric", "score: better").out
    positive = items(stream(0.0, 60))
    (dataset,) = positive.datasets
    positive = replace(positive, datasets=(replace(dataset, table=dataset.table / 4 + 0.5),))
    with pytest.raises(bcompare.InputError, match="ratios have no known range"):
        anytime(bcompare.gate({"score: 5%": positive}, baseline="main"))


@pytest.mark.parametrize("bets", [Bets(), Bets(budget=500), Bets(of=500)], ids=str)
def test_on_the_border_at_most_alpha_are_ever_called_worse(bets: Bets) -> None:
    """It would be seen at a rate of about 0.35; the wealths' promise is tested exactly."""
    rng, count, n = np.random.default_rng(9), 25, 500
    called = 0
    for _ in range(count):
        if bets.of:  # a suite whose mean is on the border
            x = rng.permutation(np.repeat([-1.0, 1.0, 0.0], [53, 47, 400]) - 0.0)
            called += judged(x, bets, rope=0.012).verdicts[0].word == "worse"
        else:
            x = draw(-0.05, 0.4, (1, n), rng)[0]
            called += judged(x, bets, rope=0.05).verdicts[0].word == "worse"
    assert called / count <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / count)


def test_the_plan_counts_what_the_gate_says() -> None:
    plan = plan_anytime(-0.06, 0.4, [600], rope=0.02, replicates=60, seed=5)
    assert [course.effect for course in plan.courses] == [-0.06, 0.0, -0.02]
    course = plan.courses[0]
    x = draw(-0.06, 0.4, (60, 600), np.random.default_rng([5, 1]))
    verdicts: list[Evidence] = [judged(row, Bets(budget=600), rope=0.02).verdicts[0] for row in x]
    assert course.worse == pytest.approx(np.mean([v.word == "worse" for v in verdicts]))
    assert course.items == pytest.approx(np.mean([v.at or 600 for v in verdicts]))
    assert course.end_worse > course.worse  # what looking costs
    border = plan.courses[2]
    assert border.worse <= 0.05 + 3 * border.error


@pytest.mark.parametrize(("mean", "sd"), [(-0.05, 0.447), (0.0, 0.3), (0.04, 0.1), (-0.2, 0.1)])
def test_assumed_differences_have_their_mean_and_spread(mean: float, sd: float) -> None:
    x = draw(mean, sd, (1, 200_000), np.random.default_rng(2))[0]
    assert x.mean() == pytest.approx(mean, abs=4 * sd / math.sqrt(len(x)))
    assert x.std() == pytest.approx(sd, rel=0.02)
    assert np.abs(x).max() <= 1


@pytest.mark.parametrize("name", ["budget", "of", "largest"])
def test_numbers_of_bets_are_at_least_one(name: str) -> None:
    one: dict[str, Any] = {name: 1}
    none: dict[str, Any] = {name: 0}
    assert getattr(Bets(**one), name) == 1
    with pytest.raises(bcompare.InputError, match="give a number of at least 1"):
        Bets(**none)


@pytest.mark.parametrize("ends", [(1.0, 1.0), (2.0, 1.0), (0.0, math.inf), (-math.inf, 0.0)])
def test_a_range_has_two_ends(ends: tuple[float, float]) -> None:
    with pytest.raises(bcompare.InputError, match="the least and the largest possible score"):
        Bets(range=ends)
    assert Bets(range=(-0.5, 0.5)).range == (-0.5, 0.5)


def test_a_gate_of_bets_passes_unless_it_exits_with_another_code() -> None:
    assert judged(stream(0.1, 3000)).passed
    assert judged(stream(0.0, 50)).passed
    assert not judged(stream(0.0, 50), undecided="fail").passed
    assert not judged(stream(-0.1, 3000)).passed


def test_the_sequence_ends_at_the_interval_and_is_on_the_scores_scale() -> None:
    result = judged(stream(0.1, 400))
    (verdict,) = result.verdicts
    low, high = result.sequence(verdict)
    nearest = 1e-3 * 2 * verdict.span  # the borders that are tried
    assert (low[-1], high[-1]) == pytest.approx(verdict.interval, abs=nearest)
    assert low[0] == pytest.approx(-verdict.span, abs=0.1)
    assert high[0] == pytest.approx(verdict.span, abs=0.1)


def test_the_digest_is_of_the_differences_and_not_of_how_they_are_stored() -> None:
    x = stream(0.1, 50)
    digest = judged(x, rope=0.01).digest([50])
    assert re.fullmatch("[0-9a-f]{12}", digest)
    assert judged(np.where(x > 0, x + 3e-10, x), rope=0.01).digest([50]) == digest
    assert judged(np.where(x == 0, -0.0, x), rope=0.01).digest([50]) == digest
    assert judged(np.concatenate([x, [1.0]]), rope=0.01).digest([50]) == digest
    changed = x.copy()
    changed[7] += 2e-9
    assert judged(changed, rope=0.01).digest([50]) != digest
