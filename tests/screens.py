"""Files of command lines with all that they say: each block is run in a folder of its own.

A block is a heading behind ##, command lines behind $, and what they print. `bcompare` runs in this
process; other lines make or show files: `cp` and `printf` anywhere, the rest where there is a
shell. To accept a change, look at it, run with BCOMPARE_UPDATE_GOLDEN=1, and read the diff.
"""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from unittest.mock import patch

from tests.command import Outcome, run
from tests.golden import golden, printed

SENTENCE = re.compile(r'"(?:[^" ]+ ){4,}[^"]+"')
# What stands in full in the screens of tests/cli is only named by its code in other files.
COMMON = re.compile(
    r"^(note|warning): .* (\[(?:exact-posterior|few-datasets|few-decisive|few-folds|fixed-split"
    r"|one-run|zero-variance)\])$",
    re.MULTILINE,
)


def blocks(path: Path) -> dict[str, str]:
    """The blocks by their headings."""
    parts = path.read_text(encoding="utf-8").removeprefix("## ").rstrip("\n").split("\n## ")
    return dict(part.partition("\n")[::2] for part in parts)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def made(command: str, folder: Path) -> str:
    """Make or show a file by a line that is no bcompare; return what it prints."""
    program, *words = shlex.split(command)
    if program == "cp":
        shutil.copy(folder / words[0], folder / words[1])
    elif program == "printf":
        (folder / words[-1]).write_text(words[0].replace("\\n", "\n"), encoding="utf-8")
    else:
        line = ["bash", "-ec", command]
        return subprocess.run(
            line, cwd=folder, check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    return ""


def executed(command: str, folder: Path) -> Outcome:
    """Run a command line, which leaves nothing behind that it was not told to."""
    words = shlex.split(command)
    at = next(k for k, word in enumerate(words) if "=" not in word)
    environment = dict(word.split("=", 1) for word in words[:at])
    _, *words = words[at:]
    before = contents(folder)
    with patch.dict(os.environ, environment):
        outcome = run(*words, folder=folder)
    judges = words[0] in ("gate", "gate-anytime", "check")  # their output says what is wrong, too
    assert judges or not (outcome.out and outcome.code == 2)
    writes = environment or ({"-o", "--history"} & set(words) and (outcome.code != 2 or judges))
    assert writes or contents(folder) == before
    return outcome


def check(path: Path, name: str, folder: Path) -> list[Outcome]:
    """Check what the command lines of a block say; return how they ended."""
    outcomes, shown = [], []
    for command in re.findall(r"^\$ (.*)$", blocks(path)[name], re.MULTILINE):
        shown.append(f"$ {command}\n")
        if not re.match(r"(\w+=\S* )*bcompare ", command):
            shown.append(printed(made(command, folder)))
            continue
        outcome = executed(command, folder)
        code = f"exit code {outcome.code}\n" if outcome.code else ""
        # the sentences of a document are those of the screen
        out = SENTENCE.sub('"…"', outcome.out) if "json" in shlex.split(command) else outcome.out
        err = outcome.err if path.name == "screens.txt" else COMMON.sub(r"\1: … \2", outcome.err)
        shown.append(f"{code}{printed(out + err)}")
        outcomes.append(outcome)
    text = "".join(shown).rstrip("\n")

    def renewed() -> str:
        parts = blocks(path) | {name: text}
        return "\n".join(f"## {heading}\n{own}" for heading, own in parts.items()) + "\n"

    golden(path, renewed)
    assert text == blocks(path)[name]
    return outcomes
