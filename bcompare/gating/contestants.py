"""The baseline and the candidates, and the check that they have the same data sets."""

from collections.abc import Sequence

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.notes import lacking
from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.pairs import choose_pairs


def contestants(
    classifiers: Sequence[str], baseline: str | None, candidates: Sequence[str] = ()
) -> tuple[str, tuple[str, ...]]:
    """Return the baseline and the candidates, by name or by order.

    Raises
    ------
    InputError : one that is not there, a baseline that is its own candidate, or no candidate.
    """
    for name in (baseline, *candidates):
        choose_pairs(classifiers, left=name)  # refuses unknown names
    if baseline is not None and baseline in candidates:
        raise InputError(f"{baseline} is the baseline and a candidate: name two classifiers")
    first = baseline or next((name for name in classifiers if name not in candidates), None)
    if first is None:
        raise InputError("every classifier is a candidate, and a gate needs a baseline, too")
    chosen = tuple(dict.fromkeys(candidates)) or tuple(n for n in classifiers if n != first)
    if not chosen:
        raise InputError(f"there is nothing but {first} in these results: nothing to compare")
    return first, chosen


def check_gaps(study: ComparisonSet) -> None:
    """Refuse data sets that a candidate lacks: it may be absent where it does badly.

    Raises
    ------
    InputError : a candidate lacks data sets of the baseline, or all of them.
    """
    if study.tally.n_apart:
        names = [f"{left} and {right}" for left, right in study.tally.apart]
        raise InputError(f"no data set in common: {'; '.join(names)}: nothing to compare there")
    index = {name: k for k, name in enumerate(study.scores.classifiers)}
    absent: dict[str, list[str]] = {}
    pairs = [(c.left, c.right) for c in study.comparisons]
    for left, right in (*pairs, *((f.left, f.right) for f in study.failures)):
        for d in study.scores.datasets:
            if d.present[index[left]] and not d.present[index[right]]:
                absent.setdefault(right, []).append(d.name)
    if absent:
        others = arg("missing", "drop-datasets")
        if study.scores.account.items or study.scores.account.folds:  # left out by --missing
            gone = {name for names in absent.values() for name in names}
            others = arg("datasets", [d.name for d in study.scores.datasets if d.name not in gone])
        raise InputError(
            f"no scores of {lacking(absent)}, where {study.comparisons[0].left} has scores: a "
            "candidate may be absent where it does badly; add them, or judge the others with "
            f"{others}"
        )
