"""What the repository holds: no tool's state, no path of a machine, no file that nothing uses."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STATE = re.compile(
    r"\.(dmypy\.json|DS_Store|coverage)|.*(\.pyc|\.orig|\.rej|\.swp|~)|(.*/)?(__pycache__|\.idea)/.*"
)
MACHINE = re.compile(rb"/(?:home|Users|root|work)/\w")
# Programs wrote these where they ran.
WRITTEN = ("tests/reading/written_by/",)


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("no repository of git")
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.split("\0")[:-1]


def test_no_state_of_tools_and_no_path_of_a_machine(tracked: list[str]) -> None:
    assert not [name for name in tracked if STATE.fullmatch(name)]
    present = [ROOT / name for name in tracked if not name.startswith(WRITTEN)]
    assert not [path for path in present if path.exists() and MACHINE.search(path.read_bytes())]


def test_every_file_of_data_is_used(tracked: list[str]) -> None:
    read = (".py", ".toml", ".md", ".yml", "Makefile")
    sources = [name for name in tracked if name.endswith(read) and (ROOT / name).exists()]
    text = "\n".join((ROOT / name).read_text("utf-8") for name in sources)
    data = [Path(name) for name in tracked if not (name.startswith(WRITTEN) or name.endswith(read))]
    unused = [
        str(path)
        for path in data
        if not any(word in text for word in (path.name, path.parent.name, path.stem))
    ]
    assert not unused
