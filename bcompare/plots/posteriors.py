"""One pair on several data sets: a small posterior each, cut into the three regions.

Benavoli et al. 2017, Tutorial, fig. 8.
"""

from typing import Any, cast

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import RegionProbabilities, Rope
from bcompare.methods.correlated_t import CorrelatedTDatasets
from bcompare.plots.density import LEVEL, Curve, draw_regions_under
from bcompare.plots.fills import REGIONS, ROPE, region_legend, written
from bcompare.plots.names import dataset_names, only_pair
from bcompare.plots.page import GAP, Page
from bcompare.plots.sheet import Sheet

LEAST_CELL, CURVE_HEIGHT = 1.6, 0.8
POINTS = 101
# Where the numbers of the regions stand, as shares of a cell's width, and how high.
PLACES, ABOVE = (0.14, 0.5, 0.86), 1.0


def draw_posteriors(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the posteriors of one pair on its data sets, each on a scale of its own."""
    comparison, pair = only_pair(study)
    datasets = dataset_names(comparison)
    legend = region_legend(study.rope, pair.left, pair.right)
    words = f"{' '.join(pair.difference)}, with its {100 * LEVEL:g} % interval"
    page = Page(sheet, pair.title(datasets), [*legend, ("●", words)])
    # Two side by side at the least.
    least = min(sheet.scaled(LEAST_CELL), sheet.inner / 2 - sheet.scaled(GAP))
    no_labels: list[list[str]] = [[] for _ in datasets]
    panels = page.panels(least, sheet.scaled(CURVE_HEIGHT), no_labels, titles=datasets)
    posterior = cast("CorrelatedTDatasets", comparison.result.datasets).posterior
    intervals = posterior.intervals([LEVEL])
    for i, axes in enumerate(panels):
        curve = Curve.of_dataset(posterior, i, intervals, POINTS)
        _draw_cell(axes, curve, study.rope, comparison.dataset_probabilities(i), sheet)
    return page.finish()


def _draw_cell(
    axes: Axes,
    curve: Curve,
    rope: Rope,
    probabilities: RegionProbabilities[float],
    sheet: Sheet,
) -> None:
    draw_regions_under(axes, curve, rope)
    axes.locator_params(axis="x", nbins=4)
    axes.tick_params(axis="x", labelsize=sheet.small)
    across = axes.transAxes
    for place, look, p in zip(PLACES, REGIONS.values(), written(probabilities), strict=True):
        if look is not ROPE or not rope.is_empty:
            words: dict[str, Any] = {**look.label, "va": "top", "size": sheet.small}
            axes.text(place, ABOVE, p, transform=across, **words)
