"""Which preset or options a header calls for."""

import pytest

from bcompare.basis.arguments import as_options
from bcompare.reading.options import ReadOptions
from bcompare.reading.presets import PRESETS, is_loss, preset_options, with_preset


@pytest.mark.parametrize(
    ("header", "options"),
    [
        (
            "task_id,learner_id,iteration,regr.rmse",
            "--preset mlr3 --folds N --col score=regr.rmse --lower-is-better",
        ),
        (
            "task_id,learner_id,iteration,surv.cindex",
            "--preset mlr3 --folds N --col score=surv.cindex",
        ),
        ("task_id,learner_id,iteration", "--preset mlr3 --folds N"),
    ],
)
def test_measures_of_mlr3_that_are_there(header: str, options: str) -> None:
    assert as_options(preset_options("mlr3", header.split(","))) == options


@pytest.mark.parametrize("name", ["classif.ce", "regr.rmse", "log_loss", "test error", "logloss"])
def test_losses(name: str) -> None:
    assert is_loss(name)


def test_a_preset_fills_what_the_user_left_open() -> None:
    options = with_preset(ReadOptions(preset="weka", score_col="Area_under_ROC", rho=0.1))
    assert options.score_col == "Area_under_ROC"
    assert options.dataset_col == PRESETS["weka"].options["dataset_col"]
    assert options.rho == 0.1
    assert with_preset(ReadOptions()) == ReadOptions()
