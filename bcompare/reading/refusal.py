"""The problems of files that cannot be read, together."""

from collections.abc import Mapping, Sequence
from typing import NoReturn

from bcompare.basis.messages import InputError
from bcompare.files.problems import LacksColumnsError, Problems, UnreadError, named
from bcompare.files.sources import Source
from bcompare.reading.long_table import Long, NoRowError


def refuse(
    sources: Sequence[Source], failed: Mapping[Source, InputError], parts: Mapping[Source, Long]
) -> NoReturn:
    """Raise the problems of files; those that have the same one share a line.

    failed : why each could not be read. parts : those read.
    """
    problems = Problems()
    for part in parts.values():
        problems.include(part.problems)
    alike: dict[str, list[str]] = {}
    by_row = sorted(failed.items(), key=lambda pair: isinstance(pair[1], NoRowError))
    for source, error in by_row:
        problems.help_by(error.remedies if isinstance(error, UnreadError) else ())
        if not (parts and isinstance(error, NoRowError)):
            message = error.text.removeprefix(f"{source.title}:")
            alike.setdefault(message, []).append(source.title * (message != error.text))
    for message, titles in alike.items():
        who = named([*filter(None, titles)])
        problems.known += f"{who}:{message}".removeprefix(":").splitlines()
    lacks = {s: error for s, error in failed.items() if isinstance(error, LacksColumnsError)}
    if lacks and parts:
        end = "" if problems.known[-1].endswith("?") else "."
        problems.known[-1] += f"{end} The other files have it: name it alike in all files"
    elif lacks:
        nobody = any(error.lacks_classifier for error in lacks.values())
        first = sources.index(next(iter(lacks)))
        raise LacksColumnsError(problems.messages(), lacks_classifier=nobody, file=first)
    raise UnreadError(problems.messages(), problems.remedies)
