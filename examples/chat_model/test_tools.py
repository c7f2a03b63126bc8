"""Does the model call the right tool with the right arguments?

A tool call is a delivery like any text. Calls are compared as JSON: the order of arguments does not matter,
the order of calls does.
"""

import pytest

from pytest_infergate import extract

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Tell the weather in a city now.",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}},
                "required": ["city"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "convert_currency",
            "description": "Convert an amount of money; currencies are ISO 4217 codes.",
            "parameters": {
                "type": "object",
                "properties": {
                    "amount": {"type": "number"},
                    "from": {"type": "string"},
                    "to": {"type": "string"},
                },
                "required": ["amount", "from", "to"],
            },
        },
    },
]


@pytest.mark.infer_task(
    dataset="requests.jsonl", prompt="{request}", tools=TOOLS, max_tokens=500, min_pass_rate=0.7
)
@pytest.mark.infer_extract(extract.tool_calls)
def test_tool_call(answer, sample):
    assert extract.tool_calls.same(answer, sample["call"])
