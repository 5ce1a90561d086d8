"""A family of small and nasty problems, and what a second integration says of each.

    python -m tests.methods.hierarchical.family            # makes family.json again: about an hour

The integration is `second.py`. Of each problem it is done on a grid, and on a finer one until two
agree; that agreement is kept with the answers.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import Hierarchical
from tests.methods.hierarchical.examples import statistics_of

ANSWERS = Path(__file__).with_suffix(".json")
SIZE = 208
PRIORS = (
    "gaussian",
    "kruschke",
    "gaussian",
    "juarez-steel",
    "gaussian",
    "corani",
    "gaussian",
    "gaussian",
)
ROPES = (
    Rope(-0.01, 0.01),
    Rope(-0.03, 0.0),
    Rope(-0.002, 0.002),
    Rope(-0.005, 0.02),
    Rope(0.0, 0.0),
)


@dataclass(frozen=True)
class Problem:
    """One problem of the family."""

    statistics: SufficientStatistics
    rope: Rope
    options: dict[str, Any]

    @property
    def method(self) -> Hierarchical:
        return Hierarchical(**self.options)


def problem(k: int) -> Problem:
    """The k-th problem: its prior, its shape and its bounds go through all combinations."""
    rng = np.random.default_rng([20170611, k])
    prior = PRIORS[k % 8]
    q = int(rng.integers(3, 13 if prior == "gaussian" else 8))
    n = int(rng.integers(3, 11))
    rho = float(rng.choice([0.0, 0.1, 0.2]))
    sd = 0.02 * rng.uniform(0.3, 2, q)
    error = sd * np.sqrt(1 / n + rho / (1 - rho))
    shape = k // 8 % 4
    if shape == 0:  # like the model's own
        mean = rng.normal(0.005, 0.015) + 0.015 * rng.standard_t(3, q)
    elif shape == 1:  # one far from the rest, which agree to within 0.0005
        mean = rng.normal(0, 0.005) + 0.0005 * rng.uniform(-1, 1, q)
        mean[0] += rng.choice([-1, 1]) * rng.uniform(0.02, 0.08)
    elif shape == 2:  # hardly any differences, and almost the same on each data set
        sd = sd * rng.choice([0.05, 0.4])
        mean = rng.normal(0, 0.01) + 0.05 * error * rng.standard_normal(q)
    else:  # two camps
        mean = rng.choice([-0.015, 0.02], q) + error * rng.standard_normal(q)

    options: dict[str, Any] = {"prior": prior}
    if k % 3 == 0:  # bounds that cut the posterior off
        centre, width = float(np.median(mean)), float(rng.uniform(0.3, 3) * error.min())
        side = float(rng.choice([-1.0, 0.0, 1.0])) * width
        options["delta0_bounds"] = (centre + side - width, centre + side + width)
    if k % 7 == 0:
        options["sigma0_bound"] = float(rng.uniform(0.3, 3) * mean.std())
    return Problem(statistics_of(mean, sd, n, rho), ROPES[k // 5 % 5], options)


def answers() -> Iterator[dict[str, FloatArray]]:
    """What the second integration says of each problem of the family."""
    for one in json.loads(ANSWERS.read_text()):
        yield {name: np.array(value) for name, value in one.items()}


def main() -> None:
    """Make the answers."""
    from tests.methods.hierarchical.second import settled

    first, step = (int(number) for number in sys.argv[1:3]) if len(sys.argv) > 2 else (0, 1)
    target = Path(sys.argv[3]) if len(sys.argv) > 3 else ANSWERS
    result: list[dict[str, Any]] = []
    for k in range(first, SIZE, step):
        case = problem(k)
        data = case.method.data(case.statistics, case.rope)
        answer = settled(data, case.rope)
        result.append({name: np.round(value, 8).tolist() for name, value in answer.items()})
        target.write_text("[\n" + ",\n".join(json.dumps(one) for one in result) + "\n]\n")


if __name__ == "__main__":
    main()
