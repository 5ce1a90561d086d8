"""Run a test command once its options are known: read, compare, also at a Dask scheduler, write."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bcompare.basis.errors import ComputationError, InputError
from bcompare.cli.combinations import SENSITIVITY, TESTS, check_test
from bcompare.cli.options import Input, Listed, RopesChoice
from bcompare.cli.writing import check_destinations, draw_pictures, progress_bar, targets, write
from bcompare.version import install_command

if TYPE_CHECKING:
    from bcompare.basis.records import Record
    from bcompare.comparing.comparison import ComparisonSet
    from bcompare.data.pairs import Pair
    from bcompare.data.scores import Scores
    from bcompare.methods.base import Method
    from bcompare.streaming.spool import Spool

# The most pairs in a JSON document: larger ones are hard to load.
MOST_IN_JSON = 20_000
# The most pairs, times ropes, in a table of several ropes.
MOST_IN_SWEEP = 2_000


def run_test(
    method: "Method",
    results: Input,
    choice: RopesChoice,
    output: Listed,
    jobs: int | None,
    executor: Executor | None,
    also: Sequence[str],
    seed: int | None,
) -> None:
    """Run one test from files to output.

    executor : where to compute instead of in `jobs` processes. also : what to show next to its
    answer. seed : of the other tests.
    """
    from bcompare.comparing.compare import with_also
    from bcompare.comparing.comparison import Work, run
    from bcompare.data.bounds import bounding_pairs
    from bcompare.formats import GATE_FORMATS, ITEM_FORMATS, ROW_FORMATS
    from bcompare.methods import others
    from bcompare.report.build import build_report

    check_destinations(results, output, refused=GATE_FORMATS)
    ropes, settings = choice.ropes(), choice.settings()
    kinds = {chosen for _, chosen in targets(output)}
    several = len(ropes) > 1
    check_test(kinds, also, several=several, by=choice.by, draws=bool(output.plot))
    if choice.by is not None:
        _run_slices(method, results, choice, output, jobs, executor)
        return
    scores = results.read(choice.classifiers_to_read(), bounds=True)
    pairs = bounding_pairs(scores, left=choice.left, right=choice.right)
    if kinds & set(ITEM_FORMATS):
        from bcompare.report.changed import check_changed

        check_changed(scores)
    for picture in output.pictures():
        from bcompare.plots import check_picture

        sheet = picture.sheet()
        check_picture(method, scores, pairs, picture.name, ropes=len(ropes), sheet=sheet)
    if several:
        _run_sweep(method, scores, pairs, choice, output, jobs, executor)
        return
    (rope,) = ropes
    work = Work.of(scores, method, pairs, rope=rope, **settings)
    check_size(kinds, len(pairs))
    top: int | None = output.top
    if kinds & {"json", *ITEM_FORMATS} or output.plot:
        top = 0
    elif kinds <= set(ROW_FORMATS):
        top = None
    with _rows(kept=bool(kinds & set(ROW_FORMATS))) as (spool, keeping):
        with progress_bar(output) as progress:
            study = run(work, work.workers(jobs, executor), top=top, progress=progress, **keeping)
        if TESTS in also:
            study = with_also(study, others(method, seed), executor)
        report = build_report(
            study, details=output.details, sensitivity=SENSITIVITY in also, top=output.top
        )
        write(report, output, spool)
    draw_pictures(study, output)
    finish(study)


@contextmanager
def _rows(*, kept: bool) -> "Iterator[tuple[Spool | None, Record]]":
    """Keep the rows of all pairs in temporary files, if they are asked for."""
    if not kept:
        yield None, {}
        return
    from bcompare.streaming.spool import keep_rows, spooled

    with spooled() as spool:
        yield spool, {"keep": keep_rows, "sink": spool.put}


def _run_slices(
    method: "Method",
    results: Input,
    choice: RopesChoice,
    output: Listed,
    jobs: int | None,
    executor: Executor | None,
) -> None:
    """Compare overall and in slices, and show all slices."""
    from bcompare.comparing.compare import slices
    from bcompare.data.pairs import choose_pairs
    from bcompare.reading.read import read_slices
    from bcompare.report.sweep import build_slices_report

    by, options = choice.by or "", results.read_options(choice.classifiers_to_read())
    scores, sliced = read_slices(*results.files(), by=by, options=options)
    with progress_bar(output) as progress:
        result = slices(
            scores,
            sliced,
            by,
            method,
            rope=choice.ropes()[0],
            pairs=choose_pairs(scores.classifiers, left=choice.left, right=choice.right),
            jobs=jobs,
            executor=executor,
            progress=progress,
            **choice.settings(),
        )
    write(build_slices_report(result), output)
    finish(result.overall)


def _run_sweep(
    method: "Method",
    scores: "Scores",
    pairs: "Sequence[Pair]",
    choice: RopesChoice,
    output: Listed,
    jobs: int | None,
    executor: Executor | None,
) -> None:
    """Compare under several ropes, and show all pairs."""
    from bcompare.comparing.compare import sweep
    from bcompare.report.sweep import build_sweep_report

    ropes = choice.ropes()
    check_size({chosen for _, chosen in targets(output)}, len(pairs) * len(ropes))
    if len(pairs) * len(ropes) > MOST_IN_SWEEP:
        raise InputError(
            f"{len(pairs):,} pairs under {len(ropes)} ropes are more than anybody reads: choose "
            "some by --left, --right or --classifier"
        )
    with progress_bar(output) as progress:
        result = sweep(
            scores,
            method,
            ropes,
            pairs=pairs,
            jobs=jobs,
            executor=executor,
            progress=progress,
            **choice.settings(),
        )
    write(build_sweep_report(result), output)
    draw_pictures(result, output)
    for study in result.studies:
        finish(study)


def check_size(kinds: set[str], pairs: int) -> None:
    """Refuse, before the work, what could not be written after it.

    Raises
    ------
    InputError : too many pairs for a format. ComputationError : a package is not installed.
    """
    if "parquet" in kinds:
        from bcompare.render.parquet import check_installed

        check_installed()
    if "json" in kinds and pairs > MOST_IN_JSON:
        raise InputError(
            f"{pairs:,} pairs are too many for one JSON document, which holds {MOST_IN_JSON:,}: "
            "write rows instead, -o pairs.parquet or -o pairs.csv"
        )


def finish(study: "ComparisonSet") -> None:
    """Fail if any pair could not be computed; the results of the others are written already.

    Raises
    ------
    ComputationError : some pairs could not be computed; the others have been written.
    """
    from bcompare.basis.errors import ComputationError

    if study.failures:
        raise ComputationError(
            f"{len(study.failures)} of {study.total} pairs could not be computed; the others "
            "are given"
        )


PATIENCE = 10.0
"""Seconds to wait for the scheduler, and for a first worker."""


@contextmanager
def executor_at(address: str | None, jobs: int | None = None) -> Iterator[Executor | None]:
    """Connect to a scheduler, such as ``tcp://localhost:8786``; None without an address.

    jobs : of this machine, which exclude a scheduler.

    Raises
    ------
    InputError : both, or no address. ComputationError : Dask is not installed, or nobody answers.
    """
    if address is None:
        yield None
        return
    if jobs is not None:
        raise InputError("--jobs is for processes of this machine: leave it out with --scheduler")
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise ComputationError(
            f"--scheduler needs Dask, which is not installed: {install_command('dask')}"
        ) from None
    # the scores are sent once to each worker, as they must be
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
        try:
            client = Client(address, timeout=PATIENCE)
        except ValueError as error:
            raise InputError(f"--scheduler {address}: {error}") from None
        except OSError:
            raise ComputationError(
                f"--scheduler {address}: no Dask scheduler answers there; `dask scheduler` starts "
                "one and prints its address"
            ) from None
        with client:
            try:
                client.wait_for_workers(1, timeout=PATIENCE)
            except TimeoutError:
                raise ComputationError(
                    f"--scheduler {address}: it has no workers; `dask worker {address}` starts some"
                ) from None
            yield client.get_executor(pure=False)
