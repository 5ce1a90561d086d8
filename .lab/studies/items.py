"""`make reproduce`: which items of a gate broke: how often a claim is false, and what is found.

Items pass runs at their own rates. A candidate is unchanged, or three items that passed at a rate
above 0.75 now pass at 0.05. The rule of three claims is the gate's: the average, the items, and the
lost runs. Beside it stand what other tools do: an item that flips, or whose majority does; and
suspects that are run again and judged by the baseline alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from scipy.special import stdtr

from bcompare.data.rope import BoolArray, FloatArray, RegionProbabilities
from bcompare.gating.items import ItemRuns, found_in
from bcompare.gating.rule import Claim, GateRule, corrected_doubts, judge
from bcompare.methods.binomial_mixture import RateMixture
from bcompare.methods.correction import holm
from studies.study import Line, Paper, in_parallel, portions, share

RULE = GateRule()
ROPE = 0.01
BROKEN, AT, FROM = 3, 0.05, 0.75
# A run fails on all items, or on this share of them, with this probability.
TOGETHER, PART = 0.05, 1 / 3
# The most repetitions of one task.
PORTION = 50

Rates = Callable[[np.random.Generator, int], FloatArray]


def _mixed(_: np.random.Generator, q: int) -> FloatArray:
    stable, failing = int(0.75 * q), int(0.125 * q)
    rest = q - stable - failing
    return np.concatenate([np.full(stable, 0.995), np.full(failing, 0.01), np.full(rest, 0.6)])


def _half(_: np.random.Generator, q: int) -> FloatArray:
    return np.concatenate([np.full(q // 2, 0.999), np.full(q - q // 2, 0.8)])


MIXTURES: dict[str, Rates] = {
    "stable": lambda _, q: np.full(q, 0.995),
    "mixed": _mixed,
    "half flaky": _half,
    "Beta(3, 1)": lambda rng, q: rng.beta(3, 1, q),
    "Beta(1/2, 1/5)": lambda rng, q: rng.beta(0.5, 0.2, q),
    "all flaky": lambda _, q: np.full(q, 0.8),
}
SIZES = ((120, 5, 1), (120, 5, 3), (120, 5, 5), (40, 3, 3), (10, 5, 5))


@dataclass(frozen=True)
class Design:
    """q items with n runs of the baseline and m of the candidate.

    rates : the name of their mixture. failing : the share of items that a run fails on which fails
    as a whole; 0 if none does.
    """

    rates: str
    q: int
    n: int
    m: int
    failing: float = 0.0

    def __str__(self) -> str:
        together = {0.0: "", 1.0: ", runs fail as a whole", PART: ", runs fail on a third"}
        return f"{self.rates}, {self.q} items, {self.n} with {self.m}{together[self.failing]}"

    def drawn(
        self, rng: np.random.Generator, rates: FloatArray, runs: int
    ) -> tuple[FloatArray, BoolArray]:
        """(q, runs) whether each item passes, and (runs,) which runs fail together."""
        passed = rng.random((len(rates), runs)) < rates[:, None]
        fails = rng.random(runs) < (TOGETHER if self.failing else 0.0)
        passed &= ~(fails & (rng.random(passed.shape) < self.failing))
        return np.asarray(passed, np.float64), fails


DESIGNS = tuple(
    Design(rates, *size, failing)
    for failing in (0.0, 1.0, PART)
    for rates in MIXTURES
    for size in SIZES
)
# What is counted of an unchanged candidate, and of one that broke three items.
UNCHANGED = ("named", "lost", "either", "told", "average", "majority flips", "any flips", "outage")
# Of these no more than alpha are promised, and of those at least so many.
FALSE = ("named", "lost", "either", "told")
PROMISED = {
    f"{design}, three broken: {what}": Paper(above=least)
    for design, least in (
        (Design("stable", 120, 5, 3), 0.8),
        (Design("stable", 120, 5, 5), 0.9),
        (Design("mixed", 120, 5, 5), 0.7),
    )
    for what, least in (("named", least), ("alarm", 0.8))
}
FOUND = ("named", "another named", "alarm", "told", "average")


@dataclass(frozen=True)
class Ruling:
    """What a gate says: the items named, whether runs were lost, and what each alone would say.

    told : that runs were lost, of a candidate with one run, which fails nothing. outage : that a
    run failed together. average : that the mean fails, without any claim about items.
    """

    named: BoolArray
    lost: bool
    told: bool
    outage: bool
    average: bool

    @property
    def alarm(self) -> bool:
        """Whether a claim about items fails the gate."""
        return bool(self.named.any()) or self.lost


def average(main: FloatArray, own: FloatArray) -> Claim:
    """The claim on the mean over items, by Student's test."""
    differences = own.mean(axis=1) - main.mean(axis=1)
    n = len(differences)
    error = max(float(differences.std(ddof=1)) / np.sqrt(n), 1e-9)
    worse = float(stdtr(n - 1, (-ROPE - differences.mean()) / error))
    better = float(stdtr(n - 1, (differences.mean() - ROPE) / error))
    return Claim(RegionProbabilities(worse, 1 - worse - better, better))


