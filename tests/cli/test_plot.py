"""`--plot` draws what was asked, names everybody, and refuses what it cannot draw."""

from pathlib import Path

import pytest

from bcompare.cli.options import PictureFile
from bcompare.explain import explained
from bcompare.plots import PICTURES
from bcompare.plots.sheet import Sheet, most_in_matrix
from tests.command import refused, run
from tests.results import small_csv

pytestmark = pytest.mark.usefixtures("one_population")

THREE = {"tree": 0.0, "forest": 0.04, "bayes": -0.05}
PAIR = ("--left", "tree", "--right", "forest")
ROPES = ("--rope", "0", "--rope", "0.01", "--rope", "0.02")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plot") / "results.csv"
    return small_csv(path, THREE, ("iris", "wine", "glass", "sonar", "zoo"))


# What draws each picture by its name, or the picture that is its own, and words that it holds.
DRAWN: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
    ("", ("ttest", *PAIR, "--dataset", "iris"), ("tree", "forest", "iris")),
    ("", ("ttest", *PAIR), ("tree", "forest", "iris", "zoo", "mean difference, 95 % interval")),
    ("", ("ttest", "--dataset", "iris"), ("tree", "forest", "bayes")),
    ("", ("sign",), ("tree", "forest", "bayes")),
    ("", ("hier", *PAIR), ("tree", "forest", "degrees of freedom ν")),
    ("", ("signrank", *PAIR), ("θ: equivalent",)),
    ("", ("sign", *PAIR), ("θ: equivalent",)),
    ("", ("poisson", *PAIR), ("number of data sets",)),
    ("", ("rank", "--test", "poisson"), ("tree", "forest", "bayes")),
    ("posterior", ("ttest", *PAIR, "--dataset", "iris"), ("95 % interval",)),
    ("forest", ("ttest", *PAIR), ("zoo",)),
    ("parameters", ("hier", *PAIR), ("centre δ₀",)),
    ("simplex", ("hier", *PAIR), ("shades hold",)),
    ("counts", ("poisson", *PAIR), ("better on more than half",)),
    ("regret", ("rank",), ("regret: mean score lost",)),
    ("against", ("rank",), ("mean difference from",)),
    ("places", ("rank",), ("all places together, 95 % interval",)),
    ("ropes", ("sign", *PAIR, *ROPES), ("half-width of the rope",)),
    ("regions", ("sign",), ("equivalent, from −0.01 to 0.01",)),
    ("posteriors", ("ttest", *PAIR), ("glass",)),
    ("shrinkage", ("hier", *PAIR), ("shrunken",)),
    ("densities", ("poisson", *PAIR), ("difference forest − tree",)),
    ("means", ("signrank", *PAIR), ("a data set",)),
    ("boxplot", ("ttest",), ("the middle half of the data sets",)),
    ("folds", ("rank", "--dataset", "iris"), ("correlation of the scores",)),
    ("family", ("rank",), ("best, or within the rope of it: 0.01",)),
    ("pairs", ("rank",), ("the row's classifier is",)),
    ("critical-difference", ("rank",), ("critical difference",)),
]


@pytest.mark.parametrize(("name", "command", "words"), DRAWN)
def test_pictures(
    results: Path, tmp_path: Path, name: str, command: tuple[str, ...], words: tuple[str, ...]
) -> None:
    path = tmp_path / "picture.svg"
    outcome = run(command[0], results, *command[1:], "--plot", f"{name}={path}" if name else path)
    assert outcome.code == 0, outcome.err
    if command[0] == "ttest" and not name:
        assert outcome.out == run(command[0], results, *command[1:]).out
    svg = path.read_text(encoding="utf-8")
    assert [word for word in words if word not in svg] == []


def test_every_picture_is_drawn_by_its_name(results: Path) -> None:
    alone = {"outlook", "wealths"}  # the only ones of their commands
    assert {name for name, *_ in DRAWN if name} == set(PICTURES) - alone
    error = refused(run("hier", results, "--plot", "pie=p.svg"))
    assert all(f"{name} ({picture.needs})" in error for name, picture in PICTURES.items())


def test_a_picture_has_the_width_and_the_style_that_were_asked_for(
    results: Path, tmp_path: Path
) -> None:
    path = tmp_path / "p.svg"
    title = "tree and forest"
    run("sign", results, *PAIR, "--plot", path)
    assert title in path.read_text(encoding="utf-8")
    run("sign", results, *PAIR, "--plot", f"{path}:column")
    svg = path.read_text(encoding="utf-8")
    assert 'width="252pt"' in svg  # 3.5 inches
    assert title not in svg


@pytest.mark.parametrize(
    ("text", "picture"),
    [
        ("p.svg", PictureFile(None, "p.svg")),
        ("forest=p.svg:page", PictureFile("forest", "p.svg", "page")),
        (r"C:\x\p.svg", PictureFile(None, r"C:\x\p.svg")),
        (r"C:\p.pdf:column", PictureFile(None, r"C:\p.pdf", "column")),
        ("p.svg:wide", PictureFile(None, "p.svg:wide")),
    ],
)
def test_a_picture_says_where_it_goes_and_how_wide_it_is(text: str, picture: PictureFile) -> None:
    assert PictureFile.parse(text) == picture


def test_the_topic_says_how_many_classifiers_a_matrix_holds() -> None:
    words = " ".join(explained("pictures").split())
    held = [most_in_matrix(Sheet.of(width, "paper")) for width in ("column", "page")]
    assert "a column holds {} classifiers and a page {}".format(*held) in words


def test_the_topic_lists_every_picture_with_what_it_needs() -> None:
    lines = explained("pictures").splitlines()
    rows = [line for line in lines if line.startswith("| ")][2:]
    assert rows == [f"| {name} | {p.title} | {p.needs} |" for name, p in PICTURES.items()]


@pytest.mark.long
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
