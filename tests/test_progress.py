"""`progress="auto"` shows a bar where somebody looks, and nothing elsewhere."""

import io
import sys

import pytest
from rich.console import Console

import bcompare
from bcompare.basis import progress
from bcompare.basis.progress import bar, no_progress, shown


def test_nothing_is_shown_in_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    scores = bcompare.read_scores("sample_data/results.csv", datasets=("iris", "two_hard"))
    bcompare.compare(scores, "ttest", progress="auto")
    bcompare.rank(scores, rope=0.01, progress="auto")
    bcompare.power(0.02, 0.02, datasets=(3,), replicates=10, test="sign", progress="auto")
    with shown("auto", "waiting") as steps:
        assert steps is no_progress
    assert capsys.readouterr().err == ""


def test_a_bar_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    with shown("auto", "simulating") as steps:
        steps(1, 4)
    assert "simulating" in terminal.getvalue()
    assert "25%" in terminal.getvalue()


def test_quick_work_shows_no_bar() -> None:
    text = io.StringIO()
    console = Console(file=text, force_terminal=True)
    with bar(console, "comparing") as steps:
        steps(1, 1)
    assert text.getvalue() == ""


def test_steps_go_to_a_function() -> None:
    steps: list[tuple[int, int]] = []
    scores = bcompare.read_scores("sample_data/results.csv", datasets=("iris",))
    bcompare.compare(scores, progress=lambda done, total: steps.append((done, total)))
    assert steps
    assert steps[-1][0] == steps[-1][1]
