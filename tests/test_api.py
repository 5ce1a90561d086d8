"""The Python API: every promised name is there, and does what the command line does."""

from pathlib import Path

import pytest

import bcompare
from tests.command import run
from tests.results import small_csv


def test_every_promised_name_loads() -> None:
    for name in bcompare._WHERE:
        assert getattr(bcompare, name).__doc__, f"{name} has no docstring"
        assert name in dir(bcompare)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        bcompare.__getattr__("nothing")


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "latex", "html"])
def test_as_text_is_what_the_command_prints(tmp_path: Path, form: str) -> None:
    path = small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.05}, ("iris", "wine"))
    study = bcompare.compare(bcompare.read_scores(path), "ttest")
    text = bcompare.as_text(study, form).replace(str(path), "results.csv")
    assert text == run("ttest", "results.csv", "--format", form, folder=tmp_path).out


def test_unknown_formats_and_tests_are_refused(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.05})
    scores = bcompare.read_scores(path)
    with pytest.raises(bcompare.InputError, match="choose from"):
        bcompare.compare(scores, "anova")
    with pytest.raises(bcompare.InputError, match="choose from"):
        bcompare.as_text(bcompare.compare(scores, "ttest"), "xml")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"picture": "nothing"}, "no picture 'nothing'"),
        ({"width": "wide"}, "no width 'wide'; there are column, page"),
        ({"style": "x"}, "no style 'x'; there are screen, paper"),
    ],
)
def test_pictures_that_there_are_not(options: dict[str, str], says: str, tmp_path: Path) -> None:
    path = small_csv(tmp_path / "r.csv", {"a": 0.0, "b": 0.02}, ("one", "two", "three"))
    study = bcompare.compare(bcompare.read_scores(path), "sign")
    assert study.plot(width="column").get_figwidth() == 3.5
    with pytest.raises(bcompare.InputError, match=says):
        study.plot(**options)
