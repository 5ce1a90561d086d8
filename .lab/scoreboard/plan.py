"""What plan.toml fixes beforehand, and where the published results stand."""

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RESULTS = HERE / "results"
PLAN: dict[str, Any] = tomllib.loads((HERE / "plan.toml").read_text("utf-8"))
Record = dict[str, Any]


def slug(name: str) -> str:
    """Return the name of a stream's file."""
    return "-".join("".join(c if c.isalnum() else " " for c in name).split())


def planned(chosen: Sequence[str], reps: str) -> Iterator[tuple[Record, int]]:
    """Yield the streams that are chosen, or all, with the number of cases for each truth.

    reps : "short" or "paper".
    """
    for stream in PLAN["stream"]:
        if chosen and stream["name"] not in chosen:
            continue
        settings = dict(stream["settings"])
        if stream["generator"] in ("learners", "suites"):
            settings |= {"pool_size": PLAN[f"pool_{reps}"], "pool_seed": PLAN["pool_seed"]}
        yield {**stream, "settings": settings}, stream[reps]
