"""A few of the random sets of options; `fuzz_options` tries any number."""

from pathlib import Path

import pytest

from tests.cli.fuzz_options import prepared, try_one


@pytest.mark.slow
def test_random_options_end_in_an_answer_or_an_error(tmp_path: Path) -> None:
    known = prepared(tmp_path)
    codes = [try_one(number, 1, tmp_path, known).code for number in range(60)]
    assert {0, 2} <= set(codes)
