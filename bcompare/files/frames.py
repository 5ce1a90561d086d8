"""Read pandas frames, and files that become such: Parquet, JSON and Inspect's logs.

Columns and checks are the same as for text; messages name rows instead of lines.
"""

import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from io import BytesIO
from typing import Any
from zipfile import BadZipFile

import numpy as np
import pandas as pd

from bcompare.basis.messages import InputError, Note, Record, arg, number_of
from bcompare.data.rope import FloatArray
from bcompare.files.documents import Records, flat_rows, read_document, without_aggregates
from bcompare.files.options import MEASURE, OTHERS, ReadOptions
from bcompare.files.presets import NONE, PRESETS, Preset, recognised_json, several_measures
from bcompare.files.problems import Problems, place, quoted
from bcompare.files.sources import Source
from bcompare.files.tables import Cells, CellTable, Coded, Located, Sample, spread_rows
from bcompare.version import install_command

# Keys of a log of Inspect in JSON.
INSPECT = {"version", "status", "eval", "plan"}


@dataclass(frozen=True, eq=False)
class Frame(CellTable):
    """A frame of pandas in memory, or a file with access to single columns.

    load : returns the frame of some columns, by position.
    place : returns a row's name in messages, by its position.
    remarks : notes on what was left out, and on choices made for the user.
    """

    title: str
    header: tuple[str, ...]
    load: Callable[[Sequence[int]], pd.DataFrame]
    place: Callable[[int], str]
    preset: str | None = None
    decimal: str = "."
    remarks: tuple[Note, ...] = ()

    @classmethod
    def of(cls, frame: object) -> "Frame":
        """Return a frame in memory; levels of its index that have names are columns, too.

        Raises
        ------
        InputError : it is no frame.
        """
        given = as_pandas(frame)
        index = given.index
        new = [k for k, name in enumerate(index.names) if name not in {None, *given.columns}]
        table = given.reset_index(level=new, allow_duplicates=True)
        return cls(
            title="the frame",
            header=tuple(str(name).strip() for name in table.columns),
            load=lambda columns: table.iloc[:, list(columns)],
            place=lambda row: f"row {index[row]}",
        )

    def notes(self, options: ReadOptions) -> tuple[Note, ...]:
        """Return the notes on what was left out, and on choices that the user did not make."""
        chosen = options.score_col is not None
        return tuple(n for n in self.remarks if not (chosen and n.code == "several-measures"))

    def find(self, rows: Sequence[int]) -> Located:
        """Return the names of rows in messages, with their cells."""
        frame = self.load(range(len(self.header)))
        located: Located = {}
        for row in rows:
            cells = dict(zip(self.header, map(_text, frame.iloc[row]), strict=True))
            located[row] = (f"{self.title}, {self.place(row)}", cells)
        return located

    def cells(self, texts: Sequence[int], numbers: Sequence[int], na: Sequence[str]) -> Cells:
        """Return columns of texts and of numbers."""
        columns = [*texts, *numbers]
        frame = self.load(columns)
        series = {column: frame.iloc[:, i] for i, column in enumerate(columns)}
        values = {i: _numbers(series[i], na) for i in numbers}
        return Cells(
            rows=len(frame),
            texts={i: _names(series[i]) for i in columns if values.get(i) is None},
            numbers={i: array for i, array in values.items() if array is not None},
        )

    def first_rows(self, most: int) -> list[list[str]]:
        """Return the cells of the first rows as texts."""
        frame = self.load(range(len(self.header)))[:most]
        return [[*map(_text, row)] for row in frame.itertuples(index=False)]

    def sample(self, most: int) -> Sample:
        """Return the cells of rows as texts: all, or spread evenly."""
        frame = self.load(range(len(self.header)))
        is_whole = len(frame) <= most
        if not is_whole:
            frame = frame.iloc[spread_rows(len(frame), most)]
        rows = [[*map(_text, row)] for row in frame.itertuples(index=False)]
        return Sample(rows, is_whole)


def as_pandas(frame: Any) -> pd.DataFrame:
    """Return a frame of any library as one of pandas: of Polars, Arrow, DuckDB, lazy or not.

    Raises
    ------
    InputError : it is no frame, or narwhals is needed and not installed.
    """
    if isinstance(frame, pd.DataFrame):
        return frame
    if hasattr(frame, "to_pandas"):
        made: pd.DataFrame = frame.to_pandas()
        return made
    name = type(frame).__name__
    try:
        import narwhals as nw

        wrapped = nw.from_native(frame)
    except ImportError:
        raise InputError(
            f"{name} is no frame of pandas; others are read by narwhals: "
            f"{install_command('frames')}"
        ) from None
    except TypeError:
        raise InputError(
            f"a frame of pandas is needed, and {name} is none: make one by pandas.DataFrame(…)"
        ) from None
    return (wrapped.collect() if isinstance(wrapped, nw.LazyFrame) else wrapped).to_pandas()


