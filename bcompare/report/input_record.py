"""What was read and with which settings, for every JSON document."""

from bcompare.basis.messages import Record
from bcompare.comparing.decision import ExpectedLoss, Rule
from bcompare.data.account import Account
from bcompare.data.rope import Rope
from bcompare.data.scores import Scores
from bcompare.report.fields import own_fields, plain


def input_record(scores: Scores) -> Record:
    """Return what was read and what was left out, for the JSON document."""
    entry: Record = {
        "files": list(scores.files),
        "rows": scores.rows,
        "datasets": len(scores.datasets),
        "classifiers": list(scores.classifiers),
    }
    if scores.unit.has_answers:
        clusters = sum(len(dataset.table) for dataset in scores.datasets)
        entry |= {
            "items": scores.items,
            "clusters": clusters if scores.is_clustered else None,
            "answers_an_item": scores.answers_an_item,
            "epochs": scores.epochs,
        }
    if scores.weight:
        entry["weight"] = scores.weight
    return entry | account_record(scores.account)


def account_record(account: Account) -> Record:
    """Return the account of the rows, and the names of what was left out."""
    return {
        "dropped": {
            "folds": plain(account.folds),
            "items": plain(account.items),
            "datasets": list(account.datasets),
            "rows": account.rows_left_out,
        },
        "account": own_fields(account, ("folds", "items", "datasets", "failed_column")),
    }


def common_settings(scores: Scores, rope: Rope, rule: Rule, alpha: float) -> Record:
    """Return the settings that do not depend on the method."""
    decision: Record = {"rule": "threshold"}
    if isinstance(rule, ExpectedLoss):
        decision = {"rule": "expected-loss", "loss": rule.matrix.tolist()}
    rhos = {dataset.rho for dataset in scores.datasets}
    return {
        "unit": scores.unit,
        "rope": [rope.low, rope.high],
        "alpha": alpha,
        "decision": decision,
        "rho": rhos.pop() if len(rhos) == 1 else None,
        "lower_is_better": scores.lower_is_better,
        **reading_record(scores),
    }


def reading_record(scores: Scores) -> Record:
    """Return the options of reading that were decided by the names of columns, if there are any."""
    return {"reading": plain(scores.assumed)} if scores.assumed else {}
