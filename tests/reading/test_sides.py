"""Both sides were measured alike, or that is refused; how they were set up is noted."""

from typing import Any

import pandas as pd
import pytest

from bcompare.basis.messages import InputError
from bcompare.reading.profile import profile_results
from bcompare.reading.read import from_frame, read_scores
from tests.reading.rows import as_file


def folds(**columns: tuple[Any, Any]) -> pd.DataFrame:
    """Ten folds of two classifiers; columns : their values on either side."""
    rows = [
        {"dataset": "d", "fold": f, "classifier": who, "score": 0.5 + f / 50 + k / 90}
        | {name: values[k] for name, values in columns.items()}
        for f in range(10)
        for k, who in enumerate("ab")
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    "name",
    [
        *("split", "partition", "subset", "fold_set", "split_seed", "filter", "unit", "judge"),
        *(
            "grader",
            "scorer_model",
            "dataset_version",
            "data_revision",
            "task_version",
            "judge_model",
        ),
    ],
)
def test_what_was_measured_on_or_by_must_not_differ(name: str) -> None:
    apart = folds(**{name: ("one", "other")})
    both: list[dict[str, Any]] = [{}, {"baseline": "a"}]
    for options in both:
        with pytest.raises(InputError, match=rf"'{name}' is one for a and other for b"):
            from_frame(apart, **options)
        scores = from_frame(apart, accept=name, **options)
        (note,) = [note for note in scores.notes if note.code == "accepted"]
        assert "one for a and other for b" in note.message
    assert not [n for n in from_frame(folds(**{name: ("one", "one")})).notes if n.code == "setup"]


@pytest.mark.parametrize(
    "name",
    [
        "temperature",
        "prompt_template",
        "shots",
        "max_tokens",
        "version",
        "commit",
        "host",
        "date",
        "seed",
    ],
)
def test_how_a_model_was_set_up_is_noted(name: str) -> None:
    (note,) = [n for n in from_frame(folds(**{name: (1, 2)})).notes if n.code == "setup"]
    assert f"{name} (1 for a and 2 for b)" in note.message
    assert ("if the seed drew the folds" in note.message) == (name == "seed")


def test_any_other_property_of_a_side_is_named_too_but_not_what_varies_or_names_it() -> None:
    properties = {"cuda": ("11", "12"), "alias": ("model a", "model b"), "layers": (3, 3)}
    frame = folds(**properties).assign(time=lambda f: f["fold"] / 3)
    (note,) = [note for note in from_frame(frame).notes if note.code == "setup"]
    assert "cuda (11 for a and 12 for b)" in note.message
    assert not any(name in note.message for name in ("layers", "time"))


def test_sets_of_values_are_compared_on_each_data_set() -> None:
    frame = pd.concat(folds(subset=(f"s{d}", f"s{d}")).assign(dataset=f"d{d}") for d in range(3))
    lacks = frame[(frame["classifier"] == "a") | (frame["dataset"] != "d2")]
    assert from_frame(lacks, missing="drop-datasets").classifiers == ("a", "b")
    some = frame["fold"].lt(5) & frame["classifier"].eq("b")
    mixed = frame.assign(subset=frame["subset"].mask(some, "other"))
    with pytest.raises(InputError, match=r"s0 for a and .*other.* for b"):
        from_frame(mixed)


def test_a_hash_is_compared_row_by_row() -> None:
    rows = [(f"q{i}", who, i % 2, f"h{i}") for i in range(12) for who in "ab"]
    frame = pd.DataFrame(rows, columns=["item", "classifier", "score", "doc_hash"])
    from_frame(frame, item_col="item")
    swapped = frame.assign(doc_hash=frame["doc_hash"].where(frame.index != 5, "h3"))
    with pytest.raises(InputError, match="'doc_hash' is h2 for a and h3 for b"):
        from_frame(swapped, item_col="item")


def test_columns_of_other_files_are_compared(tmp_path: Any) -> None:
    parts = []
    for name, split in (("a", "test"), ("b", "train")):
        rows = [f"d,{f},{0.5 + f / 50},{split}" for f in range(10)]
        parts.append(as_file(rows, "dataset,fold,score,split", name=f"{name}.csv"))
    with pytest.raises(InputError, match="'split' is test for a and train for b"):
        read_scores(*parts)


def test_rows_that_another_side_claims_are_refused() -> None:
    with pytest.raises(InputError, match="'model' calls b a, which is another one"):
        from_frame(folds(model=("a", "a")))
    assert from_frame(folds(model=("a", "a")), accept="a").classifiers == ("a", "b")


def test_groups_of_items_are_named_where_they_may_be_clusters() -> None:
    def noted(group: Any, items: int = 40) -> list[str]:
        rows = [f"q{i},{m},{i % 3 % 2},{group(i, m)}" for i in range(items) for m in "ab"]
        file = as_file(rows, "item,classifier,score,doc")
        notes = profile_results(file, item_col="item").notes
        return [note.message for note in notes if note.code == "groups"]

    (message,) = noted(lambda i, _: f"doc{i // 4}")
    assert "groups 4 items each" in message
    assert not noted(lambda i, _: f"doc{i // 20}")  # of too few groups
    assert not noted(lambda i, _: f"doc{i}")  # of single items
    assert not noted(lambda i, m: f"{m}{i // 4}")  # not the same for both
