"""Folders of results: every file of results in them is read, or the folder is refused."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bcompare.basis.messages import InputError, arg
from bcompare.files.presets import PRESETS, recognised_json
from bcompare.files.problems import named, shell_word

PACKED = (".gz", ".xz", ".bz2", ".zst")
# Suffixes of files of results, by their kind.
KINDS = {
    "text": (".csv", ".tsv", ".txt", ".arff"),
    "JSON": (".json", ".jsonl"),
    "Parquet": (".parquet",),
    "Feather": (".feather",),
    "Excel": (".xlsx",),
}
SUFFIXES = (*PACKED, *(suffix for suffixes in KINDS.values() for suffix in suffixes))


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of results.

    program : the preset of the program that wrote it, if it is known by its files' names.
    files : of results, of this program or of one kind.
    skipped : the other files, which hold none.
    """

    program: str | None
    files: tuple[Path, ...]
    skipped: tuple[Path, ...]

    @property
    def kind(self) -> str:
        """The kind of the files; "" if there is none."""
        return kind_of(self.files[0]) if self.files else ""


def kind_of(path: Path) -> str:
    """Return the kind of a file, by its suffix in any case; "" if it is none of results."""
    name = path.name.casefold()
    for suffix in PACKED:
        name = name.removesuffix(suffix)
    return next((kind for kind, suffixes in KINDS.items() if name.endswith(suffixes)), "")


def open_folder(folder: Path, preset: str | None = None) -> Folder:
    """Return the files of results in a folder and its subfolders; hidden ones are none.

    preset : the program whose files are read, whatever else there is.

    Raises
    ------
    InputError : there are files of several programs or kinds.
    """
    inside = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    visible = [path for path in inside if not _is_hidden(path.relative_to(folder))]
    by_program = _by_program(folder, visible, preset)
    if by_program:
        ((program, files),) = by_program.items()
        skipped = [path for path in visible if path not in files]
        if preset is None:
            _check_metadata(folder, program, skipped)
        return Folder(program, tuple(files), tuple(skipped))
    by_kind: dict[str, list[Path]] = {}
    for path in visible:
        by_kind.setdefault(kind_of(path), []).append(path)
    skipped = by_kind.pop("", [])
    if len(by_kind) > 1:
        which = "; ".join(_names(folder, files) for files in by_kind.values())
        raise _apart(folder, f"files of results of several kinds: {which}", [*by_kind.values()])
    files = next(iter(by_kind.values()), [])
    return Folder(None, tuple(files), tuple(skipped))


def are_runs(folder: Path, files: Sequence[Path]) -> bool:
    """Return whether each file of a folder is a whole run, rather than a part of one.

    Those of JSON are if they have the times of a benchmark, which is run again for another.

    Raises
    ------
    InputError : only some of them are.
    """
    runs = [path for path in files if kind_of(path) != "JSON" or _has_times(path)]
    parts = [path for path in files if path not in runs]
    if runs and parts:
        which = f"{_names(folder, runs)}; and others: {_names(folder, parts)}"
        raise _apart(folder, f"times of benchmarks: {which}", [runs, parts])
    return bool(runs)


def _by_program(folder: Path, files: Sequence[Path], preset: str | None) -> dict[str, list[Path]]:
    """Return the files of the only program that is known by their names; empty if there is none.

    Raises
    ------
    InputError : there are files of several programs.
    """
    of_program: dict[str, list[Path]] = {}
    for name, program in PRESETS.items():
        if preset not in (None, name) or not program.glob:
            continue
        if program.marker and not any(path.name == program.marker for path in files):
            continue
        matching = [path for path in files if path.match(program.glob)]
        if matching:
            of_program[name] = matching
    if len(of_program) > 1:
        of_program.pop("mteb", None)  # whose files have any name
    if len(of_program) > 1:
        whose = " and ".join(PRESETS[name].program for name in of_program)
        choices = " or ".join(arg("preset", name) for name in of_program)
        raise InputError(f"{folder}: a folder with files of {whose}; say {choices}")
    return of_program


def _check_metadata(folder: Path, program: str, files: Sequence[Path]) -> None:
    """Refuse tables next to the files of a program, which may be results, too.

    Raises
    ------
    InputError : there are such.
    """
    tables = [path for path in files if kind_of(path) and not _may_describe(path)]
    if tables:
        raise InputError(
            f"{folder}: files of {PRESETS[program].program}, and others that may be results, "
            f"{_names(folder, tables)}: move these elsewhere, or say {arg('preset', program)} to "
            "leave them out"
        )


def _may_describe(path: Path) -> bool:
    """Return whether a file next to those of a program may only describe its run."""
    return path.suffix.casefold() in (".json", ".txt")


def _apart(folder: Path, what: str, groups: Sequence[Sequence[Path]]) -> InputError:
    """Return the refusal of files that cannot go together, with patterns that choose some."""
    patterns = dict.fromkeys(f"{folder}/*{path.suffix}" for files in groups for path in files)
    choices = " or ".join(map(shell_word, patterns))
    name = f", or name {choices}" if len(patterns) > 1 else ""
    return InputError(f"{folder}: {what}; move what does not belong elsewhere{name}")


def _names(folder: Path, files: Sequence[Path]) -> str:
    return named([path.relative_to(folder).as_posix() for path in files], 4)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _has_times(path: Path) -> bool:
    """Return whether a JSON file has the times of a benchmark."""
    document: object = None
    with suppress(OSError, ValueError):  # unreadable
        document = json.loads(path.read_bytes())
    if isinstance(document, list) and document:
        document = document[0]
    program = recognised_json(document) if isinstance(document, dict) else None
    return program is not None and "seed_col" in PRESETS[program].options
