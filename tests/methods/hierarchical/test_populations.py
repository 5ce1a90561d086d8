"""The answers averaged over populations: a second way of computing them, and what must hold."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from scipy.signal import fftconvolve
from scipy.special import stdtr

from bcompare.basis.messages import InputError, as_options
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.canonical import Canonical
from bcompare.methods.hierarchical.method import AveragedPopulations, Hierarchical
from bcompare.methods.hierarchical.model import with_noise
from bcompare.methods.hierarchical.quadrature.averaged import (
    AveragedResult,
    Noise,
    PopulationDraws,
    Predicted,
    averaged,
    next_chances,
)
from bcompare.methods.hierarchical.quadrature.populations import FittedPopulation, populations

ROPE = Rope.of(0.01)
METHOD = AveragedPopulations(prior="kruschke")
RATE = 0.0345  # of that prior: ν - 1 is exponential


def collection(seed: int, q: int = 7, skew: float = 1.0) -> SufficientStatistics:
    """Data sets of unequal noise, whose true differences are skewed."""
    rng = np.random.default_rng(seed)
    differences = []
    for _ in range(q):
        noise = rng.choice([0.01, 0.03])
        true = 0.005 + 0.03 * (rng.exponential(1) - 1) * skew + 0.01 * rng.standard_normal()
        differences.append(true + rng.normal(0, noise, 20) + rng.normal(0, noise / 4))
    return SufficientStatistics.from_differences(differences, 0.1)


def answered(statistics: SufficientStatistics, rope: Rope = ROPE) -> AveragedResult:
    return averaged(METHOD.data(statistics, rope), rope)


def two_piece(x: FloatArray, nu: float, skew: float) -> tuple[FloatArray, FloatArray]:
    """Density and distribution function of the two-piece Student, by scipy's Student."""
    scale = np.where(x < 0, 1 / skew, skew)
    density: FloatArray = 2 / (skew + 1 / skew) * stats.t.pdf(x / scale, nu)
    return np.asarray(density), below_two_piece(x, nu, skew)


def below_two_piece(x: FloatArray, nu: FloatArray | float, skew: float) -> FloatArray:
    """Return its distribution function."""
    mass = 1 / (1 + skew**2)
    cdf = stdtr(nu, x / np.where(x < 0, 1 / skew, skew))
    return np.where(x < 0, 2 * mass * cdf, mass + (1 - mass) * (2 * cdf - 1))


