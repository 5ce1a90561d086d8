"""A short version of the study of repeated looks."""

import numpy as np
import pytest
from studies.looks import STREAMS, R, Stream, cried, promise

REPLICATES = 1000
each_stream = pytest.mark.parametrize("stream", STREAMS, ids=lambda s: s.unit)


@pytest.mark.slow
@each_stream
def test_one_look_errs_as_often_as_promised_and_many_more_often(stream: Stream) -> None:
    rng = np.random.default_rng(1)
    border = cried(stream, -R, REPLICATES, rng)
    error = np.sqrt(0.05 * 0.95 / REPLICATES)
    assert abs(border.first - 0.05) < 4 * error
    assert abs(border.last - 0.05) < 4 * error
    assert border.ever > border.last
    equal = cried(stream, 0.0, REPLICATES, rng)
    assert equal.ever < border.ever
    assert cried(stream, -2 * R, REPLICATES, rng).ever > border.ever


@pytest.mark.slow
@each_stream
def test_the_promise_holds_however_often_one_looks(stream: Stream) -> None:
    result = promise(stream, 3 * REPLICATES, np.random.default_rng(2))
    assert result.called > 500
    allowed = 0.05 + 4 * np.sqrt(0.05 * 0.95 / result.called)
    assert result.wrong < allowed
