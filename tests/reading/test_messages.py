"""Golden messages: `messages.txt` holds what reading says, each behind what it is said of.

To accept a change, look at it, run with BCOMPARE_UPDATE_GOLDEN=1, and read the diff.
"""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from tests.golden import golden

GOLDEN = Path(__file__).with_name("messages.txt")


def executed(block: str, known: dict[str, Any]) -> str:
    """Execute what stands behind the prompts; return it, followed by what its last line says."""
    heading, *lines = re.findall(r"^(?:#|>>>|\.\.\.) .*$", block, re.MULTILINE)
    *statements, last = ast.parse("\n".join(line[4:] for line in lines)).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(statements, []), GOLDEN.name, "exec"), known)
    said = eval(compile(ast.Expression(last.value), GOLDEN.name, "eval"), known)
    return "\n".join([f"#{heading}", *lines, said or "(nothing)"])


def test_every_message_is_as_it_was_last_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    setup, *groups = re.split(r"^(?=# )", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE)
    shown = setup
    for group in groups:
        heading, *blocks = group.rstrip("\n").split("\n\n#")
        known: dict[str, Any] = {}
        exec("\n".join(re.findall("^>>> (.*)$", setup, re.MULTILINE)), known)
        shown += "\n\n".join([heading, *(executed(block, known) for block in blocks)]) + "\n\n"
    shown = shown.rstrip("\n") + "\n"
    assert shown == golden(GOLDEN, shown)
