"""The files that the screens name, the same on every machine."""

import shutil
from pathlib import Path

from tests.gating.suites import column, suite
from tests.results import HEADER, small_csv, write_lines

ITEM = "item,classifier,score"
EPOCHS = "item,epoch,passage,topic,classifier,score"
SAMPLE = Path(__file__).parents[2] / "sample_data"
SETS = tuple(f"set-{i}" for i in range(8))


def make_files(folder: Path) -> None:
    """Write every file into a folder."""
    # folds of a few classifiers
    few, several = ("iris", "wine"), ("iris", "wine", "glass", "sonar", "zoo")
    small_csv(folder / "results.csv", {"tree": 0.0, "forest": 0.04}, few)
    small_csv(folder / "three.csv", {"tree": 0.0, "forest": 0.04, "bayes": -0.05}, several)
    whole = (folder / "results.csv").read_text(encoding="utf-8").splitlines()
    _, *rows = (folder / "three.csv").read_text(encoding="utf-8").splitlines()
    write_lines(folder / "models.csv", "dataset,run,fold,model,auc", *rows)
    shutil.copytree(SAMPLE, folder / "sample_data", ignore=shutil.ignore_patterns("*.py", "pic*"))
    bad = {3: "iris,1,2,tree,good", 5: "iris,1,3,tree,nan", 7: "iris,1,4,tree,"}
    write_lines(folder / "bad-scores.csv", *(bad.get(k, line) for k, line in enumerate(whole)))
    long = {
        "HistGradientBoostingClassifier(learning_rate=0.05; max_iter=500)": 0.03,
        "Pipeline(StandardScaler; LogisticRegression(C=10.0; penalty='l2'))": 0.0,
    }
    longest = "a-data-set-whose-name-is-far-longer-than-anyone-would-like-it-to-be"
    small_csv(folder / "long-names.csv", long, (longest, "iris"))
    small_csv(folder / "nearly.csv", {"a": 0.0, "b": -0.01}, few, noise=0.03)
    small_csv(folder / "unclear.csv", {"a": 0.0, "b": 0.0}, ("iris",), noise=0.05, seed=2)
    # candidates against a baseline, on several data sets
    for name, gains in (("same", [0.0]), ("better", [0.05]), ("two", [0.05, -0.05])):
        names = {"main": 0.0} | {f"pr-{k}": gain for k, gain in enumerate(gains, 1)}
        path = small_csv(folder / f"{name}.csv", names, SETS, noise=0.001)
    both = path.read_text(encoding="utf-8").splitlines()
    lacking = [line for line in both if not line.startswith("set-3") or "pr-1" not in line]
    write_lines(folder / "lacking.csv", *(line for line in lacking if "pr-2" not in line))
    for name, model in (("main", "main"), ("pr", "pr-2"), ("better-pr", "pr-1")):
        own = [line.replace(f",{model},", ",") for line in both if f",{model}," in line]
        write_lines(folder / f"{name}.csv", "dataset,run,fold,score", *own)
    write_lines(folder / "other-main.csv", "dataset,run,fold,score", *(f"{row}1" for row in own))
    suite({}, slower=1.12).to_csv(folder / "slower.csv", index=False, lineterminator="\n")
    for name, gain in (("suite", -0.1), ("suspect", -0.0121)):
        frame = column(suite({"d3": gain}), "accuracy")
        frame.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")
    # answers to test items
    grades = [f"{i},{c},{(i * k) % 3 % 2}" for i in range(60) for k, c in ((1, "a"), (2, "b"))]
    answers = [
        f"{item},{epoch},p{item // 5},all,{model},0.{item * (epoch + 3) * (k + 2) % 89 + 10}"
        for item in range(40)
        for epoch in range(3)
        for k, model in enumerate(("base", "tuned"))
    ]
    unanswered = {"small": (1, 2, 3), "large": range(10, 16)}
    questions = [
        f"q{i},{name},{'' if i in unanswered[name] else round(0.5 + i * k % 17 / 40, 3)}"
        for i in range(50)
        for k, name in ((3, "small"), (5, "large"))
    ]
    # what needs few lines, and what cannot be read
    loss, losses = "truth,left,rope,right,none", ("left,0,1,1,1", "rope,1,0,1,1", "right,1,1,0,1")
    wide = [",".join([d, *(f"0.{k + 10}" for k in range(40))]) for d in "xyz"]
    three = (1, 2, 3)
    tables: dict[str, tuple[str, ...]] = {
        "equal-differences.csv": (
            HEADER,
            *(
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
            ),
        ),
        "loss.csv": (loss, "left,0,5,50,1", "rope,5,0,50,1", "right,5,5,0,1"),
        "twice-left.csv": (loss, "left,1,1,1,1", *losses),
        "unknown-truth.csv": (loss, "foo,1,1,1,1", *losses),
        "wide.csv": (",".join(["dataset", *(f"c{k}" for k in range(40))]), *wide),
        "metrics.csv": (
            f"{HEADER},metric",
            *(f"d,1,{k},{c},0.{k},{metric}" for k in three for c in "ab" for metric in "xy"),
        ),
        "one-run.csv": (HEADER, *(f"d,1,{k},{c},0.{k}" for k in range(5) for c in "ab")),
        "items.csv": (ITEM, *grades),
        "stream-40.csv": (ITEM, *grades[:80]),
        "stream-60.csv": (ITEM, *grades),
        "stream-turned.csv": (ITEM, *grades[80:], *grades[:80]),
        "percent.csv": (ITEM, *(f"{row}00" for row in grades)),
        "answers-lacking.csv": ("question,classifier,score", *questions),
        "clusters.csv": (
            "q,passage,model,score",
            *(
                f"{i},p{i // 4},{'ab'[k]},{int((i * 7 + k) % 3 > 0)}"
                for i in range(40)
                for k in (0, 1)
            ),
        ),
        "one-model.csv": (ITEM, *(f"{k},a,0.{37 * k % 89 + 10}" for k in range(40))),
        "fits.csv": (
            "task_id,learner_id,iteration,classif.acc,errors_cnt",
            *(
                f"{task},{learner},{i},{0.5 + i / 100 * k},{int(learner == 'lm' and i in (3, 5))}"
                for task in "ab"
                for k, learner in ((1, "rf"), (2, "lm"))
                for i in range(1, 11)
            ),
        ),
        "no-fold.csv": tuple(line for line in whole if not line.startswith("iris,1,2,tree")),
        "one-each.csv": (
            "dataset,fold,classifier,score",
            *(
                f"{dataset},{fold},{name},0.{5 + (fold * 7 + ord(name)) % 4}"
                for dataset, pair in (("x", "ab"), ("y", "bc"), ("z", "ac"))
                for fold in range(10)
                for name in pair
            ),
        ),
        "worse-items.csv": (
            ITEM,
            *(f"{i},{c},{int(c == 'a' or i % 5 > 0)}" for i in range(60) for c in "ab"),
        ),
        "better-items.csv": (
            ITEM,
            *(f"{i},{c},{int(c == 'b' or i % 7 > 0)}" for i in range(90) for c in "ab"),
        ),
        "empty.csv": ("",),
        "header.csv": (HEADER,),
        "apart.csv": (HEADER, *(f"{d},1,{k},{c},0.{k}" for d, c in ("xa", "yb") for k in three)),
        "folds.csv": (HEADER, *(f"x,1,{k},{'ab'[k > 3]},0.5" for k in range(1, 7))),
        "alone.csv": (HEADER, *(f"x,1,{k},a,0.{k}" for k in three)),
        "answers.csv": (EPOCHS, *answers),
        "gap.csv": (EPOCHS, *answers[:-1]),
        "equal.csv": (EPOCHS, *(f"{i // 6},{i // 2 % 3},p,t,{'ab'[i % 2]},0.5" for i in range(60))),
        "no-history.jsonl": ('{"outcome": "pass"}',),
    }
    for name, lines in tables.items():
        write_lines(folder / name, *lines)
