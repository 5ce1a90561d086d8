"""A command for each registered test: its options, and its run from files to output.

The options come from the fields of the test's class.
"""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import Field, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from bcompare.basis.messages import ComputationError, InputError, Record
from bcompare.cli.groups import grouped, keyword, option, without_none
from bcompare.cli.input import Input
from bcompare.cli.options import (
    SENSITIVITY,
    TESTS,
    Jobs,
    Listed,
    RopesChoice,
    Scheduler,
    Seed,
    also_option,
)
from bcompare.cli.parsing import parse_prior, parse_words
from bcompare.cli.writing import check_destinations, draw_pictures, progress_bar, targets, write
from bcompare.formats import GATE_FORMATS, ITEM_FORMATS, ROW_FORMATS
from bcompare.methods import METHODS, load_method, others
from bcompare.version import install_command

if TYPE_CHECKING:
    from bcompare.comparing.comparison_set import ComparisonSet
    from bcompare.data.pairs import Pair
    from bcompare.data.rope import Rope
    from bcompare.data.scores import Scores
    from bcompare.methods.interface import Method
    from bcompare.report.spool import Spool

PRIOR = "prior"


@cache
def command_of(name: str) -> Callable[..., None]:
    """Return the command of a registered test."""
    method = load_method(name)
    names = list(_fields(method))
    terms = {field.metadata[PRIOR]: field for field, _ in names if PRIOR in field.metadata}
    kinds = {field.metadata[PRIOR]: kind for field, kind in names if PRIOR in field.metadata}
    groups = {
        "results": Input,
        "choice": RopesChoice,
        "output": Listed,
    }
    parameters = [
        *(keyword(key, kind) for key, kind in groups.items()),
        keyword("jobs", Jobs, None),
        keyword("scheduler", Scheduler, None),
        *(_parameter(field, kind) for field, kind in names if "help" in field.metadata),
    ]
    if terms:
        prior = option(f"Prior, such as {method.example}.", "SPEC")
        parameters.append(keyword(PRIOR, Annotated[str | None, prior], None))
    shown = {}
    if METHODS[name].over:
        shown[TESTS] = "what the other tests over data sets say"
        parameters.append(keyword("seed", Seed, None))
    if method.varied:
        shown[SENSITIVITY] = f"the answer with {method.varied} varied"
    if shown:
        annotation = Annotated[list[str] | None, also_option(**shown)]
        parameters.append(keyword("also", annotation, None))
    defaults = {parameter.name: parameter.default for parameter in parameters}

    def run(
        results: Input,
        choice: RopesChoice,
        output: Listed,
        jobs: Jobs = None,
        scheduler: Scheduler = None,
        also: Sequence[str] | None = None,
        **values: Any,
    ) -> None:
        given = {key: value for key, value in values.items() if value != defaults[key]}
        words = parse_words("--also", also, tuple(shown))
        given |= {SENSITIVITY: SENSITIVITY in words}
        prior = parse_prior(given.pop(PRIOR, None), kinds)
        given |= {terms[key].name: value for key, value in prior.items()}
        made = method.configured(**_arguments(method, given))
        with executor_at(scheduler, jobs) as executor:
            where = {"jobs": jobs, "executor": executor}
            run_test(made, results, choice, output, words, values.get("seed"), where)

    run.__name__ = name
    run.__doc__ = f"{METHODS[name].summary}\n\n{method.about}"
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(run)["__signature__"] = inspect.Signature(parameters)
    return grouped(run)


def _fields(kind: type) -> Iterator[tuple[Field[object], object]]:
    """Yield the fields of a class with their types, including those of nested dataclasses.

    The fields that every test has are options elsewhere.
    """
    hints = get_type_hints(kind)
    for field in fields(kind):
        if is_dataclass(hints[field.name]):
            yield from _fields(hints[field.name])
        elif field.repr and field.name not in ("seed", "sensitivity"):
            yield field, without_none(hints[field.name])


def _parameter(field: Field[object], kind: object) -> inspect.Parameter:
    """Return an option of the command."""
    info = option(field.metadata["help"], field.metadata["metavar"])
    return keyword(field.name, Annotated[kind, info], field.default)


def _arguments(kind: type, given: Mapping[str, object]) -> dict[str, object]:
    """Return the given fields of a class, by name."""
    arguments: dict[str, object] = {}
    hints = get_type_hints(kind)
    for field in fields(kind):
        if is_dataclass(hints[field.name]):
            inner = _arguments(hints[field.name], given)
            if inner:
                arguments[field.name] = hints[field.name](**inner)
        elif field.name in given:
            arguments[field.name] = given[field.name]
    return arguments


# The most pairs in a JSON document: larger ones are hard to load.
MOST_IN_JSON = 20_000
# The most pairs, times ropes, in a table of several ropes.
MOST_IN_SWEEP = 2_000


