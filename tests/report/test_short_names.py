"""Names of classes with packages and options are cut for people, and distinct."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcompare.basis.names import LONGEST, short_names

SMO = (
    "weka.classifiers.functions.SMO -C 1.0 -L 0.001 -V -1 -K "
    '"weka.classifiers.functions.supportVector.PolyKernel -E 1.0" -calibrator '
    '"weka.classifiers.functions.Logistic -R 1.0E-8 -num-decimal-places 4"'
)
TREE = "weka.classifiers.trees.J48 -C 0.25 -M 2"
HUB = "meta-llama/Meta-Llama-3.1-405B-Instruct-FP8-dynamic"
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
