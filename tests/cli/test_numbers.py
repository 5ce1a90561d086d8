"""No number that an option is given, however it is written, ends in a traceback."""

from pathlib import Path

import pytest

from tests.command import run
from tests.results import small_csv

NINES = "9" * 400
ODD = (NINES, "9" * 5000, f"-{NINES}", "1e999", "-1e999", "nan", "-0", "0x10", "1_000", "５", "")
OPTIONS = (
    "--rope", "--alpha", "--bar", "--rho", "--prior", "--loss", "--seed", "--draws", "--scale",
    "--folds", "--failed", "--top", "--jobs", "--tol", "--metric",
)  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: f"{odd[:6]}-{len(odd)}")
def test_an_option_is_a_number_or_is_said_to_be_none(odd: str, tmp_path: Path) -> None:
    small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.02}, runs=1, folds=4)
    for option in OPTIONS:
        for command in ("hier" if option in ("--tol", "--prior") else "ttest", "gate"):
            text = f"cost: lower, {odd}" if option == "--metric" else odd
            result = run(command, "results.csv", f"{option}={text}", folder=tmp_path)
            assert result.code in (0, 2, 4), (option, command, result.err)
            assert "Traceback" not in result.err
        name = option.removeprefix("--").replace("-", "_")
        (tmp_path / "bcompare.toml").write_text(f"{name} = {odd or 0}\n", "utf-8")
        result = run("ttest", "results.csv", folder=tmp_path)
        assert result.code in (0, 2), (option, result.err)
        (tmp_path / "bcompare.toml").unlink()
