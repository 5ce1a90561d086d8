"""Fields of pairs and of their data sets, for tables and for the JSON.

Keys are stable: a change that breaks readers increments SCHEMA_VERSION.
"""

from typing import Any

from bcompare.basis.messages import Record
from bcompare.comparing.decision import ACTIONS, Rule, as_answers
from bcompare.report.fields import Field, region_fields
from bcompare.report.sentences import sentence

NAMES = (
    Field("left", heading="left", constant="left {}"),
    Field("right", heading="right", constant="right {}"),
)
PROBABILITIES = region_fields("probabilities", printed="printed")
DECISION = Field("decision", kind="decision")
WITHHELD = Field("withheld", nullable=True)
MEAN = Field("mean_difference", kind="difference", heading="mean diff", decimals=None)
SIZE = Field("n_datasets", "n_datasets", "count", "data sets")
SUMMARY = (Field("verdict", sentence), MEAN, SIZE)
P_VALUE = Field(
    "nhst.p_value", "result.nhst.p_value", "p", "p-value", lambda c: float(c.p_values[0])
)
ADJUSTED = (
    Field("nhst.p_bonferroni", "bonferroni", "p", "Bonf. p", lambda c: float(c.bonferroni[0])),
    Field("nhst.p_holm", "holm", "p", "Holm p", lambda c: float(c.holm[0])),
)
EXPECTED_LOSS = Field(
    "expected_loss", lambda c: expected_loss(c.rule, c.probabilities), "object", nullable=True
)
_STATISTICS = "differences.statistics"
DATASET = (
    Field("dataset", f"{_STATISTICS}.names", heading="data set"),
    Field("n", f"{_STATISTICS}.rows", "count"),
    Field("rho", f"{_STATISTICS}.rho", "number"),
    Field("mean_difference", f"{_STATISTICS}.mean", "difference", "mean diff", decimals=None),
    *region_fields("result.datasets.probabilities"),
    Field("decision", "dataset_decisions", "decision"),
    Field("withheld", "datasets_withheld", nullable=True),
)


def expected_loss(rule: Rule, p: Any) -> Record | None:
    """Return the expected loss of each action."""
    expected = rule.expected(as_answers(p))
    return None if expected is None else dict(zip(ACTIONS, expected[0].tolist(), strict=True))
