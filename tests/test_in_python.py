"""What people meet in Python: options, two arrays, short texts of results, a gate's line."""

from typing import Any

import numpy as np
import pytest

import bcompare
from bcompare import InputError
from bcompare.methods import METHODS, load_method

SCORES = bcompare.read_scores("sample_data/results.csv")
TWO = ["iris", "two_hard"]
LEFT = [0.70, 0.72, 0.71, 0.69, 0.73]
RIGHT = [0.75, 0.74, 0.76, 0.75, 0.77]


def test_functions_take_data_sets() -> None:
    on_two = SCORES.on(TWO)
    study = bcompare.compare(SCORES, "ttest", datasets=TWO)
    assert [d.name for d in study.scores.datasets] == [d.name for d in on_two.datasets]
    assert bcompare.document(study) == bcompare.document(bcompare.compare(on_two, "ttest"))
    gate = bcompare.gate(SCORES, baseline="knn", candidate="forest", datasets=TWO)
    assert {verdict.dataset for verdict in gate.verdicts} - {None} == {*TWO}
    assert bcompare.rank(SCORES, datasets=TWO).datasets == ("iris", "two_hard")
    plan = bcompare.plan(SCORES, pairs=[("knn", "forest")], datasets=["iris"], replicates=10)
    assert [dataset.name for dataset in plan.study.scores.datasets] == ["iris"]


@pytest.mark.parametrize("function", [bcompare.compare, bcompare.rank])
def test_an_unknown_data_set_is_named(function: Any) -> None:
    with pytest.raises(InputError, match="no data set 'irish': did you mean 'iris'"):
        function(SCORES, datasets=["irish"])


@pytest.mark.parametrize(
    ("option", "meant"),
    [("dataset", "datasets"), ("ropes", "rope"), ("popullation", "population")],
)
def test_an_unknown_option_is_ours_to_refuse(option: str, meant: str) -> None:
    options: dict[str, Any] = {option: 1}
    with pytest.raises(InputError, match=f"{option}= is no option .* did you mean {meant}"):
        bcompare.compare(SCORES, "hier", **options)


@pytest.mark.parametrize("name", [*METHODS])
def test_options_of_each_test_are_known(name: str) -> None:
    with pytest.raises(InputError, match=rf"xyz= is no option of the test {name}: there are|mean"):
        bcompare.compare(SCORES, name, xyz=1)
    with pytest.raises(InputError, match="xyz= is no option"):
        bcompare.compare(SCORES, load_method(name)(), xyz=1)


def test_two_arrays_are_their_differences() -> None:
    gains = np.subtract(RIGHT, LEFT)
    for test in (bcompare.correlated_t_test, bcompare.poisson_binomial_test):
        assert repr(test(LEFT, RIGHT, rho=0.2)) == repr(test(gains, rho=0.2))
        both = test([LEFT, LEFT], [RIGHT, RIGHT[::-1]], rho=0.2)
        assert repr(both) == repr(test([gains, np.subtract(RIGHT[::-1], LEFT)], rho=0.2))
    for over in (bcompare.sign_test, bcompare.signed_rank_test):
        assert repr(over(LEFT, RIGHT)) == repr(over(gains))
    several = [LEFT, RIGHT, LEFT]
    others = [RIGHT, RIGHT, RIGHT]
    differences = [np.subtract(b, a) for a, b in zip(several, others, strict=True)]
    paired = bcompare.hierarchical_test(several, others, rho=0.2)
    assert repr(paired) == repr(bcompare.hierarchical_test(differences, rho=0.2))
    with pytest.raises(InputError, match="x and y differ in shape"):
        bcompare.correlated_t_test([LEFT, LEFT], [RIGHT, RIGHT[:3]], rho=0.2)


@pytest.mark.parametrize("name", [*METHODS])
def test_a_result_is_short(name: str) -> None:
    study = bcompare.compare(SCORES, name, left="knn", right="forest")
    (pair,) = study.comparisons
    for text in (repr(study), repr(pair), repr(pair.result)):
        assert len(text.splitlines()) <= 5
        assert all(len(line) < 100 for line in text.splitlines())
    if pair.probabilities is not None:
        assert f"p(right) {pair.probabilities.right:.3f}" in repr(pair)
        assert f"p(right) {pair.probabilities.right:.3f}" in repr(pair.result)
    words = {"left": "knn better", "right": "forest better", "none": "undecided"}
    assert all(words.get(decision, "equivalent") in repr(pair) for decision in pair.decisions)


def test_a_failed_assertion_on_a_gate_says_why() -> None:
    gate = bcompare.gate(SCORES, baseline="forest", candidate="naive_bayes")
    assert not gate.passed
    assert gate.summary == bcompare.document(gate)["summary"]
    assert repr(gate) == f"<Gate {gate.summary}>"
    assert gate.summary.startswith("failed: naive_bayes")


def cross_validated(accuracy: float, seconds: float) -> dict[str, list[float]]:
    rng = np.random.default_rng(1)
    return {
        "test_accuracy": rng.normal(accuracy, 0.01, 30).tolist(),
        "fit_time": (seconds * rng.normal(1, 0.01, 30)).tolist(),
    }


def test_the_time_of_fits_is_a_metric() -> None:
    results = {"main": cross_validated(0.8, 1.0), "pr": cross_validated(0.8, 1.5)}
    times = bcompare.from_cross_validate(results, folds=10, metric="fit_time")
    assert times.lower_is_better
    assert times.metric == "fit_time"
    accuracy = bcompare.from_cross_validate(results, folds=10, metric="test_accuracy")
    gate = bcompare.gate({"test_accuracy": accuracy, "fit_time: 5%": times}, baseline="main")
    outcomes = {verdict.metric: verdict.outcome for verdict in gate.verdicts}
    assert outcomes == {"test_accuracy": "pass", "fit_time": "fail"}
    with pytest.raises(InputError, match="there are accuracy, fit_time; choose by metric="):
        bcompare.from_cross_validate(results, folds=10, metric="f1")