def ruled(main: FloatArray, own: FloatArray, again: FloatArray | None = None) -> Ruling:
    """What the gate says of these runs."""
    mean = average(main, own)
    items = tuple(("", str(i)) for i in range(len(main)))
    titles = [tuple(map(str, range(table.shape[1]))) for table in (main, own)]
    runs = ItemRuns(items, main, own, titles[0], titles[1])
    if again is not None:
        runs = replace(runs, again=again)
    found = found_in(runs, RULE.alpha)
    claims = [mean, *found.claims()]
    outcomes = judge(RULE, claims)
    judged = found.judged(outcomes[1:], corrected_doubts(claims)[1:], RULE.alpha)
    is_lost = len(outcomes) > 2 and outcomes[2] == "fail"
    is_told = len(outcomes) > 2 and outcomes[2] != "pass" and own.shape[1] == 1
    alone = judge(RULE, [mean])[0] == "fail"
    return Ruling(judged.broken, is_lost, is_told, len(found.outages) > 0, alone)


def flips(main: FloatArray, own: FloatArray) -> tuple[bool, bool]:
    """Whether the majority of an item's runs, or any, flips from passed to failed."""
    majority = (main.mean(axis=1) > 0.5) & (own.mean(axis=1) < 0.5)
    any_run = main.all(axis=1) & ~own.all(axis=1)
    return bool(majority.any()), bool(any_run.any())


def answers(rng: np.random.Generator, design: Design, repetitions: int) -> list[list[float]]:
    """What is claimed of an unchanged candidate and of one that broke items.

    What is told of one run holds if it failed as a whole, too. Of runs that fail together those
    count that a note can name: sides of one run have none. The last two columns say whether there
    was one.
    """
    rows = []
    for _ in range(repetitions):
        rates = MIXTURES[design.rates](rng, design.q)
        main, of_main = design.drawn(rng, rates, design.n)
        own, of_own = design.drawn(rng, rates, design.m)
        ruling = ruled(main, own)
        together = bool(of_main.any() or (design.m > 1 and of_own.any()))
        row: list[float] = [
            bool(ruling.named.any()),
            ruling.lost,
            ruling.alarm,
            ruling.told and not bool(of_own.any()),
            ruling.average,
            *flips(main, own),
            ruling.outage and not together,
        ]
        seen = ruling.outage and together
        broke = broken_items(rng, rates)
        worse = rates.copy()
        worse[broke] = AT
        ruling = ruled(main, design.drawn(rng, worse, design.m)[0])
        row.append(float(ruling.named[broke].mean()) if len(broke) else 0.0)
        row.append(bool(np.delete(ruling.named, broke).any()))
        row += [ruling.alarm, ruling.told, ruling.average]
        rows.append([*row, together, seen])
    return rows


def broken_items(rng: np.random.Generator, rates: FloatArray) -> np.ndarray:
    """Up to three items that passed often enough to break."""
    able = np.flatnonzero(rates > FROM)
    return rng.choice(able, min(BROKEN, len(able)), replace=False)


MORE = (4, 9)


def twice(rng: np.random.Generator, more: int, repetitions: int) -> list[list[float]]:
    """Of one run whose suspects are run again: judged by the baseline alone, and as the gate does.

    A row: whether an unchanged item is named, and the share of broken ones that is, of each rule;
    and how many further runs there were.
    """
    design = Design("mixed", 120, 5, 1)
    rows = []
    for _ in range(repetitions):
        rates = MIXTURES[design.rates](rng, design.q)
        main, _ = design.drawn(rng, rates, design.n)
        broke = broken_items(rng, rates)
        worse = rates.copy()
        worse[broke] = AT
        row: list[float] = []
        for is_broken, of_candidate in ((False, rates), (True, worse)):
            first, _ = design.drawn(rng, of_candidate, 1)
            again, _ = design.drawn(rng, of_candidate, more)
            suspect = suspects(main, first)
            for named in (
                named_naively(main, again, suspect),
                named_with_first(main, first, again, suspect),
            ):
                told = named[broke].mean() if is_broken else named.any()
                row.append(float(told))
            row.append(float(more * suspect.sum()))
        rows.append(row)
    return rows


def suspects(main: FloatArray, first: FloatArray) -> BoolArray:
    """The suspects of a first run."""
    items = tuple(("", str(i)) for i in range(len(main)))
    return found_in(ItemRuns(items, main, first), RULE.alpha).suspect


