"""No number, however it is written, ends in a traceback or is taken for another one."""

import json
from pathlib import Path

import pandas as pd
import pytest

from tests.command import run
from tests.results import write_lines

NINES = "9" * 400
ODD = (NINES, "9" * 5000, f"-{NINES}", "1e999", "-1e999", "nan", "-0", "0x10", "1_000", "５", "")
ROLES = ("score", "fold", "run", "epoch", "seed", "n_train", "cost", "item", "cluster")
FORMATS = ("csv", "json", "jsonl", "nested.json", "xlsx", "parquet", "ini")
OPTIONS = (
    "--rope", "--alpha", "--bar", "--rho", "--prior", "--loss", "--seed", "--draws", "--scale",
    "--folds", "--failed", "--top", "--jobs", "--tol", "--metric",
)  # fmt: skip


def value_of(odd: str) -> object:
    """The number that a program would have written so, or the text."""
    try:
        return int(odd) if odd.isascii() and "_" not in odd else odd
    except ValueError:
        return odd


def table(role: str, odd: object) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = [
        {"dataset": "d", "run": 1, "fold": fold, "classifier": name, "score": 0.5 + fold / 20}
        for fold in range(4)
        for name in ("a", "b")
    ]
    for at, row in enumerate(rows):
        row[role] = odd if at == 2 else row.get(role, 1 + at // 2)
    return rows


def written(folder: Path, ending: str, role: str, odd: str) -> Path:
    """Results in which one cell holds an odd number: as a number where the format has such."""
    path, rows = folder / f"results.{ending}", table(role, value_of(odd))
    if ending in ("json", "jsonl"):
        separator = "\n" if ending == "jsonl" else ","
        with_digits = [
            json.dumps(row | {role: "@"}) if row[role] == value_of(odd) else json.dumps(row)
            for row in rows
        ]
        bare = odd if isinstance(value_of(odd), int) or odd.endswith("999") else json.dumps(odd)
        text = separator.join(with_digits).replace('"@"', bare)
        path.write_text(text if ending == "jsonl" else f"[{text}]", encoding="utf-8")
    elif ending == "nested.json":
        bare = odd if isinstance(value_of(odd), int) or odd.endswith("999") else json.dumps(odd)
        path.write_text(f'{{"d": {{"a": [0.5, {bare}, 0.7], "b": [0.5, 0.6, 0.7]}}}}', "utf-8")
    elif ending in ("xlsx", "parquet"):
        frame = pd.DataFrame(table(role, odd)).astype({role: str})
        frame.to_excel(path, index=False) if ending == "xlsx" else frame.to_parquet(path)
    else:
        frame = pd.DataFrame(table(role, odd))
        frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize(
    ("ending", "odd"),
    [(end, odd) for end in FORMATS[:-1] for odd in (ODD if end == "csv" else ODD[:6])],
    ids=lambda text: f"{text[:6]}-{len(text)}",
)
def test_a_cell_is_a_number_or_is_said_to_be_none(ending: str, odd: str, tmp_path: Path) -> None:
    roles = {"csv": ROLES, "nested.json": ("score",)}.get(ending, ("score", "fold", "cost"))
    for role in roles:
        path = written(tmp_path, ending, role, odd)
        judged = ["gate", "--baseline", "a", "--metric", "cost: lower"]
        for command in (["check"], judged)[: 2 if role in ("score", "fold", "cost") else 1]:
            result = run(*command, path.name, folder=tmp_path)
            assert result.code in (0, 2, 4), (role, result.err)
            assert "Traceback" not in result.err
            if role == "score" and command == ["check"] and odd.strip("-")[:1] in ("9", "1", "n"):
                assert result.code == 2 or "missing" in result.err, (odd, result.err)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: f"{odd[:6]}-{len(odd)}")
def test_an_option_is_a_number_or_is_said_to_be_none(odd: str, tmp_path: Path) -> None:
    write_lines(
        tmp_path / "results.csv",
        "dataset,run,fold,classifier,score",
        *(",".join(map(str, row.values())) for row in table("fold", 1)),
    )
    for option in OPTIONS:
        for command in ("hier" if option in ("--tol", "--prior") else "ttest", "gate"):
            text = f"cost: lower, {odd}" if option == "--metric" else odd
            result = run(command, "results.csv", f"{option}={text}", folder=tmp_path)
            assert result.code in (0, 2, 4), (option, command, result.err)
            assert "Traceback" not in result.err
        name = option.removeprefix("--").replace("-", "_")
        (tmp_path / "bcompare.toml").write_text(f"{name} = {value_of(odd) or 0}\n", "utf-8")
        result = run("ttest", "results.csv", folder=tmp_path)
        assert result.code in (0, 2), (option, result.err)
        (tmp_path / "bcompare.toml").unlink()