def _text(cell: Any) -> str:
    """Return a cell as text; "" if it is missing."""
    return "" if pd.api.types.is_scalar(cell) and pd.isna(cell) else as_text(cell).strip()


def as_text(value: object) -> str:
    """Return a value as text, of which `float` is infinite if it is too large a number."""
    try:
        return str(value)
    except ValueError:  # Python does not print integers of thousands of digits
        return "inf"


def _names(column: "pd.Series[Any]") -> Coded:
    """Return names as text; "" for missing ones."""
    try:
        codes, distinct = pd.factorize(column, use_na_sentinel=True)
    except TypeError:  # unhashable cells, such as the parameters of a search
        texts = pd.Series([_text(cell) for cell in column], dtype=object)
        codes, distinct = pd.factorize(texts, use_na_sentinel=True)
    return Coded.of(codes + 1, ["", *map(_text, distinct)])


def _numbers(column: "pd.Series[Any]", na: Sequence[str]) -> FloatArray | None:
    """Return numbers; None unless all cells are finite ones, or may be missing."""
    if getattr(column.dtype, "kind", "O") not in "iuf":
        return None
    numbers = np.array(column.to_numpy(np.float64, na_value=np.nan))
    is_missing = np.isnan(numbers)
    is_regular = not np.isinf(numbers).any() and ("" in na or not is_missing.any())
    return numbers if is_regular else None


def open_frame(source: Source, preset: str | None = None) -> Frame:
    """Return the table in a file of any format but text.

    preset : chosen by the user, or by which the file was found.

    Raises
    ------
    InputError : the file is damaged, or what reads it is not installed. Of JSON: with every line
        that is no object; a document without a list, or objects inside objects beyond measure.
    """
    binary = {"parquet": _parquet, "feather": _feather, "log": _log}.get(source.format)
    if binary is not None:
        return binary(source)
    try:
        return _json(source, preset)
    except RecursionError:
        raise InputError(
            f"{source.title}: JSON nested too deep to be read; save it as CSV with a row for each "
            "score"
        ) from None


def _row_number(row: int) -> str:
    return f"row {row + 1}"


def _log(source: Source) -> Frame:
    """Return a log of Inspect, read by Inspect itself."""
    try:
        from inspect_ai.analysis import EvalModel, EvalTask, SampleSummary, samples_df
    except ImportError:
        raise InputError(
            f"{source.title}: a log of Inspect, which only Inspect reads: "
            f"{install_command('inspect')}; or save its samples by samples_df(LOGS, "
            "columns=EvalTask + EvalModel + SampleSummary).to_csv(NEW) and read that with "
            f"{arg('preset', 'inspect')}"
        ) from None
    columns = EvalTask + EvalModel + SampleSummary
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Inspect's own, on pandas
            frame = samples_df(str(source.path), columns=columns, quiet=True)
    except (OSError, ValueError, KeyError, BadZipFile):
        raise InputError(
            f"{source.title}: Inspect cannot read this log; was it copied whole?"
        ) from None
    if not any(str(name).startswith("score_") for name in frame.columns):
        frame["score_none"] = None  # no trial has a score; their errors say why
    return replace(Frame.of(frame), title=source.title, place=_row_number)


def _feather(source: Source) -> Frame:
    try:
        frame = pd.read_feather(source.path or BytesIO(source.content or b""))
    except ImportError:
        raise _needs_pyarrow(source, "a Feather file") from None
    except (OSError, ValueError):
        raise InputError(f"{source.title}: damaged Feather file; write or copy it again") from None
    return replace(Frame.of(frame), title=source.title, place=_row_number)


def _needs_pyarrow(source: Source, what: str) -> InputError:
    return InputError(
        f"{source.title}: {what}, which needs pyarrow: {install_command('parquet')}; or save the "
        "results as CSV"
    )


def _parquet(source: Source) -> Frame:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise _needs_pyarrow(source, "a Parquet file") from None
    file = source.path or BytesIO(source.content or b"")
    errors = (pa.ArrowException, OSError, ValueError, LookupError, TypeError)
    damaged = f"{source.title}: damaged Parquet file; write or copy it again"
    try:
        schema = pq.read_schema(file)
        tops = {leaf: field.name for field in schema for leaf in _leaves([field])}
        names = list(tops)
        texts = [field.name for field in schema if pa.types.is_string(field.type)]
    except errors:
        raise InputError(damaged) from None

    def load(columns: Sequence[int]) -> pd.DataFrame:
        selected = [names[column] for column in columns]
        try:
            whole = list(dict.fromkeys(tops[name] for name in selected))
            table = pq.read_table(file, columns=whole, read_dictionary=texts)
            while any(pa.types.is_struct(field.type) for field in table.schema):
                table = table.flatten()
            table = table.select(selected).replace_schema_metadata(None)
            frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
        except errors:
            raise InputError(damaged) from None
        return frame

    header = tuple(name.strip() for name in names)
    return Frame(source.title, header, load, _row_number)


