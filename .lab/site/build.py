"""`make site`: the documentation as a site, from README, the topics, docstrings, help and pictures.

No text stands here. README's sections are shared out among three pages; every topic, command and
picture has its place by itself. `build.py api` compares the public API with that of the last tag.
"""

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import griffe
from mkdocs.commands.build import build
from mkdocs.config import load_config

from bcompare.cli.main import COMMANDS, main
from bcompare.explain import explained, sections, topics
from bcompare.plots import PICTURES

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
TOPICS = PROJECT / "bcompare" / "explain"
SAMPLE_DATA = PROJECT / "sample_data"
# The pages that README's sections go to, by their headings; to the guide if to none.
HOME = ("Install", "Which test?", "Where to read on")
DEVELOPMENT = ("Development",)

# A page that is a section by itself needs no list of the section's pages.
ALONE = "---\nhide: [navigation]\n---\n\n"

Nav = list[dict[str, Any]]


def run(command: str, folder: Path) -> str:
    """What a command line of bcompare prints, in a folder."""
    text, ignored = io.StringIO(), io.StringIO()
    with (
        chdir(folder),
        patch.object(sys, "argv", shlex.split(command)),
        patch.dict(os.environ, {"TERMINAL_WIDTH": "80", "COLUMNS": "80"}),
        redirect_stdout(text),
        redirect_stderr(ignored),
    ):
        try:
            main()
        except SystemExit as end:
            if end.code:
                raise RuntimeError(f"{command}: {ignored.getvalue()}") from end
    return text.getvalue()


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-")


def split_readme(docs: Path) -> None:
    """README as three pages, with its links led to where their targets are now."""
    text = (PROJECT / "README.md").read_text("utf-8")
    start, *parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    pages = {"index.md": [start], "guide.md": ["# Guide\n\n"]}
    pages["development.md"] = ["# Promises and development\n\n"]
    at: dict[str, str] = {}
    for part in parts:
        title = part.partition("\n")[0].removeprefix("## ")
        page = "index.md" if title in HOME else "guide.md"
        page = "development.md" if title in DEVELOPMENT else page
        pages[page].append(part)
        at |= dict.fromkeys(map(slug, re.findall(r"^#+ (.*)$", part, re.MULTILINE)), page)
    assert len(pages["index.md"]) == 1 + len(HOME)
    assert len(pages["development.md"]) == 1 + len(DEVELOPMENT)
    for page, result in pages.items():
        whole = "".join(result).replace("(bcompare/explain)", "(index.md#where-to-read-on)")
        whole = whole.replace("(bcompare/explain/", "(topics/")
        whole = whole.replace("(sample_data/", "(")
        whole = re.sub(r"\]\(#([^)]+)\)", lambda m: f"]({at[m[1]]}#{m[1]})", whole)
        (docs / page).write_text(ALONE + whole, "utf-8")


