"""The shipped JSON Schemas, and checking each shape once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pytest_infergate.evidence import ALLOWABLE, Reason
from pytest_infergate.runs.schemas import RecordCheck, load_schema
from pytest_infergate.runs.shape import Shapes

from .made import RECORDS


@pytest.mark.parametrize("name", ["run", "record", "attempt"])
def test_each_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(load_schema(name))


def objects_of(schema: Any, path: str = "$") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, dict):
        if "properties" in schema and "type" in schema:
            yield path, schema
        for key, item in schema.items():
            yield from objects_of(item, f"{path}.{key}")
    elif isinstance(schema, list):
        for item in schema:
            yield from objects_of(item, path)


@pytest.mark.parametrize(("name", "least"), [("run", 6), ("record", 6), ("attempt", 1)])
def test_every_object_of_ours_is_closed_and_every_field_described(name: str, least: int) -> None:
    found = list(objects_of(load_schema(name)))
    assert len(found) >= least
    for path, schema in found:
        assert schema["additionalProperties"] is False, path
        for field, told in schema["properties"].items():
            assert {"description", "$ref", "const"} & set(told), f"{path}.{field}"


@pytest.mark.parametrize("name", ["run", "record"])
def test_the_reasons_are_the_closed_list(name: str) -> None:
    assert load_schema(name)["$defs"]["reason"]["enum"] == [reason.value for reason in Reason]


def test_what_may_be_allowed_is_what_an_exchange_did_not_deliver() -> None:
    allowed = load_schema("record")["$defs"]["exchange"]["properties"]["allowed"]["items"]["enum"]
    assert set(allowed) == {reason.value for reason in ALLOWABLE}


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 1200)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3)
    | st.sampled_from(["passed", "timeout", "server", "infergate.record/1", "sha256:" + "0" * 64]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["reason", "detail", "value", "request", "x"]), inner, max_size=3)
    ),
    max_leaves=5,
)


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from paths_of(item, (*path, key))


VALIDATOR = Draft202012Validator(load_schema("record"))
#: One for all examples: what it has learned from one record must not let another one through.
CHECK = RecordCheck()


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_checking_shapes_agrees_with_the_schema_on_every_edit(data: st.DataObject) -> None:
    value = deepcopy(data.draw(st.sampled_from(RECORDS)).as_json())
    value = json.loads(json.dumps(value))
    path = data.draw(st.sampled_from(list(paths_of(value))))
    parent = value
    for key in path[:-1]:
        parent = parent[key]
    if data.draw(st.booleans()):
        parent[path[-1]] = data.draw(anything)
    else:
        del parent[path[-1]]
    assert (CHECK.problem(value) is None) is VALIDATOR.is_valid(value)


def test_a_schema_that_shapes_cannot_follow_is_refused() -> None:
    with pytest.raises(ValueError, match="maxItems"):
        Shapes({"type": "array", "maxItems": 3}, free=frozenset())


def test_a_record_nested_beyond_reading_is_no_record() -> None:
    value: list[Any] = []
    for _ in range(5000):
        value = [value]
    assert CHECK.problem({"id": value}) == "nested too deeply for a record"
