"""The plug-in of pytest: tests marked `evaluation` are items, which a gate judges together.

A marked test is an answer to an item: 1 if it passes, 0 if an assertion fails, or the number that
it gives to the fixture `score`. Answers are written to a file (``--bcompare-record``), and judged
against one of an earlier session (``--bcompare-baseline``). Then a wrong answer does not fail the
session; the gate does, which also decides how answers count that are missing because of an error.

Pytest loads this module at each start, so that it imports nothing but the standard library. The
gate runs as a command of its own, with the options of the configuration.
"""

import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

MARKER = "evaluation"
# The fixture that numbers repeated answers to an item, and its words in a test's name.
RUN = "bcompare_run"
ENDING = "bcompare-run-{}"
# Where the answer of a test stands among its properties, which travel to the process that reports.
ANSWER = "bcompare"
GIVEN = pytest.StashKey[dict[str, float]]()
# Columns of every record; those of named scores follow.
COLUMNS = ("item", "epoch", "score", "duration")
TITLE = "bcompare"


@dataclass
class Session:
    """The answers of a session.

    answers : by item and epoch, the values of each column; the first answer counts, whatever a
        retried test answers later.
    said : what the summary says.
    failed : whether that fails it.
    """

    answers: dict[tuple[str, int], dict[str, object]] = field(default_factory=dict)
    said: str = ""
    failed: bool = False


SESSION = pytest.StashKey[Session]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the three options."""
    group = parser.getgroup("bcompare", "evaluations: tests judged together, against a baseline")
    group.addoption(
        "--bcompare-record",
        metavar="FILE",
        help=f"Write the answers of tests marked {MARKER} to this CSV file.",
    )
    group.addoption(
        "--bcompare-baseline",
        metavar="FILE",
        help="Judge them against this file, which --bcompare-record wrote.",
    )
    group.addoption(
        "--bcompare-repeats",
        metavar="N",
        type=int,
        default=1,
        help=f"Run each test marked {MARKER} N times.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker, and refuse a baseline that is not there before any test runs."""
    config.addinivalue_line(
        "markers", f"{MARKER}: an answer to be judged with all others, against a baseline"
    )
    session = Session()
    config.stash[SESSION] = session
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(session), "bcompare-recorder")
    baseline = config.getoption("bcompare_baseline")
    if baseline and not _has_rows(Path(baseline)):
        raise pytest.UsageError(
            f"--bcompare-baseline {baseline}: no such file, or no answers in it; write it by "
            "--bcompare-record"
        )
    if config.getoption("bcompare_repeats") < 1:
        raise pytest.UsageError("--bcompare-repeats: give a positive number, such as 5")