def add_topics(docs: Path) -> Nav:
    """Every topic as it is; grouped as README groups them."""
    shutil.copytree(TOPICS, docs / "topics", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    table = (PROJECT / "README.md").read_text("utf-8").partition("\n## Where to read on\n")[2]
    groups = {
        group: [{name: f"topics/{name}.md"} for name in re.findall(r"explain/([\w-]+)\.md\)", row)]
        for group, row in re.findall(r"^\| ([a-z ]+) \| (\[.*) \|$", table, re.MULTILINE)
    }
    return [{group.capitalize(): names} for group, names in groups.items()]


def add_commands(docs: Path) -> Nav:
    """A page a command: all of its help, and where the topics speak of it."""
    for name in COMMANDS:
        about = [t for t in topics() if name == t or name in sections(t)]
        see = "".join(f"See also: [{t}](../topics/{t}.md)\n" for t in about[:1])
        words = run(f"bcompare {name} --help-all", docs)
        text = "\n".join(line.rstrip() for line in words.strip("\n").splitlines())
        (docs / "commands").mkdir(exist_ok=True)
        page = f"# bcompare {name}\n\n{see}\n```text\n{text}\n```\n"
        (docs / "commands" / f"{name}.md").write_text(page, "utf-8")
    return [{name: f"commands/{name}.md"} for name in COMMANDS]


def add_gallery(docs: Path) -> None:
    """Every picture, drawn by the command next to it."""
    (docs / "pictures").mkdir()
    for path in SAMPLE_DATA.glob("*.csv"):
        shutil.copy(path, docs)
    result = [f"{ALONE}# Gallery\n"]
    for command in (HERE / "gallery.txt").read_text("utf-8").splitlines():
        name = re.findall(r"--plot ([a-z-]+)=", command)[0]
        run(command, docs)
        shown, needs = PICTURES[name].title, PICTURES[name].needs
        title = shown[0].upper() + shown[1:]
        result.append(f"## {name}\n\n{title}. Needs: {needs}.\n\n```console\n$ {command}\n```\n")
        result.append(f"![{title}](pictures/{name}.svg)\n")
    (docs / "gallery.md").write_text("\n".join(result), "utf-8")
    for path in docs.glob("*.csv"):
        path.unlink()


def public(package: Any) -> dict[str, Any]:
    """The names that `import bcompare` offers."""
    return {
        name: member.final_target
        for name, member in sorted(package.members.items())
        if member.is_alias and member.target_path.startswith("bcompare.") and name[0] != "_"
    }


def as_markdown(docstring: str) -> str:
    """A docstring of ours as Markdown: its headings, its lists of names, its examples."""
    text = docstring.replace("``", "`")
    text = re.sub(r"^(\w+)\n-+$", r"**\1**\n", text, flags=re.MULTILINE)
    text = re.sub(r"^(\S[^:\n`]*) : ", r"- **\1**: ", text, flags=re.MULTILINE)
    return re.sub(r"^(>>> .*(?:\n.+)*)", r"```pycon\n\1\n```", text, flags=re.MULTILINE)


def signature(name: str, member: Any) -> str:
    """The call, a line per parameter; those after ``*`` are named only."""
    lines = []
    for parameter in member.parameters:
        if parameter.name == "self":
            continue
        kind = str(parameter.kind and parameter.kind.value)
        if kind == "keyword-only" and "*" not in lines:
            lines.append("*")
        stars = {"variadic positional": "*", "variadic keyword": "**"}.get(kind, "")
        default = "" if stars or parameter.default is None else f" = {parameter.default}"
        lines.append(f"{stars}{parameter.name}: {parameter.annotation}{default}")
    return f"{name}({''.join(f'{chr(10)}    {line},' for line in lines)}{chr(10) * bool(lines)})"


def described(member: Any, heading: str) -> Iterator[str]:
    other = f"{member.name} = {member.value}" if member.is_attribute else ""
    yield f"{heading}\n```python\n{other or signature(member.name, member)}\n```\n"
    if member.docstring:
        yield as_markdown(member.docstring.value) + "\n"


def add_api(docs: Path) -> None:
    """Every public name with its docstring, and the public methods of classes."""
    package = griffe.load("bcompare", search_paths=[str(PROJECT)])
    result = [f"{ALONE}# Python API\n"]
    offered = public(package).items()
    for name, member in sorted(offered, key=lambda item: item[1].is_class):  # functions first
        result += described(member, f"## {name}\n")
        for inner, method in member.all_members.items() if member.is_class else ():
            if not inner.startswith("_") and method.is_function and method.docstring:
                result += described(method, f"### {name}.{inner}\n")
    (docs / "api.md").write_text("\n".join(result), "utf-8")


def add_results(docs: Path) -> None:
    """The tables and the picture of the scoreboard and of the studies, from their results."""
    sys.path.insert(0, str(HERE.parent))
    from scoreboard.page import page, save_picture
    from studies.topic import page as differing

    save_picture(docs / "scoreboard.svg")
    (docs / "scoreboard.md").write_text(ALONE + page("scoreboard.svg"), "utf-8")
    (docs / "studies.md").write_text(ALONE + differing(), "utf-8")


def llms_txt(about: str) -> str:
    """The topics for machines that read: title, link and first sentence of each."""
    lines = ["# bcompare\n", f"> {about}\n", "## Topics\n"]
    for name, title in topics().items():
        prose = re.sub(r"^(```.*?^```|[#|].*?)$", "", explained(name), flags=re.M | re.S)
        sentence = re.findall(r"^.{40,}?[.?](?=\s|$)", " ".join(prose.split()))
        lines.append(f"- [{title}](topics/{name}.md): {sentence[0]}")
    return "\n".join(lines) + "\n"


def build_site(site: Path) -> None:
    """Build the site; what mkdocs warns of is an error."""
    with tempfile.TemporaryDirectory() as folder:
        docs = Path(folder)
        (docs / "assets").mkdir()
        for name in ("site.css", "site.js", "iframe-worker.js"):
            shutil.copy(HERE / name, docs / "assets")
        split_readme(docs)
        topic_pages, command_pages = add_topics(docs), add_commands(docs)
        add_gallery(docs)
        add_results(docs)
        add_api(docs)
        nav = [
            {"Home": "index.md"},
            {"Guide": "guide.md"},
            {"Topics": topic_pages},
            {"Commands": command_pages},
            {"Gallery": "gallery.md"},
            {"Scoreboard": "scoreboard.md"},
            {"Studies": "studies.md"},
            {"Python": "api.md"},
            {"Development": "development.md"},
        ]
        config = load_config(
            str(HERE / "mkdocs.yml"), docs_dir=folder, site_dir=str(site), nav=nav, strict=True
        )
        (docs / "llms.txt").write_text(llms_txt(str(config.site_description)), "utf-8")
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
        shutil.copytree(docs / "topics", site / "topics", dirs_exist_ok=True)  # for llms.txt


def compare_api() -> int:
    """Print what the last tag's users would miss; return how much that is."""
    git = ["git", "-C", str(PROJECT), "describe", "--tags", "--abbrev=0"]
    tag = subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()
    if not tag:
        print("no tag yet: there is no public API to keep")
        return 0
    old: Any = griffe.load_git("bcompare", ref=tag, repo=PROJECT)
    new: Any = griffe.load("bcompare", search_paths=[str(PROJECT)])
    for package in (old, new):
        package.members = public(package)  # and not its modules, which may change
    markdown = griffe.ExplanationStyle.MARKDOWN
    result = [broken.explain(markdown) for broken in griffe.find_breaking_changes(old, new)]
    print("\n".join(result) or f"nothing that {tag} offers is gone or asks for more")
    return len(result)


if __name__ == "__main__":
    if sys.argv[1:] == ["api"]:
        sys.exit(bool(compare_api()))
    build_site(Path(sys.argv[1]).absolute())
