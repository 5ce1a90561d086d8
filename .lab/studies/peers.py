"""`make reproduce`: this tool and others on the same simulated answers to test items.

Two models answer the same items, right or wrong; each tool is asked, by its own defaults, whether
they differ at 5 %, and for the 95 % interval of the difference. The others are the extra `peers`;
one that is not installed is reported and left out.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
import pandas as pd

import bcompare
from bcompare.basis.errors import InputError
from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.correlated_t import CorrelatedT
from studies.study import Line, Paper, in_parallel, portions, share

LEFT, RIGHT = "base", "tuned"
PORTION = 25
SHIFT = 0.03
METHOD = CorrelatedT(interval_levels=(0.95,))
ROPE = Rope.of(0.01)
# Of ours: a p-value errs in 5 %, a verdict in 5 % in each direction.
PROMISED = {
    ("bcompare", "type-I error"): Paper(below=0.05),
    ("bcompare's verdict", "type-I error"): Paper(below=0.10),
    ("bcompare", "coverage"): Paper(above=0.95),
}


@dataclass(frozen=True)
class Design:
    """Passages of `per` items, each answered `epochs` times by both models."""

    name: str
    passages: int
    per: int = 1
    epochs: int = 1

    @property
    def items(self) -> int:
        return self.passages * self.per

    @property
    def clustered(self) -> bool:
        return self.per > 1


DESIGNS = (
    Design("100 items", 100),
    Design("100 items × 5 epochs", 100, epochs=5),
    Design("20 passages × 5 items", 20, 5),
    Design("20 items", 20),
)


@dataclass(frozen=True)
class Answer:
    """What a tool says of right - left."""

    significant: bool
    low: float
    high: float
    words: str = ""


def answers(design: Design, shift: float, rng: np.random.Generator) -> pd.DataFrame:
    """A row an answer; the right model is better by `shift`, on average over such items."""
    items = design.items
    passage = np.repeat(np.arange(design.passages), design.per)
    ease = rng.normal(1.0, 2.0, items)
    frames = []
    for model, more in ((LEFT, 0.0), (RIGHT, shift)):
        strength = rng.normal(0, 1.0, design.passages)[passage] + rng.normal(0, 0.5, items)
        p = 0.02 + 0.94 * (1 / (1 + np.exp(-(ease + strength)))) + more
        right = rng.random((items, design.epochs)) < p[:, None]
        frames.append(
            pd.DataFrame({
                "item": [f"q{i}" for i in np.repeat(np.arange(items), design.epochs)],
                "epoch": np.tile(np.arange(design.epochs), items),
                "passage": [f"p{i}" for i in np.repeat(passage, design.epochs)],
                "model": model,
                "score": right.astype(np.float64).ravel(),
            })
        )  # fmt: skip
    return pd.concat(frames, ignore_index=True)


def by_p_value(frame: pd.DataFrame, design: Design) -> Answer:
    """This tool's p-value (McNemar's exact test, or a t-test), and its credible interval."""
    result = _ours(frame, design)
    p = float(result.nhst.p_value[0])
    low, high = _interval(result)
    return Answer(p < 0.05, low, high, f"p = {p:.3g}")


def by_verdict(frame: pd.DataFrame, design: Design) -> Answer:
    """This tool's verdict: better by more than the rope of 0.01, with probability above 0.95."""
    result = _ours(frame, design)
    p = max(float(result.probabilities.left[0]), float(result.probabilities.right[0]))
    says = "withheld" if result.withheld[0] else f"p(better) at most {p:.3g}"
    low, high = _interval(result)
    return Answer(p > 0.95 and not result.withheld[0], low, high, says)


def _ours(frame: pd.DataFrame, design: Design) -> Any:
    scores = bcompare.from_items(
        frame,
        "item",
        epoch="epoch" if design.epochs > 1 else None,
        cluster="passage" if design.clustered else None,
        classifier_col="model",
    )
    (pair,) = bcompare.paired_differences(scores, [(LEFT, RIGHT)])
    return METHOD.test(pair.statistics, ROPE).datasets


