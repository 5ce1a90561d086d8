"""What the command says of test items: how many there are, in which clusters, asked how often."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.command import run
from tests.results import write_lines

OPTIONS = ("--col", "item=item", "--col", "epoch=epoch", "--col", "classifier=model")


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """60 items in 12 passages, each asked twice of two models."""
    rng = np.random.default_rng(1)
    rows = [
        f"q{i},{epoch},p{i // 5},{model},{int(rng.random() < share)}"
        for i in range(60)
        for epoch in (1, 2)
        for model, share in (("a", 0.6), ("b", 0.7))
    ]
    return write_lines(tmp_path / "answers.csv", "item,epoch,passage,model,score", *rows)


@pytest.mark.parametrize(
    ("more", "said", "clusters"),
    [
        ((), "60 items · 2 answers per item", None),
        (("--col", "cluster=passage"), "60 items · 12 clusters · 2 answers per item", 12),
    ],
)
def test_the_settings_name_items_epochs_and_clusters(
    more: tuple[str, ...], said: str, clusters: int | None, answers: Path
) -> None:
    table = run("ttest", answers, *OPTIONS, *more, "--details").out
    assert said in table.splitlines()[-1]
    assert "scores per data set" not in table
    document = json.loads(run("ttest", answers, *OPTIONS, *more, "--format", "json").out)
    result = {key: document["input"][key] for key in ("items", "clusters", "answers_an_item")}
    assert result == {"items": 60, "clusters": clusters, "answers_an_item": 2.0}


def test_a_test_for_contrast_is_shown_once(answers: Path) -> None:
    table = run("ttest", answers, *OPTIONS, "--details").out
    assert sum(line.startswith(" paired t-test") for line in table.splitlines()) == 1
