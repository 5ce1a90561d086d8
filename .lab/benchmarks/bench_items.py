"""A million test items, answered by ten models: the file read, all pairs compared."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.commands import BCOMPARE, MIB, measure
from benchmarks.run import show

ITEMS, MODELS = 1_000_000, 10

Rows = list[tuple[str, ...]]


def write_answers(path: Path, items: int, models: int, *, by_model: bool) -> None:
    """A row an answer, right or wrong; item after item, or model after model."""
    rng = np.random.default_rng(0)
    right = (rng.random(items)[:, None] < 0.5 + 0.02 * rng.random((items, models))).astype(int)
    names = [f"model-{k}" for k in range(models)]
    with path.open("w", encoding="utf-8") as file:
        file.write("item,classifier,score\n")
        if by_model:
            for name, own in zip(names, right.T.tolist(), strict=True):
                file.writelines(f"q{i},{name},{one}\n" for i, one in enumerate(own))
        else:
            for i, row in enumerate(right.tolist()):
                file.writelines(
                    f"q{i},{name},{one}\n" for name, one in zip(names, row, strict=True)
                )


def tables(folder: Path) -> Iterator[tuple[str, Rows]]:
    """Both orders of the rows."""
    rows: Rows = [("order of the rows", "seconds", "peak memory")]
    for order, by_model in (("item after item", False), ("model after model", True)):
        path = folder / "answers.csv"
        write_answers(path, ITEMS, MODELS, by_model=by_model)
        measured = measure(
            [*BCOMPARE, "ttest", path, "--col", "item=item", "--quiet"], runs=1, warm=False
        )
        rows.append((order, f"{measured.seconds:.2f} s", f"{measured.memory / MIB:.0f} MiB"))
    yield f"bcompare ttest: {ITEMS:,} items × {MODELS} models", rows


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        for title, rows in tables(Path(temporary)):
            show(title, rows)
