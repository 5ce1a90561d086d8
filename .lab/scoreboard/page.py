"""What is published of the scoreboard: the site's page, `explain scoreboard`, rows of `tools`.

python .lab/scoreboard/page.py    # writes the topics anew, from results/
"""

import json
import math
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from scoreboard import tools
from scoreboard.case import TOOLS
from scoreboard.plan import PLAN, RESULTS, Record, slug

PROJECT = Path(__file__).parents[2]
__all__ = ["tools"]  # importing it enters the adapters
TOPIC = PROJECT / "bcompare" / "explain" / "scoreboard.md"
OTHERS = PROJECT / "bcompare" / "explain" / "tools.md"
TITLES = {
    "folds": "Folds of real learners",
    "refits": "Folds of real learners that can be trained anew",
    "suite": "Suites of data sets",
    "seeds": "Seeds",
    "items": "Test items",
    "looks": "Looking again and again",
    "timings": "Timings",
    "leaderboard": "Leaderboards",
}
# The measures that a table shows of each truth, and the digits of those that are no shares.
SHOWN = ("false_alarm", "beyond", "covers", "power", "wrong_way", "equivalent",
         "equivalent_wrongly", "stated", "came_true", "after", "best", "regret", "p_best",
         "refused", "error", "milliseconds")  # fmt: skip
NUMBERS = {"regret": 2, "after": 0, "milliseconds": 1}
OURS = "bcompare"


def records() -> dict[str, Record]:
    """The published results by the name of the stream, in the order of the plan."""
    paths = {s["name"]: RESULTS / f"{slug(s['name'])}.json" for s in PLAN["stream"]}
    return {name: json.loads(path.read_text("utf-8")) for name, path in paths.items()}


def faults() -> Record:
    """The published results on files with a fault."""
    found: Record = json.loads((RESULTS / "files.json").read_text("utf-8"))
    return found


def shown(measure: str, figure: Sequence[float] | None) -> str:
    """A figure for a table: shares in per cent."""
    if figure is None:
        return "–"
    digits = NUMBERS.get(measure)
    return f"{100 * figure[0]:.1f}" if digits is None else f"{figure[0]:,.{digits}f}"


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown; the first row is its header."""
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _truth(family: str, truth: str) -> str:
    if family in ("folds", "refits", "suite"):
        return truth
    if family == "leaderboard":
        return "equal" if float(truth) == 0 else "apart"
    if float(truth) == 0:
        return "equal"
    number = float(truth)
    return f"{number:+.0%}" if family == "timings" else f"{number:+g}".replace("-", "−")


def family_table(family: str) -> str:
    """A row for each stream, truth and measure, a column for each tool."""
    own = [r for r in records().values() if r["stream"]["family"] == family]
    names = list(own[0]["versions"])
    rows = [["%", *names]]
    for record in own:
        for measure in SHOWN:
            for truth, of_tools in record["figures"].items():
                cells = [shown(measure, of_tools.get(name, {}).get(measure)) for name in names]
                if set(cells) - {"–"}:
                    what = f"{record['stream']['name']}, {_truth(family, truth)}: "
                    rows.append([what + measure.replace("_", " "), *cells])
    return markdown(rows)


def file_table() -> str:
    """A row for each fault, a column for each tool: what comes of items and of folds."""
    found = faults()["files"]
    rows = [["fault", *found]]
    kinds = dict.fromkeys(fault for of_tool in found.values() for fault in of_tool)
    rows += [
        [fault, *(of_tool.get(fault, ["–"])[0] for of_tool in found.values())]
        for fault in sorted(kinds, key=lambda fault: fault.rpartition(", ")[::-1])
    ]
    return markdown(rows)


def correlation_table() -> str:
    """The odds of folds' correlation in units of those of 1/k, over pairs and populations."""
    found = json.loads((RESULTS / "correlation.json").read_text("utf-8"))["odds"]
    rows = [["cross-validation", "median", "5 to 95 %", "largest"]]
    for design, of_pairs in found.items():
        runs, k = design.split(" × ")
        low, middle, high, most = of_pairs["each pair and population"]
        name = f"{k} folds" if runs == "1" else f"{runs} times {k} folds"
        rows.append([name, f"{middle:.2f}", f"{low:.2f} to {high:.2f}", f"{most:.1f}"])
    return markdown(rows)


