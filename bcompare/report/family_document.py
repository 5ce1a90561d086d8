"""A family as plain dicts and lists: its part of the JSON contract, and its flat rows."""

import dataclasses
import math
from typing import Any

import numpy as np

from bcompare.comparing.decision import ACTIONS
from bcompare.comparing.family import Family
from bcompare.report.document import (
    SCHEMA_VERSION,
    Record,
    document,
    input_record,
    plain,
    scores_settings,
)
from bcompare.report.family_words import pair_sentence, verdict_sentences
from bcompare.version import __version__

# A single data set with more rows, such as test items, is not repeated in the JSON.
MOST_SCORES = 1_000


def family_document(family: Family) -> Record:
    """Return the JSON contract: that of the pairs, and what is known of the family."""
    study = family.study
    pairs = None if study is None else document(study)
    return {
        "schema_version": SCHEMA_VERSION,
        "bcompare": __version__,
        "command": "rank",
        "settings": _settings(family),
        "input": input_record(family.scores),
        "comparisons": _pairs(family) if pairs is None else pairs["comparisons"],
        "failed": [] if pairs is None else pairs["failed"],
        "notes": [note.record() for note in family.notes],
        "family": {**_answer(family), **_ranks(family), **_lone(family)},
    }


def classifier_records(family: Family) -> list[Record]:
    """A record a classifier, the smallest expected regret first."""
    best, ranks = family.best, family.ranks
    records = []
    for place, k in enumerate(best.order, 1):
        record: Record = {
            "classifier": best.classifiers[k],
            "place": place,
            "n_datasets": int(best.n_datasets[k]),
            "p_best": float(best.p_best[k]),
            "p_practically_best": float(best.p_practically_best[k]),
            "p_most_often": float(best.p_most_often[k]),
            "p_least_regret": float(best.p_least_regret[k]),
        }
        for name in ("regret", "loss", "rank"):
            interval = getattr(best, f"{name}_interval")
            record |= {
                name: float(getattr(best, name)[k]),
                f"{name}_interval": {
                    "level": interval.level,
                    "low": float(interval.low[k]),
                    "high": float(interval.high[k]),
                },
            }
        record |= {
            "mean_score": float(family.mean_score[k]),
            "cost": None if family.scores.costs is None else float(family.scores.costs[k]),
        }
        if ranks is not None:
            own = int(ranks.ties[k, k])
            record |= {
                "mean_rank": float(ranks.mean_rank[k]),
                "wins": int(ranks.wins[k].sum()),
                "ties": int(ranks.ties[k].sum()) - own,
                "losses": int(ranks.wins[:, k].sum()),
            }
        records.append(record)
    return records


def family_rows(family: Family) -> list[Record]:
    """The records with the tests of the family in each, for flat tables."""
    ranks = family.ranks
    tests: Record = {}
    if ranks is not None:
        tests = {
            test.test.replace("-", "_"): {
                "statistic": plain(test.statistic),
                "p_value": test.p_value,
            }
            for test in ranks.tests.values()
        } | {"critical_difference": ranks.nemenyi}
    return [record | tests for record in classifier_records(family)]


def _settings(family: Family) -> Record:
    study, options = family.study, family.options
    own = None if study is None else {
        field.name: plain(getattr(study.method, field.name))
        for field in dataclasses.fields(study.method)
    }  # fmt: skip
    return {
        "test": None if study is None else study.method.name,
        **scores_settings(
            family.scores, family.rope, family.alpha, family.alternative, family.rule
        ),
        "prior_strength": options.strength,
        "draws": options.draws,
        "seed": options.seed,
        "interval": options.level,
        "test_options": own,
    }


def _answer(family: Family) -> Record:
    """Who is best, in words and numbers."""
    best = family.best
    return {
        "classifiers": list(best.classifiers),
        "datasets": list(family.datasets),
        "take": family.leader,
        "decided": family.decided,
        "withheld": family.withheld,
        "verdict": verdict_sentences(family),
        "equals": list(family.equals),
        "twins": list(family.twins),
        "preferred": plain(family.preferred),
        "set_apart": plain(family.set_apart),
        "error": {"kind": "monte-carlo", "value": best.error},
        "best": classifier_records(family),
    }


def _ranks(family: Family) -> Record:
    """The frequentist part, in the order of the classifiers; nothing of a single data set."""
    if family.ranks is None:
        return {"mean_score": plain(family.mean_score)}
    ranks: Record = plain(family.ranks)
    return ranks | {
        "mean_score": plain(family.mean_score),
        "n_datasets": len(family.datasets),
    }


def _lone(family: Family) -> Record:
    """The folds of a single data set."""
    lone = family.lone
    if lone is None:
        return {}
    return {
        "correlation": plain(lone.correlation),
        "scores": plain(lone.scores) if len(lone.scores) <= MOST_SCORES else None,
        "pairwise": plain(lone.pairwise),
    }


def _pairs(family: Family) -> list[Record]:
    """Every pair by the joint posterior: on average over the data sets."""
    best, names = family.best, family.best.classifiers
    present = np.array([dataset.present for dataset in family.scores.datasets]).astype(np.int64)
    shared = present.T @ present
    sign = -1 if family.scores.lower_is_better else 1
    regions = (best.pairs.left, best.pairs.rope, best.pairs.right)
    records = []
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            p = [float(region[i, j]) for region in regions]
            if math.isnan(p[1]):
                continue
            decision: Any = family.decisions[i, j]
            records.append({
                "left": names[i],
                "right": names[j],
                **dict(zip(("p_left", "p_rope", "p_right"), p, strict=True)),
                "decision": decision if decision in ACTIONS else "none",
                "verdict": pair_sentence(family, i, j),
                "mean_difference": sign * float(family.mean_score[j] - family.mean_score[i]),
                "n_datasets": int(shared[i, j]),
            })  # fmt: skip
    return records
