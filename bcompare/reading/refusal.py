"""The problems of files that cannot be read, together."""

from collections.abc import Mapping
from typing import NoReturn

from bcompare.basis.messages import InputError
from bcompare.files.problems import LacksColumnsError, Problems, named
from bcompare.files.sources import Source
from bcompare.reading.long_table import Long, NoRowError


def refuse(failed: Mapping[Source, InputError], parts: Mapping[Source, Long]) -> NoReturn:
    """Raise the problems of files; those that have the same one share a line.

    failed : why each could not be read. parts : those read.
    """
    problems = Problems()
    for part in parts.values():
        problems.include(part.problems)
    alike: dict[str, list[str]] = {}
    by_row = sorted(failed.items(), key=lambda pair: isinstance(pair[1], NoRowError))
    for source, error in by_row:
        if not (parts and isinstance(error, NoRowError)):
            message = error.text.removeprefix(f"{source.title}:")
            titles = alike.setdefault(message, [])
            if message != error.text:
                titles.append(source.title)
    for message, titles in alike.items():
        who = named(titles)
        problems.known += f"{who}:{message}".removeprefix(":").splitlines()
    lacks = any(isinstance(error, LacksColumnsError) for error in failed.values())
    if lacks and parts:
        end = "" if problems.known[-1].endswith("?") else "."
        problems.known[-1] += f"{end} The other files have it: name it alike in all files"
    raise InputError(problems.messages())
