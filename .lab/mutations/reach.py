"""A pytest plugin: which tests call which functions of the package, and how long they take.

It writes REACH, a JSON object from functions (`path:line`) to the tests that pass, the fastest
first.
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

REACH = "MUTATIONS_REACH"
"""The environment variable that names the file."""

PACKAGE = str(Path(__file__).parents[2] / "bcompare")
_called: dict[str, set[str]] = defaultdict(set)
_seconds: dict[str, float] = {}
_failed: set[str] = set()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Record what a test and its fixtures call."""
    seen: set[CodeType] = set()

    def record(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    sys.setprofile(record)
    try:
        yield
    finally:
        sys.setprofile(None)
    for code in seen:
        if code.co_filename.startswith(PACKAGE):
            path = Path(code.co_filename).relative_to(PACKAGE)
            _called[f"{path}:{code.co_firstlineno}"].add(item.nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the time of a test."""
    _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration
    if not report.passed:
        _failed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    """Write the file."""
    reach = {
        name: sorted(tests - _failed, key=_seconds.__getitem__) for name, tests in _called.items()
    }
    Path(os.environ[REACH]).write_text(json.dumps(reach), "utf-8")