def _keeps(record: Record, tool: str) -> bool:
    """Whether a tool keeps what it promises of a stream, within three Monte Carlo errors."""
    of_truths = [figures.get(tool, {}) for figures in record["figures"].values()]
    return not any(True for figures in of_truths for _ in _broken("", tool, figures))


def _error(rate: float, figure: Sequence[float]) -> float:
    return math.sqrt(rate * (1 - rate) / figure[2])


Loss = tuple[float, str]
"""By how much, and what in words."""


def losses() -> list[Loss]:
    """Where ours breaks a promise, and where another tool that keeps its own finds more.

    From three Monte Carlo errors on; the largest first.
    """
    found: list[Loss] = []
    for name, record in records().items():
        for truth, of_tools in record["figures"].items():
            where = f"{name}, {_truth(record['stream']['family'], truth)}"
            for tool, figures in of_tools.items():
                if tool.startswith(OURS):
                    found += _broken(where, tool, figures)
            found += _outdone(where, record, of_tools)
    return sorted(found, key=lambda loss: -loss[0])


# of their false alarms 5 % in each direction
TWO_SIDED = [name for name, tool in TOOLS.items() if tool.verdict]
PROMISES = {
    "false_alarm": (0.05, "calls equal models different in"),
    "beyond": (0.05, "calls a difference on the rope's border larger in"),
    "wrong_way": (0.05, "calls the worse model better in"),
    "covers": (0.95, "has 95 % intervals that cover"),
}


def _broken(where: str, tool: str, figures: Record) -> Iterator[Loss]:
    for measure, (promised, words) in PROMISES.items():
        figure = figures.get(measure)
        if figure is None:
            continue
        over = figure[0] - promised if measure != "covers" else promised - figure[0]
        # a verdict may err by 5 % in each direction
        allowed = 0.05 if measure == "false_alarm" and tool in TWO_SIDED else 0.0
        if over > allowed + 3 * _error(promised, figure):
            yield over, f"{where}: {tool} {words} {100 * figure[0]:.1f} %"
    if "stated" in figures:
        stated, came_true = figures["stated"], figures["came_true"]
        over = stated[0] - came_true[0]
        if over > 3 * math.hypot(stated[1], came_true[1]):
            true = f"{100 * came_true[0]:.0f} %"
            yield over, f"{where}: {tool} states {stated[0]:.2f} on average, and {true} come true"


def _outdone(where: str, record: Record, of_tools: Record) -> Iterator[Loss]:
    power = {
        tool: figures["power"]
        for tool, figures in of_tools.items()
        if "power" in figures and (tool.startswith(OURS) or _keeps(record, tool))
    }
    ours = {tool: figure for tool, figure in power.items() if tool.startswith(OURS)}
    others = {tool: figure for tool, figure in power.items() if tool not in ours}
    if not ours or not others:
        return
    best, other = (max(group, key=lambda tool: group[tool][0]) for group in (ours, others))
    gap = others[other][0] - ours[best][0]
    if gap > 3 * math.hypot(others[other][1], ours[best][1]):
        theirs, own = (f"{100 * power[tool][0]:.1f} %" for tool in (other, best))
        yield gap, f"{where}: {other} finds {theirs}, {best} {own}"


# What the summary shows: a heading, the stream and its truth.
COLUMNS = {
    "folds": ("10 times 10 folds", "equal"),
    "suites": ("20 data sets", "equal"),
    "items": ("100 items", "0.0"),
    "clusters": ("20 passages × 5 items", "0.0"),
}