def named_naively(main: FloatArray, again: FloatArray, suspect: BoolArray) -> BoolArray:
    """The suspects whose reruns alone are worse than the baseline, by Holm's method over them."""
    named = np.zeros(len(main), np.bool_)
    if suspect.any():
        passed = main.sum(axis=1).astype(np.int64)
        of_runs = np.full(len(main), main.shape[1])
        rates = RateMixture.of(passed, of_runs)
        chances = rates.chances(passed[suspect], of_runs[suspect], again.shape[1])
        of_suspects = again[suspect].sum(axis=1).astype(np.int64)
        named[suspect] = holm(chances[np.arange(len(of_suspects)), of_suspects]) < RULE.alpha
    return named


def named_with_first(
    main: FloatArray, first: FloatArray, again: FloatArray, suspect: BoolArray
) -> BoolArray:
    """The items that the gate names by first runs and reruns together."""
    if not suspect.any():
        return np.zeros(len(main), np.bool_)
    return ruled(main, first, np.where(suspect[:, None], again, np.nan)).named


# Graded scores of an unchanged item: how they vary from run to run.
GRADED: dict[str, Callable[[np.random.Generator, tuple[int, int]], FloatArray]] = {
    "normal": lambda rng, size: rng.normal(0.8, 0.05, size),
    "of two values": lambda rng, size: rng.choice([0.8, 0.9], size),
    "one in ten collapses": lambda rng, size: np.where(
        rng.random(size) < 0.1, 0.0, rng.normal(0.8, 0.05, size)
    ),
}
OF_GRADED = ((5, 5), (5, 3), (5, 1))


def graded(rng: np.random.Generator, kind: str, n: int, m: int, repetitions: int) -> list[bool]:
    """Whether Student's test of each of 120 unchanged items names one, by Holm's method."""
    result = []
    for _ in range(repetitions):
        main, own = (GRADED[kind](rng, (120, runs)) for runs in (n, m))
        squares = sum(((x - x.mean(axis=1, keepdims=True)) ** 2).sum(axis=1) for x in (main, own))
        dof = n + m - 2
        error = np.sqrt(np.maximum(squares, 1e-18) / dof * (1 / n + 1 / m))
        p = stdtr(dof, (own.mean(axis=1) - main.mean(axis=1)) / error)
        result.append(bool((holm(p) < RULE.alpha).any()))
    return result


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """The shares of each design, and those of reruns and of graded scores."""
    result: list[Line] = []
    for design, table in _tables(answers, DESIGNS, repetitions, seed):
        *columns, together, seen = table.T
        for name, column in zip(UNCHANGED, columns, strict=False):
            what = f"{design}, unchanged: {name}"
            promise = Paper(below=RULE.alpha) if name in FALSE else None
            result.append(Line(what, *share(column > 0), promise))
        for name, column in zip(FOUND, columns[len(UNCHANGED) :], strict=True):
            what = f"{design}, three broken: {name}"
            result.append(Line(what, *mean_of(column), PROMISED.get(what)))
        if together.any():
            result.append(Line(f"{design}: outage noted", *share(seen[together > 0] > 0)))
    for more, table in _tables(twice, MORE, repetitions, seed + 1):
        naive, ours, _, found_naive, found, runs = table.T
        where = f"one run and {more} more of the suspects"
        result += [
            Line(f"{where}, by the baseline alone: false", *share(naive > 0)),
            Line(f"{where}, with the first run: false", *share(ours > 0)),
            Line(f"{where}, by the baseline alone: named", *mean_of(found_naive)),
            Line(f"{where}, with the first run: named", *mean_of(found)),
            Line(f"{where}: further runs", *mean_of(runs)),
        ]
    cases = [(kind, n, m) for kind in GRADED for n, m in OF_GRADED]
    hits = in_parallel(graded, [(*case, repetitions) for case in cases], seed + 2)
    for (kind, n, m), hit in zip(cases, hits, strict=True):
        result.append(Line(f"graded, {kind}, {n} with {m}: false", *share(hit)))
    return tuple(result)


def mean_of(column: FloatArray) -> tuple[float, float]:
    """A mean, and its standard error."""
    return float(column.mean()), float(column.std() / np.sqrt(len(column)))


Case = TypeVar("Case")


def _tables(
    simulate: Callable[..., list[list[float]]],
    cases: Sequence[Case],
    repetitions: int,
    seed: int,
) -> Iterator[tuple[Case, FloatArray]]:
    """Yield each case with a row for each repetition."""
    parts = portions(repetitions, PORTION)
    tasks = [(case, some) for case in cases for some in parts]
    rows = in_parallel(simulate, tasks, seed)
    for k, case in enumerate(cases):
        of_case = rows[k * len(parts) : (k + 1) * len(parts)]
        yield case, np.concatenate([np.array(part) for part in of_case])
