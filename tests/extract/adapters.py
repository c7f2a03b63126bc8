"""One value of every adapter, as the tests over all of them use it."""

from __future__ import annotations

from typing import Any

from pytest_infergate import extract

ADAPTERS: dict[str, extract.Extractor[Any]] = {
    "number": extract.number,
    "boxed": extract.boxed,
    "yes_no": extract.yes_no,
    "last_line": extract.last_line,
    "final_answer": extract.final_answer,
    "tool_calls": extract.tool_calls,
    "choice letters": extract.choice("ABCD"),
    "choice texts": extract.choice({"A": "saw", "B": "drill", "C": "file", "D": "not a tool"}),
    "regex": extract.regex(r"-?\d[\d.,]*"),
    "code": extract.code(),
    "code python": extract.code("python"),
    "json_value": extract.json_value(),
    "json_value schema": extract.json_value({"type": "object", "required": ["a"]}),
}
