"""Pictures of results, grouped by test or by the kind of number.

`PICTURES` is the registry: the name of each picture, the results that it can show, and the function
that draws it; the first that fits is the test's own. To add one, write its function and an entry
here. A drawing function takes a result and a `Sheet` (the width and the text size), and returns a
matplotlib `Figure` without a window. Only modules that draw import matplotlib.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from bcompare.basis.messages import InputError, arg
from bcompare.data.scores import Scores
from bcompare.data.units import FOLD, Unit
from bcompare.methods.interface import Method
from bcompare.plots.figure import drawing
from bcompare.plots.sheet import MOST_ROWS, Sheet, most_in_matrix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bcompare.comparing.comparison_set import ComparisonSet

FAMILY, PLAN, ANYTIME = "rank", "plan", "gate-anytime"
# More lines would be hard to distinguish.
MOST_LINES = 7


@dataclass(frozen=True, slots=True)
class Shape:
    """The properties of a result that decide which pictures fit it.

    test : name of the test, or another kind of result.
    pairs : number of pairs; for "rank" of classifiers.
    datasets : the most of any pair.
    unit : of a row of the scores.
    answers : of the test for each pair: one, or one for each data set.
    ropes : number of ropes.
    complete : whether all classifiers have all data sets.
    kinds : the class of the test, and those that it inherits from.
    """

    test: str
    pairs: int
    datasets: int
    unit: Unit = FOLD
    answers: int = 1
    ropes: int = 1
    complete: bool = True
    kinds: tuple[str, ...] = ()

    @property
    def compares(self) -> bool:
        """Whether the result is a comparison of pairs by a test."""
        return self.test not in (FAMILY, PLAN, ANYTIME)

    @property
    def is_pair(self) -> bool:
        """Whether the result is of one pair under one rope."""
        return self.pairs <= 1 and self.ropes == 1

    @property
    def has_one_answer(self) -> bool:
        """Whether each pair has one answer."""
        return self.answers <= 1

    @property
    def words(self) -> str:
        """Describe the shape."""
        compared = "classifier" if self.test == FAMILY else "pair"
        if self.pairs != 1:
            compared += "s"
        datasets = "data set" if self.datasets == 1 else "data sets"
        ropes = f" under {self.ropes} ropes" if self.ropes > 1 else ""
        means = ", of which only means are known" if not self.unit.has_spread else ""
        gaps = "" if self.complete else ", some of which some classifiers lack"
        where = f"on {self.datasets} {datasets}{ropes}{means}{gaps}"
        return f"{self.test}, {self.pairs} {compared} {where}"


@dataclass(frozen=True, slots=True)
class Picture:
    """One kind of picture, and the results that it can show.

    title, needs : what it shows and needs, as text.
    function : "module:function" that draws a result on a `Sheet`.
    fits : whether it can show a result of a shape, of these methods if there are any.
    methods : the classes of the tests whose posterior it draws; none if it draws any result.
    rows : whether the rows are pairs or data sets; None without rows.
    most : the most rows on a sheet.
    on_page : whether a page may show it of a pair.
    """

    title: str
    needs: str
    function: str
    fits: Callable[[Shape], bool]
    methods: tuple[str, ...] = ()
    rows: Literal["pairs", "datasets"] | None = None
    most: Callable[[Sheet], int] = lambda _: MOST_ROWS
    on_page: bool = False

    def shows(self, shape: Shape) -> bool:
        """Return whether it can show a result."""
        is_of_test = not self.methods or not {*self.methods}.isdisjoint(shape.kinds)
        return self.fits(shape) and is_of_test


PICTURES = {
    "posterior": Picture(
        title="the posterior of the mean difference, cut by the rope, with its interval",
        needs="ttest, one pair on one data set",
        function="bcompare.plots.posteriors:draw_posterior",
        methods=("CorrelatedT",),
        fits=lambda s: s.is_pair and s.datasets == 1,
        on_page=True,
    ),
    "forest": Picture(
        title="the mean difference on each data set, with its interval",
        needs="ttest, one pair on several data sets",
        function="bcompare.plots.posteriors:draw_forest",
        methods=("CorrelatedT",),
        fits=lambda s: s.is_pair,
        rows="datasets",
        on_page=True,
    ),
    "parameters": Picture(
        title="the next data set's difference, and the posterior of δ0, σ0 and ν",
        needs="hier, one pair",
        function="bcompare.plots.posteriors:draw_parameters",
        methods=("Hierarchical",),
        fits=lambda s: s.is_pair,
    ),
    "simplex": Picture(
        title="draws of the three regions' probabilities, θ",
        needs="hier, signrank or sign, one pair",
        function="bcompare.plots.simplex:draw_simplex",
        methods=("Hierarchical", "AveragedPopulations", "SignedRank", "Sign"),
        fits=lambda s: s.is_pair,
    ),
    "counts": Picture(
        title="on how many data sets the right classifier is better",
        needs="poisson, one pair",
        function="bcompare.plots.probabilities:draw_counts",
        methods=("PoissonBinomial",),
        fits=lambda s: s.is_pair,
    ),
    "regret": Picture(
        title="what it costs to take each classifier",
        needs="rank",
        function="bcompare.plots.ranking:draw_regret",
        fits=lambda s: s.test == FAMILY,
        rows="pairs",
    ),
    "against": Picture(
        title="the differences of all others from the leader, with intervals and the rope",
        needs="rank",
        function="bcompare.plots.ranking:draw_against",
        fits=lambda s: s.test == FAMILY,
        rows="pairs",
    ),
    "places": Picture(
        title="the place of each classifier, with intervals and tiers",
        needs="rank",
        function="bcompare.plots.ranking:draw_places",
        fits=lambda s: s.test == FAMILY,
        rows="pairs",
    ),
    "ropes": Picture(
        title="the three probabilities under several ropes",
        needs="several ropes (--rope 0 --rope 0.01), one pair, and a test over data sets or one "
        "data set",
        function="bcompare.plots.probabilities:draw_ropes",
        fits=lambda s: s.compares and s.pairs <= 1 and s.ropes > 1 and s.has_one_answer,
    ),
    "regions": Picture(
        title="the three probabilities of every pair",
        needs="a test over data sets, or one data set",
        function="bcompare.plots.probabilities:draw_regions",
        fits=lambda s: s.compares and s.ropes == 1 and s.has_one_answer,
        rows="pairs",
    ),
    "posteriors": Picture(
        title="the posterior of each data set alone, cut by the rope",
        needs="ttest, one pair",
        function="bcompare.plots.posteriors:draw_posteriors",
        methods=("CorrelatedT",),
        fits=lambda s: s.is_pair,
        rows="datasets",
    ),
    "shrinkage": Picture(
        title="how each data set's mean difference is drawn towards the others, and its verdict",
        needs="hier, one pair",
        function="bcompare.plots.posteriors:draw_shrinkage",
        methods=("Hierarchical",),
        fits=lambda s: s.is_pair,
        rows="datasets",
        on_page=True,
    ),
    "densities": Picture(
        title="the densities of the differences of single scores, a row per data set",
        needs="one pair, and more than the means of the data sets",
        function="bcompare.plots.differences:draw_densities",
        fits=lambda s: s.compares and s.is_pair and s.unit.has_spread and not s.unit.is_unpaired,
        rows="datasets",
    ),
    "means": Picture(
        title="the density of the data sets' mean differences",
        needs="one pair on several data sets",
        function="bcompare.plots.differences:draw_means",
        fits=lambda s: s.compares and s.is_pair and s.datasets > 1,
    ),
    "boxplot": Picture(
        title="box plots of the data sets' mean differences, with the rope",
        needs="a comparison of pairs on several data sets",
        function="bcompare.plots.differences:draw_boxplot",
        fits=lambda s: s.compares and s.ropes == 1 and s.datasets > 1,
        rows="pairs",
    ),
    "folds": Picture(
        title="the scores themselves, side by side, and how they are correlated",
        needs=f"rank, 2 to {MOST_LINES} classifiers on one data set, and more than its means",
        function="bcompare.plots.ranking:draw_folds",
        fits=lambda s: (
            s.test == FAMILY and s.pairs <= MOST_LINES and s.datasets == 1 and s.unit.has_spread
        ),
    ),
    "family": Picture(
        title="how probably each classifier is best on the next data set, or within the rope of it",
        needs="rank",
        function="bcompare.plots.ranking:draw_family",
        fits=lambda s: s.test == FAMILY,
        rows="pairs",
    ),
    "pairs": Picture(
        title="how probably each classifier is practically better than each other one",
        needs="rank",
        function="bcompare.plots.pairs:draw_pairs",
        fits=lambda s: s.test == FAMILY,
        rows="pairs",
        most=most_in_matrix,
    ),
    "critical-difference": Picture(
        title="mean ranks, joined where they do not differ significantly (Demšar 2006)",
        needs="rank, all classifiers on the same data sets, at least two",
        function="bcompare.plots.ranking:draw_critical_difference",
        fits=lambda s: s.test == FAMILY and s.datasets > 1 and s.complete,
        rows="pairs",
    ),
    "outlook": Picture(
        title="how probable each verdict is with more data",
        needs="plan, one verdict",
        function="bcompare.plots.amounts:draw_outlook",
        fits=lambda s: s.test == PLAN and s.is_pair,
    ),
    "wealths": Picture(
        title="the difference that bets have not refuted yet, with the rope, and their wealths",
        needs="gate-anytime, one candidate on one data set",
        function="bcompare.plots.amounts:draw_wealths",
        fits=lambda s: s.test == ANYTIME and s.is_pair,
    ),
}


# A page on the screen.
DEFAULT = Sheet()


def check_name(name: str) -> None:
    """Check that there is a picture of this name.

    Raises
    ------
    InputError : there is none; the message lists all, and what each needs.
    """
    if name not in PICTURES:
        described = "; ".join(f"{other} ({kind.needs})" for other, kind in PICTURES.items())
        raise InputError(f"there is no picture {name!r}; there are {described}")


def check_picture(
    method: Method,
    scores: Scores,
    pairs: Collection[tuple[str, str]],
    name: str | None = None,
    *,
    ropes: int = 1,
    sheet: Sheet = DEFAULT,
) -> None:
    """Check, before the work, that a picture can show the comparison.

    Raises
    ------
    InputError : no picture fits, or too many rows.
    """
    index = {name: k for k, name in enumerate(scores.classifiers)}
    counts = []
    for left, right in pairs:
        columns = [index[left], index[right]]
        counts.append(sum(bool(dataset.present[columns].all()) for dataset in scores.datasets))
    _fitting(_shape_of(method, scores, counts, ropes), name, sheet)


def check_family_picture(scores: Scores, name: str | None = None, sheet: Sheet = DEFAULT) -> None:
    """Check, before the work, that a picture can show the family.

    Raises
    ------
    InputError : the picture does not fit, or has too many rows.
    """
    from bcompare.ranking.judged import judged

    _fitting(shape_of_classifiers(judged(scores)[0]), name, sheet)


def draw_shape(result: object, shape: Shape, name: str | None, sheet: Sheet) -> "Figure":
    """Draw the picture of that name, or the first that fits the shape.

    Raises
    ------
    InputError : the picture does not fit, or has too many rows.
    ComputationError : matplotlib is not installed.
    """
    module, _, attribute = _fitting(shape, name, sheet).function.partition(":")
    with drawing(sheet.text):
        function: Callable[[object, Sheet], Figure] = getattr(import_module(module), attribute)
        return function(result, sheet)


def shape_of_study(study: "ComparisonSet", ropes: int = 1) -> Shape:
    """Return the shape of a set of comparisons, under this number of ropes."""
    counts = [comparison.n_datasets for comparison in study.comparisons]
    return _shape_of(study.method, study.scores, counts, ropes)


def _shape_of(method: Method, scores: Scores, counts: Sequence[int], ropes: int) -> Shape:
    """Return the shape of pairs with these numbers of data sets."""
    most = max(counts, default=0)
    answers = method.answers(most)
    kinds = tuple(kind.__name__ for kind in type(method).__mro__)
    return Shape(method.name, len(counts), most, scores.unit, answers, ropes, kinds=kinds)


def shape_of_classifiers(scores: Scores) -> Shape:
    """Return the shape of a family of classifiers."""
    complete = all(bool(dataset.present.all()) for dataset in scores.datasets)
    count = len(scores.classifiers)
    return Shape(FAMILY, count, len(scores.datasets), scores.unit, complete=complete)


def _fitting(shape: Shape, name: str | None, sheet: Sheet) -> Picture:
    """Return the picture of that name, or the first that fits; check its number of rows."""
    if name is not None:
        check_name(name)
    for picture in PICTURES.values() if name is None else (PICTURES[name],):
        if picture.shows(shape):
            break
    else:
        if name is not None:
            raise InputError(
                f"the picture {name!r} shows {PICTURES[name].title}; it needs "
                f"{PICTURES[name].needs}, and this is {shape.words}"
            )
        pair = f"{arg('left')} and {arg('right')}"
        if shape.compares and shape.has_one_answer and shape.datasets > 1:
            raise InputError(f"a picture of this test shows one pair: choose it by {pair}")
        of_pair = arg("candidate") if shape.test in (PLAN, ANYTIME) else pair
        raise InputError(
            "a picture of this test shows one pair, or one data set: choose by "
            f"{of_pair}, or by {arg('datasets')}"
        )
    rows = 1 if picture.rows is None else int(getattr(shape, picture.rows))
    most = picture.most(sheet)
    if not 0 < rows <= most:
        has_wider = most < rows <= picture.most(DEFAULT)
        advice = " at this width: ask for a wider one, or none, or" if has_wider else ":"
        raise InputError(
            f"a picture of {rows} rows cannot be drawn; it holds 1 to {most}{advice} choose "
            f"some with {arg('datasets')}, {arg('classifiers')} or {arg('left')}"
        )
    return picture
