"""`--plot` draws what was asked, names everybody, and refuses what it cannot draw."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bcompare.explain import explained
from bcompare.plots.registry import PICTURES
from bcompare.plots.sheet import Sheet, most_in_matrix
from tests.command import refused, run
from tests.results import small_csv

pytestmark = pytest.mark.slow

THREE = {"tree": 0.0, "forest": 0.04, "bayes": -0.05}
PAIR = ("--left", "tree", "--right", "forest")
ROPES = ("--rope", "0", "--rope", "0.01", "--rope", "0.02")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plot") / "results.csv"
    return small_csv(path, THREE, ("iris", "wine", "glass", "sonar", "zoo"))


# The picture of a command holds these words: all names or, of each test's own picture of one pair,
# words that no other picture has.
DRAWN = [
    (("ttest", *PAIR, "--dataset", "iris"), ("tree", "forest", "iris")),
    (("ttest", *PAIR), ("tree", "forest", "iris", "zoo", "mean difference, 95 % interval")),
    (("ttest", "--dataset", "iris"), ("tree", "forest", "bayes")),
    (("sign",), ("tree", "forest", "bayes")),
    (("hier", *PAIR), ("tree", "forest", "degrees of freedom ν")),
    (("signrank", *PAIR), ("θ: equivalent",)),
    (("sign", *PAIR), ("θ: equivalent",)),
    (("poisson", *PAIR), ("number of data sets",)),
    (("rank", "--test", "poisson"), ("tree", "forest", "bayes")),
]


@pytest.mark.parametrize(("command", "words"), DRAWN)
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


# What is refused before the work, where no file is given, and the words of the message.
REFUSED = [
    (("sign", ..., *ROPES, "--plot", "picture.svg"), ["--left and --right"]),
    (("hier", "--plot", "pie=p.svg"), [f"{name} ({p.needs})" for name, p in PICTURES.items()]),
    (("ttest", ..., "--plot", "shrinkage=p.svg"),
     ["it needs hier, one pair", "this is ttest, 3 pairs on 5 data sets"]),
    (("ttest", ..., *PAIR, "--print", "column"), ["name the file by --plot"]),
    *(((command, "--print", "page"),
       ["--print page says how wide a picture is and not where it goes"])
      for command in ("ttest", "rank", "plan")),
    (("sign", ..., *PAIR, "--plot", "p.svg", "--print", "narrow"), ["narrow", "column", "page"]),
    (("ttest", "--plot", "picture.gif"), [".svg, .png or .pdf"]),
    (("sign", ..., "-o", "draws.npz"), ["choose by --left and --right"]),
    (("poisson", ..., *PAIR, "-o", "draws.npz"), ["poisson has no draws"]),
    (("rank", ..., "-o", "draws.npz"), ["for hier, sign and"]),
]  # fmt: skip


@pytest.mark.parametrize(("words", "parts"), REFUSED)
def test_what_cannot_be_drawn_is_refused(
    results: Path, tmp_path: Path, words: tuple[Any, ...], parts: list[str]
) -> None:
    named = [results if word is ... else word for word in words]
    error = refused(run(*named, *(() if results in named else ["none.csv"]), folder=tmp_path))
    assert [part for part in parts if part not in error] == []
    assert list(tmp_path.iterdir()) == []


# Of every picture the command that draws it, and what it says.
NAMED = {
    "posterior": (("ttest", *PAIR, "--dataset", "iris"), "99 % interval"),
    "forest": (("ttest", *PAIR), "zoo"),
    "parameters": (("hier", *PAIR), "centre δ₀"),
    "simplex": (("hier", *PAIR), "from inside out"),
    "counts": (("poisson", *PAIR), "better on more than half"),
    "regret": (("rank",), "regret: mean score lost"),
    "places": (("rank",), "all places at once are in these"),
    "ropes": (("sign", *PAIR, *ROPES), "half-width of the rope"),
    "regions": (("sign",), "equivalent, from −0.01 to 0.01"),
    "posteriors": (("ttest", *PAIR), "glass"),
    "shrinkage": (("hier", *PAIR), "shrunken"),
    "densities": (("poisson", *PAIR), "difference forest − tree"),
    "means": (("signrank", *PAIR), "a data set"),
    "boxplot": (("ttest",), "the middle half of the data sets"),
    "folds": (("rank", "--dataset", "iris"), "correlation of the scores"),
    "family": (("rank",), "best, or within the rope of it: 0.01"),
    "pairs": (("rank",), "the row's classifier is"),
    "critical-difference": (("rank",), "critical difference"),
}


@pytest.mark.slow
def test_every_picture_is_drawn_by_its_name(results: Path, tmp_path: Path) -> None:
    assert set(NAMED) == set(PICTURES) - {"outlook", "wealths"}  # the only ones of their commands
    path = tmp_path / "picture.svg"
    for name, (command, words) in NAMED.items():
        outcome = run(command[0], results, *command[1:], "--plot", f"{name}={path}")
        assert outcome.code == 0, outcome.err
        assert words in path.read_text(encoding="utf-8")


def test_a_picture_has_the_width_and_the_style_that_were_asked_for(
    results: Path, tmp_path: Path
) -> None:
    path = tmp_path / "p.svg"
    title = "tree and forest"
    run("sign", results, *PAIR, "--plot", path)
    assert title in path.read_text(encoding="utf-8")
    run("sign", results, *PAIR, "--plot", path, "--print", "column")
    svg = path.read_text(encoding="utf-8")
    assert 'width="252pt"' in svg  # 3.5 inches
    assert title not in svg


def test_a_matrix_too_wide_for_its_sheet_is_refused_before_the_work(tmp_path: Path) -> None:
    names = [f"c{k}" for k in range(40)]
    rows = [",".join([f"set-{i}", *(f"0.{i}{k}" for k in range(40))]) for i in range(3)]
    path = tmp_path / "means.csv"
    path.write_text("\n".join([",".join(["dataset", *names]), *rows]), encoding="utf-8")
    chosen = ("--preset", "means", "--plot", f"pairs={tmp_path / 'p.svg'}")
    outcome = run("rank", path, *chosen, "--print", "column")
    assert outcome.code == 2
    assert "holds 1 to 34 at this width: ask for a wider one" in outcome.err
    assert not outcome.out


def test_the_topic_says_how_many_classifiers_a_matrix_holds() -> None:
    words = " ".join(explained("pictures").split())
    held = [most_in_matrix(Sheet.of(width, "paper")) for width in ("column", "page")]
    assert "a column holds {} classifiers and a page {}".format(*held) in words


def test_the_topic_lists_every_picture_with_what_it_needs() -> None:
    lines = explained("pictures").splitlines()
    rows = [line for line in lines if line.startswith("| ")][2:]
    assert rows == [f"| {name} | {p.title} | {p.needs} |" for name, p in PICTURES.items()]


def test_intervals_asked_for_are_those_drawn(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "p.svg"
    monkeypatch.setenv("BCOMPARE_INTERVAL", "0.8,0.999")
    run("ttest", results, *PAIR, "--dataset", "iris", "--plot", path)
    svg = path.read_text(encoding="utf-8")
    assert "80 % interval" in svg
    assert "99.9 % interval" in svg
    assert "95 % interval" not in svg


@pytest.mark.parametrize("command", ["sign", "signrank", "hier"])
def test_draws_are_those_of_the_answer(results: Path, tmp_path: Path, command: str) -> None:
    path = tmp_path / "draws.npz"
    outcome = run(command, results, *PAIR, "--output", "-", "-o", path, "--format", "json")
    (answer,) = json.loads(outcome.out)["comparisons"]
    with np.load(path) as result:
        theta = result["theta"]
        assert result["classifiers"].tolist() == ["tree", "forest"]
        assert result["regions"].tolist() == ["left", "rope", "right"]
        assert result["rope"].tolist() == [-0.01, 0.01]
    assert theta.shape == (150_000, 3)
    assert theta.sum(axis=1) == pytest.approx(np.ones(len(theta)))
    largest = np.bincount(theta.argmax(axis=1), minlength=3) / len(theta)
    for share, name in zip(largest, ("p_left", "p_rope", "p_right"), strict=True):
        # Five standard errors; of the quadrature, its tolerance too.
        allowed = 5 * math.sqrt(max(share * (1 - share), 1e-5) / len(theta)) + 5e-4
        assert share == pytest.approx(answer[name], abs=allowed)


def test_pictures_of_the_next_data_set_do_not_follow_another_question(
    results: Path, tmp_path: Path
) -> None:
    for name in ("parameters", "simplex"):
        drawn = []
        for verdict in ("next", "average"):
            path = tmp_path / f"{name}-{verdict}.svg"
            chosen = ["--over", verdict, "--plot", f"{name}={path}"]
            assert run("hier", results, *PAIR, *chosen).code == 0
            drawn.append(path.read_bytes())
        assert drawn[0] == drawn[1]
