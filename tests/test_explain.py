"""The topics: every note, column and cross-reference is explained, and every example is run."""

import ast
import json
import os
import re
import shlex
import shutil
import xml.etree.ElementTree as ElementTree
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from bcompare.basis.messages import InputError
from bcompare.explain import explained, reading, sections, topics
from bcompare.methods import METHODS, load_method
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.interface import Method
from bcompare.report.pair_tables import HEADINGS
from bcompare.report.sentences import how_to_read
from tests.command import run
from tests.golden import golden

PACKAGE = Path(__file__).parents[1] / "bcompare"


@cache
def calls(path: Path) -> list[tuple[str, ast.Call]]:
    """The calls in a file, each with the name of its function."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    found = (node for node in nodes if isinstance(node, ast.Call))
    return [(ast.unparse(node.func).split(".")[-1], node) for node in found]


def arguments(name: str, folder: str = "", at: int = 0, keyword: str = "") -> set[str]:
    """The literal arguments of all calls of a function, at a place or by a keyword."""
    result = set()
    for path in (PACKAGE / folder).rglob("*.py"):
        for called, node in calls(path):
            if called == name:
                named = [k.value for k in node.keywords if k.arg == keyword]
                for argument in (*node.args[at : at + 1], *named):
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        result.add(argument.value)
    return result


def headers() -> set[str]:
    """The headers of all tables for people."""
    rooms = ("report", "gating", "ranking", "planning")
    fields = {heading for room in rooms for heading in arguments("Field", room, 3, "heading")}
    fields |= {heading for room in rooms for heading in arguments("Column", room)}
    made = arguments("_probability", "report", 1) | arguments("_interval", "report", 1)
    shown = arguments("Shown", "methods", 1)
    kinds = {"nothing", "int", "float", "text"}  # of the flat rows' columns
    return (fields | made | shown | set(HEADINGS)) - kinds - {""}


def test_every_note_is_explained_by_its_code() -> None:
    codes = arguments("Note")
    assert len(codes) > 20
    assert codes == sections("notes").keys() & codes
    assert sections("notes").keys() <= codes


def test_every_line_of_the_details_is_explained() -> None:
    result = arguments("Fact", "methods") | arguments("_parameter", "methods")
    assert len(result) > 10
    assert result <= sections("columns").keys()


def test_every_column_is_explained() -> None:
    result = headers()
    assert len(result) > 40
    assert result <= sections("columns").keys() | sections("probabilities").keys()


@pytest.mark.parametrize(
    "method", [*(load_method(name)() for name in METHODS), Hierarchical(over="average")]
)
def test_every_test_says_how_it_is_to_be_read(method: Method) -> None:
    sentence = reading(method.topic)
    assert sentence.endswith(".")
    assert len(how_to_read(method.topic)) <= 180  # two lines, with names
    assert " ".join(explained(method.topic).split()).count(sentence) == 1


def every_name() -> list[str]:
    """Every topic and every section."""
    return [*topics(), *(name for topic in topics() for name in sections(topic))]


def test_every_reference_leads_somewhere() -> None:
    known = set(every_name())
    for name in known:
        text = explained(name)
        for words in re.findall(r"[Ss]ee(?: also:)?((?:[\s,]+`[\w-]+`(?: and)?)+)", text):
            for reference in re.findall(r"`([\w-]+)`", words):
                assert reference in known, f"{name} refers to {reference}"


def test_topics_are_few_and_fit_on_a_screen() -> None:
    assert len(topics()) <= 26
    to_copy_or_look_up = {"ci", "layouts", "python", "scoreboard", "studies"}
    for name in set(every_name()) - to_copy_or_look_up:
        assert len(explained(name).splitlines()) <= 45, name


@pytest.mark.parametrize(
    ("asked", "begins"),
    [
        ("rope", "# The rope"),
        ("Few_Datasets", "# few-datasets"),
        ("p(rope)", "# p(left)"),
        ("Mean Diff", "# mean diff"),
        ("δ0", "# δ0"),
        ("p, left better", "# p-value"),
        ("p value", "# p-value"),
        ("which-test", "# Which test?"),
        ("bonferroni", "# multiple-comparisons"),
        ("cost", "# cost"),
        ("pass@k", "# epochs"),
        ("nightly", "# looks"),
        ("Slack", "# chat"),
        ("ABBA", "# interleaved"),
        ("DuckDB", "There is no topic 'DuckDB'; this text speaks of it most.\n\n# "),
    ],
)
def test_topics_columns_and_codes_are_found(asked: str, begins: str) -> None:
    assert explained(asked).startswith(begins)


def test_what_is_not_there_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean pictures"):
        explained("pictrues")
    with pytest.raises(InputError, match="lists them"):
        explained("xyzzy")


def test_nothing_is_cut_in_a_narrow_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for name in (*topics(), "next", "looks", "studies", "speed", "hier"):
        shown = run("explain", name, folder=tmp_path).out
        assert shown.count("…") == explained(name).count("…"), name
        code = "\n".join(code_of(name)).splitlines()
        assert max(len(line) for line in shown.splitlines() if line not in code) <= 80


def test_the_command_lists_and_explains(tmp_path: Path) -> None:
    listed = run("explain", folder=tmp_path)
    assert listed.code == 0
    assert all(name in listed.out for name in topics())
    assert all(line == line.rstrip() for line in listed.out.splitlines())
    source = run("explain", "rope", "--format", "markdown", folder=tmp_path)
    assert source.out == explained("rope")


def code_of(name: str) -> list[str]:
    return re.findall(r"^```[a-z]*\n(.*?)\n```$", explained(name), re.MULTILINE | re.DOTALL)


def test_code_is_never_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for name in filter(code_of, topics()):
        shown = run("explain", name).out
        for code in code_of(name):
            assert code in shown, name


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
        words = command.removeprefix("$ ")
        if not shown.strip() and words.split()[1] in ("plan", "plan-gate", "power"):
            words += " --replicates 20"  # nobody reads how exact a plan is
        output = output_of(words, folder)
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


@pytest.mark.usefixtures("one_population")
def test_the_commands_for_agents_run(folder: Path) -> None:
    text = (TOPICS / "skill.md").read_text(encoding="utf-8")
    commands = re.findall(r"`(bcompare [a-z][^`]*)`", text)
    assert len(commands) >= 9
    for command in commands:
        output_of(command, folder)
    record = json.loads(output_of("bcompare hier results.csv --format json -q", folder))
    pair = record["comparisons"][0]
    for key in ("p_left", "p_rope", "p_right", "decision", "verdict", "withheld", "nhst"):
        assert f"`{key}`" in text
        assert key in pair
    family = json.loads(output_of("bcompare rank results.csv --format json -q", folder))["family"]
    assert {"take", "decided"} <= family.keys()


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
