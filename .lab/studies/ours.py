"""Our own simulations as studies: what the tool says of itself, and whether it comes true."""

import math

import numpy as np
from scipy.stats import kstest

from studies import best, calibration, epochs, looks, misfit, suites
from studies.study import Line, Paper, in_parallel, portions, share

PORTION = 25


def hierarchical_calibration(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Posterior distribution functions at true values are uniform: Kolmogorov–Smirnov p-values."""
    parts = in_parallel(_calibrated, [(r,) for r in portions(repetitions, PORTION)], seed)
    values = np.array([row for part in parts for row in part])
    return tuple(
        Line(f"{name}: p-value of uniformity", float(kstest(column, "uniform").pvalue),
             paper=Paper(above=0.001))
        for name, column in zip(calibration.PARAMETERS, values.T, strict=True)
    )  # fmt: skip


def _calibrated(rng: np.random.Generator, repetitions: int) -> list[list[float]]:
    return [calibration.replicate(rng) for _ in range(repetitions)]


def which_is_best(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Stated probabilities of being best less how often it was so; a twentieth is promised."""
    result = []
    for one in best.calibration(repetitions, seed=seed):
        for low, high in ((0.0, 0.3), (0.3, 1.0)):
            gap, error = one.gap(low, high)
            what = f"{one.what}, stated {low:g} to {high:g}: came true, less stated"
            result.append(Line(what, gap, error, Paper(0.0, digits=1)))
    return tuple(result)


def misfit_rates(repetitions: int, seed: int) -> tuple[Line, ...]:
    """How often the note `misfit` speaks: of the model's own families, and of other shapes."""
    result = []
    shapes = {"the model's own": misfit.of_the_model, **misfit.SHAPES}
    for name, draw in shapes.items():
        own = draw is misfit.of_the_model
        for q in (10, 54, 200):
            rng = np.random.default_rng([seed, q])
            count = repetitions if own else math.ceil(repetitions / 4)
            rates = misfit.spoken(draw, q, count, rng).tolist()
            for check, rate in zip(("regions", "shape", "either"), rates, strict=True):
                error = float(np.sqrt(max(rate * (1 - rate), 1 / count) / count))
                promised = Paper(misfit.RATE) if own and check != "either" else None
                result.append(Line(f"{name}, q = {q}: {check}", rate, error, promised))
    return tuple(result)


def repeated_looks(repetitions: int, seed: int) -> tuple[Line, ...]:
    """A gate that looks fifty times: how often it says "worse"."""
    rng = np.random.default_rng(seed)
    result = []
    for stream in looks.STREAMS:
        for name, truth in looks.TRUTHS.items():
            cried = looks.cried(stream, truth, repetitions, rng)
            for when in ("first", "last", "ever"):
                ours = float(getattr(cried, when))
                error = share(np.arange(repetitions) < ours * repetitions)[1]
                known = when == "first" and truth > -2 * looks.R
                promised = Paper(below=0.05) if known else None
                result.append(Line(f"{stream.name}, {name}: {when}", ours, error, promised))
        promise = looks.promise(stream, repetitions, rng)
        error = share(np.arange(promise.called) < promise.wrong * promise.called)[1]
        result.append(
            Line(f"{stream.name}, random truths: wrong of those that cried", promise.wrong, error,
                 Paper(below=0.05))
        )  # fmt: skip
    return tuple(result)


def repeated_answers(repetitions: int, seed: int) -> tuple[Line, ...]:
    """How often the interval of items' values holds the true difference of two models."""
    rng = np.random.default_rng(seed)
    result = []
    for suite, shape in epochs.SUITES.items():
        for design in epochs.DESIGNS:
            for items in epochs.ITEMS:
                ours = epochs.coverage(design, items, shape, repetitions, rng)
                error = share(np.arange(repetitions) < ours * repetitions)[1]
                result.append(Line(f"{suite}, {design}, {items} items: 95 % interval", ours, error))
    return tuple(result)


def judged_suites(repetitions: int, seed: int) -> tuple[Line, ...]:
    """A gate over whole suites, and over several metrics: how often it fails, or cannot tell."""
    rng = np.random.default_rng(seed)
    result = []
    for rows in suites.ROWS:
        for q in suites.SIZES:
            for name in suites.TRUTHS:
                rates = suites.rates(rows, suites.truths_of(name, q), 0.0, repetitions, rng)
                what = f"{rows.name}, {q} data sets, {name}"
                result += _judged(what, name, rates, repetitions, ("fail", "undecided"))
    several = suites.METRICS
    for correlation in suites.CORRELATIONS:
        for name in suites.OF_METRICS:
            for metrics in (1, several):
                truths = suites.truths_of(name, suites.SIZES[0], metrics)
                rates = suites.rates(suites.ROWS[0], truths, correlation, repetitions, rng)
                judged = f"one of {several} metrics" if metrics > 1 else "that metric alone"
                what = f"correlation {correlation:g}, {judged} {name}"
                result += _judged(what, name, rates, repetitions, ("fail",))
    return tuple(result)


def _judged(
    what: str, truth: str, rates: dict[str, float], repetitions: int, keys: tuple[str, ...]
) -> list[Line]:
    """Lines on a gate's answers; it is not to fail where the truth is nowhere worse."""
    lines = []
    for key in keys:
        error = share(np.arange(repetitions) < round(rates[key] * repetitions))[1]
        promised = Paper(below=suites.RULE.alpha) if truth in suites.NOWHERE_WORSE else None
        says = {"fail": "fails", "undecided": "undecided"}[key]
        lines.append(
            Line(f"{what}: {says}", rates[key], error, promised if key == "fail" else None)
        )
    return lines
