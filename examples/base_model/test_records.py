"""Does the model turn a sentence about a person into a JSON record?

The extractor holds the JSON against the schema: a record that violates it is a wrong answer, and a reply
without JSON is no answer.
"""

import pytest

from pytest_infergate import extract

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "city": {"type": "string", "minLength": 1},
    },
    "required": ["name", "age", "city"],
    "additionalProperties": False,
}

# {text} is the row's field; braces that belong to the prompt are doubled.
PROMPT = """\
Text: Ingrid is 28 years old and lives in Bergen.
JSON: {{"name": "Ingrid", "age": 28, "city": "Bergen"}}

Text: In Porto lives Bruno, aged 57.
JSON: {{"name": "Bruno", "age": 57, "city": "Porto"}}

Text: {text}
JSON:"""


@pytest.mark.infer_task(
    dataset="people.jsonl",
    prompt=PROMPT,
    endpoint="completion",
    max_tokens=48,
    stop=["\n"],
    min_pass_rate=0.7,
)
@pytest.mark.infer_extract(extract.json_value(PERSON))
def test_record(answer, sample):
    assert answer == sample["record"]
