"""`make reproduce`: every study, ours next to the paper's.

    python .lab/studies/run.py [--reps short|paper|N] [--save] [--seed N]
                                  [--scheduler ADDRESS] [STUDY …]

Prints one table; with `--save` writes each study's result as JSON, with the version that made it,
and its picture, into `.lab/studies/results/`. With `--seed 2` they are written into a folder of
their own: results that topics state are repeated by a second seed.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the studies fill the cores themselves

from bcompare.cli.compare import executor_at
from bcompare.version import __version__
from studies import (
    anytime,
    boards,
    cb_fig1,
    cb_fig2,
    corani_fig2,
    corani_fig4,
    corani_table1,
    items,
    leaders,
    least,
    ours,
    pilots,
    places,
    published,
    rates,
    real,
    runs,
    unpaired,
)
from studies.picture import save_picture
from studies.study import Line, Study, elsewhere

RESULTS = Path(__file__).parent / "results"
SEED = 1

STUDIES = {
    study.name: study
    for study in (
        Study("table1", "Corani 2017, Table 1", 100, 500, corani_table1.lines, "data sets"),
        Study("fig2", "Corani 2017, Fig. 2", 50, 500, corani_fig2.figure2, "data sets"),
        Study("fig3", "Corani 2017, Fig. 3", 50, 500, corani_fig2.figure3, "data sets"),
        Study("fig4", "Corani 2017, Fig. 4", 50, 500, corani_fig4.lines, "δ0"),
        Study("cb-fig1", "CB 2015, Fig. 1", 1, 1, cb_fig1.lines),
        Study("cb-fig2a", "CB 2015, Fig. 2a", 100, 5000, cb_fig2.figure2a, "δ"),
        Study("cb-fig2b", "CB 2015, Fig. 2b", 100, 5000, cb_fig2.figure2b, "median = scale of δ"),
        Study("cb-table4", "CB 2015, Table 4", 1, 1, published.table4),
        Study("tutorial", "Tutorial, Tables 2–12", 50_000, 150_000, published.tutorial),
        Study("calibration", "hier, own", 200, 2000, ours.hierarchical_calibration),
        Study("best", "rank, own", 200, 2000, ours.which_is_best),
        Study("places", "rank's places, own", 2, 50, places.lines),
        Study("leaders", "rank's leaders, own", 2, 100, leaders.lines),
        Study("boards", "rank on one data set, own", 2, 200, boards.lines),
        Study("misfit", "hier's shape, own", 100, 500, ours.misfit_rates),
        Study("looks", "gate, own", 1000, 4000, ours.repeated_looks),
        Study("anytime", "gate at any time, own", 100, 2000, anytime.lines),
        Study("epochs", "pass@k, own", 500, 5000, ours.repeated_answers),
        Study("real", "real results, own", 3, 30, real.lines),
        Study("rates", "gate on the border, own", 200, 4000, rates.lines, designs=rates.scanned),
        Study(
            "least", "fewest rows that pass a gate, own", 1, 1, least.lines, designs=least.described
        ),
        Study("pilots", "plan-gate, own", 10, 400, pilots.lines),
        Study("runs", "whole runs, own", 20, 300, runs.lines),
        Study("unpaired-rates", "two rates, own", 1, 1, unpaired.rates),
        Study("unpaired-means", "two means, own", 20, 300, unpaired.numbers),
        Study("weights", "rates of sums, own", 20, 300, unpaired.weights),
        Study("items", "which items broke, own", 4, 1000, items.lines),
        Study("suites", "gate over suites, own", 50, 1000, ours.judged_suites),
    )
}
SAYS = {True: "yes", False: "NO", None: ""}


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows as text, the first as the header."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def row(study: Study, line: Line) -> tuple[str, ...]:
    """A line of the table."""
    error = f" ± {line.error:.2g}" if line.error else ""
    paper = "" if line.paper is None else str(line.paper)
    return (study.source, line.what, paper, f"{line.ours:.4g}{error}", SAYS[line.agrees], line.note)


def folder(seed: int) -> Path:
    """Where the results of a seed are kept."""
    return RESULTS if seed == SEED else RESULTS / f"seed-{seed}"


def record(
    study: Study, repetitions: int, seed: int, lines: Sequence[Line], seconds: float
) -> dict[str, Any]:
    """What is kept of a study."""
    return {
        "study": study.name,
        "source": study.source,
        "bcompare": __version__,
        "date": date.today().isoformat(),
        "repetitions": repetitions,
        "seed": seed,
        "seconds": round(seconds, 1),
        "designs": study.designs(),
        "lines": [line.record() for line in lines],
    }


def main(arguments: Sequence[str]) -> None:
    """Run the studies that are named, or all."""
    parser = argparse.ArgumentParser(prog="make reproduce")
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=", ".join(STUDIES))
    parser.add_argument("--reps", default="short", help="short, paper, or a number")
    parser.add_argument("--save", action="store_true", help="write JSON and pictures")
    parser.add_argument("--seed", type=int, default=SEED, help="of the random numbers")
    parser.add_argument("--scheduler", help="compute on the workers of this Dask scheduler")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.studies if name not in STUDIES]
    if unknown:
        parser.error(f"there is no study {unknown[0]!r}; there are {', '.join(STUDIES)}")
    rows: list[tuple[str, ...]] = [("study", "figure", "paper", "ours", "agrees?", "")]
    with executor_at(chosen.scheduler) as executor:
        elsewhere[:] = [executor] if executor else []
        for name in chosen.studies or STUDIES:
            study = STUDIES[name]
            usual = {"short": study.short, "paper": study.whole}
            repetitions = usual.get(chosen.reps) or int(chosen.reps)
            start = time.perf_counter()
            lines = study.lines(repetitions, chosen.seed)
            seconds = time.perf_counter() - start
            print(f"{name}: {repetitions:,} repetitions, {seconds:.0f} s", file=sys.stderr)
            if not lines:
                rows.append((study.source, "left out: its data are not here", "", "", "", ""))
            rows += [row(study, line) for line in lines]
            if chosen.save and lines:
                results = folder(chosen.seed)
                results.mkdir(exist_ok=True)
                kept = record(study, repetitions, chosen.seed, lines, seconds)
                text = json.dumps(kept, indent=1, ensure_ascii=False)
                (results / f"{name}.json").write_text(text + "\n", encoding="utf-8")
                save_picture(study, lines, results / f"{name}.svg")
    print(table(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