def summary() -> list[list[str]]:
    """Each tool's false alarms on the main streams, and what it makes of files with a fault."""
    found, of_files = records(), faults()["files"]
    names = dict.fromkeys(tool for record in found.values() for tool in record["versions"])
    rows = [["tool", *COLUMNS, "files"]]
    for tool in names:
        cells = [
            shown("false_alarm", found[name]["figures"][truth].get(tool, {}).get("false_alarm"))
            for name, truth in COLUMNS.values()
        ]
        good = [what in ("right", "refused") for what, _ in of_files.get(tool, {}).values()]
        files = f"{sum(good)} of {len(good)}" if good else "–"
        if {*cells, files} != {"–"}:
            rows.append([tool, *cells, files])
    return rows


def versions() -> dict[str, str]:
    """The version of each package."""
    return {
        TOOLS[tool].package: version
        for record in records().values()
        for tool, version in record["versions"].items()
    }


HEAD = """
{tools} tools and habits judged {count} streams of results whose truth is known, at their defaults.
`make scoreboard` repeats a short version, `REPS=paper` all of it; the site has every table. All was
fixed beforehand, in `.lab/scoreboard/plan.toml` of the repository. A tool's author is welcome to
correct its adapter in `tools.py` there.
"""
LOSSES = """
**Where ours loses** (*apart*: models that differ), by more than three Monte Carlo errors, the four
largest:
"""
READ = """
**Equal models called different**, in %. *folds* (10 times 10) and *suites* (20 data sets) are of
real learners: two equal ones are one learner under two seeds. *items* are 100, *clusters* 20
passages of 5. *files* had a fault (a score absent or empty, a row twice, all equal, per cent
against fractions, shuffled rows, other folds): how many got the right answer or a refusal. A
p-value may err in 5 %, a verdict in 5 % in each direction. The standard error of a figure near 5 is
{least:.1f} to {most:.1f}. An interval over data sets should hold their mean difference.
"""
TAIL = """
Versions: {versions}; seed {seed}. See also: [correct](correct.md), [correlation]({correlation}).
"""
CORRELATION = "rows.md#correlation--folds-share-their-data"
# What was asked of intervals that need more than scores.
MORE = """
With five folds and the loss on each case at hand, the intervals of Bayle et al. (2020) covered {}
of cases (equal learners, and others); those of nested cross-validation (Bates et al. 2023), with
250 trainings of each learner, {}; the corrected t-test's {}. So the first are too narrow here,
and the second take fifty times as many trainings to be no better.
"""
ODDS = """\
The odds ρ/(1 − ρ) of pairs of learners, measured on data from ten populations and divided by those
of ρ = 1/k: below 1 intervals are too wide, above 1 too narrow.
"""
WIDTH = 120


def _filled(text: str, **values: object) -> str:
    """Return a paragraph in lines as wide as those of the other topics."""
    return textwrap.fill(" ".join(text.format(**values).split()), WIDTH) + "\n"


def topic() -> str:
    """`bcompare explain scoreboard`."""
    found = records()
    errors = [
        100 * _error(0.05, figures["false_alarm"])
        for record in found.values()
        for of_tools in record["figures"].values()
        for figures in of_tools.values()
        if "false_alarm" in figures
    ]
    rows = summary()
    return "\n".join(
        [
            "# Which comparison tools can be believed?\n",
            _filled(HEAD, count=len(found), tools=len(rows) - 1),
            _filled(LOSSES),
            "".join(f"- {line}\n" for _, line in losses()[:4]),
            _filled(READ, least=min(errors), most=max(errors)),
            markdown(rows),
            _filled(
                TAIL,
                versions=", ".join(
                    f"{name} {number}" for name, number in sorted(versions().items())
                ),
                seed=PLAN["seed"],
                correlation=CORRELATION,
            ),
        ]
    )


def more() -> str:
    """How often intervals cover that need more than scores."""
    anew = records()["5 folds, trained anew"]["figures"]
    covered = (
        " and ".join(f"{100 * anew[truth][tool]['covers'][0]:.0f} %" for truth in anew)
        for tool in ("Bayle et al. by hand", "nested cross-validation by hand", "bcompare ttest")
    )
    return textwrap.fill(" ".join(MORE.format(*covered).split()), WIDTH) + "\n"


