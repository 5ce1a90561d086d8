"""Run a test command once its options are known: read, compare, write, draw."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bcompare.basis.errors import InputError
from bcompare.cli.destinations import STANDARD_OUTPUT, check_destinations, targets
from bcompare.cli.input import Input
from bcompare.cli.options import Computing, OtherTests, RopesChoice
from bcompare.cli.output import Listed

if TYPE_CHECKING:
    from bcompare.comparing.comparison import ComparisonSet
    from bcompare.comparing.stream import Work
    from bcompare.data.pairs import Pair
    from bcompare.data.scores import Scores
    from bcompare.methods.base import Method
    from bcompare.streaming.parts import Parts

# The most pairs in a JSON document: larger ones are hard to load.
MOST_IN_JSON = 20_000
# The most pairs, times ropes, in a table of several ropes.
MOST_IN_SWEEP = 2_000
# The rows of this number of tasks stay in memory.
FEW_TASKS = 4


def run_test(
    method: "Method",
    results: Input,
    choice: RopesChoice,
    output: Listed,
    computing: Computing,
    further: OtherTests,
    *,
    sensitivity: bool,
) -> None:
    """Run one test from files to output."""
    from bcompare.cli.writing import draw_pictures, progress_bar, write
    from bcompare.comparing.compare import with_also
    from bcompare.comparing.stream import Work, run
    from bcompare.data.bounds import bounding_pairs
    from bcompare.plots import check_picture
    from bcompare.render import DRAWS_FORMATS, GATE_FORMATS, ROW_FORMATS
    from bcompare.render.draws import check_draws, write_draws
    from bcompare.report.build import build_report
    from bcompare.streaming.parts import keep_rows

    check_destinations(results, output, refused=GATE_FORMATS)
    ropes, settings = choice.ropes(), choice.settings()
    _refuse_mixtures(choice, output, computing, further, sensitivity=sensitivity)
    if choice.by is not None:
        _run_slices(method, results, choice, output, computing)
        return
    scores = results.read(choice.classifiers_to_read(), bounds=True)
    pairs = bounding_pairs(scores, left=choice.left, right=choice.right)
    for name, _ in output.pictures():
        check_picture(method, scores, pairs, name, ropes=len(ropes), sheet=output.sheet())
    kinds = {chosen for _, chosen in targets(output)}
    if kinds & set(DRAWS_FORMATS):
        check_draws(method, len(pairs) * len(ropes))
    if len(ropes) > 1:
        _run_sweep(method, scores, pairs, choice, output, computing)
        return
    (rope,) = ropes
    work = Work.of(scores, method, pairs, rope=rope, **settings)
    check_size(kinds, len(pairs))
    top: int | None = output.top
    if "json" in kinds or output.plot:
        top = 0
    elif kinds <= set(ROW_FORMATS):
        top = None
    with _parts(work, output, computing, has_rows=bool(kinds & set(ROW_FORMATS))) as parts:
        with progress_bar(output) as progress:
            study = run(
                work,
                work.workers(computing.jobs),
                top=top,
                keep=None if parts is None else keep_rows,
                sink=None if parts is None else parts.put,
                known=None if parts is None or top is not None else parts.known(),
                progress=progress,
            )
        if further.also:
            study = with_also(study, others(method, further.seed))
        report = build_report(
            study, details=output.details, sensitivity=sensitivity, top=output.top
        )
        write(report, output, parts)
    for path, chosen in targets(output):
        if chosen in DRAWS_FORMATS and study.comparisons:
            write_draws(study, path)
    draw_pictures(study, output)
    finish(study)


def _refuse_mixtures(
    choice: RopesChoice,
    output: Listed,
    computing: Computing,
    further: OtherTests,
    *,
    sensitivity: bool,
) -> None:
    """Refuse combinations of options in which one would have no effect.

    Raises
    ------
    InputError : naming them.
    """
    from bcompare.render import ROW_FORMATS

    if further.also and all(chosen in ROW_FORMATS for _, chosen in targets(output)):
        raise InputError("--also has no place in rows of pairs: write a table or JSON, too")
    several = len(choice.ropes()) > 1
    extra = further.also or sensitivity or computing.resume
    if several and extra:
        raise InputError(
            "several ropes cannot be combined with --also, --sensitivity or --resume: give one rope"
        )
    if choice.by is not None and (extra or several or output.plot):
        raise InputError(
            "--by cannot be combined with --also, --sensitivity, --resume, --plot or a second "
            "rope: leave them out"
        )


def _run_slices(
    method: "Method", results: Input, choice: RopesChoice, output: Listed, computing: Computing
) -> None:
    """Compare overall and in slices, and show all slices."""
    from bcompare.cli.writing import progress_bar, write
    from bcompare.comparing.compare import slices
    from bcompare.data.pairs import choose_pairs
    from bcompare.reading.read import read_slices
    from bcompare.report.slices import build_slices_report

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
            jobs=computing.jobs,
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
    computing: Computing,
) -> None:
    """Compare under several ropes, and show all pairs."""
    from bcompare.cli.writing import draw_pictures, progress_bar, write
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
            jobs=computing.jobs,
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
            "write rows instead, -o pairs.parquet, -o pairs.jsonl or -o pairs.csv"
        )


@contextmanager
def _parts(
    work: "Work", output: Listed, computing: Computing, *, has_rows: bool
) -> "Iterator[Parts | None]":
    """Provide storage for rows until all pairs are known; an interrupted run leaves them there.

    Raises
    ------
    InputError : there is nothing to resume.
    """
    from bcompare.streaming.parts import Parts

    files = [Path(path) for path, _ in targets(output) if path != STANDARD_OUTPUT]
    if computing.resume and not (has_rows and files):
        raise InputError("--resume goes on with rows in a file: name it, such as -o pairs.parquet")
    if not has_rows:
        yield None
        return
    folder = files[0].with_name(f"{files[0].name}.parts-{_key(work)}") if files else None
    if computing.resume and folder is not None and not folder.is_dir():
        raise InputError(
            f"there is no {folder} to go on from: the input, an option or the version differs "
            "from that run, or it was finished; leave --resume out"
        )
    if work.task_count <= FEW_TASKS and not computing.resume:
        yield Parts(None)
        return
    if folder is None:
        with TemporaryDirectory(prefix="bcompare-") as temporary:
            yield Parts(Path(temporary))
        return
    parts = Parts(folder, resume=computing.resume)
    yield parts  # not after an exception
    parts.remove()


def _key(work: "Work") -> str:
    """Return a short digest of all that the parts of a run depend on."""
    from bcompare.version import __version__

    digest = hashlib.sha256()
    options = (work.method, work.rope, work.rule.describe(), work.alpha)
    first, last = work.pairs[0], work.pairs[-1]
    settings: Sequence[object] = (
        __version__, options, work.scores.classifiers, len(work.pairs), first, last,
        work.scores.lower_is_better,
    )  # fmt: skip
    digest.update(repr(settings).encode())
    for dataset in work.scores.datasets:
        digest.update(repr((dataset.name, dataset.rho, dataset.table.shape)).encode())
        digest.update(dataset.table.tobytes())
    return digest.hexdigest()[:12]


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


def others(method: "Method", seed: int | None) -> list["Method"]:
    """Return the other tests over several data sets, with default options."""
    from bcompare.methods import METHODS, is_over_datasets, load_method

    names = [name for name in METHODS if name != method.name and is_over_datasets(name)]
    return [load_method(name)().seeded(seed) for name in names]