def by_brute_force(
    statistics: SufficientStatistics, skew: float, scaling: float
) -> tuple[float, FloatArray]:
    """Log evidence and the six answers of one population, by sums over plain grids."""
    n, rho = statistics.n, statistics.rho
    tau = np.sqrt(statistics.ss / (n - 2) * (1 / n + rho / (1 - rho)))
    h = np.maximum(tau / np.sort(tau)[(len(tau) - 1) // 2], 0.05) ** scaling
    mean, tau = statistics.mean / h, tau / h
    unit = max(mean.std(ddof=1), tau.mean())
    mean, tau = mean / unit, tau / unit
    x = np.linspace(-16, 16, 4001)
    likelihood = stats.t.pdf((x - mean[:, None]) / tau[:, None], n[:, None] - 2) / tau[:, None]
    near = slice(1250, 2751)
    delta0 = x[near]
    log_sigma0 = np.linspace(-4.5, 2.5, 54)
    log_excess = np.linspace(-3.5, 6.3, 12)
    borders = np.array([ROPE.low, ROPE.high])[:, None, None] / unit / h
    evidence, sums = 0.0, np.zeros(6)
    for excess in np.exp(log_excess):
        for sigma0 in np.exp(log_sigma0):
            density, _ = two_piece(-x / sigma0, 1 + excess, skew)
            m = fftconvolve(likelihood, density[None] / sigma0, mode="same", axes=1)[:, near]
            mass = np.prod(m * (x[1] - x[0]), axis=0)
            mass *= sigma0 * excess * RATE * np.exp(-RATE * excess)
            below = two_piece((borders - delta0[:, None]) / sigma0, 1 + excess, skew)[1]
            low, high = below.mean(axis=-1)
            theta = np.stack([low, high - low, 1 - high])
            winner = np.eye(3)[theta.argmax(axis=0)].T
            evidence += float(mass.sum())
            sums += np.concatenate([theta @ mass, winner @ mass])
    steps = [np.diff(values)[0] for values in (delta0, log_sigma0, log_excess)]
    log_evidence = np.log(evidence * np.prod(steps)) - np.log(h * unit).sum()
    return float(log_evidence), sums / evidence


@pytest.mark.long
def test_second_way() -> None:
    statistics = collection(11, q=5)
    form = Canonical(METHOD.data(statistics, ROPE), ROPE)
    fitted = {(p.scaling, round(p.skew, 2)): p for p in populations(form.problem, 0)}
    chosen = [(0.5, 0.6), (1.0, 1.25)]
    assert fitted.keys() >= set(chosen)
    ours, others = [], []
    for scaling, skew in chosen:
        population = fitted[scaling, skew]
        answers = Predicted(population, form.rope).regions()[0][0].reshape(2, 3)
        ours.append(population.log_evidence - len(statistics) * np.log(form.unit))
        # where the pair was swapped, so are its skew and its answers
        lean = form.lean < 0
        log_evidence, expected = by_brute_force(statistics, 1 / skew if lean else skew, scaling)
        others.append(log_evidence)
        expected = expected.reshape(2, 3)
        assert np.abs((answers[:, ::-1] if lean else answers) - expected).max() < 4e-3
    assert np.diff(ours) == pytest.approx(np.diff(others), abs=0.01)


def test_papers_population_is_among_them() -> None:
    statistics = collection(3, q=20)
    form = Canonical(METHOD.data(statistics, ROPE), ROPE)
    own = next(p for p in populations(form.problem, 0) if (p.skew, p.scaling) == (1, 0))
    predicted = Predicted(own, form.rope)
    theta, likeliest = predicted.regions()[0][0].reshape(2, 3)
    seen = predicted.observed(Noise.of(form.problem))
    whole = Hierarchical(prior="kruschke").test(statistics, ROPE)
    known_next = with_noise(whole.next_delta.grid, whole.next_delta.cdf, statistics, ROPE)
    expected = (whole.theta_mean, whole.probabilities, known_next)
    for found, known in zip((theta, likeliest, seen), expected, strict=True):
        wanted = (*known,)[::-1] if form.lean < 0 else (*known,)
        # six values of the noise stand for those of twenty data sets
        assert found == pytest.approx(np.array(wanted), abs=1e-3 if found is not seen else 2e-3)


def summed_chances(population: FittedPopulation, form: Canonical) -> FloatArray:
    """(3,) chances under one population: sums over all points of its grid, by scipy's Student."""
    grid = population.post.whole
    mass = population.post.mass
    used = np.nonzero(mass > 1e-7)
    assert grid.nu is not None
    delta0 = grid.delta0.value[used[0]]
    sigma0 = grid.sigma0.value[used[1]]
    nu = 1 + grid.nu.value[used[2]]
    errors = stats.norm.ppf((np.arange(15) + 0.5) / 15)
    errors /= errors.std()
    noise = Noise.of(form.problem)
    below = np.zeros(2)
    for relative, share in zip(noise.relative, noise.share, strict=True):
        scale = relative**population.scaling * population.unit
        for error in errors * relative * noise.median:
            for k, border in enumerate((form.rope.low, form.rope.high)):
                x = ((border - error) / scale - delta0) / sigma0
                of_points = below_two_piece(x, nu, population.skew)
                below[k] += share / 15 * float(of_points @ mass[used])
    return np.array([below[0], below[1] - below[0], 1 - below[1]])


@pytest.mark.long
@pytest.mark.parametrize(("seed", "q"), [(3, 4), (5, 7), (4, 25)])
def test_rough_chances_are_those_of_fine_grids_summed_point_by_point(seed: int, q: int) -> None:
    statistics = collection(seed, q=q)
    data = METHOD.data(statistics, ROPE)
    form = Canonical(data, ROPE)
    fitted = populations(form.problem, 1)
    logs = np.array([population.log_evidence for population in fitted])
    weights = np.exp(logs - logs.max())
    chances = weights / weights.sum() @ [summed_chances(p, form) for p in fitted]
    seen = np.array([share.sum() for share in ROPE.shares(statistics.mean)])
    expected = (15 * (chances[::-1] if form.lean < 0 else chances) + seen) / (15 + q)
    assert tuple(next_chances(data, ROPE)) == pytest.approx(tuple(expected), abs=1e-3)


def test_the_chances_of_the_papers_model_are_those_of_the_average() -> None:
    for seed in (3, 5):
        statistics = collection(seed)
        chances = Hierarchical(prior="kruschke").test(statistics, ROPE).next_mean
        assert tuple(chances) == tuple(answered(statistics).next_mean)


def test_swapping_mirrors() -> None:
    statistics = collection(5)
    one, other = answered(statistics), answered(statistics.mirrored())
    for regions in ("probabilities", "theta_mean", "next_mean"):
        assert tuple(getattr(one, regions)) == tuple(getattr(other, regions))[::-1]
    assert np.array_equal(one.weights, other.weights[:, ::-1])


def test_unit_and_order_change_nothing() -> None:
    statistics = collection(6)
    rope = Rope.of(0.0078125)
    one = answered(statistics, rope)
    larger = replace(statistics, mean=64 * statistics.mean, ss=4096 * statistics.ss)
    assert tuple(answered(larger, Rope.of(0.5)).probabilities) == tuple(one.probabilities)
    order = np.random.default_rng(0).permutation(len(statistics))
    assert tuple(answered(statistics.chosen(order.tolist()), rope).probabilities) == tuple(
        one.probabilities
    )


def test_weights_find_the_skew() -> None:
    right, left = (answered(collection(8, q=80, skew=skew)).weights for skew in (1.0, -1.0))
    assert right.sum() == pytest.approx(1, abs=1e-9)
    assert right[:, 4:].sum() > 0.9
    assert left[:, :3].sum() > 0.9


def test_draws_agree() -> None:
    statistics, count = collection(9, q=12), 20_000
    known = answered(statistics)
    rng = np.random.default_rng(1)
    drawn = PopulationDraws(METHOD.data(statistics, ROPE), ROPE, count, rng)
    error = 4 * 0.5 / np.sqrt(count)
    assert drawn.theta.mean(axis=1) == pytest.approx(np.array([*known.theta_mean]), abs=error)
    wins = np.bincount(drawn.theta.argmax(axis=0), minlength=3) / count
    assert wins == pytest.approx(np.array([*known.probabilities]), abs=error + 2e-3)
    deltas = drawn.deltas(rng.integers(12, size=(count, 1)), rng)
    shares = [(deltas < ROPE.low).mean(), (deltas > ROPE.high).mean()]
    assert shares == pytest.approx([known.theta_mean.left, known.theta_mean.right], abs=error)


def test_chances_are_the_observed_means_and_noisy_draws_which_count_for_15() -> None:
    q, count = 12, 100_000
    statistics = collection(9, q=q)
    rng = np.random.default_rng(2)
    drawn = PopulationDraws(METHOD.data(statistics, ROPE), ROPE, count, rng)
    design = rng.integers(q, size=(count, 1))
    means = drawn.deltas(design, rng) + rng.normal(0, statistics.standard_error[design])
    observed = [s.sum() for s in ROPE.shares(statistics.mean)]
    expected_chances = [
        (15 * s.mean() + n) / (15 + q) for s, n in zip(ROPE.shares(means), observed, strict=True)
    ]
    assert tuple(answered(statistics).chances) == pytest.approx(expected_chances, abs=5e-3)


def test_chances_are_the_same_under_either_population() -> None:
    statistics = collection(9, q=12)
    other = Hierarchical(prior="kruschke").test(statistics, ROPE)
    assert tuple(other.chances) == tuple(answered(statistics).chances)
    # of very many pairs the papers' population stands in
    quick = Hierarchical(prior="kruschke").for_pairs(100).test(statistics, ROPE)
    assert tuple(quick.chances) == pytest.approx(tuple(other.chances), abs=0.03)
    assert tuple(quick.chances) != tuple(other.chances)


def test_of_more_than_200_data_sets_the_papers_population_stands_in() -> None:
    statistics = collection(9, q=201)
    result = Hierarchical(prior="kruschke").test(statistics, ROPE)
    rng = np.random.default_rng(3)
    grid, cdf = result.next_delta.grid, result.next_delta.cdf
    deltas = np.interp(rng.random(100_000), cdf, grid)
    means = deltas + rng.normal(0, rng.choice(statistics.standard_error, 100_000))
    both = zip(ROPE.shares(means), ROPE.shares(statistics.mean), strict=True)
    expected = [(15 * drawn.mean() + seen.sum()) / 216 for drawn, seen in both]
    assert tuple(result.chances) == pytest.approx(expected, abs=1e-3)


def test_a_misfit_says_what_to_compare() -> None:
    rng = np.random.default_rng(4)
    means = np.where(np.arange(50) % 3, 0.0, 0.1)  # two groups
    differences = [mean + rng.normal(0, 0.01, 10) for mean in means]
    statistics = SufficientStatistics.from_differences(differences, 0.1)
    result = Hierarchical().test(statistics, ROPE)
    (note,) = [note for note in result.notes if note.code == "misfit"]
    assert "--population averaged" in as_options(note.text)


@pytest.mark.parametrize(
    "options",
    [
        {"engine": "stan"},
        {"over": "average"},
        {"prior": "gaussian"},
        {"delta0_bounds": (-1.0, 1.0)},
        {"sigma0_bound": 1.0},
        {"empirical_bayes": True},
    ],
)
def test_options_of_the_student_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Hierarchical.configured(population="averaged", **options)


def test_population_of_the_papers_test() -> None:
    with pytest.raises(InputError, match="asked for by name"):
        Hierarchical(population="averaged")
