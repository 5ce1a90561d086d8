"""The sample data: complete, reproducible, and the grid search gives its published figures."""

import csv
import importlib.util
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from bcompare.methods.correlated_t import CorrelatedTResult, correlated_t_test

SAMPLE_DATA = Path(__file__).parents[1] / "sample_data"
MADE_WITH = "1.9"

same_scikit_learn = pytest.mark.skipif(
    not sklearn.__version__.startswith(f"{MADE_WITH}."),
    reason=f"the files were made with scikit-learn {MADE_WITH}, here is {sklearn.__version__}",
)


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    """The script as a module, with linear algebra on one thread as in the script."""
    spec = importlib.util.spec_from_file_location(
        "make_sample_data", SAMPLE_DATA / "make_sample_data.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with threadpool_limits(1):
        yield module


def rows_of(file: str) -> list[dict[str, str]]:
    with (SAMPLE_DATA / file).open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def first_run_of(dataset: str) -> bytes:
    """The header of results.csv and the first run of one data set, as they are in the file."""
    lines = (SAMPLE_DATA / "results.csv").read_bytes().splitlines(keepends=True)
    return b"".join([lines[0], *(x for x in lines if x.startswith(f"{dataset},1,".encode()))])


@same_scikit_learn
def test_script_reproduces_the_grid_search_byte_for_byte(
    script: ModuleType, tmp_path: Path
) -> None:
    script.write_csv(tmp_path / "again.csv", script.grid_search_rows())
    assert (tmp_path / "again.csv").read_bytes() == (SAMPLE_DATA / "grid_search.csv").read_bytes()


@same_scikit_learn
@pytest.mark.parametrize("dataset", ["linnerud", "two_hard"])
def test_script_reproduces_the_first_run_on_a_data_set_byte_for_byte(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dataset: str
) -> None:
    # The folds of one run do not depend on how many follow; ten runs would take too long.
    monkeypatch.setattr(script, "RUNS", 1)
    script.write_csv(tmp_path / "again.csv", script.result_rows(dataset))
    assert (tmp_path / "again.csv").read_bytes() == first_run_of(dataset)


def test_results_show_every_verdict_of_the_t_test(script: ModuleType) -> None:
    scores: dict[tuple[str, str], list[float]] = {}
    for row in rows_of("results.csv"):
        key = row["dataset"], row["classifier"]
        scores.setdefault(key, []).append(float(row["score"]))
    verdicts: Counter[str] = Counter()
    for left, right in combinations(script.CLASSIFIERS, 2):
        differences = [np.subtract(scores[d, right], scores[d, left]) for d in script.DATASETS]
        p = correlated_t_test(differences, rho=0.1, rope=0.01).datasets.probabilities
        decided = {name: int((getattr(p, name) > 0.95).sum()) for name in ("left", "rope", "right")}
        verdicts.update(decided, none=len(differences) - sum(decided.values()))
    assert all(verdicts[verdict] >= 5 for verdict in ("left", "rope", "right", "none")), verdicts


def auc(model: str) -> NDArray[np.float64]:
    """The areas under the curve of one model of the grid search, in the order of the file."""
    rows = rows_of("grid_search.csv")
    return np.array([float(row["score"]) for row in rows if row["classifier"] == model])


def compare(left: str, right: str) -> CorrelatedTResult:
    return correlated_t_test(auc(right) - auc(left), rho=0.1, rope=0.01)


def test_figures_that_scikit_learns_example_prints() -> None:
    """Printed there for rbf - linear and rbf - 3_poly; here a difference is right - left."""
    answer = compare("rbf", "linear").datasets
    assert_allclose(-answer.nhst.statistic, 0.750, atol=5e-4)
    assert_allclose(answer.nhst.p_left_better, 0.227, atol=5e-4)
    assert_allclose(answer.probabilities.rope, 0.432, atol=5e-4)
    assert_allclose(answer.probabilities.right, 0.068, atol=5e-4)
    intervals = {i.level: (-i.high[0], -i.low[0]) for i in answer.intervals}
    assert_allclose(intervals[0.50], (0.000977, 0.019023), atol=5e-7)
    assert_allclose(intervals[0.75], (-0.005422, 0.025422), atol=5e-7)
    assert_allclose(intervals[0.95], (-0.016445, 0.036445), atol=5e-7)
    answer = compare("rbf", "3_poly").datasets
    assert_allclose(6 * answer.nhst.p_left_better, 0.302, atol=5e-4)
    assert_allclose(answer.probabilities.right, 0.018, atol=5e-4)
    assert_allclose(answer.probabilities.rope, 0.100, atol=5e-4)


def test_the_means_are_those_of_the_results(script: ModuleType) -> None:
    rows = [(*key, float(score)) for *key, score in map(dict.values, rows_of("results.csv"))]
    means = rows_of("means.csv")
    assert [*means[0]] == ["dataset", *script.CLASSIFIERS]
    assert [tuple(row.values()) for row in means] == script.mean_rows(rows)


@same_scikit_learn
def test_the_answers_come_out_the_same(script: ModuleType) -> None:
    result = [tuple(row.values()) for row in rows_of("answers.csv")]
    assert result == [tuple(map(str, row)) for row in script.answer_rows()]


def test_the_runs_come_out_the_same(script: ModuleType) -> None:
    for name, rows in script.agent_rows().items():
        found = [tuple(row.values()) for row in rows_of(f"{name}_runs.csv")]
        assert found == [tuple(map(str, row)) for row in rows]
