"""`--plot` draws what was asked, names everybody, and refuses what it cannot draw."""

from pathlib import Path

import pytest

from tests.command import run
from tests.results import small_csv

THREE = {"tree": 0.0, "forest": 0.04, "bayes": -0.05}
PAIR = ("--left", "tree", "--right", "forest")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plot") / "results.csv"
    return small_csv(path, THREE, ("iris", "wine", "glass", "sonar", "zoo"))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("ttest", *PAIR, "--dataset", "iris"), ("tree", "forest", "iris")),
        (("ttest", *PAIR), ("tree", "forest", "iris", "zoo")),
        (("ttest", "--dataset", "iris"), ("tree", "forest", "bayes")),
        (("sign",), ("tree", "forest", "bayes")),
        (("hier", *PAIR), ("tree", "forest")),
        (("rank", "--test", "poisson"), ("tree", "forest", "bayes")),
    ],
)
def test_pictures(
    results: Path, tmp_path: Path, command: tuple[str, ...], words: tuple[str, ...]
) -> None:
    picture = tmp_path / "picture.svg"
    name, *options = command
    outcome = run(name, results, *options, "--plot", picture)
    assert outcome.code == 0
    assert outcome.out == run(name, results, *options).out
    svg = picture.read_text(encoding="utf-8")
    for word in words:
        assert word in svg


def test_several_pairs_on_several_data_sets_have_no_picture(results: Path, tmp_path: Path) -> None:
    outcome = run("ttest", results, "--plot", tmp_path / "picture.svg")
    assert outcome.code == 2
    assert "--left NAME --right NAME" in outcome.err


def test_an_unknown_suffix_is_refused_before_the_work(tmp_path: Path) -> None:
    outcome = run("ttest", "no-such-file.csv", "--plot", tmp_path / "picture.gif")
    assert outcome.code == 2
    assert ".svg, .png or .pdf" in outcome.err
