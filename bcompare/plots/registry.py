"""The registry of pictures. Add one by writing its file and an entry here."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

from bcompare.data.units import Unit
from bcompare.methods import OVER_DATASETS
from bcompare.plots.page import MOST_ROWS, most_in_matrix
from bcompare.plots.sheet import Sheet

FAMILY, PLAN = "rank", "plan"
# More lines cannot be followed.
MOST_LINES = 7


@dataclass(frozen=True, slots=True)
class Shape:
    """What is to be drawn: a test's name, and how many pairs and data sets there are.

    datasets : the most that any pair has. Of a family, `pairs` is the number of classifiers.
    unit : what a row of the scores is. ropes : how many. complete : whether all classifiers of a
    family have all data sets.
    """

    test: str
    pairs: int
    datasets: int
    unit: Unit = "fold"
    ropes: int = 1
    complete: bool = True

    @property
    def one_answer_a_pair(self) -> bool:
        """Whether each pair has three probabilities of its own."""
        return self.test in OVER_DATASETS or (
            not self.is_family and not self.is_plan and self.datasets == 1
        )

    @property
    def is_family(self) -> bool:
        """Whether all classifiers are judged together."""
        return self.test == FAMILY

    @property
    def is_plan(self) -> bool:
        """Whether it is about data that are not there yet."""
        return self.test == PLAN

    @property
    def one_pair(self) -> bool:
        """Whether it is one pair under one rope."""
        return not self.is_family and not self.is_plan and self.pairs == 1 == self.ropes

    @property
    def words(self) -> str:
        """Say what it is."""
        kind = "classifier" if self.is_family else "pair"
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
    """One kind of picture.

    title : what it shows. needs : in words. fits : whether a shape can be drawn so.
    rows : how many rows the picture has then. function : where it is drawn, "module:function".
    most : rows that it can hold on a sheet.
    """

    title: str
    needs: str
    fits: Callable[[Shape], bool]
    rows: Callable[[Shape], int]
    function: str
    most: Callable[[Sheet], int] = lambda _: MOST_ROWS


def _one_row(_: Shape) -> int:
    return 1


PICTURES = {
    "posterior": Picture(
        title="the posterior of the mean difference, cut by the rope, with its intervals",
        needs="ttest, one pair on one data set",
        fits=lambda shape: shape.test == "ttest" and shape.one_pair and shape.datasets == 1,
        rows=_one_row,
        function="bcompare.plots.study:draw_posterior_of",
    ),
    "forest": Picture(
        title="the mean difference on each data set, with its interval",
        needs="ttest, one pair on several data sets",
        fits=lambda shape: shape.test == "ttest" and shape.one_pair,
        rows=attrgetter("datasets"),
        function="bcompare.plots.study:draw_forest_of",
    ),
    "parameters": Picture(
        title="the next data set's difference, and the posterior of δ0, σ0 and ν",
        needs="hier, one pair",
        fits=lambda shape: shape.test == "hier" and shape.one_pair,
        rows=_one_row,
        function="bcompare.plots.study:draw_parameters_of",
    ),
    "simplex": Picture(
        title="draws of the three regions' probabilities, θ",
        needs="hier, signrank or sign, one pair",
        fits=lambda shape: shape.test in ("hier", "signrank", "sign") and shape.one_pair,
        rows=_one_row,
        function="bcompare.plots.simplex:draw_simplex_of",
    ),
    "counts": Picture(
        title="on how many data sets the right classifier is better",
        needs="poisson, one pair",
        fits=lambda shape: shape.test == "poisson" and shape.one_pair,
        rows=_one_row,
        function="bcompare.plots.counts:draw_counts_of",
    ),
    "regret": Picture(
        title="what it costs to take each classifier",
        needs="rank",
        fits=lambda shape: shape.is_family,
        rows=attrgetter("pairs"),
        function="bcompare.plots.regret:draw_regret_of",
    ),
    "ropes": Picture(
        title="the three probabilities under several ropes",
        needs="several ropes (--rope 0,0.005,0.01), one pair, and a test over data sets or one "
        "data set",
        fits=lambda shape: shape.ropes > 1 and shape.pairs == 1 and shape.one_answer_a_pair,
        rows=_one_row,
        function="bcompare.plots.ropes:draw_ropes_of",
    ),
    "regions": Picture(
        title="the three probabilities of every pair",
        needs="a test over data sets, or one data set",
        fits=lambda shape: shape.one_answer_a_pair and shape.ropes == 1,
        rows=attrgetter("pairs"),
        function="bcompare.plots.study:draw_regions_of",
    ),
    "posteriors": Picture(
        title="the posterior of each data set by itself, cut by the rope",
        needs="ttest, one pair",
        fits=lambda shape: shape.test == "ttest" and shape.one_pair,
        rows=attrgetter("datasets"),
        function="bcompare.plots.posteriors:draw_posteriors_of",
    ),
    "shrinkage": Picture(
        title="how each data set's mean difference is drawn towards the others, and its verdict",
        needs="hier, one pair",
        fits=lambda shape: shape.test == "hier" and shape.one_pair,
        rows=attrgetter("datasets"),
        function="bcompare.plots.shrinkage:draw_shrinkage_of",
    ),
    "densities": Picture(
        title="the densities of the differences of single scores, a row a data set",
        needs="one pair, and more than the means of the data sets",
        fits=lambda shape: shape.one_pair and shape.unit != "mean",
        rows=attrgetter("datasets"),
        function="bcompare.plots.densities:draw_densities_of",
    ),
    "means": Picture(
        title="the density of the data sets' mean differences",
        needs="one pair on several data sets",
        fits=lambda shape: shape.one_pair and shape.datasets > 1,
        rows=_one_row,
        function="bcompare.plots.means:draw_means_of",
    ),
    "boxplot": Picture(
        title="box plots of the data sets' mean differences, with the rope",
        needs="a comparison of pairs on several data sets",
        fits=lambda shape: not shape.is_family and shape.datasets > 1 and shape.ropes == 1,
        rows=attrgetter("pairs"),
        function="bcompare.plots.boxplot:draw_boxplot_of",
    ),
    "folds": Picture(
        title="the scores themselves, side by side, and how they are correlated",
        needs=f"rank, 2 to {MOST_LINES} classifiers on one data set, and more than its means",
        fits=lambda shape: (
            shape.is_family
            and shape.pairs <= MOST_LINES
            and shape.datasets == 1
            and shape.unit != "mean"
        ),
        rows=_one_row,
        function="bcompare.plots.folds:draw_folds_of",
    ),
    "family": Picture(
        title="each classifier's probability of being best, and of being within the rope of it",
        needs="rank",
        fits=lambda shape: shape.is_family,
        rows=attrgetter("pairs"),
        function="bcompare.plots.family:draw_family_of",
    ),
    "pairs": Picture(
        title="how probably each classifier is practically better than each other one",
        needs="rank",
        fits=lambda shape: shape.is_family,
        rows=attrgetter("pairs"),
        function="bcompare.plots.pairs:draw_pairs_of",
        most=most_in_matrix,
    ),
    "critical-difference": Picture(
        title="mean ranks, joined where they do not differ significantly (Demšar 2006)",
        needs="rank, all classifiers on the same data sets, at least two",
        fits=lambda shape: shape.is_family and shape.datasets > 1 and shape.complete,
        rows=attrgetter("pairs"),
        function="bcompare.plots.critical_difference:draw_critical_difference_of",
    ),
    "outlook": Picture(
        title="how probable each verdict is with more data",
        needs="plan, one verdict",
        fits=lambda shape: shape.is_plan and shape.pairs == 1,
        rows=_one_row,
        function="bcompare.plots.outlook:draw_outlook_of",
    ),
}
