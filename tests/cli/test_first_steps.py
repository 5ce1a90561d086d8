"""What newcomers try first: every advice, pasted, works."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.command import refused, run
from tests.results import write_lines

ITEMS = ("--col", "item=id", "--col", "score=correct")
MODELS = (*ITEMS, "--col", "classifier=model")


def scores() -> list[str]:
    """Rows of data set, run, fold, classifier and score."""
    return [
        f"{data},{run},{fold},{name},{0.7 + (7 * run + 3 * fold + k) % 10 / 50:.2f}"
        for data in ("iris", "wine")
        for run in (1, 2, 3)
        for fold in range(1, 6)
        for k, name in enumerate(("tree", "svm"))
    ]


def answers(model: str = "", step: int = 3) -> list[str]:
    """Rows of item, model where it is named, and answer."""
    middle = f",{model}," if model else ","
    return [f"{i}{middle}{int(i % step > 0)}" for i in range(30)]


@pytest.mark.parametrize("column", ["repeat", "run_id", "Repeats", "rep_no", "round"])
@pytest.mark.parametrize("fold", ["fold", "k"])
@pytest.mark.parametrize("command", ["ttest", "check"])
def test_a_column_of_repeats_is_in_the_first_advice(
    column: str, fold: str, command: str, tmp_path: Path
) -> None:
    write_lines(tmp_path / "cv.csv", f"dataset,{column},{fold},method,accuracy", *scores())
    error = refused(run(command, "cv.csv", "--strict", folder=tmp_path))
    assert f"--col run={column}" in error.split("\n  bcompare ")[1]
    advised = re.search(rf"^  bcompare {command} (.*)$", error, re.MULTILINE)
    assert advised is not None
    assert run(command, *shlex.split(advised[1]), folder=tmp_path).code == 0


def test_duplicates_name_the_column_that_tells_them_apart(tmp_path: Path) -> None:
    rows = [f"{row},{row[5]},{i}" for i, row in enumerate(scores())]
    write_lines(tmp_path / "cv.csv", "dataset,repeat,fold,classifier,score,seed,time", *rows)
    assert "say --col run=repeat, or" in refused(run("ttest", "cv.csv", folder=tmp_path))
    assert run("ttest", "cv.csv", "--col", "run=repeat", folder=tmp_path).code == 0


def test_a_column_that_leaves_duplicates_is_not_advised(tmp_path: Path) -> None:
    rows = [f"{row},{int(row.split(',')[1] == '2')}" for row in scores()]
    write_lines(tmp_path / "cv.csv", "dataset,part,fold,classifier,score,seed", *rows)
    text = run("ttest", "cv.csv", folder=tmp_path)
    assert "two scores" in text.err
    assert "run=seed" not in text.err


@pytest.mark.parametrize("models", [("base", "tuned"), ("m", "m")])
def test_a_file_for_each_model(models: tuple[str, str], tmp_path: Path) -> None:
    for name, model, step in zip(("kbase", "k tuned"), models, (3, 4), strict=True):
        write_lines(tmp_path / f"{name}.csv", "id,model,correct", *answers(model, step))
    error = refused(run("gate", "kbase.csv", "k tuned.csv", *MODELS, folder=tmp_path))
    assert "unpaired" not in error
    advised = shlex.split(error.rpartition(": ")[2])
    judged = run("gate", *advised, *MODELS, "--format", "json", folder=tmp_path)
    assert judged.code == 0
    document = json.loads(judged.out)
    assert document["input"]["classifiers"] == (
        [*models] if len({*models}) == 2 else ["kbase", "k tuned"]
    )


def test_a_file_against_itself(tmp_path: Path) -> None:
    write_lines(tmp_path / "base.csv", "id,correct", *answers())
    error = refused(run("gate", "base=base.csv", "new=base.csv", *ITEMS, folder=tmp_path))
    advised = re.search(r"say bcompare (self-check .*)", error)
    assert advised is not None
    assert advised[1] == "self-check base.csv"
    checked = run(*advised[1].split(), *ITEMS, folder=tmp_path)
    assert checked.code == 0
    assert "base against itself" in checked.out


@pytest.mark.parametrize(("option", "own"), [("anytime", "gate-anytime"), ("self-check",) * 2])
def test_an_option_that_became_a_command_is_named(option: str, own: str) -> None:
    assert f"{own} is a command of its own" in refused(run("gate", f"--{option}"))


def test_a_lone_file_does_not_hide_its_models(tmp_path: Path) -> None:
    rows = [*answers("base"), *answers("tuned")]
    write_lines(tmp_path / "both.csv", "id,model,correct", *rows)
    error = refused(run("self-check", "both.csv", *ITEMS, folder=tmp_path))
    assert "--col classifier=model" in error


def test_an_equals_sign_in_the_name_of_an_output(tmp_path: Path) -> None:
    write_lines(tmp_path / "cv.csv", "dataset,run,fold,classifier,score", *scores())
    (tmp_path / "a=b").mkdir()
    for file in ("./md=x.md", "a=b/x.md", "md=x.md"):  # the last is there by now
        assert run("ttest", "cv.csv", "-o", file, folder=tmp_path).code == 0
        assert (tmp_path / file).stat().st_size > 0
