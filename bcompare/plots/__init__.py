"""Pictures of results, grouped by test or by the kind of number.

`registry` holds `PICTURES`: the name of each picture, the results that it can show, and the
function that draws it; the first that fits is the test's own. A drawing function takes a result and
a `Sheet` (the width and the text size), and returns a matplotlib `Figure` without a window. Only
modules that draw import matplotlib.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.scores import Scores
from bcompare.methods.base import Method
from bcompare.plots.figure import drawing
from bcompare.plots.registry import ANYTIME, FAMILY, PICTURES, PLAN, Picture, Shape
from bcompare.plots.sheet import MOST_ROWS, Sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bcompare.comparing.compare import ComparisonSet

# A page on the screen.
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
    """Check, before the work, that a picture can show the comparison.

    Raises
    ------
    InputError : no picture fits, or too many rows.
    """
    index = {name: k for k, name in enumerate(scores.classifiers)}
    counts = [
        sum(bool(d.present[index[left]] and d.present[index[right]]) for d in scores.datasets)
        for left, right in pairs
    ]
    datasets = max(counts, default=0)
    answers = method.answers(datasets)
    shape = Shape(
        method.name, len(pairs), datasets, scores.unit, answers, ropes, own=method.pictures
    )
    _fitting(shape, name, sheet)


def check_family_picture(scores: Scores, name: str | None = None, sheet: Sheet = DEFAULT) -> None:
    """Check, before the work, that a picture can show the family.

    Raises
    ------
    InputError : the picture does not fit, or has too many rows.
    """
    from bcompare.ranking.candidates import judged

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


def most_rows(rows: int) -> bool:
    """Return whether a picture can hold this number of rows."""
    return 0 < rows <= MOST_ROWS


def shape_of_study(study: "ComparisonSet", ropes: int = 1) -> Shape:
    """Return the shape of a set of comparisons, under this number of ropes."""
    datasets = max(comparison.n_datasets for comparison in study.comparisons)
    method, pairs = study.method, len(study.comparisons)
    answers = method.answers(datasets)
    return Shape(
        method.name, pairs, datasets, study.scores.unit, answers, ropes, own=method.pictures
    )


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
        if picture.fits(shape):
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
        raise InputError(
            "a picture of this test shows one pair, or one data set: choose by "
            f"{arg('candidate') if shape.test in (PLAN, ANYTIME) else pair}, or by "
            f"{arg('datasets')}"
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
