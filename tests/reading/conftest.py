"""What all tests of the reading room share."""

import pytest

from bcompare.basis.messages import BcompareError, InputError, Note, as_options


@pytest.fixture(autouse=True)
def as_in_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors and notes with their arguments as the command line spells them."""

    def text(error: BcompareError) -> str:
        return as_options("\n".join([*error.messages, *error.advice]))

    def problems(error: InputError) -> tuple[str, ...]:
        return tuple(map(as_options, error.messages))

    monkeypatch.setattr(BcompareError, "__str__", text)
    monkeypatch.setattr(InputError, "problems", property(problems))
    monkeypatch.setattr(Note, "message", property(lambda note: as_options(note.text)))
