"""Hypothesis' settings, threads, signals, and the setting that turns skips into failures."""

import os
import signal
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings

from bcompare.basis.threads import limit_threads

pytest_plugins = ["pytester"]
pytest.register_assert_rewrite("tests.screens")  # shows what differs
limit_threads()  # before NumPy is imported, as in the command, whichever test comes first

# Under nohup, or behind a script's &, signals are ignored: programs would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):  # not on Windows
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Hypothesis draws the same examples in every run: a red run can be run again.
settings.register_profile("reproducible", derandomize=True, deadline=None, database=None)
settings.load_profile("reproducible")


@pytest.fixture(scope="module")
def one_population() -> Iterator[None]:
    """Of hier the papers' population alone; the average over others takes most of the time."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("bcompare.methods.hierarchical.method.MOST_AVERAGED", 0)
        yield


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter,
) -> Generator[None]:
    """End with how to run what was skipped."""
    yield
    if skipped := len(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(
            f"{skipped} skipped (-rs lists them): .ci/prerequisites installs a browser and LaTeX, "
            "make stan-test CmdStan"
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With BCOMPARE_NO_SKIP=1 a skipped test fails: nothing hides on a machine that has it all."""
    report = yield
    if os.environ.get("BCOMPARE_NO_SKIP") == "1" and report.skipped:
        report.outcome = "failed"
    return report
