"""Names of classes with packages and options are cut for people, and distinct."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcompare.basis.names import LONGEST, short_names
from tests.command import run
from tests.results import write_lines

SMO = (
    "weka.classifiers.functions.SMO -C 1.0 -L 0.001 -V -1 -K "
    '"weka.classifiers.functions.supportVector.PolyKernel -E 1.0" -calibrator '
    '"weka.classifiers.functions.Logistic -R 1.0E-8 -num-decimal-places 4"'
)
TREE = "weka.classifiers.trees.J48 -C 0.25 -M 2"
HUB = "meta-llama/Meta-Llama-3.1-405B-Instruct-FP8-dynamic"
BOOSTING = "HistGradientBoostingClassifier(max_iter=500)"
NEIGHBOURS = "KNeighborsClassifier(n_neighbors=15)"
PIPELINE = "Pipeline(steps=[('scale', StandardScaler()), ('svc', SVC(C={}))])"


@pytest.mark.parametrize(
    "short",
    [
        {SMO: "SMO", TREE: "J48", "knn": "knn"},
        {SMO: "SMO -C 1.0", SMO.replace("-C 1.0", "-C 10.0"): "SMO -C 10.0"},
        {SMO: "SMO -K PolyKernel", SMO.replace("Poly", "RBF"): "SMO -K RBFKernel"},
        {PIPELINE.format(1): "Pipeline C=1", PIPELINE.format(10): "Pipeline C=10"},
        {"sklearn.svm.SVC": "sklearn.svm.SVC", "SVC": "SVC"},
        {name: name for name in (HUB, "gpt-3.5-turbo", "llama3.1", "C=0.1, gamma=0.01")},
        {BOOSTING: "HistGradientBoostingClassifier", NEIGHBOURS: "KNeighborsClassifier"},
        {BOOSTING: "HistGradientBoostingClassifier", "knn (k=3)": "knn", "svm": "svm"},
        {BOOSTING: "HistGradientBoostingClassifier", "knn (k=3)": None, "knn (k=5)": None},
        {"LogisticRegression(max_iter=500)": None, NEIGHBOURS: None},
        {"sklearn.ensemble._forest.RandomForestClassifier(1)": "RandomForestClassifier"},
        {"Gradient boosting, with early stopping and class weights": None},
    ],
)
def test_a_name_is_cut_to_what_tells_it_from_the_others(short: dict[str, str | None]) -> None:
    result = short_names(tuple(short))
    assert {name: result.get(name, name) for name in short} == {k: v or k for k, v in short.items()}


PARTS = st.sampled_from(["a.b.", "weka.trees.", "Tree", "J48", " -C 1", " -M 2", ", x=1", "(", ")"])


@given(st.lists(st.lists(PARTS, min_size=1, max_size=9).map("".join), unique=True))
def test_short_names_are_distinct(names: list[str]) -> None:
    short = short_names(tuple(names))
    assert all(short.values())
    assert len({short.get(name, name) for name in names}) == len(names)


@given(st.lists(st.text(st.characters(exclude_characters="."), max_size=LONGEST), unique=True))
def test_names_without_a_package_stay(names: list[str]) -> None:
    assert not short_names(tuple(names))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Ten folds of two classifiers, of which one has a long name."""
    rows = [
        f'd,{fold},"{name}",{0.7 + 0.01 * fold + gain * (1 + fold % 3)}'
        for fold in range(10)
        for name, gain in ((BOOSTING, 0.0), (NEIGHBOURS, -0.02))
    ]
    return write_lines(tmp_path / "results.csv", "dataset,fold,classifier,score", *rows)


COMMANDS = ("ttest", "rank", "gate --baseline")


@pytest.mark.parametrize("format", ["table", "markdown", "latex"])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_cut_is_cut_from_all_names(results: Path, command: str, format: str) -> None:
    words = command.split()
    baseline = [BOOSTING] if len(words) > 1 else []
    shown = run(*words, *baseline, results, "--format", format).out
    assert shown.count("HistGradientBoostingClassifier") > 0
    assert shown.count("KNeighborsClassifier") > 0
    assert "max_iter" not in shown
    assert "n_neighbors" not in shown
    assert "names are cut" in shown


def test_pictures_and_pages_cut_the_same(results: Path) -> None:
    folder = results.parent
    picture = folder / "p.svg"
    page = folder / "page.html"
    assert run("rank", results, "--plot", picture).code == 0
    assert run("report", results, "-o", page).code == 0
    drawn = picture.read_text(encoding="utf-8")
    assert "KNeighborsClassifier" in drawn
    tables = page.read_text(encoding="utf-8").split("<table")[1:]
    assert any("KNeighborsClassifier" in text for text in tables)
    for text in (drawn, *(text.partition("</table>")[0] for text in tables)):
        assert ("max_iter" in text) == ("n_neighbors" in text)
    assert "n_neighbors" not in drawn


FULL = {"ttest": "csv sentence", "rank": "csv sentence", "gate --baseline": "csv json"}


@pytest.mark.parametrize("command", COMMANDS)
def test_other_formats_have_both_names_in_full(results: Path, command: str) -> None:
    words = command.split()
    baseline = [BOOSTING] if len(words) > 1 else []
    for chosen in FULL[command].split():
        shown = run(*words, *baseline, results, "--format", chosen).out
        assert BOOSTING in shown
        assert NEIGHBOURS in shown
