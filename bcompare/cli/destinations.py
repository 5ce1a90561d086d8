"""Where results and pictures go: checked before the work, so that nothing is lost after it."""

from pathlib import Path

from bcompare.cli.input import Input
from bcompare.cli.options import Output
from bcompare.errors import InputError
from bcompare.render import SUFFIXES, format_of

STANDARD_OUTPUT = "-"


def check_destinations(results: Input, output: Output) -> None:
    """Refuse to write where it cannot be, or over the results that are read.

    Raises
    ------
    InputError : an unknown suffix, no such folder, one file for two things.
    """
    wanted = {"--output": output.output, "--plot": output.plot}
    paths = {
        option: Path(path)
        for option, path in wanted.items()
        if path is not None and (option, path) != ("--output", STANDARD_OUTPUT)
    }
    if output.plot is not None:
        from bcompare.plots.figure import picture_format

        picture_format(output.plot)
    if "--output" in paths and output.format is None:
        _check_suffix(paths["--output"])
    read = [Path(name).resolve() for name in _files_read(results)]
    for option, path in paths.items():
        if path.is_dir():
            raise InputError(f"{option} {path}: that is a folder; name a file in it")
        if not path.parent.is_dir():
            raise InputError(f"{option} {path}: there is no folder {path.parent}; make it first")
        if path.resolve() in read:
            raise InputError(f"{option} {path}: that file is read; name another one to write")
    if len(paths) == 2 and len({path.resolve() for path in paths.values()}) == 1:
        raise InputError(f"--output and --plot are both {output.plot}: name two files")


def _check_suffix(path: Path) -> None:
    if path.suffix and format_of(str(path)) is None:
        raise InputError(
            f"--output {path}: the suffix {path.suffix} stands for no format; say which by "
            f"--format, or end the name in {', '.join(SUFFIXES)}"
        )


def _files_read(results: Input) -> list[str]:
    """Every file that the arguments may name: `LABEL=FILE` as a whole, and after its `=`."""
    named = results.files() or ("results.csv",)
    return [*named, *(name.partition("=")[2] for name in named if "=" in name)]
