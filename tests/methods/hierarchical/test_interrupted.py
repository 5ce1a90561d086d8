"""The Stan engine on a real pseudo-terminal: its progress bar, and every way to be interrupted.

However a run ends, no process is left, no folder, and no line of another program on the screen.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.methods.hierarchical.stand_in import chains_started, compilations
from tests.results import small_csv
from tests.terminal import CTRL_C, Terminal

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not sys.platform.startswith("linux"), reason="finds processes in Linux's /proc"
    ),
]

CHAINS = 6
# Of other programs, and of Python's.
FOREIGN = ("Chain", "Iteration", "Elapsed", "Exception", "Traceback", "error:", "make", "g++")

Start = Callable[..., Terminal]


@pytest.fixture
def start(no_cmdstan: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts a comparison of three pairs on a terminal; its temporary files have a folder."""
    results = small_csv(
        no_cmdstan / "results.csv",
        {"tree": 0.0, "forest": 0.04, "bayes": -0.05},
        ("iris", "wine", "zoo", "glass"),
    )
    (no_cmdstan / "temporary").mkdir()
    opened: list[Terminal] = []

    def of(chains: int = CHAINS, draws: int | None = None, **extra: str) -> Terminal:
        terminal = Terminal(
            *("hier", str(results), "--engine", "stan", "--chains", str(chains)),
            *(() if draws is None else ("--draws", str(draws))),
            environment={**os.environ, "TMPDIR": str(no_cmdstan / "temporary"), **extra},
        )
        opened.append(terminal)
        return terminal

    yield of
    for terminal in opened:
        terminal.close()


def nothing_is_left(terminal: Terminal, user: Path) -> None:
    """The promise: no process, no file, nothing on the screen that is not ours."""
    assert (terminal.started(), list((user / "temporary").iterdir())) == ([], [])
    assert list((user / "here").iterdir()) == []
    kept = [path.name for path in (user / "a cache").glob("bcompare/*")]
    assert [name for name in kept if not name.startswith("hierarchical-")] == []
    for word in FOREIGN:
        assert word not in terminal.screen


def test_the_bar_moves_and_the_result_follows(stand_in: Path, start: Start) -> None:
    terminal = start(chains=2, STAND_IN_PAUSE="0.03", draws=200)
    terminal.wait_for(lambda: 5 < terminal.percent() < 95, "a bar that moves")
    assert terminal.end() == 0
    assert "forest" in terminal.screen
    nothing_is_left(terminal, stand_in.parent)


@pytest.mark.parametrize("how", ["Ctrl-C", "Ctrl-C three times", "kill", "closed window"])
def test_ended_while_chains_run(stand_in: Path, start: Start, how: str) -> None:
    terminal = start(STAND_IN_PAUSE="0.2")
    terminal.wait_for(lambda: terminal.percent() > 0, "a bar that moves")
    before = chains_started(stand_in)
    if how == "closed window":
        terminal.hang_up()
        terminal.process.wait()  # its exit code depends on what it still wanted to write
    elif how == "kill":
        terminal.process.terminate()
        assert terminal.end() == 143
    else:
        for _ in range(3 if "three" in how else 1):
            terminal.press(CTRL_C)
        assert terminal.end() == 130
    nothing_is_left(terminal, stand_in.parent)
    assert chains_started(stand_in) == before  # those that waited their turn were not started


def test_ctrl_c_while_the_program_is_compiled(stand_in: Path, start: Start) -> None:
    terminal = start(MAKE_PAUSE="100")
    terminal.wait_for(lambda: len(terminal.started()) == 2, "make and its compiler")
    terminal.press(CTRL_C)
    assert terminal.end() == 130
    nothing_is_left(terminal, stand_in.parent)
    assert (compilations(stand_in), chains_started(stand_in)) == (1, 0)


def test_chains_end_soon_where_bcompare_is_killed_outright(stand_in: Path, start: Start) -> None:
    """Nobody can clean up then; but nobody listens to the chains either, and they notice."""
    terminal = start(STAND_IN_PAUSE="0.2")
    terminal.wait_for(lambda: terminal.percent() > 0, "a bar that moves")
    terminal.process.kill()
    assert terminal.end() == -signal.SIGKILL
    terminal.wait_for(lambda: not terminal.started(), "the end of the chains")


@pytest.mark.cmdstan
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_real_chains_are_ended(
    cmdstan: Path, no_cmdstan: Path, start: Start, number: signal.Signals, code: int
) -> None:
    terminal = start(draws=1000000)
    terminal.wait_for(lambda: terminal.percent() > 0, "a bar that moves")
    assert len(terminal.started()) == min(CHAINS, os.cpu_count() or 1)
    if number == signal.SIGINT:
        terminal.press(CTRL_C)
    else:
        terminal.process.send_signal(number)
    assert terminal.end() == code
    nothing_is_left(terminal, no_cmdstan)


@pytest.mark.cmdstan
def test_a_real_compiler_is_ended(
    cmdstan: Path, no_cmdstan: Path, monkeypatch: pytest.MonkeyPatch, start: Start
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(no_cmdstan / "a cache"))
    terminal = start()
    terminal.wait_for(lambda: len(terminal.started()) >= 3, "make, g++ and its compiler proper")
    terminal.press(CTRL_C)
    assert terminal.end() == 130
    nothing_is_left(terminal, no_cmdstan)


@pytest.mark.parametrize("moment", [0.0, 0.3])
def test_ctrl_c_at_some_moment(stand_in: Path, start: Start, moment: float) -> None:
    """Seconds after the compiler has started; chains that live for a moment start and end.

    At the last of these all may be done, and the results written.
    """
    terminal = start(draws=200)
    terminal.wait_for(terminal.started, "a start")
    time.sleep(moment)
    terminal.press(CTRL_C)
    code = terminal.end()
    assert code == 130 or (code == 0 and "forest" in terminal.screen)
    nothing_is_left(terminal, stand_in.parent)
