"""Pictures, one file each: they draw what they are given and compute nothing.

`PICTURES` is the registry: a picture's name, what it needs, and where the function is that draws
a set of comparisons; the first that fits is the test's own. Add a picture by writing its file
and one entry here. `figure` holds what all share: the page, how regions look, and saving. Every
drawing function returns a matplotlib `Figure` that belongs to no window.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from bcompare.errors import InputError
from bcompare.methods import OVER_DATASETS
from bcompare.plots.page import MOST_ROWS, check_rows
from bcompare.scores import Scores

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bcompare.comparison import ComparisonSet
    from bcompare.family import Family
    from bcompare.planning.outlook import Plan


@dataclass(frozen=True, slots=True)
class Shape:
    """What is to be drawn: a test's name, and how many pairs and data sets there are.

    datasets : the most that any pair has. Of a family, `pairs` is the number of classifiers.
    """

    test: str
    pairs: int
    datasets: int

    @property
    def one_answer_a_pair(self) -> bool:
        """Whether each pair has three probabilities of its own."""
        return self.test in OVER_DATASETS or self.datasets == 1


@dataclass(frozen=True, slots=True)
class Picture:
    """One kind of picture.

    title : what it shows. needs : in words. fits : whether a shape can be drawn so.
    rows : how many rows the picture has then. function : where it is drawn, "module:function".
    """

    title: str
    needs: str
    fits: Callable[[Shape], bool]
    rows: Callable[[Shape], int]
    function: str


def _one_row(_: Shape) -> int:
    return 1


PICTURES = {
    "posterior": Picture(
        title="posterior of the mean difference, cut by the rope",
        needs="ttest, one pair on one data set",
        fits=lambda shape: shape.test == "ttest" and shape.pairs == shape.datasets == 1,
        rows=_one_row,
        function="bcompare.plots.study:draw_posterior_of",
    ),
    "forest": Picture(
        title="mean difference on each data set, with its interval",
        needs="ttest, one pair on several data sets",
        fits=lambda shape: shape.test == "ttest" and shape.pairs == 1,
        rows=attrgetter("datasets"),
        function="bcompare.plots.study:draw_forest_of",
    ),
    "parameters": Picture(
        title="the next data set's difference, and the posterior of δ0, σ0 and ν",
        needs="hier, one pair",
        fits=lambda shape: shape.test == "hier" and shape.pairs == 1,
        rows=_one_row,
        function="bcompare.plots.study:draw_parameters_of",
    ),
    "shrinkage": Picture(
        title="mean difference on each data set, by itself and informed by the others",
        needs="hier, one pair",
        fits=lambda shape: shape.test == "hier" and shape.pairs == 1,
        rows=attrgetter("datasets"),
        function="bcompare.plots.study:draw_shrinkage_of",
    ),
    "regret": Picture(
        title="what it costs to take each classifier",
        needs="rank",
        fits=lambda shape: shape.test == "rank",
        rows=attrgetter("pairs"),
        function="bcompare.plots.family:draw_regret_of",
    ),
    "regions": Picture(
        title="the three probabilities of every pair",
        needs="a test over data sets, or one data set",
        fits=lambda shape: shape.one_answer_a_pair,
        rows=attrgetter("pairs"),
        function="bcompare.plots.study:draw_regions_of",
    ),
    "outlook": Picture(
        title="how probable each verdict is with more data",
        needs="plan, one verdict",
        fits=lambda shape: shape.test == "plan" and shape.pairs == 1,
        rows=_one_row,
        function="bcompare.plots.outlook:draw_outlook_of",
    ),
}


def check_picture(test: str, scores: Scores, pairs: Sequence[tuple[str, str]]) -> None:
    """Refuse before the work what no picture could hold after it.

    Raises
    ------
    InputError : no picture fits, or too many rows.
    """
    index = {name: k for k, name in enumerate(scores.classifiers)}
    counts = [
        sum(bool(d.present[index[left]] and d.present[index[right]]) for d in scores.datasets)
        for left, right in pairs[: 1 if len(pairs) > 1 and test in OVER_DATASETS else None]
    ]
    _fitting(Shape(test, len(pairs), max(counts, default=0)))


def check_family_picture(classifiers: int) -> None:
    """Refuse before the work what no picture could hold after it.

    Raises
    ------
    InputError : too many rows.
    """
    _fitting(Shape("rank", classifiers, 1))


def draw_result(result: "ComparisonSet | Family", name: str | None = None) -> "Figure":
    """Draw whatever a comparison returned; see `draw` and `draw_family`."""
    from bcompare.family import Family

    return draw_family(result) if isinstance(result, Family) else draw(result, name)


def draw_family(family: "Family") -> "Figure":
    """Draw a family of classifiers.

    Raises
    ------
    InputError : too many rows.
    ComputationError : matplotlib is not installed.
    """
    return _function(_fitting(Shape("rank", len(family.best.classifiers), 1)))(family)


def draw(study: "ComparisonSet", name: str | None = None) -> "Figure":
    """Draw a set of comparisons: the picture of that name, or the test's own.

    Raises
    ------
    InputError : no picture fits, or too many rows.
    ComputationError : matplotlib is not installed.
    """
    datasets = max(len(comparison.dataset_decisions) for comparison in study.comparisons)
    shape = Shape(study.method.name, len(study.comparisons), datasets)
    return _function(_fitting(shape, name))(study)


def draw_plan(plan: "Plan") -> "Figure":
    """Draw the outlook of one verdict.

    Raises
    ------
    InputError : several verdicts.
    ComputationError : matplotlib is not installed.
    """
    return _function(_fitting(Shape("plan", len(plan.outlooks), 0)))(plan)


def _function(picture: Picture) -> "Callable[[Any], Figure]":
    module, _, name = picture.function.partition(":")
    function: Callable[[Any], Figure] = getattr(import_module(module), name)
    return function


def most_rows(rows: int) -> bool:
    """Whether a picture could hold so many rows."""
    return 0 < rows <= MOST_ROWS


def _fitting(shape: Shape, name: str | None = None) -> Picture:
    if name is not None and name not in PICTURES:
        known = "; ".join(f"{other} ({kind.needs})" for other, kind in PICTURES.items())
        raise InputError(f"there is no picture {name!r}; there are {known}")
    for picture in PICTURES.values() if name is None else (PICTURES[name],):
        if picture.fits(shape):
            check_rows(picture.rows(shape))
            return picture
    raise InputError(
        "--plot shows one pair, or one data set, of this test: choose by --left NAME --right "
        "NAME, or by --dataset NAME"
    )