def run_test(
    method: "Method",
    results: Input,
    choice: RopesChoice,
    output: Listed,
    also: Sequence[str],
    seed: int | None,
    where: Record,
) -> None:
    """Run one test from files to output.

    also : what to show next to its answer. seed : of the other tests. where : the keywords of
    `compare` that say where to compute.
    """
    from bcompare.comparing.comparison_set import run
    from bcompare.data.assumed_rope import rope_for
    from bcompare.data.scores import bounding_pairs
    from bcompare.report.pair_report import build_report

    check_destinations(results, output, refused=GATE_FORMATS)
    kinds = {chosen for _, chosen in targets(output)}
    ropes = choice.ropes()
    settings = choice.settings() | where
    _check_shown(kinds, also, choice, output)
    if choice.by is not None:
        _run_slices(method, results, choice, output, settings)
        return
    scores = results.read(choice.classifiers_to_read(), bounds=True)
    rope = rope_for(scores, ropes[0] if ropes else None)
    pairs = bounding_pairs(scores, left=choice.left, right=choice.right)
    if kinds & set(ITEM_FORMATS):
        from bcompare.report.changed import check_changed

        check_changed(scores)
    count = max(len(ropes), 1)
    for picture in output.pictures():
        from bcompare.plots import check_picture

        sheet = picture.sheet()
        check_picture(method, scores, pairs, picture.name, ropes=count, sheet=sheet)
    check_size(kinds, len(pairs) * count)
    if len(ropes) > 1:
        _run_sweep(method, scores, pairs, ropes, output, settings)
        return
    top: int | None = output.top
    if kinds & {"json", *ITEM_FORMATS} or output.plot:
        top = 0
    elif kinds <= set(ROW_FORMATS):
        top = None
    with _rows(kept=bool(kinds & set(ROW_FORMATS))) as (spool, keeping):
        with progress_bar(output) as progress:
            how = settings | keeping
            study = run(scores, method, pairs, rope=rope, top=top, progress=progress, **how)
        if TESTS in also:
            from bcompare.comparing.compare import with_also

            study = with_also(study, others(method, seed, scores.unit), where["executor"])
        report = build_report(
            study, details=output.details, sensitivity=SENSITIVITY in also, top=output.top
        )
        write(report, output, spool)
    draw_pictures(study, output)
    finish(study)


def _check_shown(kinds: Set[str], also: Sequence[str], choice: RopesChoice, output: Listed) -> None:
    """Check that what a test shows has a place in its output; kinds : the formats."""
    several = len(choice.ropes()) > 1
    if TESTS in also and all(kind in ROW_FORMATS for kind in kinds):
        raise InputError(
            "--also tests cannot be written as rows of pairs: write a table or JSON, too"
        )
    if (several or choice.by is not None) and not kinds.isdisjoint(ITEM_FORMATS):
        raise InputError(
            "the format changed lists the items of one answer: give one rope, and --where "
            "COLUMN=VALUE for a slice instead of --by"
        )
    if several and also:
        raise InputError("several ropes cannot be combined with --also: give one rope")
    if choice.by is not None and (also or several or output.plot):
        raise InputError(
            "--by cannot be combined with --also, --plot or a second rope: leave them out"
        )


@contextmanager
def _rows(*, kept: bool) -> "Iterator[tuple[Spool | None, Record]]":
    """Keep the rows of all pairs in temporary files, if they are asked for."""
    if not kept:
        yield None, {}
        return
    from bcompare.report.spool import keep_rows, spooled

    with spooled() as spool:
        yield spool, {"keep": keep_rows, "sink": spool.put}


def _run_slices(
    method: "Method", results: Input, choice: RopesChoice, output: Listed, settings: Record
) -> None:
    """Compare overall and in slices, and show all slices."""
    from bcompare.comparing.compare import slices
    from bcompare.data.pairs import choose_pairs
    from bcompare.reading.read import read_slices
    from bcompare.report.sweep import build_slices_report

    by = choice.by or ""
    options = results.read_options(choice.classifiers_to_read())
    scores, sliced = read_slices(*results.files(), by=by, options=options)
    pairs = choose_pairs(scores.classifiers, left=choice.left, right=choice.right)
    ropes = choice.ropes()
    how = settings | {"rope": ropes[0] if ropes else None, "pairs": pairs}
    with progress_bar(output) as progress:
        result = slices(scores, sliced, by, method, progress=progress, **how)
    write(build_slices_report(result), output)
    finish(result.overall)


def _run_sweep(
    method: "Method",
    scores: "Scores",
    pairs: "Collection[Pair]",
    ropes: "Sequence[Rope]",
    output: Listed,
    settings: Record,
) -> None:
    """Compare under several ropes, and show all pairs."""
    from bcompare.comparing.compare import sweep
    from bcompare.report.sweep import build_sweep_report

    if len(pairs) * len(ropes) > MOST_IN_SWEEP:
        raise InputError(
            f"{len(pairs):,} pairs under {len(ropes)} ropes are too many to read: choose some by "
            "--left, --right or --classifier"
        )
    with progress_bar(output) as progress:
        result = sweep(scores, method, ropes, pairs=pairs, progress=progress, **settings)
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
    if study.failures:
        raise ComputationError(
            f"{len(study.failures)} of {study.total} pairs could not be computed; the others "
            "are given"
        )


# Seconds to wait for the scheduler, and for a first worker.
PATIENCE = 10.0


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
