# ruff: noqa: E501  (a case is one line)
from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import pytest

from pytest_infergate.extract import GoldError, SchemaViolation, json_value
from pytest_infergate.extract.extractor import ExtractorError

from .outcome import NONE, outcome

CASES = [
    ('{"a": 1}', {"a": 1}, "the whole text"),
    ("  [1, 2]\n", [1, 2], "white space around it"),
    ("null", None, "a literal as the whole text"),
    ('"x"', "x", "a text as the whole text"),
    ('Here:\n```json\n{"a": 1}\n```\nDone.', {"a": 1}, "a fence"),
    ('```bash\nmake x\n```\n```json\n{"a": 1}\n```', {"a": 1}, "after a fence of another language"),
    ('```json\n{"a": 1}\n```\nBetter:\n```json\n{"a": 2}\n```', {"a": 2}, "the final version"),
    ('```\n{"a": 1}\n```', {"a": 1}, "a fence without a language"),
    ('```json\n{"a": "```"}\n```', {"a": "```"}, "backticks in a text"),
    ('The result is {"a": {"b": [1]}} as asked.', {"a": {"b": [1]}}, "in prose"),
    ('As shown [1], it is {"a": 1} (see [2]).', {"a": 1}, "citations are arrays too"),
    ('Rows: [{"a": 1}, {"a": 2}] end', [{"a": 1}, {"a": 2}], "an array of objects"),
    ("The list is [1, 2, 3].", [1, 2, 3], "an array in prose"),
    ('Use {name} like {"a": "}{"}', {"a": "}{"}, "braces of prose, and braces in a text"),
    ('{"a": 1} and then {"b": 2}', {"b": 2}, "the last of two"),
    ('{"n": 1e400}', NONE, "beyond a double"),
    ('{"n": NaN}', NONE, "NaN"),
    ('{"n": -Infinity}', NONE, "infinity"),
    ('x {"n": NaN, "m": {"k": 1}} y', NONE, "no part of a faulty object"),
    ('{"a": 1,}', NONE, "a trailing comma"),
    ("{'a': 1}", NONE, "single quotes"),
    ('{"a": 1 // one\n}', NONE, "a comment"),
    ('{"a": 1, "a": 2}', NONE, "a name twice"),
    ('{"a": 1', NONE, "never closed"),
    ('{"a": {"b": 1}, "c": ', NONE, "never closed: no part of it"),
    ('```json\n{"a": 1,}\n```\nor {"b": 2}', NONE, "the block marked json is the answer, and is faulty"),
    ('{"a": "line\nbreak"}', NONE, "a control character in a text"),
    ("{\u00a0}", NONE, "white space that JSON does not know"),
    ("[" * 5000 + "]" * 5000, NONE, "nested deeper than can be read"),
    ("[" * 501 + "]" * 501, NONE, "nested deeper than 500"),
    ("[" + "9" * 5000 + "]", NONE, "an integer longer than can be read"),
    ("```bash\ncurl -d '{\"a\": 1}'\n```", NONE, "within code of another language"),
    ('```python\nd = {"a": 0}\n```\n{"a": 1}', {"a": 1}, "after code of another language"),
    ('{"a": 1}<|im_end|>', {"a": 1}, "a leaked token"),
    ('{"t": "<|im_end|><|im_start|>"}', {"t": "<|im_end|><|im_start|>"}, "such tokens in a text"),
    ('{"a": 1}\n{"a": ', NONE, "the last one never closed"),
    ('{"a": True}', NONE, "Python's words"),
    ("{“a”: 1}", NONE, "typographic quotes"),
    ('{"a": "C:\\path"}', NONE, "an escape that JSON does not know"),
    ("no json", NONE, "none"),
    ("42 rows", NONE, "a number in prose"),
]
RECORD = {
    "type": "object",
    "properties": {"rows": {"type": "integer"}, "day": {"type": "string", "format": "date"}},
    "required": ["rows"],
}


