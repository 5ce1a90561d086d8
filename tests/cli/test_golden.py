"""Golden output of the command line: standard output, standard error and exit code, word for word.

To accept a change, look at it, run with BCOMPARE_UPDATE_GOLDEN=1, and read the diff.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import run
from tests.golden import golden, printed
from tests.results import HEADER, small_csv, write_lines

GOLDEN = Path(__file__).parent / "golden"

TWO = {"tree": 0.0, "forest": 0.04}
THREE = {**TWO, "bayes": -0.05}
SEVERAL = ("iris", "wine", "glass", "sonar", "zoo", "yeast")

Files = Callable[[Path], object]


def one_pair(folder: Path) -> None:
    small_csv(folder / "results.csv", TWO)


def one_pair_on_several(folder: Path) -> None:
    small_csv(folder / "results.csv", TWO, SEVERAL)


def several_on_one(folder: Path) -> None:
    small_csv(folder / "results.csv", THREE)


def several_on_several(folder: Path) -> None:
    small_csv(folder / "results.csv", THREE, SEVERAL)


def degenerate(folder: Path) -> None:
    """One data set is constant: the difference is 0.1 on every fold."""
    rows = [
        f"{name},1,{fold},{classifier},{score}"
        for fold in range(1, 6)
        for name, classifier, score in (
            ("flat", "a", 0.5),
            ("flat", "b", 0.6),
            ("tied", "a", 0.5 + fold / 100),
            ("tied", "b", 0.5 + fold / 100),
            ("real", "a", 0.5 + fold / 100),
            ("real", "b", 0.5 + fold / 37),
        )
    ]
    write_lines(folder / "results.csv", HEADER, *rows)


def long_names(folder: Path) -> None:
    small_csv(
        folder / "results.csv",
        {
            "HistGradientBoostingClassifier(learning_rate=0.05; max_iter=500)": 0.03,
            "Pipeline(StandardScaler; LogisticRegression(C=10.0; penalty='l2'))": 0.0,
        },
        ("a-data-set-whose-name-is-far-longer-than-anyone-would-like-it-to-be", "iris"),
    )


def loss_matrix(folder: Path) -> None:
    one_pair(folder)
    (folder / "loss.csv").write_text(
        "truth,left,rope,right,none\nleft,0,5,50,1\nrope,5,0,50,1\nright,5,5,0,1\n",
        encoding="utf-8",
    )


def bad_scores(folder: Path) -> None:
    path = small_csv(folder / "results.csv", TWO)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[3] = "iris,1,2,tree,good"
    lines[5] = "iris,1,3,tree,nan"
    lines[7] = "iris,1,4,tree,"
    write_lines(path, *lines)


def nothing(folder: Path) -> None:
    """An empty folder."""


CASES: dict[str, tuple[Files, list[str]]] = {
    "no-arguments": (nothing, []),
    "help": (nothing, ["--help"]),
    "version": (nothing, ["--version"]),
    "ttest-help": (nothing, ["ttest", "--help"]),
    "ttest-one-pair": (one_pair, ["ttest"]),
    "ttest-one-pair-several-data-sets": (one_pair_on_several, ["ttest", "results.csv"]),
    "ttest-several-pairs": (several_on_one, ["ttest"]),
    "ttest-several-of-both": (several_on_several, ["ttest"]),
    "ttest-details": (
        several_on_several,
        ["ttest", "--details", "--dataset", "iris", "--dataset", "zoo", "--left", "forest"],
    ),
    "ttest-left-right": (several_on_several, ["ttest", "--left", "bayes", "--right", "tree"]),
    "ttest-degenerate": (degenerate, ["ttest"]),
    "ttest-degenerate-no-rope": (degenerate, ["ttest", "--rope", "0"]),
    "ttest-long-names": (long_names, ["ttest"]),
    "ttest-lower-is-better": (one_pair, ["ttest", "--lower-is-better"]),
    "ttest-rope-interval": (one_pair, ["ttest", "--rope=-0.02,0.05"]),
    "ttest-prior": (one_pair, ["ttest", "--prior", "mean=0.01, k0=0.5, a=1, b=0.001"]),
    "ttest-loss": (one_pair, ["ttest", "--loss", "5,1"]),
    "ttest-loss-file": (loss_matrix, ["ttest", "--loss", "loss.csv"]),
    "ttest-json": (one_pair, ["ttest", "--format", "json"]),
    "ttest-csv": (several_on_several, ["ttest", "--format", "csv", "--dataset", "iris"]),
    "ttest-markdown": (several_on_one, ["ttest", "--format", "markdown"]),
    "ttest-latex": (several_on_one, ["ttest", "--format", "latex"]),
    "ttest-ropes": (one_pair, ["ttest", "--rope", "0", "--rope", "0.01", "--rope", "0.02"]),
    "ttest-quiet": (degenerate, ["ttest", "--quiet"]),
    "sign": (several_on_several, ["sign", "--also", "sensitivity"]),
    "signrank": (
        several_on_several,
        ["signrank", "--left", "tree", "--right", "forest", "--also", "sensitivity"],
    ),
    "poisson": (several_on_several, ["poisson", "--also", "tests"]),
    "sign-degenerate": (degenerate, ["sign"]),
    "hier": (several_on_several, ["hier"]),
    "hier-one-pair": (
        several_on_several,
        ["hier", "--left", "tree", "--right", "forest", "--also", "sensitivity"],
    ),
    "hier-degenerate": (degenerate, ["hier"]),
    "rank": (several_on_several, ["rank"]),
    "rank-with-a-test": (several_on_several, ["rank", "--test", "sign"]),
    "rank-one-data-set": (several_on_one, ["rank", "--details"]),
    "hier-json": (one_pair_on_several, ["hier", "--format", "json"]),
    "hier-latex": (several_on_several, ["hier", "--format", "latex"]),
    "rank-json": (several_on_one, ["rank", "--format", "json"]),
    "rank-csv": (several_on_several, ["rank", "--format", "csv"]),
    "rank-markdown": (several_on_several, ["rank", "--format", "markdown"]),
    "rank-latex": (several_on_several, ["rank", "--format", "latex"]),
    "check": (several_on_several, ["check"]),
    "gate-help": (nothing, ["gate", "--help"]),
    "gate-passed": (one_pair, ["gate", "--baseline", "tree"]),
    "gate-failed": (several_on_one, ["gate", "--baseline", "forest", "--rope", "0"]),
    "gate-equal": (
        degenerate,
        ["gate", "--baseline", "a", "--dataset", "tied", "--fail-if", "undecided"],
    ),
    "gate-self-check": (several_on_one, ["self-check", "--baseline", "forest"]),
    "plan": (one_pair, ["plan", "--replicates", "500"]),
    "plan-power": (nothing, ["power", "--effect", "0.02", "--sd", "0.4", "--items", "500,5000"]),
    "error-gate-candidate": (one_pair, ["gate", "--baseline", "tree", "--candidate", "forset"]),
    "error-hier-one-data-set": (several_on_one, ["hier"]),
    "error-no-file": (nothing, ["ttest"]),
    "error-bad-scores": (bad_scores, ["ttest"]),
    "error-unknown-option": (one_pair, ["ttest", "--ropes", "0.01"]),
    "error-rope-words": (one_pair, ["ttest", "--rope", "wide"]),
    "error-rope-negative": (one_pair, ["ttest", "--rope", "-0.01"]),
    "error-alpha": (one_pair, ["ttest", "--alpha", "5"]),
    "error-left-is-right": (one_pair, ["ttest", "--left", "tree", "--right", "tree"]),
    "error-loss": (one_pair, ["ttest", "--loss", "loss.csv"]),
}


@pytest.mark.parametrize("case", CASES)
def test_golden(case: str, tmp_path: Path) -> None:
    make_files, arguments = CASES[case]
    make_files(tmp_path)
    outcome = run(*arguments, folder=tmp_path)
    result = (
        f"$ bcompare {' '.join(arguments)}\n"
        f"exit code {outcome.code}\n"
        f"--- standard output\n{outcome.out}"
        f"--- standard error\n{outcome.err}"
    )
    assert printed(result) == golden(GOLDEN / f"{case}.txt", printed(result))


def test_every_golden_file_has_a_case() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(CASES)
