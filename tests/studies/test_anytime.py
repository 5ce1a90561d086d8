"""The study of looks at any time: its promise in a short version, and the tables made of it."""

import json

import numpy as np
import pytest
from studies.anytime import ALPHA, DESIGNS, UNPROMISED, R
from studies.run import RESULTS

from bcompare.explain import explained

REPLICATES = 200


@pytest.mark.slow
@pytest.mark.parametrize("design", range(len(DESIGNS)), ids=lambda i: DESIGNS[i][0].__name__)
def test_no_way_that_promises_it_errs_more_than_alpha(design: int) -> None:
    sample, truths, _ = DESIGNS[design]
    border = [truth for truth in truths if truth >= -R]
    for truth in border:
        result = sample(np.random.default_rng(11), truth, REPLICATES)
        promising = {k: v for k, v in result.items() if not any(u in k for u in UNPROMISED)}
        assert promising
        for name, when in promising.items():
            ever = float(np.isfinite(when).mean())
            assert ever <= ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / REPLICATES), name
    worst = sample(np.random.default_rng(12), truths[-1], 50)
    assert max(float(np.isfinite(when).mean()) for when in worst.values()) > 0.8


def test_the_tables_of_explain_are_those_of_the_study() -> None:
    lines = json.loads((RESULTS / "anytime.json").read_text("utf-8"))["lines"]
    ours = {line["what"]: line["ours"] for line in lines}
    rows, header = [], []
    for line in f"{explained('looks')}\n{explained('anytime')}".splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if cells[0] in ("way to look", "stream"):
            header = ["0" if cell == "equal" else cell.replace("−", "-") for cell in cells]
        elif line.startswith("| ") and "---" not in line:
            rows.append((cells[0], dict(zip(header[1:], cells[1:], strict=True))))
    assert len(rows) > 8
    for name, cells_of in rows:
        for truth, cell in cells_of.items():
            what = f"{name}, {truth}"
            known = f"{what}: ever said" in ours
            share, stops = (ours.get(f"{what}: {k}", 0.0) for k in ("ever said", "stops after"))
            assert cell == (f"{100 * share:.1f} %, {stops:,.0f}" if known else "–"), what
