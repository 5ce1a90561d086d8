"""Pictures, one file each: they draw what they are given and compute nothing.

`registry` holds `PICTURES`: a picture's name, what it needs, and the function that draws it; the
first that fits is a test's own. `sheet` says how wide a picture is and how large its text, and so
where its lines break; `page` and `rows` are what pictures have in common; `figure` is the style,
and saving. Every drawing function returns a matplotlib `Figure` that belongs to no window.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bcompare.arguments import arg
from bcompare.errors import InputError
from bcompare.methods import OVER_DATASETS
from bcompare.plots.page import MOST_ROWS, check_rows
from bcompare.plots.registry import PICTURES, Picture, Shape
from bcompare.plots.sheet import Sheet
from bcompare.scores import Scores

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bcompare.comparison import ComparisonSet
    from bcompare.family import Family
    from bcompare.planning.outlook import Plan
    from bcompare.sweep import Sweep

# As wide as a page, for the screen.
DEFAULT = Sheet()


def check_name(name: str) -> None:
    """Refuse a picture that there is not.

    Raises
    ------
    InputError : with all that there are, and what each needs.
    """
    if name not in PICTURES:
        known = "; ".join(f"{other} ({kind.needs})" for other, kind in PICTURES.items())
        raise InputError(f"there is no picture {name!r}; there are {known}")


def check_picture(
    test: str,
    scores: Scores,
    pairs: Sequence[tuple[str, str]],
    name: str | None = None,
    *,
    ropes: int = 1,
    sheet: Sheet = DEFAULT,
) -> None:
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
    _fitting(Shape(test, len(pairs), max(counts, default=0), scores.unit, ropes), name, sheet)


def check_family_picture(scores: Scores, name: str | None = None, sheet: Sheet = DEFAULT) -> None:
    """Refuse before the work what no picture could hold after it.

    Raises
    ------
    InputError : the picture does not fit, or has too many rows.
    """
    from bcompare.candidates import judged

    _fitting(_shape_of_family(judged(scores)[0]), name, sheet)


def draw_result(
    result: "ComparisonSet | Family | Sweep", name: str | None = None, sheet: Sheet = DEFAULT
) -> "Figure":
    """Draw whatever a comparison returned; see `draw`, `draw_family` and `draw_sweep`."""
    from bcompare.family import Family
    from bcompare.sweep import Sweep

    if isinstance(result, Family):
        return draw_family(result, name, sheet)
    if isinstance(result, Sweep):
        return draw_sweep(result, name, sheet)
    return draw(result, name, sheet)


def draw_family(family: "Family", name: str | None = None, sheet: Sheet = DEFAULT) -> "Figure":
    """Draw a family of classifiers: the picture of that name, or the regret of each.

    Raises
    ------
    InputError : the picture does not fit, or has too many rows.
    ComputationError : matplotlib is not installed.
    """
    return _drawn(family, _fitting(_shape_of_family(family.scores), name, sheet), sheet)


def draw(study: "ComparisonSet", name: str | None = None, sheet: Sheet = DEFAULT) -> "Figure":
    """Draw a set of comparisons: the picture of that name, or the test's own.

    Raises
    ------
    InputError : no picture fits, or too many rows.
    ComputationError : matplotlib is not installed.
    """
    return _drawn(study, _fitting(_shape_of(study), name, sheet), sheet)


def draw_sweep(sweep: "Sweep", name: str | None = None, sheet: Sheet = DEFAULT) -> "Figure":
    """Draw the same pair under several ropes.

    Raises
    ------
    InputError : the picture does not fit.
    ComputationError : matplotlib is not installed.
    """
    shape = _shape_of(sweep.studies[0], len(sweep.studies))
    return _drawn(sweep, _fitting(shape, name, sheet), sheet)


def draw_plan(plan: "Plan", sheet: Sheet = DEFAULT) -> "Figure":
    """Draw the outlook of one verdict.

    Raises
    ------
    InputError : several verdicts.
    ComputationError : matplotlib is not installed.
    """
    return _drawn(plan, _fitting(Shape("plan", len(plan.outlooks), 0)), sheet)


def _drawn(what: object, picture: Picture, sheet: Sheet) -> "Figure":
    module, _, name = picture.function.partition(":")
    function: Callable[[Any, Sheet], Figure] = getattr(import_module(module), name)
    return function(what, sheet)


def most_rows(rows: int) -> bool:
    """Whether a picture could hold so many rows."""
    return 0 < rows <= MOST_ROWS


def _shape_of(study: "ComparisonSet", ropes: int = 1) -> Shape:
    datasets = max(len(comparison.dataset_decisions) for comparison in study.comparisons)
    return Shape(study.method.name, len(study.comparisons), datasets, study.scores.unit, ropes)


def _shape_of_family(scores: Scores) -> Shape:
    complete = all(bool(dataset.present.all()) for dataset in scores.datasets)
    return Shape(
        "rank", len(scores.classifiers), len(scores.datasets), scores.unit, complete=complete
    )


def _fitting(shape: Shape, name: str | None = None, sheet: Sheet = DEFAULT) -> Picture:
    if name is not None:
        check_name(name)
    for picture in PICTURES.values() if name is None else (PICTURES[name],):
        if picture.fits(shape):
            check_rows(picture.rows(shape), picture.most(sheet), picture.most(Sheet()))
            return picture
    if name is not None:
        raise InputError(
            f"the picture {name!r} shows {PICTURES[name].title}; it needs "
            f"{PICTURES[name].needs}, and this is {shape.words}"
        )
    raise InputError(
        f"a picture of this test shows one pair, or one data set: choose by {arg('left')} and "
        f"{arg('right')}, or by {arg('datasets')}"
    )
