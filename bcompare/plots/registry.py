"""The registry of pictures. Add one by writing its file and an entry here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from bcompare.data.units import Unit
from bcompare.plots.sheet import MOST_ROWS, Sheet, most_in_matrix

FAMILY, PLAN, ANYTIME = "rank", "plan", "gate --anytime"
# More lines would be hard to follow.
MOST_LINES = 7


@dataclass(frozen=True, slots=True)
class Shape:
    """The properties of a result that decide which pictures fit it.

    test : name of the test, or what else is drawn. pairs : number of pairs, for "rank" of
    classifiers. datasets : the most that any pair has. unit : what a row of the scores is.
    over_datasets : whether the test answers for several data sets at once.
    ropes : number of ropes. complete : whether all classifiers have all data sets.
    """

    test: str
    pairs: int
    datasets: int
    unit: Unit = "fold"
    over_datasets: bool = True
    ropes: int = 1
    complete: bool = True

    @property
    def words(self) -> str:
        """Describe the shape."""
        kind = "classifier" if self.test == FAMILY else "pair"
        parts = [
            f"{self.pairs} {kind}{'' if self.pairs == 1 else 's'}",
            f"{self.datasets} data set{'' if self.datasets == 1 else 's'}",
        ]
        ropes = f" under {self.ropes} ropes" if self.ropes > 1 else ""
        means = ", of which only means are known" if self.unit == "mean" else ""
        gaps = "" if self.complete else ", some of which some classifiers lack"
        return f"{self.test}, {' on '.join(parts)}{ropes}{means}{gaps}"


@dataclass(frozen=True, slots=True)
class Picture:
    """One kind of picture, and the results that it can show.

    title, needs : what it shows and needs, in words.
    function : "module:function" that draws a result on a `Sheet`.
    tests : the tests whose results it shows; none for all that compare pairs.
    datasets : the fewest and the most. most_pairs : the limit if pairs have no rows.
    rows : whether pairs or data sets have a row each; None without rows.
    ropes : one rope or several. one_answer : whether each pair needs one answer.
    scores : whether it needs single scores, not means. complete : see `Shape`.
    most : rows that it can hold on a sheet.
    """

    title: str
    needs: str
    function: str
    tests: tuple[str, ...] = ()
    most_pairs: int = 1
    datasets: tuple[int, float] = (0, float("inf"))
    rows: Literal["pairs", "datasets"] | None = None
    ropes: Literal["one", "several"] = "one"
    one_answer: bool = False
    scores: bool = False
    complete: bool = False
    most: Callable[[Sheet], int] = lambda _: MOST_ROWS

    def fits(self, shape: Shape) -> bool:
        """Return whether the picture can show a result of this shape."""
        return (
            (shape.test in self.tests if self.tests else shape.test not in (FAMILY, PLAN, ANYTIME))
            and (self.rows == "pairs" or shape.pairs <= self.most_pairs)
            and self.datasets[0] <= shape.datasets <= self.datasets[1]
            and (shape.ropes > 1) == (self.ropes == "several")
            and not (self.one_answer and not shape.over_datasets and shape.datasets > 1)
            and not (self.scores and shape.unit == "mean")
            and not (self.complete and not shape.complete)
        )

    def count_rows(self, shape: Shape) -> int:
        """Return the number of rows of the picture of such a result."""
        return 1 if self.rows is None else int(getattr(shape, self.rows))


PICTURES = {
    "posterior": Picture(
        title="the posterior of the mean difference, cut by the rope, with its intervals",
        needs="ttest, one pair on one data set",
        function="bcompare.plots.correlated_t:draw_posterior",
        tests=("ttest",),
        datasets=(1, 1),
    ),
    "forest": Picture(
        title="the mean difference on each data set, with its interval",
        needs="ttest, one pair on several data sets",
        function="bcompare.plots.correlated_t:draw_forest",
        tests=("ttest",),
        rows="datasets",
    ),
    "parameters": Picture(
        title="the next data set's difference, and the posterior of δ0, σ0 and ν",
        needs="hier, one pair",
        function="bcompare.plots.hierarchical:draw_parameters",
        tests=("hier",),
    ),
    "simplex": Picture(
        title="draws of the three regions' probabilities, θ",
        needs="hier, signrank or sign, one pair",
        function="bcompare.plots.simplex:draw_simplex",
        tests=("hier", "signrank", "sign"),
    ),
    "counts": Picture(
        title="on how many data sets the right classifier is better",
        needs="poisson, one pair",
        function="bcompare.plots.probabilities:draw_counts",
        tests=("poisson",),
    ),
    "regret": Picture(
        title="what it costs to take each classifier",
        needs="rank",
        function="bcompare.plots.ranking:draw_regret",
        tests=(FAMILY,),
        rows="pairs",
    ),
    "places": Picture(
        title="the place of each classifier, with intervals and tiers",
        needs="rank",
        function="bcompare.plots.ranking:draw_places",
        tests=(FAMILY,),
        rows="pairs",
    ),
    "ropes": Picture(
        title="the three probabilities under several ropes",
        needs="several ropes (--rope 0 --rope 0.01), one pair, and a test over data sets or one "
        "data set",
        function="bcompare.plots.probabilities:draw_ropes",
        ropes="several",
        one_answer=True,
    ),
    "regions": Picture(
        title="the three probabilities of every pair",
        needs="a test over data sets, or one data set",
        function="bcompare.plots.probabilities:draw_regions",
        rows="pairs",
        one_answer=True,
    ),
    "posteriors": Picture(
        title="the posterior of each data set by itself, cut by the rope",
        needs="ttest, one pair",
        function="bcompare.plots.correlated_t:draw_posteriors",
        tests=("ttest",),
        rows="datasets",
    ),
    "shrinkage": Picture(
        title="how each data set's mean difference is drawn towards the others, and its verdict",
        needs="hier, one pair",
        function="bcompare.plots.hierarchical:draw_shrinkage",
        tests=("hier",),
        rows="datasets",
    ),
    "densities": Picture(
        title="the densities of the differences of single scores, a row a data set",
        needs="one pair, and more than the means of the data sets",
        function="bcompare.plots.differences:draw_densities",
        rows="datasets",
        scores=True,
    ),
    "means": Picture(
        title="the density of the data sets' mean differences",
        needs="one pair on several data sets",
        function="bcompare.plots.differences:draw_means",
        datasets=(2, float("inf")),
    ),
    "boxplot": Picture(
        title="box plots of the data sets' mean differences, with the rope",
        needs="a comparison of pairs on several data sets",
        function="bcompare.plots.differences:draw_boxplot",
        datasets=(2, float("inf")),
        rows="pairs",
    ),
    "folds": Picture(
        title="the scores themselves, side by side, and how they are correlated",
        needs=f"rank, 2 to {MOST_LINES} classifiers on one data set, and more than its means",
        function="bcompare.plots.folds:draw_folds",
        tests=(FAMILY,),
        most_pairs=MOST_LINES,
        datasets=(1, 1),
        scores=True,
    ),
    "family": Picture(
        title="each classifier's probability of being best, and of being within the rope of it",
        needs="rank",
        function="bcompare.plots.ranking:draw_family",
        tests=(FAMILY,),
        rows="pairs",
    ),
    "pairs": Picture(
        title="how probably each classifier is practically better than each other one",
        needs="rank",
        function="bcompare.plots.pairs:draw_pairs",
        tests=(FAMILY,),
        rows="pairs",
        most=most_in_matrix,
    ),
    "critical-difference": Picture(
        title="mean ranks, joined where they do not differ significantly (Demšar 2006)",
        needs="rank, all classifiers on the same data sets, at least two",
        function="bcompare.plots.critical_difference:draw_critical_difference",
        tests=(FAMILY,),
        datasets=(2, float("inf")),
        rows="pairs",
        complete=True,
    ),
    "outlook": Picture(
        title="how probable each verdict is with more data",
        needs="plan, one verdict",
        function="bcompare.plots.outlook:draw_outlook",
        tests=(PLAN,),
    ),
    "wealths": Picture(
        title="the difference that bets have not refuted yet, with the rope, and their wealths",
        needs="gate --anytime, one candidate on one data set",
        function="bcompare.plots.wealths:draw_wealths",
        tests=(ANYTIME,),
    ),
}