def _leaves(fields: Any, prefix: str = "") -> Iterator[str]:
    """Yield the columns of a schema; those inside structs by their path: ``metric.acc``."""
    import pyarrow as pa

    for field in fields:
        if pa.types.is_struct(field.type):
            yield from _leaves(field.type, f"{prefix}{field.name}.")
        else:
            yield prefix + field.name


def _json(source: Source, preset: str | None) -> Frame:
    """Return the rows of a JSON file: its lines, or the list in its only document.

    The preset of a known program converts its objects to rows. The keys of nested objects are
    joined by dots: ``provider.label``.
    """
    with source.open() as stream:
        content = stream.read()
    lines: dict[int, bytes] = {}
    try:
        document = _parsed(content, source.title)
    except InputError:
        raise
    except ValueError:  # not a single document, so it must be lines; also if it is not UTF-8
        lines = {i: line for i, line in enumerate(content.splitlines(), 1) if line.strip()}
        document = _lines(source, lines)
    if isinstance(document, dict) and document.keys() >= INSPECT and source.path is not None:
        return _log(source)
    objects = document if isinstance(document, list) else [document]
    if preset is None and objects and isinstance(objects[0], dict):
        preset = recognised_json(objects[0])
    program = PRESETS.get(preset or "", NONE)
    if program.rows:
        records = Records(_converted(source, objects, program))
    else:
        records = _found(source, document)
    singles, left_out = without_aggregates(records.rows)
    rows = flat_rows(singles)
    header = tuple(dict.fromkeys(name for row in rows for name in row))

    def load(columns: Sequence[int]) -> pd.DataFrame:
        loaded = {}
        for i, column in enumerate(columns):
            cells = [row.get(header[column]) for row in rows]
            loaded[i] = pd.Series(cells, dtype=object)
        return pd.DataFrame(loaded)

    what, numbers = (
        ("line", [*lines]) if len(lines) == len(rows) else ("result", range(1, 1 + len(rows)))
    )
    places = [f"{what} {number:,}" for number in numbers]
    message = f"{source.title}: {number_of(left_out, 'record')} left out, as summing up others"
    notes = [*records.notes]
    if left_out:
        notes.append(Note("aggregates", "info", message))
    notes += dict.fromkeys(
        several_measures(row[MEASURE], *row[OTHERS].split(", ")) for row in rows if row.get(OTHERS)
    )
    return Frame(source.title, header, load, places.__getitem__, preset, remarks=tuple(notes))


def _found(source: Source, document: object) -> Records:
    """Return the records in a document of no known program."""
    if isinstance(document, dict) and document.keys() >= {"results", "configs", "versions"}:
        raise InputError(
            f"{source.title}: means only, of lm-evaluation-harness; read the samples next to it, "
            "samples_TASK_DATE.jsonl, which --log_samples writes"
        )
    labelled = source.label is not None
    records = read_document(document, source.title, source.part, labelled=labelled)
    if not records.rows:
        raise InputError(
            f"{source.title}: a JSON document without a list of results; bcompare reads lists of "
            "objects, JSON Lines and the formats in bcompare explain layouts: save others as CSV "
            "with a row for each score"
        )
    return records


def _converted(source: Source, objects: Sequence[Record], preset: Preset) -> list[Record]:
    """Return the rows into which a preset turns the objects of a program."""
    convert: Callable[[Sequence[Record]], Iterator[Record]]
    convert = getattr(import_module("bcompare.files.programs"), preset.rows)
    try:
        return list(convert(objects))
    except InputError as error:
        raise InputError(f"{source.title}: {error.text}") from None
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(
            f"{source.title}: not what {preset.program} writes ({error!r}); save it as CSV with a "
            "row for each score"
        ) from None


def _parsed(text: bytes, where: str) -> Any:
    """Return what JSON stands for.

    Raises
    ------
    InputError : an object that has one key twice.
    """

    def unique(pairs: list[tuple[str, Any]]) -> Record:
        record = dict(pairs)
        if len(record) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise InputError(
                f"{where}: an object with two values of {quoted(twice)}: leave one of them out"
            )
        return record

    return json.loads(text, object_pairs_hook=unique)


def _lines(source: Source, lines: dict[int, bytes]) -> list[dict[str, object]]:
    """Return the objects in numbered lines."""
    problems = Problems()
    rows = []
    for number, line in lines.items():
        where = place(source.title, number)
        try:
            row = _parsed(line, where)
            reason = "no object"
        except InputError:
            raise
        except ValueError as error:
            row = None
            reason = str(error)
        if isinstance(row, dict):
            rows.append(row)
        else:
            problems.add(f"{where}: not JSON ({reason})", "every line must hold one object")
    problems.raise_any()
    return rows
