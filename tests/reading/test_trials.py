"""Test items whose trials lack a score, are repeated, or fall into slices."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bcompare.basis.messages import InputError
from bcompare.reading.read import from_frame, read_scores
from tests.command import run
from tests.results import write_lines

pytestmark = pytest.mark.usefixtures("one_population")

# Trials without a score


def test_bounds_are_the_worst_and_the_best_that_might_have_been() -> None:
    """Of shares, by their name, and of answers that are right or wrong."""
    scores = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.12, 0.22, 0.32, 0.42, np.nan])
    keys = pd.DataFrame({"item": [*range(5)] * 2, "classifier": ["a"] * 5 + ["b"] * 5})

    def last(scores: Any, name: str = "accuracy", **more: Any) -> float:
        frame = keys.assign(**{name: scores})
        options = {"item_col": "item", "score_col": name, "na_values": ("",)}
        return float(from_frame(frame, **options | more).datasets[0].table[4, 1])

    for failed, value in (("worst", 0.0), ("best", 1.0), ("zero", 0.0)):
        assert last(scores, failed=failed) == value
        assert last(np.where(np.isnan(scores), np.nan, scores > 0.3), "x", failed=failed) == value
    assert last(scores, failed="worst", lower_is_better=True) == -1.0
    assert last(100 * scores, failed="best", percent=True) == 1.0
    for name in ("score", "log_loss", "fit_time", "r2"):
        with pytest.raises(InputError, match=r"are known only.*'0\.\d'|are known only.*0\.\d"):
            last(scores, name, failed="worst")
    with pytest.raises(InputError, match="are known only"):
        last(2.5 * scores, failed="worst")
    with pytest.raises(InputError, match="choose from refuse, drop, zero"):
        last(scores, failed="maybe")


# Repeated answers


def repeated(answers: dict[str, dict[str, list[int]]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            (model, item, epoch, score)
            for model, items in answers.items()
            for item, scores in items.items()
            for epoch, score in enumerate(scores)
        ],
        columns=["classifier", "item", "epoch", "score"],
    )


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("kind", ["pass@", "pass^"])
def test_pass_at_k_counts_the_ways_to_draw_k_answers(kind: str, k: int) -> None:
    from itertools import combinations

    rng = np.random.default_rng(5)
    answers = {
        model: {f"q{i}": rng.integers(0, 2, 3 + i % 3).tolist() for i in range(9)}
        for model in ("a", "b")
    }
    scores = from_frame(repeated(answers), item_col="item", epoch_col="epoch", epochs=f"{kind}{k}")
    some = any if kind == "pass@" else all
    for column, items in enumerate(answers.values()):
        drawn = [
            np.mean([some(draw) for draw in combinations(values, k)]) for values in items.values()
        ]
        assert scores.datasets[0].table[:, column] == pytest.approx(drawn)


# Slices


def sliced_frame() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    topics = ["tiny", "tiny", *"ml" * 29]
    rows = [
        (f"q{i}", model, topic, float(rng.random() + 0.2 * (model == "b")))
        for i, topic in enumerate(topics)
        for model in ("a", "b")
    ]
    return pd.DataFrame(rows, columns=["item", "classifier", "topic", "score"])


ITEM = ("--col", "item=item")


def test_slices_are_what_each_slice_says_alone_and_what_the_others_make_of_it(
    tmp_path: Path,
) -> None:
    frame = sliced_frame()
    path = tmp_path / "r.csv"
    frame.to_csv(path, index=False)
    command = ("ttest", str(path), *ITEM, "--rope", "0.01", "--format", "json")
    result = json.loads(run(*command, "--by", "topic").out)
    whole = json.loads(run(*command).out)
    assert result["comparisons"] == whole["comparisons"]
    (pair,) = result["slices"]
    assert [s["slice"] for s in pair["slices"]] == ["m", "l"]
    assert "small-slices" in run(*command, "--by", "topic").err
    p_values = []
    for one in pair["slices"]:
        alone = json.loads(run(*command, "--where", f"topic={one['slice']}").out)
        (only,) = alone["comparisons"]
        assert one["p_right"] == pytest.approx(only["p_right"], abs=1e-12)
        p_values.append(only["datasets"][0]["nhst"]["p_value"])
    expected = [min(1, p * (2 if p == min(p_values) else 1)) for p in p_values]
    expected = [max(p, min(expected)) for p in expected]
    assert [one["p_holm"] for one in pair["slices"]] == pytest.approx(expected)
    renamed = frame[frame.topic != "tiny"].rename(columns={"topic": "dataset"})
    renamed.to_csv(path, index=False)
    hier = json.loads(run("hier", *command[1:]).out)
    for one, dataset in zip(pair["slices"], hier["comparisons"][0]["datasets"], strict=True):
        assert one["shrunken"]["p_right"] == pytest.approx(dataset["p_right"], abs=1e-12)


def test_answers_without_a_number_are_counted_in_their_order(tmp_path: Path) -> None:
    rows = [(f"q{i}", k, who, int((i * k + len(who)) % 3 > 0)) for i in range(8) for k in range(3)
            for who in ("a", "bb")]  # fmt: skip
    numbered = write_lines(
        tmp_path / "numbered.csv",
        "item,epoch,classifier,score",
        *(f"{i},{k},{who},{score}" for i, k, who, score in rows),
    )
    plain = write_lines(
        tmp_path / "plain.csv",
        "item,classifier,score",
        *(f"{i},{who},{score}" for i, _, who, score in rows),
    )
    expected = read_scores(numbered, item_col="item", epoch_col="epoch")
    scores = read_scores(plain, item_col="item", epoch_col="#")
    assert scores.answers_an_item == expected.answers_an_item == 3
    assert scores.datasets[0].table.tolist() == expected.datasets[0].table.tolist()
    with pytest.raises(InputError, match="epochs belong to test items"):
        read_scores(plain, epoch_col="#", seed_col=None, preset=None, fold_col="item")
