"""The wheel holds all it needs: built, installed into an empty environment, run elsewhere."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[1]


def test_wheel_runs_the_main_job_from_another_folder(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(
        PROJECT, source, ignore=shutil.ignore_patterns(".*", "build", "dist", "__pycache__")
    )
    wheels = tmp_path / "wheels"
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", wheels, source],
        check=True,
        capture_output=True,
    )
    (wheel,) = wheels.glob("bcompare-*.whl")
    venv.create(tmp_path / "empty", with_pip=True)
    binaries = tmp_path / "empty" / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run(
        [binaries / "python", "-m", "pip", "install", "--quiet", wheel],
        check=True,
        capture_output=True,
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(PROJECT / "sample_data" / "results.csv", elsewhere)
    for command in (["ttest"], ["hier", "--rope", "0.01", "--left", "knn", "--right", "forest"]):
        done = subprocess.run(
            [binaries / "bcompare", *command],
            cwd=elsewhere,
            capture_output=True,
            text=True,
            check=True,
        )
        assert "forest" in done.stdout
        assert done.stderr == ""
    installed = subprocess.run(
        [binaries / "python", "-m", "pip", "show", "--files", "bcompare"],
        capture_output=True,
        text=True,
        check=True,
    )
    for needed in ("hierarchical.stan", "py.typed", "LICENSE"):
        assert needed in installed.stdout
