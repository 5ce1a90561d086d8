"""The report on a family of classifiers."""

import math
from typing import Any

import numpy as np

from bcompare.family import Family
from bcompare.report import tables
from bcompare.report.build import MOST_SENTENCES, Report
from bcompare.report.document import document, plain
from bcompare.report.number import decimals_for, probability
from bcompare.report.rows import record_rows
from bcompare.report.table import Cell, Column, Table, condensed
from bcompare.report.words import disagreement, sentence, settings_line

Row = tuple[Cell, ...]


def build_family_report(family: Family) -> Report:
    """Ranks first, then the tests of the family, then every pair."""
    study = family.study
    shown, said = condensed(
        (
            _ranks(family),
            _family_tests(family),
            tables.population(study),
            *([tables.also(study)] if study.also else []),
            tables.losses(study),
            _wilcoxon(family),
        )
    )
    sentences = [sentence(c, study.rope) for c in study.comparisons]
    return Report(
        tables=shown,
        sentences=(
            _differences_of_ranks(family),
            *(sentences if len(sentences) <= MOST_SENTENCES else ()),
            *disagreement(study),
        ),
        hints=(),
        settings=settings_line(study, said),
        notes=study.notes,
        document=lambda: family_document(family),
        rows=lambda: record_rows(_records(family)),
    )


def family_document(family: Family) -> dict[str, Any]:
    """Return the JSON contract: that of the pairs, and the family's ranks and tests."""
    record = document(family.study)
    ranks = plain(family.ranks) | {
        "mean_score": plain(family.mean_score),
        "datasets": list(family.datasets),
    }
    test = record["command"]
    settings = {"test": test, **record["settings"]}
    return {**record, "command": "rank", "settings": settings, "family": ranks}


def _records(family: Family) -> list[dict[str, Any]]:
    """A record a classifier, the best first, with the tests of the family in each."""
    ranks = family.ranks
    tests = {
        test.test.replace("-", "_"): {"statistic": plain(test.statistic), "p_value": test.p_value}
        for test in (ranks.friedman, ranks.friedman_tie_corrected, ranks.iman_davenport)
    }
    return [
        {
            "classifier": ranks.classifiers[k],
            "mean_score": float(family.mean_score[k]),
            "mean_rank": float(ranks.mean_rank[k]),
            "wins": int(ranks.wins[k].sum()),
            "ties": int(ranks.ties[k].sum()) - ranks.n_datasets,
            "losses": int(ranks.wins[:, k].sum()),
            "n_datasets": ranks.n_datasets,
            **tests,
            "critical_difference": ranks.critical_difference,
        }
        for k in np.argsort(ranks.mean_rank, kind="stable").tolist()
    ]


def _ranks(family: Family) -> Table:
    ranks = family.ranks
    opponents = len(ranks.classifiers) - 1
    wins = ranks.wins.sum(axis=1)
    losses = ranks.wins.sum(axis=0)
    ties = ranks.ties.sum(axis=1) - ranks.n_datasets  # without each against itself
    decimals = decimals_for(float(np.abs(family.mean_score).max())) + 2
    rows: list[Row] = [
        (
            ranks.classifiers[k], float(family.mean_score[k]), float(ranks.mean_rank[k]),
            int(wins[k]), int(ties[k]), int(losses[k]),
        )
        for k in np.argsort(ranks.mean_rank, kind="stable")
    ]  # fmt: skip
    columns = (
        Column("classifier"), Column("mean score", "number", decimals),
        Column("mean rank", "number", 3), Column("wins", "count"), Column("ties", "count"),
        Column("losses", "count"),
    )  # fmt: skip
    title = (
        f"Ranks on {ranks.n_datasets} data sets; wins, ties and losses against {opponents} "
        f"other{'' if opponents == 1 else 's'}, by the rope"
    )
    return Table(title, columns, rows)


def _family_tests(family: Family) -> Table:
    ranks = family.ranks
    rows: list[Row] = [
        (name, float(test.statistic), float(test.p_value))
        for name, test in (
            ("Friedman, χ²", ranks.friedman),
            ("Friedman corrected for ties, χ²", ranks.friedman_tie_corrected),
            ("Iman–Davenport, F", ranks.iman_davenport),
        )
    ]
    columns = (Column("test"), Column("statistic", "number", 3), Column("p-value", "p"))
    return Table("Is there any difference among the classifiers?", columns, rows)


def _wilcoxon(family: Family) -> Table:
    pairwise = family.ranks.pairwise
    rows: list[Row] = [
        (
            *pair, float(test.statistic), float(test.p_value), float(pairwise.bonferroni[k]),
            float(pairwise.holm[k]),
        )
        for k, (pair, test) in enumerate(zip(pairwise.pairs, pairwise.tests, strict=True))
    ]  # fmt: skip
    columns = (
        *tables.PAIR, Column("statistic", "number", 1), tables.P_VALUE,
        *tables.CORRECTED,
    )  # fmt: skip
    title = f"Wilcoxon signed-rank tests on the same {family.ranks.n_datasets} data sets"
    return Table(title, columns, rows)


def _differences_of_ranks(family: Family) -> str:
    ranks = family.ranks
    # Iman and Davenport's F is infinite where all data sets agree, however few they are.
    infinite = math.isinf(ranks.iman_davenport.statistic)
    name, test = (
        ("Friedman", ranks.friedman) if infinite else ("Iman–Davenport", ranks.iman_davenport)
    )
    differ = "differ" if test.p_value <= ranks.alpha else "do not differ significantly"
    return (
        f"By {name} the classifiers {differ} (p {probability(test.p_value)}); mean ranks that "
        f"differ by less than {ranks.critical_difference:.3f} (Nemenyi, {ranks.alpha:g}) do not "
        "differ significantly"
    )
