"""Golden messages: `messages.txt` holds what reading says, each behind what it is said of.

To accept a change, look at it, run with BCOMPARE_UPDATE_GOLDEN=1, and read the diff.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bcompare.files import text
from bcompare.files.options import MEASURE
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


def texts_of(path: Path) -> Iterator[str]:
    """The pieces of text, each at least a few words, in a module's messages."""
    calls = {"InputError", "Note", "add", "tell", "refuse", "_problem", "append"}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            parts = [*node.args, *(word.value for word in node.keywords)] if name in calls else []
        elif isinstance(node, ast.Assign):
            parts = [node.value]  # a message that is made before, or a constant
        elif isinstance(node, ast.For):
            parts = [node.iter]  # a table of messages
        elif isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Tuple):
            parts = [node.value]
        for part in (inner for outer in parts for inner in ast.walk(outer)):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield from (
                    text
                    for text in re.split(r"{.*?}", part.value)
                    if text.count(" ") > 2 and "\n" not in text
                )


def test_no_message_is_without_a_case() -> None:
    known = re.sub("^(>>>|[.]{3}) .*$", "", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE)
    package = Path(text.__file__).parents[1]
    # these have tests of their own
    elsewhere = {"arrays.py", "asking.py", "content.py", "presets.py", "profile.py", "programs.py"}
    missing = [
        (path.name, words)
        for room in ("files", "reading")
        for path in (package / room).glob("*.py")
        if path.name not in elsewhere
        for words in texts_of(path)
        if words not in known and words != MEASURE
    ]
    assert missing == []
