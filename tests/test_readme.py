"""The README and the topics are executed: every ```console block, with the output that it shows.

Output that ends in a line "…" is cut there. To accept a change, look at it, run with
BCOMPARE_UPDATE_GOLDEN=1, and read the diff. Commands of `make` and `pip` set up what is already
there, and are not run.
"""

import os
import re
import shlex
import shutil
import xml.etree.ElementTree as ElementTree
from itertools import chain
from pathlib import Path

import pytest

from tests.command import run
from tests.golden import golden

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[1]
README = PROJECT / "README.md"
TOPICS = PROJECT / "bcompare" / "explain"
DOCUMENTS = [README, *sorted(TOPICS.glob("*.md"))]
CUT = "…\n"
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The matplotlib that drew the pictures, and how large they may be.
DRAWN_WITH, MOST_BYTES = "3.11", 150_000
NOT_RUN = ("make", "pip", "git", "cd")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the sample data, as the README's reader has it."""
    shutil.copytree(PROJECT / "sample_data", tmp_path / "sample_data")
    for path in (PROJECT / "sample_data").glob("*.csv"):
        shutil.copy(path, tmp_path)
    shutil.copytree(tmp_path / "sample_data" / "pictures", tmp_path / "pictures")
    return tmp_path


def written(svg: str) -> list[str]:
    """What a picture says."""
    return [text.strip() for text in ElementTree.fromstring(svg).itertext() if text.strip()]


def output_of(command: str, folder: Path) -> str:
    """Standard output and error of a command line, with `|` and `&&` left out."""
    words = shlex.split(command)
    assert words[0] == "bcompare", f"only bcompare is run: {command}"
    outcome = run(*words[1:], folder=folder)
    assert outcome.code in {0, 4}, f"{command}: exit code {outcome.code}\n{outcome.err}"
    return outcome.out + outcome.err


def executed(block: str, folder: Path) -> str:
    """The block as it should be: each command followed by what it prints.

    A command with nothing under it is only run.
    """
    lines: list[str] = []
    for part in re.split(r"^(?=\$ )", block, flags=re.MULTILINE):
        if not part:
            continue
        command, _, shown = part.partition("\n")
        lines.append(command + "\n")
        if command.removeprefix("$ ").split()[0] in NOT_RUN:
            lines.append(shown)
            continue
        with pytest.MonkeyPatch.context() as patch:
            if not shown.strip():  # nobody reads how exact a plan is
                patch.setenv("BCOMPARE_REPLICATES", "20")
            output = output_of(command.removeprefix("$ "), folder)
        if shown.endswith(CUT):
            lines += [*output.splitlines(keepends=True)[: shown.count("\n") - 1], CUT]
        elif shown.strip():
            lines.append(output.rstrip() + "\n")
    return "".join(lines)


@pytest.mark.parametrize(
    "document", [d for d in DOCUMENTS if "```console" in d.read_text("utf-8")], ids=lambda d: d.stem
)
def test_every_console_block_shows_what_its_commands_print(document: Path, folder: Path) -> None:
    text = document.read_text(encoding="utf-8")

    def renewed(match: re.Match[str]) -> str:
        if match[1] != "console":
            return match[0]
        return f"```console\n{executed(match[2], folder)}```"

    result = BLOCK.sub(renewed, text)
    assert result == golden(document, result)


def test_what_the_readme_takes_from_a_topic_stands_there() -> None:
    text = README.read_text(encoding="utf-8")
    chosen = re.findall(r"^<!-- explain (\S+) -->\n(.*?)\n<!-- end -->$", text, re.M | re.DOTALL)
    assert len(chosen) == text.count("<!-- explain") == text.count("<!-- end -->") > 0
    for topic, passage in chosen:
        assert passage in (TOPICS / f"{topic}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.stem)
def test_every_link_leads_to_a_file_and_a_heading(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for path, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)", text):
        target = document.parent / path if path else document
        assert target.exists(), path
        if anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings}


def test_the_readme_leads_to_every_topic() -> None:
    text = README.read_text(encoding="utf-8")
    missing = [
        topic.name for topic in DOCUMENTS[1:] if f"(bcompare/explain/{topic.name})" not in text
    ]
    assert not missing


def test_the_pictures_are_what_the_commands_beside_them_draw(folder: Path) -> None:
    import matplotlib as mpl

    text = README.read_text(encoding="utf-8")
    commands = re.findall(r"^\$ (bcompare .*--plot .*)$", text, re.MULTILINE)
    names = {command: re.findall(r"pictures/\S+", command) for command in commands}
    shown = re.findall(r"^!\[.+\]\(sample_data/(pictures/\S+)\)$", text, re.MULTILINE)
    kept = sorted(f"pictures/{path.name}" for path in (PROJECT / "sample_data/pictures").iterdir())
    assert sorted(chain(*names.values())) == sorted(shown) == kept
    for command in commands:
        output_of(command, folder)
    for name in kept:
        drawn = (folder / name).read_bytes()
        assert len(drawn) < MOST_BYTES
        picture = PROJECT / "sample_data" / name
        if os.environ.get("BCOMPARE_UPDATE_GOLDEN") == "1":
            picture.write_bytes(drawn)
        assert written(drawn.decode()) == written(picture.read_text(encoding="utf-8"))
        if mpl.__version__.startswith(f"{DRAWN_WITH}."):  # another may place things elsewhere
            assert drawn == picture.read_bytes()


@pytest.mark.parametrize(
    "document", [d for d in DOCUMENTS if "```python" in d.read_text("utf-8")], ids=lambda d: d.stem
)
def test_every_python_block_runs(
    document: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    for kind, code in BLOCK.findall(document.read_text(encoding="utf-8")):
        if kind == "python":
            exec(compile(code, document.name, "exec"), names)