def _interval(found: Any) -> tuple[float, float]:
    (interval,) = found.intervals
    return float(interval.low[0]), float(interval.high[0])


def by_evalsig(frame: pd.DataFrame, design: Design) -> Answer:
    """`compare`, with the passage as the cluster; of several epochs it uses the first."""
    evalsig = import_module("evalsig")
    left, right = (
        evalsig.RunFrame(model, model, "task", "accuracy", [
            evalsig.ItemResult(item, score, passage if design.clustered else None, epoch)
            for item, score, passage, epoch in _cells(frame, model)
        ])
        for model in (LEFT, RIGHT)
    )  # fmt: skip
    result = evalsig.compare(left, right, cluster="passage" if design.clustered else None)
    low, high = result.ci
    return Answer(result.significant, low, high, f"p = {result.p_value:.3g}")


def by_evalci(frame: pd.DataFrame, design: Design) -> Answer:
    """`compare`; of epochs `multi_compare`, of clusters `cluster_ci` of the differences."""
    evalci = import_module("evalci")
    left, right = (frame["score"][frame["model"] == m].to_numpy() for m in (LEFT, RIGHT))
    if design.epochs > 1:
        renamed = frame.rename(columns={"item": "item_id", "epoch": "sample_idx"})
        (row,) = evalci.multi_compare(renamed.drop(columns="passage"), random_state=1).to_dict(
            "records"
        )
        return Answer(row["significant"], -row["ci_high"], -row["ci_low"])
    if design.clustered:
        passage = frame["passage"][frame["model"] == LEFT].to_numpy()
        low, high = evalci.cluster_ci(right - left, passage, random_state=1)
        return Answer(low > 0 or high < 0, low, high)
    result = evalci.compare(right, left, random_state=1)
    low, high = result.ci
    return Answer(result.p_value < 0.05, low, high, f"p = {result.p_value:.3g}")


def by_evalstats(frame: pd.DataFrame, design: Design) -> Answer:
    """`compare` of the models; it knows no clusters."""
    evalstats = import_module("evalstats")
    columns = ["item", "model", "score", *(["epoch"] if design.epochs > 1 else [])]
    data = evalstats.load_from(frame[columns].rename(columns={"epoch": "run"}))
    (pair,) = evalstats.compare(data, factors="model").to_dict()["pairwise"]
    ends = pair["ci_low"], pair["ci_high"]
    low, high = ends if pair["a"] == RIGHT else (-ends[1], -ends[0])
    return Answer(pair["significant"], low, high, f"p = {pair['p_value']:.3g}")


def by_statgate(frame: pd.DataFrame, design: Design) -> Answer:
    """The gate's p-value and interval; it knows no clusters."""
    record = import_module("statgate.records").EvalRecord
    left, right = (
        [record(case_id=item, score=score, run_index=k) for item, score, _, k in _cells(frame, m)]
        for m in (LEFT, RIGHT)
    )
    settings = import_module("statgate.config").GateSettings(seed=1)
    result = import_module("statgate.verdict").evaluate_gate(left, right, settings)
    return Answer(
        result.p_value < 0.05, result.interval.low, result.interval.high,
        f"p = {result.p_value:.3g}, {result.verdict}",
    )  # fmt: skip


def _cells(frame: pd.DataFrame, model: str) -> list[tuple[Any, ...]]:
    rows = frame[frame["model"] == model]
    return list(rows[["item", "score", "passage", "epoch"]].itertuples(index=False, name=None))


TOOLS: dict[str, Callable[[pd.DataFrame, Design], Answer]] = {
    "bcompare": by_p_value,
    "bcompare's verdict": by_verdict,
    "evalci": by_evalci,
    "evalsig": by_evalsig,
    "evalstats": by_evalstats,
    "statgate": by_statgate,
}
OURS = ("bcompare", "bcompare's verdict")


