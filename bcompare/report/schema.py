"""The JSON contract as a JSON Schema (draft 2020-12): what stays under one `schema_version`.

A key that is required here stays, with its meaning and its kind of value; further keys may come.
What only one test has stands beside what all have, and is not listed.
"""

from typing import Any

from bcompare.comparing.decision import ACTIONS
from bcompare.data.units import UNITS
from bcompare.methods import METHODS
from bcompare.report.document import SCHEMA_VERSION

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}
TRUTH: Schema = {"type": "boolean"}
PROBABILITY: Schema = {"type": "number", "minimum": 0, "maximum": 1}
BORDERS: Schema = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
DECISION: Schema = {"enum": list(ACTIONS)}
TESTS = (*METHODS, "rank")


def schema() -> Schema:
    """Return the schema of everything that ``--format json`` prints."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"bcompare's JSON, schema version {SCHEMA_VERSION}",
        **_record(schema_version={"const": SCHEMA_VERSION}, bcompare=TEXT, command=TEXT),
        "oneOf": [
            _of(TESTS, **_compared(), failed=_list({"$ref": "#/$defs/failure"}), input=_input()),
            _of(("rank",), family={"$ref": "#/$defs/family"}),
            _of(("gate",), passed=TRUTH, outcome={"enum": ["pass", "fail", "undecided"]},
                exit_code={"enum": [0, 4, 5]}, summary=TEXT, verdicts=_list({"type": "object"}),
                input=_input(), notes=_notes()),
            _of(("gate",), passed={"const": False}, outcome={"const": "error"},
                exit_code={"enum": [2, 3]}, summary=TEXT, verdicts=_list({"type": "object"}),
                notes=_notes()),
            _of(("plan",), outlooks=_list(_record(left=TEXT, right=TEXT, decision=DECISION))),
            _of(("plan",), assumed={"type": "object"}, designs=_list({"type": "object"})),
            _of(("check",), unit={"enum": list(UNITS)}, input=_input(), problems=_list(TEXT),
                datasets=_list(_record(dataset=TEXT, comparable=TRUTH)), notes=_notes(),
                tests=_list(_record(test=TEXT, can_run=TRUTH, can_decide=TRUTH))),
        ],
        "$defs": {
            "pair": _pair(),
            "family": _family(),
            "failure": _record(left=TEXT, right=TEXT, reason=TEXT),
            "note": _record(code=TEXT, severity={"enum": ["info", "warning"]}, message=TEXT),
        },
    }  # fmt: skip


def _of(commands: tuple[str, ...], **properties: Schema) -> Schema:
    """What some commands print."""
    # rank prints what the tests print, and more: it has its own alternative.
    chosen = [name for name in commands if name != "rank" or len(commands) == 1]
    inner = _record(command={"enum": chosen}, **properties)
    if commands == ("rank",):
        inner["properties"] |= _compared() | {"input": _input()}
        inner["required"] += [*_compared(), "input"]
    return inner


def _compared() -> dict[str, Schema]:
    """What every comparison prints."""
    settings = _record(
        unit={"enum": list(UNITS)}, alpha=PROBABILITY, lower_is_better=TRUTH,
        rope={"anyOf": [BORDERS, {"type": "null"}]},
    )  # fmt: skip
    return {
        "settings": settings,
        "comparisons": _list({"$ref": "#/$defs/pair"}),
        "notes": _notes(),
    }


def _pair() -> Schema:
    """A pair; the three probabilities stand in it where a test has them for the pair."""
    pair = _record(
        left=TEXT, right=TEXT, verdict=TEXT, mean_difference=NUMBER, n_datasets=COUNT,
    )  # fmt: skip
    pair["properties"] |= {
        "p_left": PROBABILITY,
        "p_rope": PROBABILITY,
        "p_right": PROBABILITY,
        "decision": DECISION,
        "withheld": _or_null(TEXT),
        "datasets": _list(
            _record(
                dataset=TEXT, n=COUNT, mean_difference=NUMBER, p_left=PROBABILITY,
                p_rope=PROBABILITY, p_right=PROBABILITY, decision=DECISION, withheld=_or_null(TEXT),
            )
        ),
    }  # fmt: skip
    together = ["p_left", "p_rope", "p_right", "decision"]
    pair["dependentRequired"] = dict.fromkeys(together, together)
    return pair


def _family() -> Schema:
    best = _record(
        classifier=TEXT, place=COUNT, n_datasets=COUNT, p_best=PROBABILITY,
        p_practically_best=PROBABILITY, p_least_regret=PROBABILITY, regret=NUMBER, loss=NUMBER,
        rank=NUMBER, mean_score=NUMBER,
    )  # fmt: skip
    return _record(
        take=TEXT, decided=TRUTH, withheld=_or_null(TEXT), verdict=_list(TEXT), equals=_list(TEXT),
        classifiers=_list(TEXT), datasets=_list(TEXT), best=_list(best),
    )  # fmt: skip


def _input() -> Schema:
    return _record(
        files=_list(TEXT), rows=COUNT, datasets=COUNT, classifiers=_list(TEXT),
        dropped={"type": "object"},
        account=_record(read=COUNT, used=COUNT, left_out={"type": "array"},
                        lacking={"type": "object"}, failed={"type": "object"}),
    )  # fmt: skip


def _notes() -> Schema:
    return _list({"$ref": "#/$defs/note"})


def _record(**properties: Schema) -> Schema:
    """An object that has all of these."""
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_null(one: Schema) -> Schema:
    return {"anyOf": [one, {"type": "null"}]}
