"""A stand-in for CmdStan, where no CmdStan is: quick, and it fails when it is asked to.

A folder that looks like CmdStan and a `make` that "compiles" by copying a script, which answers
as a compiled Stan program would, with random numbers for draws. All is real but the numbers:
processes are started and ended, and their files read.
"""

import sys
from pathlib import Path

# STAND_IN_PAUSE: seconds between two lines of a chain, or of work for the compiler.
COMPILED = '''#!{python}
"""Stand-in for a compiled Stan program: writes the files that one would write."""
import json, os, random, sys, time

arguments = dict(a.split("=", 1) for a in sys.argv[1:] if "=" in a)
with open({starts!r}, "a") as file:
    file.write(arguments["id"] + "\\n")
pause = float(os.environ.get("STAND_IN_PAUSE", "0"))
files = [a.split("=", 1)[1] for a in sys.argv if a.startswith("file=")]
data, output = json.load(open(files[0])), files[1]
if data["q"] == 2 and arguments["id"] == "2":
    print("Exception: the data sets are too few for the stand-in")
    sys.exit(1)
warmup, draws = int(arguments["num_warmup"]), int(arguments["num_samples"])
rng = random.Random(int(arguments["seed"]) * 100 + int(arguments["id"]))
names = ["lp__", "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__",
         "energy__", "sigma0", "nu", "delta0"] + [f"delta.{{i + 1}}" for i in range(data["q"])]
with open(output, "w") as file:
    print("# stan_version_major = 2\\n# stan_version_minor = 36\\n# stan_version_patch = 0",
          f"# num_samples = {{draws}}\\n# num_warmup = {{warmup}}\\n# save_warmup = false",
          "# thin = 1\\n# algorithm = hmc\\n# engine = nuts\\n# max_depth = 10",
          "# metric = diag_e", ",".join(names), "# Adaptation terminated\\n# Step size = 1",
          "# Diagonal elements of inverse mass matrix:\\n# 1", sep="\\n", file=file)
    for i in range(1, warmup + draws + 1):
        if i % 50 == 0:
            print(f"Iteration: {{i:4d}} / {{warmup + draws}} [ 10%]  (Sampling)", flush=True)
            time.sleep(pause)
        if i > warmup:
            row = [0, 1, 1, 3, 7, 0, rng.gauss(0, 1), rng.expovariate(1), 1 + rng.expovariate(1),
                   rng.gauss(0, 1)] + [rng.gauss(k, 1) for k in range(data["q"])]
            if data["q"] == 3 and i > warmup + 100:
                continue  # as on a full disk
            print(*row, sep=",", file=file)
    print("# \\n#  Elapsed Time: 1 seconds (Warm-up)\\n#                1 seconds (Sampling)",
          "#                2 seconds (Total)\\n# ", sep="\\n", file=file)
'''

MAKE = '''#!{python}
"""Stand-in for make: copies the stand-in program, and counts how often it was called."""
import os, pathlib, shutil, subprocess, sys

with open({calls!r}, "a") as file:
    file.write("called\\n")
if "broken" in pathlib.Path(sys.argv[-1] + ".stan").read_text():
    print("g++: not found")
    sys.exit(2)
if "MAKE_PAUSE" in os.environ:  # the compiler, a process of its own
    subprocess.run(["sleep", os.environ["MAKE_PAUSE"]])
shutil.copy({compiled!r}, sys.argv[-1])
'''


def install(folder: Path, *, version: str = "2.36.0") -> dict[str, str]:
    """Put the stand-in into a new folder; returns the environment that leads there."""
    folder.mkdir()
    set_version(folder, version)
    program, make = folder / "compiled", folder / "make"
    _script(program, COMPILED.format(python=sys.executable, starts=str(folder / "starts")))
    calls = str(folder / "calls")
    _script(make, MAKE.format(python=sys.executable, calls=calls, compiled=str(program)))
    return {"CMDSTAN": str(folder), "MAKE": str(make)}


def set_version(folder: Path, version: str) -> None:
    """Let the stand-in be another version."""
    (folder / "makefile").write_text(f"CMDSTAN_VERSION := {version}\n")


def compilations(folder: Path) -> int:
    """Count how often it has compiled."""
    return _lines(folder / "calls")


def chains_started(folder: Path) -> int:
    """Count the chains that it has started."""
    return _lines(folder / "starts")


def _lines(path: Path) -> int:
    return len(path.read_text().splitlines()) if path.exists() else 0


def _script(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