def installed() -> dict[str, str]:
    """The version of each tool that is installed."""
    result = {}
    for name in TOOLS:
        try:
            result[name] = bcompare.__version__ if name in OURS else version(name)
        except PackageNotFoundError:
            continue
    return result


def asked(name: str, frame: pd.DataFrame, design: Design) -> Answer | str:
    """What a tool says, or why it refuses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return TOOLS[name](frame, design)
    except (InputError, ValueError) as error:
        first_sentence = " ".join(str(error).split()).partition(". ")[0]
        return f"refuses: {first_sentence.partition(' [')[0]}"


def _portion(
    rng: np.random.Generator, design: Design, shift: float, repetitions: int, names: list[str]
) -> dict[str, FloatArray]:
    """For each tool (repetitions, 2): whether significant (and right, if shifted); covered."""
    hits: dict[str, list[tuple[bool, bool]]] = {name: [] for name in names}
    for _ in range(repetitions):
        frame = answers(design, shift, rng)
        for name in names:
            result = asked(name, frame, design)
            if isinstance(result, str):
                hits[name].append((False, False))
                continue
            right_way = shift == 0 or result.low + result.high > 0
            covers = result.low <= shift <= result.high
            hits[name].append((result.significant and right_way, covers))
    return {name: np.array(rows, dtype=float) for name, rows in hits.items()}


def side_by_side(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Type-I error, power at +3 points and coverage of each tool, and two odd inputs."""
    versions = installed()
    names = list(versions)
    lines = [
        Line(f"{name}: figures, as it is not installed (pip install '.[peers]')", 0.0)
        for name in TOOLS
        if name not in versions
    ]
    cases = [(design, shift) for design in DESIGNS for shift in (0.0, SHIFT)]
    sizes = portions(repetitions, PORTION)
    tasks = [(design, shift, size, names) for design, shift in cases for size in sizes]
    parts = iter(in_parallel(_portion, tasks, seed))
    for design, shift in cases:
        own = [next(parts) for _ in sizes]
        for name in names:
            significant, covered = np.concatenate([part[name] for part in own]).T
            figures = {"power at +3 points": significant}
            if not shift:
                figures = {"type-I error": significant, "coverage": covered}
            for what, hits in figures.items():
                promised = PROMISED.get((name, what))
                lines.append(_line(name, versions, f"{design.name}: {what}", hits, promised))
    return (*lines, *_odd(min(repetitions, 100), seed, versions))


def _odd(repetitions: int, seed: int, versions: dict[str, str]) -> list[Line]:
    """Equal models of which one lacks a score; and models whose every answer is the same."""
    rng = np.random.default_rng(seed)
    design, lines = DESIGNS[0], []
    frames = [answers(design, 0.0, rng) for _ in range(repetitions)]
    one_absent = [f.assign(score=f["score"].where(f.index != len(f) - 1)) for f in frames]
    equal = [f.assign(score=[*f["score"][: len(f) // 2]] * 2) for f in frames]
    for what, given in (("one absent score", one_absent), ("all equal", equal)):
        for name in versions:
            result = [asked(name, frame, design) for frame in given]
            hits = np.array([isinstance(a, Answer) and a.significant for a in result])
            first = result[0]
            note = first if isinstance(first, str) else _words(first)
            lines.append(_line(name, versions, f"{what}: called different", hits, None, note))
    return lines


def _words(answer: Answer) -> str:
    known = f"interval {answer.low:.3g} to {answer.high:.3g}"
    return f"{answer.words}, {'no interval' if np.isnan(answer.low) else known}"


def _line(
    name: str,
    versions: dict[str, str],
    what: str,
    hits: Any,
    promised: Paper | None,
    note: str = "",
) -> Line:
    rate, error = share(hits)
    tool = f"{name} {versions[name]}"
    return Line(f"{tool}, {what}", rate, error, promised, series=tool, note=note)
