"""Columns whose names hold a classifier and a running number."""

import re

import pytest

from bcompare.columns.side_by_side import SideBySide, _numbered, _shared_beginning


def parts(found: SideBySide, name: str) -> tuple[str, str]:
    """The classifier and the number that a name holds."""
    match = re.fullmatch(found.expression("fold"), name)
    assert match is not None
    return match["classifier"], match["fold"]


# Names that share a part; there is a score that is called after BERT.
BOTH = [("tree", "forest"), ("svm_rbf", "svm_poly"), ("a_svm", "b_svm"), ("bert-s", "bert-l")]


@pytest.mark.parametrize(
    ("template", "word", "metric"),
    [
        ("{who}_fold{k}_accuracy", "fold", "accuracy"),
        ("{who}_accuracy_fold{k}", "fold", "accuracy"),
        ("accuracy_{who}_fold{k}", "fold", "accuracy"),
        ("accuracy_fold{k}_{who}", "fold", "accuracy"),
        ("fold{k}_accuracy_{who}", "fold", "accuracy"),
        ("cv{k}.{who}.balanced_accuracy", "cv", "balanced_accuracy"),
        ("{who}_roc_auc_fold{k}", "fold", "roc_auc"),
        ("log_loss-{who}-run{k}", "run", "log_loss"),
        ("{who}_latency_seed{k}", "seed", "latency"),
        ("{who}-{k}", "", ""),
        ("{k}: {who}", "", ""),
    ],
)
@pytest.mark.parametrize("both", BOTH)
def test_classifier_number_and_metric_stand_in_any_order(
    template: str, word: str, metric: str, both: tuple[str, str]
) -> None:
    names = [template.format(who=who, k=k) for who in both for k in range(10)]
    (found,) = _numbered(names, has_models=False)
    assert (found.word, found.metric) == (word, metric)
    for who in both:
        assert parts(found, template.format(who=who, k=7)) == (who, "7")


@pytest.mark.parametrize(
    ("texts", "shared"),
    [
        (["a_b_c", "a_b_d"], "a_b_"),
        (["a_bc", "a_bd"], "a_"),
        (["a_x", "ab"], ""),
        (["-x", "x"], ""),
    ],
)
def test_what_is_shared_ends_with_a_separator(texts: list[str], shared: str) -> None:
    assert _shared_beginning(texts) == shared


def test_several_metrics_name_no_classifiers() -> None:
    names = [f"fold{k}_tree_{metric}" for metric in ("accuracy", "f1") for k in range(10)]
    assert not any(found.names_classifiers for found in _numbered(names, has_models=False))


@pytest.mark.parametrize(
    ("first", "second", "ending"),
    [
        ("tree", "forest", ""),  # right before the number, of which it takes no digit
        ("svm2", "svm3", "_fold"),  # may end with a digit, where a word follows
    ],
)
def test_a_classifier_ends_where_its_number_begins(first: str, second: str, ending: str) -> None:
    names = [f"{who}{ending}{k}" for who in (first, second) for k in range(1, 13)]
    (found,) = _numbered(names, has_models=False)
    assert found.columns == tuple(names)
    assert parts(found, f"{first}{ending}12") == (first, "12")
    assert parts(found, f"{second}{ending}1") == (second, "1")


@pytest.mark.parametrize("separator", ["_", " - ", ""])
def test_a_running_number_may_stand_before_the_classifier(separator: str) -> None:
    names = [f"fold{k}{separator}{who}" for who in ("tree", "forest") for k in range(12)]
    (found,) = _numbered(names, has_models=False)
    assert parts(found, f"fold11{separator}tree") == ("tree", "11")