def _has_rows(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return len([*zip(csv.reader(file), range(2), strict=False)]) == 2
    except OSError:
        return False


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run marked tests as often as asked; the number of the run ends their names."""
    repeats = metafunc.config.getoption("bcompare_repeats")
    if repeats > 1 and metafunc.definition.get_closest_marker(MARKER):
        metafunc.fixturenames.append(RUN)
        ids = [ENDING.format(k) for k in range(repeats)]
        metafunc.parametrize(RUN, range(repeats), ids=ids)


@pytest.fixture
def score(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Give the score of a test, ``score(0.8)``, and others by name, ``score(0.8, cost=0.02)``."""

    def give(value: float | None = None, **named: float) -> None:
        scores = request.node.stash.setdefault(GIVEN, {})
        if value is not None:
            scores["score"] = float(value)
        scores.update({name: float(number) for name, number in named.items()})

    return give


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep the answer of a marked test; where a gate judges, a wrong one, or none, fails nothing.

    A test that ends in another error than that of an assertion has no answer.
    """
    report = yield
    config = item.config
    judged = config.getoption("bcompare_baseline")
    if not (judged or config.getoption("bcompare_record")):
        return report
    is_answer = report.when == "call" or (report.when == "setup" and report.failed)
    if not is_answer or report.skipped or not item.get_closest_marker(MARKER):
        return report
    is_wrong = call.excinfo is not None and call.excinfo.errisinstance(
        (AssertionError, pytest.fail.Exception)
    )
    name, run = _item_of(item)
    values: dict[str, object] = {"score": None, "duration": report.duration}
    if report.passed or is_wrong:
        values["score"] = int(report.passed)
        given: dict[str, float] = item.stash.get(GIVEN, {})
        values.update(given)
    report.user_properties.append((ANSWER, (name, run, values)))
    if judged and report.failed:
        what = "a wrong answer" if is_wrong else "no answer"
        report.outcome = "skipped"
        report.wasxfail = f"reason: {what}, which the gate judges"
    return report


def _item_of(item: pytest.Item) -> tuple[str, int]:
    """Return the name of a test without the number of its run, and that number."""
    run = getattr(getattr(item, "callspec", None), "params", {}).get(RUN)
    if run is None:
        return item.nodeid, 0
    ending = ENDING.format(run)
    for end, instead in ((f"-{ending}]", "]"), (f"[{ending}]", "")):
        if item.nodeid.endswith(end):
            return item.nodeid.removesuffix(end) + instead, run
    return item.nodeid, run


class Recorder:
    """Takes the answers from the reports, also of those of other processes."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the first answer of each run to an item."""
        properties: list[tuple[str, Any]] = report.user_properties
        for name, value in properties:
            if name == ANSWER:
                item, epoch, values = value
                self.session.answers.setdefault((item, epoch), values)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the answers and judge them; of several processes the one that reports does."""
    config = session.config
    record = config.getoption("bcompare_record")
    baseline = config.getoption("bcompare_baseline")
    if hasattr(config, "workerinput") or not (record or baseline):
        return
    state = config.stash[SESSION]
    state.said, state.failed = _finished(session, state, record, baseline)
    if state.failed and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _finished(
    session: pytest.Session, state: Session, record: str | None, baseline: str | None
) -> tuple[str, bool]:
    """Write the answers, and have them judged; return what to say, and whether that fails."""
    if not any(values["score"] is not None for values in state.answers.values()):
        what = "only errors" if state.answers else f"no test marked {MARKER} was run"
        return f"not judged: {what}", bool(baseline)
    text = _table(state.answers)
    if record:
        from bcompare.basis.atomic import write_atomically

        write_atomically(record, text.encode())
    count = len({item for item, _ in state.answers})
    words = f"{len(state.answers):,} answers to {count:,} items"
    if not baseline:
        return f"{words} recorded in {record}, not judged", False
    if session.exitstatus in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR):
        return "not judged: the session did not come to its end", True
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder, "session.csv")
        answers.write_text(text, encoding="utf-8")
        return _judged(session.config, Path(baseline).resolve(), answers, Path(folder, "gate.txt"))


def _table(answers: dict[tuple[str, int], dict[str, object]]) -> str:
    """Return the answers as CSV, an item after the other."""
    named = dict.fromkeys(name for values in answers.values() for name in values)
    columns = [*COLUMNS, *(name for name in named if name not in COLUMNS)]
    text = StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    for (item, run), values in sorted(answers.items()):
        writer.writerow({"item": item, "epoch": run} | values)
    return text.getvalue()


def _judged(config: pytest.Config, baseline: Path, answers: Path, table: Path) -> tuple[str, bool]:
    """Return the screen of the gate, and whether it fails.

    Its annotations are for the log of a workflow, and its JUnit stands beside that of the session.
    """
    words = ["gate", f"{_label(baseline)}={baseline}", f"session={answers}", "--na-values="]
    words += ["--col=item=item", "--col=epoch=epoch", f"--output=table={table}"]
    in_workflow = bool(os.environ.get("GITHUB_ACTIONS"))
    if in_workflow:
        words += ["--format=github", "--output=-"]
    junit = getattr(config.option, "xmlpath", None)
    if junit:
        words.append(f"--output=junit={Path(junit).resolve().with_suffix('.bcompare.xml')}")
    gate = subprocess.run(  # noqa: S603, no shell, and the command is ours
        [sys.executable, "-P", "-m", "bcompare", *words],
        capture_output=True,
        cwd=config.rootpath,
        encoding="utf-8",
        check=False,
    )
    screen = table.read_text(encoding="utf-8") if table.exists() else ""
    annotations = gate.stdout if in_workflow else ""
    return "\n".join(filter(None, (annotations, screen, gate.stderr))), gate.returncode != 0


def _label(baseline: Path) -> str:
    """Return the name of the baseline in the gate's screen: that of its file."""
    is_plain = baseline.stem.isidentifier() and baseline.stem != "session"
    return baseline.stem if is_plain else "baseline"


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Show what the gate says."""
    said = config.stash[SESSION].said
    if said:
        terminalreporter.section(TITLE)
        terminalreporter.write_line(said.rstrip())
