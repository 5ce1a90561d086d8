"""Files that are damaged, hostile or beyond all measure: a message, in bounded time and memory."""

import gzip
import io
import json
import random
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from bcompare.basis.messages import InputError
from bcompare.data.scores import Scores
from bcompare.files import conversion
from bcompare.files.options import compiled
from bcompare.reading.read import from_frame, read_scores
from tests.command import run
from tests.reading.fuzz import FORMATS, TIMES, try_one
from tests.reading.rows import as_file, make_rows


@pytest.mark.parametrize("name", FORMATS)
def test_mangled_files_of_every_format(name: str) -> None:
    outcomes = [try_one(name, random.Random(f"suite {number}")) for number in range(100 * TIMES)]
    assert {type(outcome) for outcome in outcomes} == {Scores, tuple}


def rows_of(score: object) -> list[dict[str, object]]:
    return [
        {"fold": fold, "classifier": name, "score": score if fold == 2 else 0.5}
        for fold in range(4)
        for name in "ab"
    ]


def test_halves_of_characters_in_json() -> None:
    rows = [row | {"dataset": "a\ud800b", "\udfff": "\ud800"} for row in rows_of(0.25)]
    scores = read_scores(io.BytesIO(json.dumps(rows).encode()))
    assert [dataset.name for dataset in scores.datasets] == ["a\ufffdb"]
    with pytest.raises(InputError, match="is not a number"):
        read_scores(io.BytesIO(json.dumps(rows_of("\ud800")).encode()))


@pytest.mark.parametrize("digits", [400, 4000])
def test_integers_of_hundreds_of_digits(digits: int) -> None:
    content = json.dumps(rows_of(int("9" * digits))).encode()
    with pytest.raises(InputError, match="is not a finite number"):
        read_scores(io.BytesIO(content))
    with pytest.raises(InputError, match="is not a finite number"):
        from_frame(pd.DataFrame(rows_of(10**digits * 10**1000)))


@pytest.mark.parametrize(
    "scores",
    [
        pd.date_range("2020-01-01", periods=10),
        pd.date_range("2020-01-01", periods=10, tz="UTC"),
        pd.to_timedelta(range(10), unit="s"),
        pd.period_range("2020-01-01", periods=10),
        pd.Series([*pd.date_range("2020-01-01", periods=10)], dtype=object),
    ],
)
def test_times_are_no_scores(scores: Any, tmp_path: Path) -> None:
    frame = pd.DataFrame({"fold": [i // 2 for i in range(10)], "classifier": [*"ab"] * 5})
    frame["score"] = scores
    with pytest.raises(InputError, match="is not a number"):
        from_frame(frame)
    if frame["score"].dtype.kind in "mM":
        pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[parquet]'")
        frame.to_parquet(tmp_path / "r.parquet")
        with pytest.raises(InputError, match="is not a number"):
            read_scores(tmp_path / "r.parquet")


@pytest.mark.parametrize(
    ("command", "options"),
    [
        *((command, ()) for command in ("check", "ttest", "hier", "signrank", "rank", "report")),
        ("self-check", ("--baseline", "nbc")),
        ("ttest", ("--col", "item=fold", "--col", "epoch=run")),
    ],
)
@pytest.mark.parametrize("exponent", [308, 160])
def test_scores_too_large_to_compute_with(
    command: str, options: tuple[str, ...], exponent: int, tmp_path: Path
) -> None:
    rows = [
        f"{row.rpartition(',')[0]},{(-1) ** i}.{5 + i % 4}e{exponent}"
        for i, row in enumerate(make_rows())
    ]
    (tmp_path / "results.csv").write_bytes(as_file(rows).read())
    outcome = run(command, *options, folder=tmp_path)  # a warning of numpy would be an error
    assert outcome.code == 2
    assert "too large to compute with" in outcome.err


BOMB = b"d,1,1,a,0.5\n" * 100_000


@pytest.mark.long
def test_a_compressed_file_that_unpacks_to_gigabytes(tmp_path: Path) -> None:
    path = tmp_path / "bomb.csv.gz"
    with path.open("wb") as file:  # parts that are compressed by themselves are one file
        file.write(gzip.compress(b"dataset,run,fold,classifier,score\n"))
        file.write(gzip.compress(BOMB) * (1 + 2 * conversion.MOST_UNPACKED // len(BOMB)))
    code = "import sys; from bcompare.cli.main import main; main()"
    limit = 3 * conversion.MOST_UNPACKED

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

    done = subprocess.run(
        [sys.executable, "-c", code, "check", path],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=bounded,
    )
    assert done.returncode == 2
    assert "holds more than 512 MB when unpacked; unpack it first, as gunzip -k" in done.stderr


@pytest.mark.parametrize("text", ["(?P<a>x)(?P<a>y)", "a{99999999999999999999}", "(" * 5000])
def test_expressions_that_are_none(text: str) -> None:
    with pytest.raises(InputError, match="not a regular expression"):
        compiled(text, "--where")
