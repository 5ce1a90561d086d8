"""A family of classifiers: regret, place, probability of being best, mean ranks; their scores."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bcompare.basis.messages import Record
from bcompare.data.rope import FloatArray, Rope, uncertain
from bcompare.data.scores import DatasetScores
from bcompare.plots.figure import drawing
from bcompare.plots.fills import FAINT, INK, LEFT, ROPE, Entry, minus, side_legend
from bcompare.plots.page import (
    EACH_SIDE,
    NAMES_GAP,
    OVERHANG,
    ROW,
    Page,
    classifiers,
    domain,
    draw_estimates,
    draw_rows,
    name_rows,
    space_rows,
)
from bcompare.plots.sheet import WIDTHS, Sheet
from bcompare.ranking.family import Family, correlations
from bcompare.ranking.leaderboard import LEAST, P_BEST, PLACE, SPAN, TIER, WITHIN
from bcompare.ranking.ranks import Ranks
from bcompare.report.table import decimals_for, probability

REGRET = ("regret: mean score lost", "against the best of each data set")
# The heights of a row, of its bar, and of the bar inside.
BAR_ROW, BAR, INNER = 0.26, 0.72, 0.36
# More rows than this are as low as their text, which is smaller, to fit on a page.
MOST_HIGH, LOW, SMALLER = 40, 0.155, 7.5

# The room above the scale of mean ranks, and between the bars below it.
ABOVE, BAR_STEP = 0.6, 0.1
# Height of the bar of the critical difference above the scale, in inches.
OF_DIFFERENCE = 0.38
# The reach of bars beyond the ranks that they join, in inches.
BEYOND = 0.04
# The least distance of ticks, in inches.
TICKS_APART = 0.3


def draw_regret(family: Family, sheet: Sheet) -> Figure:
    """Draw the regret of each classifier, with the rope."""
    best = family.best
    rope = family.rope
    order = list(best.order)
    interval = best.regret_interval.chosen(order)
    legend: list[Entry] = [("●", f"expected regret, {100 * interval.level:g} % interval")]
    if not rope.is_empty:
        legend.append((ROPE, f"within the rope: up to {rope.high:g}"))
    page = Page(
        sheet, ["What it costs to take each", f"classifier {domain(family, others=True)}"], legend
    )
    names = classifiers(family, order)
    columns = [(LEAST.heading, [probability(uncertain(best.p_least_regret[k])) for k in order])]
    rows = draw_rows(page, names, REGRET, columns=columns, rope=Rope(0.0, rope.high))
    draw_estimates(*rows, best.regret[order], interval)
    return page.finish()


def draw_against(family: Family, sheet: Sheet) -> Figure:
    """Draw how much the others score more than the leader here, with the rope.

    The interval is that of the average over data sets like these, as in the table.
    """
    best = family.best
    rope = family.rope
    others = [k for k in best.order if k != best.leader]
    loss = best.loss_interval.chosen(others)
    interval = replace(loss, low=-loss.high, high=-loss.low)
    (leader,) = classifiers(family, [best.leader])
    observed = np.array([family.observed(best.leader, k) for k in others])
    of_what = "" if family.lone is not None else " for data sets like these"
    legend: list[Entry] = [
        ("●", f"observed, {100 * interval.level:g} % interval{of_what}"),
        *side_legend(rope, leader, "the other"),
    ]
    title = ["The others", f"against {leader}", domain(family, others=True)]
    page = Page(sheet, title, legend)
    names = classifiers(family, others)
    label = ["mean difference", f"from {leader}", "(higher is better)"]
    rows = draw_rows(page, names, label, rope=rope)
    draw_estimates(*rows, observed, interval)
    return page.finish()


def draw_places(family: Family, sheet: Sheet) -> Figure:
    """Draw the 95 % interval of each place, the simultaneous one, and the tiers."""
    places = family.best.places
    order = list(family.best.order)
    legend: list[Entry] = [
        ("●", f"place, {100 * places.interval.level:g} % interval"),
        ("├┤", f"all places together, {100 * places.interval.level:g} % interval"),
    ]
    if family.tiers.max() > 1:
        legend.append((ROPE, "every other tier"))
    page = Page(sheet, ["Places by average score", domain(family, others=True)], legend)
    columns = []
    for field in (TIER, SPAN):
        cells = field.cell(family)
        columns.append((field.heading, [str(cells[k]) for k in order]))
    names = classifiers(family, order)
    is_long = len(order) > MOST_HIGH
    if is_long and sheet.width >= WIDTHS["page"]:
        page.sheet = replace(sheet, text=min(sheet.text, SMALLER))
    with drawing(page.sheet.text):
        axes, middles = draw_rows(
            page, names, ["place"], row=LOW if is_long else ROW, columns=columns
        )
    even = np.diff(np.pad(family.tiers[order] % 2 == 0, 1).astype(int))
    edges = [-0.5]
    for y in middles.tolist():  # the middles of rows, whose heights may differ
        edges.append(2 * y - edges[-1])
    for first, last in zip(*(np.flatnonzero(even == side) for side in (1, -1)), strict=True):
        axes.axhspan(edges[first], edges[last], color=ROPE.face, linewidth=0, zorder=0)
    for interval, width in ((places.joint, 0.8), (places.interval, 2.0)):
        axes.hlines(middles, interval.low[order], interval.high[order], color=INK, linewidth=width)
    for ends in (places.joint.low, places.joint.high):
        axes.plot(ends[order], middles, "|", markersize=7.0, color=INK, clip_on=False)
    axes.plot(PLACE.raw(family)[order], middles, "o", markersize=4.0, color=INK, clip_on=False)
    axes.set_xlim(0.5, len(order) + 0.5)
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))
    return page.finish()


def draw_family(family: Family, sheet: Sheet) -> Figure:
    """Draw a narrow bar for p(best) inside a broad one for p(within rope)."""
    order = np.argsort(-family.best.p_best, kind="stable")
    names = classifiers(family, order.tolist())
    best = family.best.p_best[order]
    within = family.best.p_practically_best[order]
    has_rope = not family.rope.is_empty
    legend: list[Entry] = [(LEFT, "best")]
    columns = [(P_BEST.heading, [probability(uncertain(p)) for p in best])]
    if has_rope:
        legend.append((ROPE, f"best, or within the rope of it: {family.rope.high:g}"))
        columns.append((WITHIN.heading, [probability(uncertain(p)) for p in within]))
    title = ["Which classifier", "is best", domain(family)]
    q = len(family.datasets)
    if family.lone is None:
        title = ["Which classifier", "is best", "on the next data set", f"like these {q}"]
    page = Page(sheet, title, legend)
    axes, middles = draw_rows(
        page, names, ["probability"], row=BAR_ROW, columns=columns, ends=(0.0, 0.0)
    )
    if has_rope:
        axes.barh(middles, within, BAR, **{**ROPE.fill, "edgecolor": INK, "linewidth": 0.5})
    axes.barh(middles, best, INNER, **LEFT.fill)
    axes.set_xlim(0, 1)
    return page.finish()


def draw_critical_difference(family: Family, sheet: Sheet) -> Figure:
    """Draw mean ranks, the best on the left, joined by bars unless they differ significantly.

    Demšar 2006, fig. 1: Nemenyi's critical difference.
    """
    result = cast("Ranks", family.ranks)
    order = np.argsort(result.mean_rank, kind="stable").tolist()
    ranks = result.mean_rank[order]
    difference = cast("float", result.critical_difference)
    half = -(-len(order) // 2)
    legend: list[Entry] = [
        ("▬", f"joined: not significantly different at level {family.alpha:g} (Nemenyi)"),
    ]
    room = EACH_SIDE * sheet.width
    row = sheet.scaled(ROW)
    gap = sheet.scaled(NAMES_GAP)
    labels = [
        sheet.lines([name, f"{result.mean_rank[k]:.2f}"], room)
        for k, name in zip(order, classifiers(family, order), strict=True)
    ]
    sides = labels[:half], labels[half:][::-1]  # the last classifier is on top
    left, right = (sheet.margin + gap + sheet.widest_of(side) for side in sides)
    width = sheet.width - left - right
    inch = (len(ranks) - 1) / width
    beyond = BEYOND * inch
    bars = [(ranks[i] - beyond, ranks[j] + beyond) for i, j in cliques(ranks, difference)]
    lines = stacked(bars)
    above = sheet.scaled(ABOVE)
    below = (max(lines, default=-1) + 2) * BAR_STEP
    places = [space_rows(sheet, row, side) for side in sides if side]
    height = above + below + (max(total for _, total in places) + 0.5) * row
    page = Page(sheet, ["Mean ranks", domain(family)], legend)
    axes = page.axes(left, width, height)
    axes.set_xlim(1, len(ranks))
    axes.set_ylim(height - above, -above)  # inches below the scale
    axes.set_axis_off()
    _draw_scale(axes, len(ranks), difference, sheet, width)
    for (start, end), line in zip(bars, lines, strict=True):
        y = [(line + 1) * BAR_STEP] * 2
        axes.plot([start, end], y, color=INK, linewidth=3.0, solid_capstyle="butt")
    thin = min(0.7, 72 / inch / 3)  # many lines are spaced by their own width
    ranks_of_sides = ranks[:half], ranks[half:][::-1]
    ends = ((1, -1, "right"), (len(ranks), 1, "left"))
    for k, (row_number, _) in enumerate(places):
        end, sign, align = ends[k]
        heights = below + (row_number + 0.5) * row
        look: Record = {"ha": align, "va": "center", "color": INK}
        for rank, words, y in zip(ranks_of_sides[k], sides[k], heights, strict=True):
            axes.plot([rank, rank, end], [0, y, y], color=INK, linewidth=thin, zorder=1)
            axes.text(end + sign * gap / 2 * inch, y, "\n".join(words), **look)
    return page.finish()


def cliques(ranks: FloatArray, difference: float) -> list[tuple[int, int]]:
    """Return the ends of each maximal group of ascending ranks within the difference."""
    groups: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = int(np.flatnonzero(ranks - rank < difference)[-1])
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return groups


def stacked(bars: Sequence[tuple[float, float]]) -> list[int]:
    """Return the line of each bar, from left to right: the first free one."""
    reached: list[float] = []
    lines = []
    for start, end in bars:
        line = next((k for k, last in enumerate(reached) if last < start), len(reached))
        reached[line : line + 1] = [end]
        lines.append(line)
    return lines


def _draw_scale(axes: Axes, count: int, difference: float, sheet: Sheet, width: float) -> None:
    """Draw the scale with its ticks, and above it the critical difference."""
    axes.plot([1, count], [0, 0], color=INK, linewidth=1.0)
    step = -(-count // max(1, int(width / sheet.scaled(TICKS_APART))))
    for tick in sorted({1, *range(step, count + 1, step)} - ({2} if step == 2 else set())):
        axes.plot([tick, tick], [-0.06, 0], color=INK, linewidth=1.0)
        axes.text(tick, -0.15, str(tick), ha="center", va="center", color=INK)
    if difference <= count - 1:  # a longer one does not fit, and joins all
        ends = [1, 1 + difference]
        axes.plot(ends, [-OF_DIFFERENCE] * 2, color=INK, linewidth=1.2)
        for end in ends:
            y = [-OF_DIFFERENCE - 0.04, -OF_DIFFERENCE + 0.04]
            axes.plot([end, end], y, color=INK, linewidth=1.2)
        words = f"critical difference {difference:.2f}"
        above = OF_DIFFERENCE + sheet.line / 2 + 0.02
        axes.text(1, -above, words, ha="left", va="center", color=INK)


# Of a frame of scores, and the room for the scale on its left; of the correlations below them.
HEIGHT, SCALE = 0.75, 0.5
CORRELATION = "correlation of the scores"
CELL, CELL_WIDTH, BETWEEN, HEADING = 0.24, 0.44, 0.04, 0.5
# The largest share of the sheet's width for names next to the correlations.
NAMES = 0.4
# The sizes of markers, in points.
SMALLEST, LARGEST = 1.4, 2.6
# With more points than this, each is the mean of several, since they would overlap.
MOST_POINTS = 120


def draw_folds(family: Family, sheet: Sheet) -> Figure:
    """Draw the scores of all classifiers on the only data set, and their correlations.

    After scikit-learn's example "Statistical comparison of models using grid search". Lines in one
    frame would hide one another, so each classifier has its own frame with the mean of all: a frame
    shows whether classifiers move together, and the frames side by side which one is better.
    """
    lone = cast("DatasetScores", family.lone)
    order = list(family.best.order)
    names = classifiers(family, order)
    scores = family.signed(lone.means)[:, order]
    correlated = correlations(lone)[np.ix_(order, order)]
    c = len(names)
    ordered = _ordered(scores, lower_is_better=family.scores.lower_is_better)
    positions = np.linspace(1, len(scores), len(ordered))
    each = "each a score"
    if len(ordered) < len(scores):
        each = f"each the mean of about {round(len(scores) / len(ordered))} scores"
    page = Page(
        sheet,
        ["Scores", domain(family)],
        [
            ("●", f"{each}; above the mean of all classifiers"),
            ("○", f"{each}; not above it"),
            ("━", "the mean of all classifiers"),
        ],
    )
    left = sheet.margin + sheet.scaled(SCALE)
    width = sheet.width - left - sheet.margin - sheet.scaled(OVERHANG)
    label = sheet.lines(f"{family.scores.unit.rows}, from the hardest to the easiest", width)
    numbers = [str(k) for k in range(1, c + 1)]
    tall = sheet.tall(HEIGHT)
    gap = sheet.scaled(NAMES_GAP)
    for k, mean in enumerate(scores.mean(axis=0).tolist()):
        written = minus(f"mean {mean:.{decimals_for(abs(mean))}f}")
        title = sheet.lines([numbers[k], f"{names[k]}:", written], sheet.inner)
        page.write_lines(sheet.margin, title)
        top = page.end
        is_last = k == c - 1
        axes = page.axes(left, width, tall, label if is_last else ())
        _draw_scores(axes, positions, ordered, k, 72 * width / len(positions))
        axes.tick_params(axis="x", labelbottom=is_last)
        page.end = top + (tall + gap)
    page.end += sheet.ticks + sheet.height(label) + sheet.margin - gap
    page.write(sheet.margin, sheet.scaled(HEADING) - 2 * sheet.line, CORRELATION, weight="bold")
    page.end += sheet.scaled(HEADING)
    words = [[*map(_correlation_in_words, row)] for row in correlated]
    least = sheet.widest_of(words, sheet.small) + BETWEEN
    room = min(NAMES * sheet.width, sheet.inner - gap - c * least)
    named = [sheet.lines(f"{k} {name}", room) for k, name in zip(numbers, names, strict=True)]
    cell = sheet.scaled(CELL)
    rows, total = space_rows(sheet, cell, named)
    start = sheet.margin + gap + sheet.widest_of(named)
    wide = min(sheet.scaled(CELL_WIDTH), (sheet.width - sheet.margin - start) / c)
    axes = page.axes(start, c * wide, total * cell)
    axes.set_xlim(-0.5, c - 0.5)
    axes.set_ylim(total - 0.5, -0.5)
    name_rows(axes, rows, named, gap)
    _draw_matrix(axes, numbers, rows, words, sheet.small)
    return page.finish()


def _correlation_in_words(value: float) -> str:
    return "–" if np.isnan(value) else minus(f"{value:.2f}")


def _ordered(scores: FloatArray, *, lower_is_better: bool) -> FloatArray:
    """Return (m, c) scores from the hardest row to the easiest; many rows are grouped."""
    hardest = (-1 if lower_is_better else 1) * scores.mean(axis=1)
    parts = np.array_split(
        scores[np.argsort(hardest, kind="stable")], min(len(scores), MOST_POINTS)
    )
    return np.array([part.mean(axis=0) for part in parts])


def _draw_scores(axes: Axes, x_of: FloatArray, scores: FloatArray, k: int, apart: float) -> None:
    """Draw the scores of one classifier, `apart` points apart, each joined to the mean of all."""
    mean = scores.mean(axis=1)
    plotted = scores[:, k]
    nothing = np.full(len(x_of), np.nan)
    x = np.column_stack((x_of, x_of, nothing)).ravel()
    y = np.column_stack((mean, plotted, nothing)).ravel()
    axes.plot(x, y, color=INK, linewidth=0.6)
    axes.plot(x_of, mean, color=FAINT, linewidth=1.6, zorder=1.5)
    look: Record = {
        "markersize": min(LARGEST, max(SMALLEST, apart)),
        "markeredgewidth": 0.6,
    }
    for is_above, face in ((plotted > mean, INK), (plotted <= mean, "white")):
        axes.plot(x_of[is_above], plotted[is_above], "o", color=INK, markerfacecolor=face, **look)
    axes.set_xlim(x_of[0] - 0.5, x_of[-1] + 0.5)
    low = float(scores.min())
    high = float(scores.max())
    room = 0.08 * (high - low or 1.0)
    axes.set_ylim(low - room, high + room)
    axes.locator_params(axis="x", integer=True)
    axes.locator_params(axis="y", nbins=3)


def _draw_matrix(
    axes: Axes, numbers: Sequence[str], middles: FloatArray, words: list[list[str]], size: float
) -> None:
    """Draw the correlations as numbers; headings are the numbers of the classifiers."""
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    look: Record = {"ha": "center", "va": "center", "size": size}
    for column, number in enumerate(numbers):
        axes.text(column, -0.9, number, color=INK, **look)
        for row, y in enumerate(middles):
            axes.text(column, y, words[row][column], color=FAINT if row == column else INK, **look)