def page(picture: str) -> str:
    """The site's page: where ours loses, the picture, and a table of each family."""
    meaning = [f"- *{name.replace('_', ' ')}*: {what}" for name, what in PLAN["measures"].items()]
    parts = [
        "# Scoreboard\n",
        "Every figure has its Monte Carlo error in `.lab/scoreboard/results/`.\n",
        "## Where bcompare loses\n",
        "".join(f"- {line}\n" for _, line in losses()),
        f"![False alarms against power]({picture})\n",
        "## What is measured\n",
        "In per cent, but for points of regret, items and milliseconds.\n",
        "\n".join(meaning) + "\n",
    ]
    for family, title in TITLES.items():
        parts += [f"## {title}\n", family_table(family), *([more()] if family == "refits" else [])]
    parts += ["## Files with a fault\n", file_table()]
    parts += ["## Correlation of folds\n", ODDS, correlation_table()]
    return "\n".join(parts)


POINTS = (
    ("10 folds", "equal", "apart"), ("20 data sets", "equal", "apart"),
    ("10 seeds", "0.0", "-0.03"), ("100 items", "0.0", "-0.1"),
    ("400 items, looked at again and again", "0.0", "-0.1"),
    ("6 runs and 1, off by 3 % as a whole", "0.0", "0.2"),
)  # fmt: skip


def save_picture(path: Path) -> None:
    """Draw what tools find and their false alarms: a panel a stream, a row a tool."""
    from matplotlib.figure import Figure

    from bcompare.plots.figure import drawing, save

    found = records()
    with drawing():
        figure = Figure(figsize=(10, 8), layout="constrained")
        for panel, (name, equal, apart) in zip(figure.subplots(3, 2).flat, POINTS, strict=True):
            figures = found[name]["figures"]
            tools = [t for t in figures[equal] if "power" in figures[apart].get(t, {})]
            for y, tool in enumerate(reversed(tools)):
                alarms = 100 * figures[equal][tool]["false_alarm"][0]
                power = 100 * figures[apart][tool]["power"][0]
                panel.plot([alarms, power], [y, y], color="0.8", linewidth=1, zorder=1)
                panel.plot(alarms, y, "o", markerfacecolor="white", color="black", markersize=5)
                panel.plot(power, y, "o", color="black", markersize=5)
            panel.axvline(5, color="0.6", linewidth=0.8, linestyle="--", zorder=0)
            panel.set_yticks(range(len(tools)), reversed(tools), fontsize=7)
            panel.set_title(name, fontsize=9)
            panel.set_xlim(-2, 102)
        figure.suptitle(
            "○ equal models called different, ● differences found, in %; dashed: 5 %", fontsize=10
        )
        save(figure, path)


def measured_rows(header: str) -> list[str]:
    """The measured rows of a table of tools with this header."""
    tools = [cell.strip().partition(" ")[0] for cell in header.split("|")[2:-1]]
    rows = {row[0]: row for row in summary()}
    columns = summary()[0]

    def cells(*columns_shown: str) -> str:
        result = []
        for name in tools:
            row = rows.get("bcompare ttest, p-value" if name == OURS else name)
            own = [row[columns.index(column)] if row else "–" for column in columns_shown]
            result.append("–" if set(own) == {"–"} else "; ".join(own))
        return " | ".join(result)

    alarms, files = cells("items", "clusters"), cells("files")
    return [
        f"| equal models called different, %: 100 items; 20 passages × 5 | {alarms} |",
        f"| files with a fault: right answer or refusal | {files} |",
    ]


def tools_topic(text: str) -> str:
    """`explain tools` with the measured rows of its tables anew."""
    lines: list[str] = []
    rows: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("| | "):
            rows = {row.split("|")[1]: row.replace("\\", "") for row in measured_rows(line)}
        lines.append(rows.get(line.split("|")[1], line) if line.startswith("|") else line)
    return "\n".join(lines) + "\n"


def write() -> None:
    """Write the topic and the rows of `explain tools`."""
    TOPIC.write_text(topic(), encoding="utf-8")
    OTHERS.write_text(tools_topic(OTHERS.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    write()
