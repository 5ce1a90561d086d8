"""Which name was probably meant."""

import pytest

from bcompare.basis.nearest import nearest


@pytest.mark.parametrize(
    ("name", "names", "near"),
    [
        ("j49", ["nbc", "j48"], ["j48"]),
        ("kye", ["fold", "key"], ["key"]),
        ("SVM", ["svc", "svm"], ["svm"]),
        ("nightly", ["light"], []),
        ("svm", ["tree", "svm-rbf"], ["svm-rbf"]),
        ("score", ["rank", "test_score"], ["test_score"]),
        ("fold", ["dataset_fold_id"], []),
        ("nb", ["nbc-kernel"], []),
    ],
)
def test_the_name_that_was_meant(name: str, names: list[str], near: list[str]) -> None:
    assert nearest(name, names) == near
