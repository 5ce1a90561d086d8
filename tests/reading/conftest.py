"""What all tests of the reading room share."""

from collections.abc import Iterator

import pytest

from bcompare.wording import in_shell


@pytest.fixture(autouse=True)
def as_in_a_shell() -> Iterator[None]:
    """The messages as the command line words them."""
    token = in_shell.set(True)
    yield
    in_shell.reset(token)
