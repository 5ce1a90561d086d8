"""Every kind of result shows itself: as a report, a document, a frame, a picture, in a notebook."""

import pytest

import bcompare
from bcompare.basis.showable import Showable
from bcompare.comparing.compare import sweep
from bcompare.data.rope import Rope
from bcompare.gating.anytime import anytime
from bcompare.gating.history import Entry, History
from bcompare.gating.self_check import self_check
from bcompare.methods import load_method
from bcompare.planning.anytime import plan_anytime
from bcompare.planning.power import power
from bcompare.show import KINDS, as_text, document
from tests.results import small_csv

TWO = {"a": 0.0, "b": 0.03}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Showable]:
    path = small_csv(tmp_path_factory.mktemp("show") / "results.csv", TWO, ("one", "two", "three"))
    scores = bcompare.read_scores(path)
    header, *rows = (
        small_csv(path.with_name("groups.csv"), TWO, tuple("abcdef")).read_text().split()
    )
    groups = path.with_name("groups.csv")
    groups.write_text("\n".join([f"domain,{header}", *(f"{'xy'[r[0] > 'c']},{r}" for r in rows)]))
    rows = [f"q{i},{name},{i % (k + 2) % 2}" for i in range(30) for k, name in enumerate("ab")]
    path.with_name("items.csv").write_text("\n".join(["item,classifier,score", *rows]))
    answers = bcompare.read_scores(path.with_name("items.csv"), item_col="item")
    ropes = [Rope.of(0.01), Rope.of(0.02)]
    kinds = (
        bcompare.compare(scores, "sign"),
        bcompare.rank(scores),
        sweep(scores, load_method("sign")(), ropes),
        bcompare.gate(scores, baseline="a"),
        self_check(scores, baseline="a", test="sign"),
        anytime(bcompare.gate(answers, baseline="a")),
        plan_anytime(0.02, 0.3, [50], replicates=20),
        History("none.jsonl", (Entry.of(bcompare.gate(scores, baseline="a"), "gate", "fine"),)),
        bcompare.plan(scores, pairs=[("a", "b")], test="sign", replicates=20),
        bcompare.profile_results(path),
        bcompare.slices(*bcompare.read_slices(groups, by="domain"), "domain", "sign"),
        power(0.02, 0.04, datasets=[10], test="sign", replicates=20),
    )
    return {type(kind).__name__: kind for kind in kinds}


def test_every_kind_of_result_is_in_the_table(results: dict[str, Showable]) -> None:
    assert {kind.__name__ for kind in KINDS} == results.keys()
    assert {kind.__name__ for kind in Showable.__subclasses__()} == results.keys()


@pytest.mark.parametrize("kind", [kind.__name__ for kind in KINDS])
def test_a_result_shows_itself(kind: str, results: dict[str, Showable]) -> None:
    result = results[kind]
    assert repr(result).startswith(f"<{kind}")
    assert len(repr(result)) < 250
    assert result._repr_html_().startswith("<main>")
    assert document(result)["bcompare"] == bcompare.__version__
    rows = as_text(result, "csv").splitlines()
    assert list(result.to_frame().columns) == rows[0].split(",")
    if next(shown for known, shown in KINDS.items() if known.__name__ == kind).shape is None:
        with pytest.raises(bcompare.InputError, match="there is no picture of a"):
            result.plot()
    else:
        assert result.plot().axes
