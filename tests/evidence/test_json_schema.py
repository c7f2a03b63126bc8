"""Where a value violates a schema."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pytest_infergate.evidence import JsonSchema, SchemaError

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "ages": {"type": "array", "items": {"type": "integer"}},
        "day": {"format": "date"},
    },
    "required": ["name"],
}
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        ({"name": "Ada"}, []),
        ({}, ["$"]),
        ({"name": 1}, ["$.name"]),
        ({"ages": [1, "2", None]}, ["$", "$.ages[1]", "$.ages[2]"]),
        ({"name": "Ada", "day": "2024-02-30"}, ["$.day"]),  # formats are checked
        ([], ["$"]),
    ],
)
def test_every_place_is_told(value: Any, paths: list[str]) -> None:
    assert sorted(fault.path for fault in JsonSchema(PERSON).faults(value)) == paths


def test_the_first_is_the_one_that_tells_most_and_none_is_told_twice() -> None:
    faults = JsonSchema(
        {"properties": {"a": {"type": "object", "required": ["x"]}}, "required": ["b"]}
    ).faults({"a": {}})
    assert [str(fault) for fault in faults] == [
        "at $: 'b' is a required property (schema /required)",
        "at $.a: 'x' is a required property (schema /properties/a/required)",
    ]


@pytest.mark.parametrize(
    ("schema", "value", "is_fine"),
    [
        ({"prefixItems": [{"type": "string"}]}, [1], False),  # 2020-12
        ({"items": [{"type": "string"}], **DRAFT_7}, [1], False),  # draft 7 spells it so
        ({"prefixItems": [{"type": "string"}], **DRAFT_7}, [1], True),  # and does not know that word
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, False),
        ({"dependencies": {"a": ["b"]}, **DRAFT_7}, {"a": 1}, False),
        ({"format": "email"}, "nobody", False),
        ({"format": "email", **DRAFT_7}, "nobody", False),
        ({"format": "house-number"}, "x", True),  # the schema's own
        ({"$defs": {"n": {"type": "integer"}}, "$ref": "#/$defs/n"}, "1", False),
        ({"type": "integer"}, True, False),
        ({"type": "integer"}, 1.0, True),
    ],
)
def test_the_draft_is_the_one_that_the_schema_names(schema: Any, value: Any, is_fine: bool) -> None:
    assert (JsonSchema(schema).faults(value) == ()) is is_fine


@pytest.mark.parametrize(
    ("text", "is_accepted"),
    [
        ('{"name": "Ada"}', True),
        (' {"name": "Ada"}\n', True),
        ('{"name": "Ada"} so', False),
        ('{"name": "Ada", "x": NaN}', False),
        ("{'name': 'Ada'}", False),
        ("", False),
        ("[" * 100_000, False),
    ],
)
def test_a_text_is_accepted_as_one_value_and_nothing_else(text: str, is_accepted: bool) -> None:
    assert JsonSchema(PERSON).accepts_text(text) is is_accepted


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "nonsense"}, r"the schema is not valid at \$\.type"),
        ({"$schema": "urn:nobody"}, "is not a known draft"),
        ({"minimum": float("nan")}, "the schema is not JSON"),
        (["type"], "is a mapping; got"),
    ],
)
def test_what_is_no_schema_is_refused_when_it_is_made(schema: Any, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        JsonSchema(schema)


def test_a_format_that_nothing_here_can_check_is_refused_rather_than_passed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import jsonschema

    checkers = jsonschema.Draft202012Validator.FORMAT_CHECKER.checkers
    without = {name: check for name, check in checkers.items() if name != "date-time"}
    monkeypatch.setattr(jsonschema.Draft202012Validator.FORMAT_CHECKER, "checkers", without)
    with pytest.raises(SchemaError, match="check the format 'date-time'; install jsonschema"):
        JsonSchema({"properties": {"at": {"type": "string", "format": "date-time"}}})


def test_equal_schemas_are_equal_values() -> None:
    assert JsonSchema({"a": 1, "b": 2}) == JsonSchema({"b": 2, "a": 1})
    assert hash(JsonSchema({"a": 1, "b": 2})) == hash(JsonSchema({"b": 2, "a": 1}))


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ({"$ref": "#/$defs/none"}, "#/$defs/none"),
        ({"properties": {"a": {"items": {"$ref": "#none"}}}}, "#none"),
        ({"$ref": "http://127.0.0.1:1/schema.json"}, "http://127.0.0.1:1/schema.json"),
        ({"$dynamicRef": "#none"}, "#none"),
        ({"definitions": {"a": {"$ref": "#/definitions/b"}}, **DRAFT_7}, "#/definitions/b"),
    ],
)
def test_a_reference_to_what_is_not_there_is_refused_before_a_value_comes_across_it(
    schema: Any, name: str
) -> None:
    with pytest.raises(SchemaError, match=re.escape(f"refers to {name!r}, which is not in it")):
        JsonSchema(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"$defs": {"a": {"$anchor": "k"}}, "$ref": "#k"},
        {
            "$id": "http://h/a.json",
            "$defs": {"b": {"$id": "b.json"}},
            "properties": {"x": {"$ref": "b.json"}},
        },
        {"default": {"$ref": "#/none"}},  # a value, not a schema
        {"properties": {"$ref": {"type": "string"}}},
        {"type": "object", "properties": {"child": {"$ref": "#"}}},
    ],
)
def test_a_reference_within_the_schema_is_found(schema: Any) -> None:
    assert JsonSchema(schema).faults({"child": {}}) == ()


def test_a_pattern_that_backtracks_without_end_is_stopped() -> None:
    schema = JsonSchema({"type": "string", "pattern": "^(a|aa)+$"})
    assert schema.faults("aaa") == ()
    assert [fault.message for fault in schema.faults("ab")] == ["'ab' does not match '^(a|aa)+$'"]
    text = "a" * 60 + "!"
    with pytest.raises(SchemaError, match="took more than 1 s on 'aaaa"):
        schema.faults(text)
    assert not schema.accepts_text(f'"{text}"')


def test_a_reference_that_is_no_address_is_refused() -> None:
    """By the reference itself, or by the draft's own schema where its formats can be checked."""
    with pytest.raises(SchemaError, match=re.escape("'http://[no-address'")):
        JsonSchema({"$ref": "http://[no-address"})
