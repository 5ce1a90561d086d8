"""What all tests of the reading room share."""

import pytest

from bcompare.basis.messages import as_options


@pytest.fixture(autouse=True)
def as_in_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors and notes with their arguments as the command line spells them."""
    monkeypatch.setattr("bcompare.basis.messages.as_keywords", as_options)
    monkeypatch.setattr("bcompare.basis.messages.as_keywords", as_options)
