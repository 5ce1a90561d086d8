"""Weights of test items: rates of sums, with the error of a ratio estimator."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bcompare
from bcompare.data.rope import FloatArray
from tests.command import run
from tests.results import write_lines

WEIGHED: dict[str, Any] = {
    "classifier_col": "system",
    "item_col": "utterance",
    "score_col": "wer",
    "weight_col": "words",
}

SAID = [f"--col={name.removesuffix('_col')}={column}" for name, column in WEIGHED.items()]


def utterances(n: int = 80, seed: int = 1) -> tuple[FloatArray, FloatArray]:
    """The words of each utterance, and the edits of two systems."""
    rng = np.random.default_rng(seed)
    words = np.maximum(rng.lognormal(2, 1, n).astype(int), 1)
    return words, rng.binomial(words[:, None], [0.1, 0.15]).astype(np.float64)


def sheet(path: Path, words: FloatArray, edits: FloatArray, *, documents: bool = False) -> Path:
    """A row for each utterance and system."""
    lines = ["system,utterance,document,edits,words,wer"]
    for k, name in enumerate("ab"):
        for i, n in enumerate(words.tolist()):
            document = f"d{i // 5}" if documents else ""
            edit = int(edits[i, k])
            lines.append(f"{name},u{i},{document},{edit},{n},{edit / n!r}")
    return write_lines(path, *lines)


def test_the_mean_is_the_rate_of_sums(tmp_path: Path) -> None:
    words, edits = utterances()
    file = str(sheet(tmp_path / "r.csv", words, edits))
    scores = bcompare.read_scores(file, **WEIGHED)
    (pair,) = bcompare.compare(scores, "ttest", rope=0.01).comparisons
    rates = edits.sum(axis=0) / words.sum()
    assert pair.differences.mean_scores == pytest.approx(rates.tolist())
    ranked = run("rank", file, *SAID, "--rope", "0.01", "--format", "csv").out.splitlines()
    table = [dict(zip(ranked[0].split(","), row.split(","), strict=True)) for row in ranked[1:]]
    means = {row["classifier"]: float(row["mean_score"]) for row in table}
    assert [means["a"], means["b"]] == pytest.approx(rates.tolist())


def test_the_error_is_that_of_a_ratio_estimator(tmp_path: Path) -> None:
    words, edits = utterances()
    scores = bcompare.read_scores(str(sheet(tmp_path / "r.csv", words, edits)), **WEIGHED)
    (pair,) = bcompare.compare(scores, "ttest", rope=0.01).comparisons
    error = float(pair.differences.statistics.in_equal_rows.standard_error[0])
    total = words.sum()
    residual = (edits[:, 1] - edits[:, 0]) - words * (edits[:, 1] - edits[:, 0]).sum() / total
    corrected = (residual**2 / (1 - words / total)).sum() / total**2
    assert error == pytest.approx(np.sqrt(corrected), rel=1e-6)
    n = len(words)  # Cochran 1977, eq. 6.13, without the correction of each item
    cochran = n / (n - 1) * (residual**2).sum() / total**2
    assert error == pytest.approx(np.sqrt(cochran), rel=0.05)
    rng = np.random.default_rng(2)
    rows = rng.integers(n, size=(4000, n))
    ratios = (edits[:, 0] - edits[:, 1])[rows].sum(axis=1) / words[rows].sum(axis=1)
    assert error == pytest.approx(ratios.std(), rel=0.1)


def test_clusters_weigh_their_items(tmp_path: Path) -> None:
    words, edits = utterances()
    file = str(sheet(tmp_path / "r.csv", words, edits, documents=True))
    scores = bcompare.read_scores(file, cluster_col="document", **WEIGHED)
    (pair,) = bcompare.compare(scores, "ttest", rope=0.01).comparisons
    sums = words.reshape(-1, 5).sum(axis=1)
    lost = (edits[:, 1] - edits[:, 0]).reshape(-1, 5).sum(axis=1)
    residual = lost - sums * lost.sum() / sums.sum()
    variance = (residual**2 / (1 - sums / sums.sum())).sum() / sums.sum() ** 2
    error = pair.differences.statistics.in_equal_rows.standard_error[0]
    assert float(error) == pytest.approx(np.sqrt(variance), rel=1e-6)


def test_equal_weights_change_nothing(tmp_path: Path) -> None:
    words, edits = utterances()
    equal = np.full(len(words), 7)
    file = str(sheet(tmp_path / "r.csv", equal, np.minimum(edits, 7)))
    weighed = bcompare.read_scores(file, **WEIGHED)
    plain = bcompare.read_scores(file, **{k: v for k, v in WEIGHED.items() if k != "weight_col"})
    answers = []
    for scores in (weighed, plain):
        (pair,) = bcompare.compare(scores, "ttest", rope=0.01).comparisons
        answers.append(np.stack([*pair.result.answers]).tolist())
    assert answers[0] == answers[1]


def test_a_gate_judges_the_rate_of_sums(tmp_path: Path) -> None:
    words, edits = utterances(n=300)
    file = str(sheet(tmp_path / "r.csv", words, edits))
    scores = bcompare.read_scores(file, baseline="a", **WEIGHED)
    gate = bcompare.gate(scores, baseline="a", rope=0.01)
    rates = edits.sum(axis=0) / words.sum()
    assert gate.outcome == "fail"
    assert gate.verdicts[0].means == pytest.approx(rates.tolist())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda k, i, n: n if k or i else 0, "weights are numbers above 0"),
        (lambda k, i, n: n + k, "an item has one weight for all classifiers"),
    ],
)
def test_weights_that_are_none_are_refused(tmp_path: Path, change: Any, words: str) -> None:
    own, edits = utterances(12)
    lines = ["system,utterance,words,wer"]
    for k, name in enumerate("ab"):
        for i, n in enumerate(own.tolist()):
            lines.append(f"{name},u{i},{change(k, i, n)},{edits[i, k] / n}")
    file = write_lines(tmp_path / "r.csv", *lines)
    with pytest.raises(bcompare.InputError) as caught:
        bcompare.read_scores(str(file), **WEIGHED)
    assert words in str(caught.value)


def test_weights_belong_to_items(tmp_path: Path) -> None:
    words, edits = utterances(12)
    file = sheet(tmp_path / "r.csv", words, edits)
    options = {**WEIGHED, "seed_col": "utterance"}
    del options["item_col"]
    with pytest.raises(bcompare.InputError, match="weights belong to test items"):
        bcompare.read_scores(str(file), **options)


def test_check_says_what_the_mean_means(tmp_path: Path) -> None:
    words, edits = utterances(20)
    file = sheet(tmp_path / "r.csv", words, edits)
    named = ["--col", "classifier=system", "--col", "item=utterance", "--col", "score=wer"]
    shown = run("check", file, *named)
    assert "the score is edits / words in every row" in shown.err + shown.out
    assert "--col weight=words" in shown.err + shown.out
    weighed = run("check", file, *named, "--col", "weight=words")
    assert "in every row" not in weighed.err + weighed.out


@pytest.mark.parametrize("role", ["item_col", "seed_col"])
def test_bootstrap_samples_are_no_rows(tmp_path: Path, role: str) -> None:
    lines = ["model,bootstrap_id,bleu"]
    lines += [f"{m},{k},{30 + k % 7 + len(m)}" for m in ("a", "bb") for k in range(50)]
    file = write_lines(tmp_path / "r.csv", *lines)
    options: dict[str, Any] = {"classifier_col": "model", "score_col": "bleu", role: "bootstrap_id"}
    with pytest.raises(bcompare.InputError, match="numbers bootstrap samples"):
        bcompare.read_scores(str(file), **options)