@pytest.mark.parametrize(("text", "value"), [pytest.param(t, v, id=why) for t, v, why in CASES])
def test_the_json_of_a_reply(text: str, value: Any) -> None:
    assert outcome(json_value(), text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"rows": "x"}', "at $.rows: 'x' is not of type 'integer' (schema /properties/rows/type)"),
        ("{}", "at $: 'rows' is a required property (schema /required)"),
        ('{"rows": true}', "at $.rows: True is not of type 'integer' (schema /properties/rows/type)"),
        (
            '{"rows": 1, "day": "2024-13-01"}',
            "at $.day: '2024-13-01' is not a 'date' (schema /properties/day/format)",
        ),
    ],
)
def test_a_value_that_violates_the_schema_is_wrong_rather_than_missing(text: str, message: str) -> None:
    with pytest.raises(SchemaViolation) as caught:
        json_value(RECORD)(text)
    assert str(caught.value) == message
    assert isinstance(caught.value, AssertionError)


def test_what_is_no_json_is_missing_with_a_schema_too() -> None:
    assert json_value(RECORD)('{"rows": 3}') == {"rows": 3}
    assert outcome(json_value(RECORD), '{"rows": }') is NONE


def test_the_draft_is_the_one_that_the_schema_names() -> None:
    draft7 = {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}
    with pytest.raises(SchemaViolation, match=r"at \$\[0\]"):
        json_value(draft7)("[1]")
    assert json_value({"prefixItems": [{"type": "string"}]})('["a"]') == ["a"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "nonsense"},
        {"$schema": "urn:nobody"},
        {"minimum": float("nan")},
        ["type"],
        "object",
        {"a": object()},
    ],
)
def test_a_bad_schema_is_refused_when_the_extractor_is_made(schema: Any) -> None:
    with pytest.raises(ExtractorError, match=r"extract\.json_value"):
        json_value(schema)


def test_a_reference_is_not_fetched() -> None:
    with pytest.raises(ExtractorError, match=r"include it under \$defs"):
        json_value({"$ref": "http://127.0.0.1:9/schema"})("{}")


@pytest.mark.parametrize(
    ("value", "gold", "is_same"),
    [
        ({"a": 1}, '{"a": 1.0}', True),
        ({"a": True}, {"a": 1}, False),
        ({"a": 1, "b": 2}, '{"b": 2, "a": 1}', True),
        ([1, 2], [2, 1], False),
        ("x", '"x"', True),
    ],
)
def test_values_are_compared_as_json(value: object, gold: object, is_same: bool) -> None:
    assert json_value().same(value, gold) is is_same


@pytest.mark.parametrize("gold", ["{", "NaN", float("nan"), object()])
def test_a_gold_answer_that_is_no_json_is_a_fault_of_the_data(gold: object) -> None:
    with pytest.raises(GoldError):
        json_value().parse(gold)


def test_the_schema_is_a_setting_and_a_later_change_of_it_is_not() -> None:
    schema = {"type": "object"}
    made = json_value(schema)
    schema["type"] = "array"
    assert made.settings == {"schema": {"type": "object"}}
    assert made == json_value({"type": "object"}) != json_value()
    assert hash(made) == hash(pickle.loads(pickle.dumps(made)))


def test_importing_the_extractors_loads_neither_jsonschema_nor_regex() -> None:
    program = "import sys; import pytest_infergate.extract; print({'jsonschema', 'regex', 'httpx'} & sys.modules.keys())"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "set()\n"


def test_violations_say_every_place_and_judge_nothing() -> None:
    value = json_value()('{"rows": "many", "day": "2024-13-01"}')
    assert json_value(RECORD).violations(value) == (
        "at $.rows: 'many' is not of type 'integer' (schema /properties/rows/type)",
        "at $.day: '2024-13-01' is not a 'date' (schema /properties/day/format)",
    )
    assert json_value(RECORD).violations({"rows": 3}) == ()
    assert json_value().violations({"rows": "many"}) == ()


def test_a_wrong_answer_names_the_first_five_places() -> None:
    numbers = json_value({"items": {"type": "integer"}})
    with pytest.raises(SchemaViolation, match=r"at \$\[0\]: .*; at \$\[3\]: [^;]*; and 2 more$"):
        numbers('["a", "b", "c", "d", "e", "f", "g"]')
