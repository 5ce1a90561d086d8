"""The JSON contract as a JSON Schema (draft 2020-12): the promise of one `schema_version`.

A required key keeps its meaning and its kind of value; further keys may be added. Keys that only
one test has are not listed.
"""

from collections.abc import Iterable

from bcompare.basis.messages import Record
from bcompare.comparing.decision import ACTIONS
from bcompare.data.units import UNITS
from bcompare.gating import item_plan_report, item_report, plan_report
from bcompare.gating import report as gate
from bcompare.methods import METHODS
from bcompare.planning import report as plan
from bcompare.ranking import leaderboard
from bcompare.report import check, pair_fields
from bcompare.report.fields import SCHEMA_VERSION, Field
from bcompare.report.table import Kind

Schema = Record

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
TRUTH: Schema = {"type": "boolean"}
BORDERS: Schema = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
UNIT: Schema = {"enum": list(map(str, UNITS))}


def schema() -> Schema:
    """Return the schema of all that ``--format json`` prints."""
    compared = {
        "settings": schema_of(
            (Field("alpha", kind="probability"), Field("lower_is_better", kind="truth")),
            unit=UNIT,
            rope={"anyOf": [BORDERS, {"type": "null"}]},
        ),
        "comparisons": _list(_ref("pair")),
        "failed": _list(_ref("failure")),
        "input": _ref("input"),
        "notes": _list(_ref("note")),
    }
    judged = {"summary": TEXT, "failed": _list(_ref("failure")), "notes": _list(_ref("note"))}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"bcompare's JSON, schema version {SCHEMA_VERSION}",
        **schema_of(
            (Field("bcompare"), Field("command")), schema_version={"const": SCHEMA_VERSION}
        ),
        "oneOf": [
            _of(METHODS, **compared),
            _of(["rank"], **compared, family=_ref("family")),
            _gate(judged),
            _of(
                ["gate"],
                **judged,
                passed={"const": False},
                outcome={"const": "error"},
                exit_code={"enum": [2, 3]},
                verdicts={"const": []},
            ),
            _of(["plan"], outlooks=_list(schema_of(plan.OUTLOOK))),
            _of(["plan"], gates=_list(schema_of(plan_report.ROW))),
            _of(["plan"], broken=_list(schema_of(item_plan_report.CHANCE))),
            _of(["plan"], assumed={"type": "object"}, designs=_list(schema_of(plan.DESIGN))),
            _of(["plan"], assumed={"type": "object"}, courses=_list(schema_of(plan.COURSE))),
            _of(
                ["check"],
                unit=UNIT,
                input=_ref("input"),
                problems=_list(TEXT),
                datasets=_list(schema_of(check.DATASET)),
                notes=_list(_ref("note")),
                tests=_list(schema_of(check.TEST)),
            ),
        ],
        "$defs": {
            "pair": _pair(),
            "family": schema_of(leaderboard.ANSWER, best=_list(schema_of(leaderboard.CLASSIFIER))),
            "failure": schema_of((Field("left"), Field("right"), Field("reason"))),
            "note": schema_of(
                (Field("code"), Field("message")), severity={"enum": ["info", "warning"]}
            ),
            "input": _input(),
        },
    }


def _of(commands: Iterable[str], **properties: Schema) -> Schema:
    """Return the schema of what some commands print."""
    return schema_of((), command={"enum": list(commands)}, **properties)


def _gate(judged: dict[str, Schema]) -> Schema:
    """Return the schema of a gate's verdicts.

    What is said of items is there if it is asked for, and no next step in a self-check.

    judged : the schema of what gates have that could not judge, too.
    """
    result = _of(
        ["gate"],
        **judged,
        passed=TRUTH,
        outcome={"enum": ["pass", "fail", "undecided"]},
        exit_code={"enum": [0, 4, 5]},
        verdicts=_list(schema_of(gate.ANNOUNCED)),
        input=_ref("input"),
    )
    of_item = _list(schema_of(item_report.ITEM))
    names = {"type": "array", "items": TEXT}
    items = schema_of(item_report.ITEMS, broken=of_item, suspects=of_item, again=names)
    result["properties"]["items"] = _list(items)
    result["properties"]["next_step"] = TEXT
    return result


def _pair() -> Schema:
    """Return the schema of a pair; some tests have no probabilities for the pair as a whole."""
    pair = schema_of((*pair_fields.NAMES, *pair_fields.SUMMARY))
    answer = (*pair_fields.PROBABILITIES, pair_fields.DECISION)
    pair["properties"] |= schema_of((*answer, pair_fields.WITHHELD))["properties"]
    pair["properties"]["datasets"] = _list(schema_of(pair_fields.DATASET))
    together = [field.name for field in answer]
    pair["dependentRequired"] = dict.fromkeys(together, together)
    return pair


def _input() -> Schema:
    account = schema_of(
        (
            Field("read", kind="count"),
            Field("used", kind="count"),
            Field("left_out", kind="records"),
            Field("lacking", kind="object"),
            Field("compared_on"),
            Field("failed", kind="object"),
        ),
    )
    return schema_of(
        (
            Field("files", kind="names"),
            Field("rows", kind="count"),
            Field("datasets", kind="count"),
            Field("classifiers", kind="names"),
            Field("dropped", kind="object"),
        ),
        account=account,
    )


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


PROBABILITY: Schema = {"type": "number", "minimum": 0, "maximum": 1}
KINDS: dict[Kind, Schema] = {
    "name": {"type": "string"},
    "verdict": {"type": "string"},
    "figure": {"type": "string"},
    "count": {"type": "integer", "minimum": 0},
    "difference": {"type": "number"},
    "number": {"type": "number"},
    "probability": PROBABILITY,
    "region": PROBABILITY,
    "p": PROBABILITY,
    "truth": {"type": "boolean"},
    "decision": {"enum": list(ACTIONS)},
    "names": {"type": "array", "items": {"type": "string"}},
    "object": {"type": "object"},
    "records": {"type": "array", "items": {"type": "object"}},
}


def schema_of(fields: Iterable[Field], **more: Schema) -> Schema:
    """Return the JSON Schema of a record with these fields and more properties."""
    record_schema = _object()
    for field in fields:
        *outer, last = map(str, field.path)
        inner = record_schema
        for name in outer:
            inner = _require(inner, name, _object())
        about = {"description": f"bcompare explain '{field.heading}'"} if field.heading else {}
        _require(inner, last, _of_kind(field) | about)
    for name, schema in more.items():
        _require(record_schema, name, schema)
    return record_schema


def _object() -> Schema:
    return {"type": "object", "properties": {}, "required": []}


def _require(schema: Schema, name: str, inner: Schema) -> Schema:
    if name not in schema["properties"]:
        schema["required"].append(name)
    nested_schema: Schema = schema["properties"].setdefault(name, inner)
    return nested_schema


def _of_kind(field: Field) -> Schema:
    """Return the schema of a value."""
    kind = KINDS[field.kind]
    return {"anyOf": [kind, {"type": "null"}]} if field.nullable else kind
