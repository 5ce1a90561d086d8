"""Pictures of results, one file each.

`registry` holds `PICTURES`: the name of each picture, the results that it can show, and the
function that draws it; the first that fits is a test's own. Such a function takes a result and a
`Sheet`, which says how wide the picture is and how large its text, and returns a matplotlib
`Figure` that belongs to no window. Only modules that draw import matplotlib.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.scores import Scores
from bcompare.methods.base import Method
from bcompare.plots.figure import drawing
from bcompare.plots.registry import FAMILY, PICTURES, PLAN, Picture, Shape
from bcompare.plots.sheet import MOST_ROWS, Sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bcompare.comparing.comparison import ComparisonSet
    from bcompare.comparing.family import Family
    from bcompare.comparing.sweep import Sweep
    from bcompare.planning.outlook import Plan

# As wide as a page, for the screen.
DEFAULT = Sheet()


def check_name(name: str) -> None:
    """Check that there is a picture of this name.

    Raises
    ------
    InputError : there is none; the message lists all, and what each needs.
    """
    if name not in PICTURES:
        known = "; ".join(f"{other} ({kind.needs})" for other, kind in PICTURES.items())
        raise InputError(f"there is no picture {name!r}; there are {known}")


def check_picture(
    method: Method,
    scores: Scores,
    pairs: Sequence[tuple[str, str]],
    name: str | None = None,
    *,
    ropes: int = 1,
    sheet: Sheet = DEFAULT,
) -> None:
    """Check, before anything is computed, that a picture can show the comparison.

    Raises
    ------
    InputError : no picture fits, or too many rows.
    """
    index = {name: k for k, name in enumerate(scores.classifiers)}
    counts = [
        sum(bool(d.present[index[left]] and d.present[index[right]]) for d in scores.datasets)
        for left, right in pairs[: 1 if len(pairs) > 1 and method.over_datasets else None]
    ]
    most = max(counts, default=0)
    over = method.over_datasets
    _fitting(Shape(method.name, len(pairs), most, scores.unit, over, ropes), name, sheet)


def check_family_picture(scores: Scores, name: str | None = None, sheet: Sheet = DEFAULT) -> None:
    """Check, before anything is computed, that a picture can show the family.

    Raises
    ------
    InputError : the picture does not fit, or has too many rows.
    """
    from bcompare.comparing.candidates import judged

    _fitting(_shape_of_judged(judged(scores)[0]), name, sheet)


def draw_shape(result: object, shape: Shape, name: str | None, sheet: Sheet) -> "Figure":
    """Draw a result of this shape: the picture of that name, or the first that fits.

    Raises
    ------
    InputError : the picture does not fit, or has too many rows.
    ComputationError : matplotlib is not installed.
    """
    module, _, attribute = _fitting(shape, name, sheet).function.partition(":")
    with drawing(sheet.text):
        function: Callable[[Any, Sheet], Figure] = getattr(import_module(module), attribute)
        return function(result, sheet)


def most_rows(rows: int) -> bool:
    """Return whether a picture can hold this number of rows."""
    return 0 < rows <= MOST_ROWS


def shape_of_study(study: "ComparisonSet", ropes: int = 1) -> Shape:
    """Return the shape of a set of comparisons, under this number of ropes."""
    datasets = max(len(comparison.dataset_decisions) for comparison in study.comparisons)
    method, pairs = study.method, len(study.comparisons)
    return Shape(method.name, pairs, datasets, study.scores.unit, method.over_datasets, ropes)


def shape_of_sweep(sweep: "Sweep") -> Shape:
    """Return the shape of the same pairs under several ropes."""
    return shape_of_study(sweep.studies[0], len(sweep.studies))


def shape_of_plan(plan: "Plan") -> Shape:
    """Return the shape of a plan."""
    return Shape(PLAN, len(plan.outlooks), 0)


def shape_of_family(family: "Family") -> Shape:
    """Return the shape of a family of classifiers."""
    return _shape_of_judged(family.scores)


def _shape_of_judged(scores: Scores) -> Shape:
    complete = all(bool(dataset.present.all()) for dataset in scores.datasets)
    return Shape(
        FAMILY, len(scores.classifiers), len(scores.datasets), scores.unit, complete=complete
    )


def _fitting(shape: Shape, name: str | None = None, sheet: Sheet = DEFAULT) -> Picture:
    if name is not None:
        check_name(name)
    for picture in PICTURES.values() if name is None else (PICTURES[name],):
        if picture.fits(shape):
            _check_rows(picture.count_rows(shape), picture.most(sheet), picture.most(Sheet()))
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


def _check_rows(rows: int, most: int, most_at_all: int) -> None:
    """Check the number of rows.

    most_at_all : the most that a picture holds which is as wide as it needs.

    Raises
    ------
    InputError : no row at all, or more than `most`.
    """
    if not 0 < rows <= most:
        wider = (
            " at this width: ask for a wider one, or none," if most < rows <= most_at_all else ":"
        )
        or_choose = " or choose" if most < rows <= most_at_all else " choose"
        raise InputError(
            f"a picture of {rows} rows cannot be drawn; it holds 1 to {most}{wider}{or_choose} "
            f"some with {arg('datasets')}, {arg('classifiers')} or {arg('left')}"
        )
