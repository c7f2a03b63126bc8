"""One evaluation as a person reads it: what was asked, what came back, its scores."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..evidence import Record, Score
from .lines import VERDICT_STYLES, Line, Segment, heading, line, wrapped
from .visible import visible_block, visible_line

_INDENT = "  "


def record_lines(record: Record, width: int) -> list[Line]:
    """Return a record in readable form; model output is shown, never obeyed."""
    verdict = Segment(record.verdict.value, VERDICT_STYLES[record.verdict])
    why = f": {visible_line(str(record.missing), 1000)}" if record.missing else ""
    expected = " (expected)" if record.is_expected_failure else ""
    lines: list[Line] = [
        heading(visible_line(str(record.evaluation.key), 1000)),
        line(f"{_INDENT}{visible_line(record.evaluation.nodeid, 1000)}"),
        line(f"{_INDENT}verdict: ", verdict, f"{why}{expected}"),
    ]
    if record.message:
        lines += _block("message", record.message, width)
    for file in record.files:
        lines += _wrapped(f"read {file.path} (sha256 {file.sha256})", width)
    for score in record.scores:
        lines += _wrapped(f"score {_score(score)}", width)
        lines += _details(score.details or {}, width)
    for number, exchange in enumerate(record.exchanges, 1):
        lines += _exchange(exchange, number, len(record.exchanges), width)
    return lines


def _score(score: Score) -> str:
    value = f"missing ({score.missing})" if score.missing else f"{score.value:.12g} {score.unit}"
    better = "higher is better" if score.higher_is_better else "lower is better"
    fallback = ""
    if score.fallback is not None:
        fallback = f"; a fallback from {score.fallback.preferred}: {score.fallback.because}"
    return f"{score.name}: {value}, {better}, by {score.evaluator}{fallback}"


def _details(details: Mapping[str, Any], width: int, indent: int = 4) -> list[Line]:
    """Show what an evaluator saw: long texts as blocks, objects by their fields, the rest as JSON."""
    lines: list[Line] = []
    for name, value in details.items():
        title = visible_line(name)
        if isinstance(value, str) and ("\n" in value or len(value) > width // 2):
            lines.append(line(f"{' ' * indent}{title}"))
            rows = visible_block(value, width=max(width - indent - 2, 40))
            lines += [line(f"{' ' * (indent + 2)}{row}") for row in rows]
        elif isinstance(value, Mapping) and value:
            lines.append(line(f"{' ' * indent}{title}"))
            lines += _details(value, width, indent + 2)
        else:
            said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            first, rest = " " * indent, " " * (indent + 4)
            lines += wrapped(visible_line(f"{title}: {said}", 2000), width, first=first, rest=rest)
    return lines


def _exchange(exchange: Mapping[str, Any], number: int, count: int, width: int) -> list[Line]:
    status = "no HTTP status" if exchange["status"] is None else f"HTTP {exchange['status']}"
    attempts = "1 attempt" if exchange["attempts"] == 1 else f"{exchange['attempts']} attempts"
    asked = "judge, " if exchange["role"] == "judge" else ""
    title = (
        f"exchange {number} of {count}: {asked}{exchange['endpoint']}, {status}, {attempts}, "
        f"{exchange['source']}"
    )
    lines: list[Line] = [(), heading(visible_line(title))]
    error, reply, usage = exchange["error"], exchange["reply"], exchange["usage"]
    if error is not None:
        allowed = " (allowed)" if error["reason"] in exchange["allowed"] else ""
        said = f"{error['reason']}: {error['detail']}" if error["detail"] else error["reason"]
        lines.append(line(f"{_INDENT}not delivered: {visible_line(said, 1000)}{allowed}"))
    if exchange["flags"]:
        lines.append(line(f"{_INDENT}flags: {visible_line(', '.join(exchange['flags']), 1000)}"))
    for name, value in exchange["request"].items():
        if (name, value) != ("endpoint", exchange["endpoint"]):  # told in the title
            lines += _asked(name, value, width)
    if reply is None:
        lines.append(line(f"{_INDENT}no reply began"))
    else:
        if reply["reasoning"]:
            lines += _block("reasoning", reply["reasoning"], width)
        end = "it never said why it ended" if reply["finish_reason"] is None else reply["finish_reason"]
        made = _artifact(reply["artifact"])
        text = "\n".join(part for part in (reply["text"], made) if part) or "(empty)"
        lines += _block(f"reply, finish reason {visible_line(end)}", text, width)
        if reply.get("revised_prompt"):
            lines += _block("revised prompt", reply["revised_prompt"], width)
        for call in reply["tool_calls"]:
            told = visible_line(f"{call['name']}({call['arguments']})", 1000)
            lines.append(line(f"{_INDENT}tool call: {told}"))
        if reply["refusal"]:
            lines += _block("refusal", reply["refusal"], width)
    if usage is not None:
        told = ", ".join(f"{v} {k.replace('_', ' ')}" for k, v in usage.items() if v is not None)
        lines.append(line(f"{_INDENT}usage: {told or 'unknown'}"))
    return lines + _wrapped(f"timing: {_timing(exchange['timing'])}", width)


def _artifact(made: Mapping[str, Any] | None) -> str:
    """Name the file of the run that the server made in place of text."""
    return f"{made['media_type']}, {made['bytes']:,} bytes: artifacts/{made['sha256']}" if made else ""


def _asked(name: str, value: Any, width: int) -> list[Line]:
    if name == "messages" and isinstance(value, list):
        lines: list[Line] = []
        for message in value:
            role = message.get("role", "?") if isinstance(message, dict) else "?"
            content = message.get("content", message) if isinstance(message, dict) else message
            text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
            lines += _block(f"asked, {visible_line(str(role))}", text, width)
        return lines
    if isinstance(value, str) and name == "prompt":
        return _block("asked", value, width)
    return [
        line(f"{_INDENT}{visible_line(name)}: {visible_line(json.dumps(value, ensure_ascii=False), width)}")
    ]


def _timing(timing: Mapping[str, float | None]) -> str:
    """Spell the phases as spans of seconds; those that nobody could observe are not told."""
    spans = (
        ("waited to be sent", "scheduled", "sent"),
        ("headers", "sent", "headers"),
        ("first token", "sent", "first_token"),
        ("first of the answer", "sent", "first_content"),
        ("last token", "sent", "last_token"),
        ("done", "sent", "done"),
    )
    told = []
    for name, start, end in spans:
        first, last = timing[start], timing[end]
        if first is not None and last is not None:
            told.append(f"{name} {last - first:.3f} s")
    return ", ".join(told) or "unknown"


def _wrapped(text: str, width: int) -> list[Line]:
    return wrapped(visible_line(text, 1000), width, first=_INDENT, rest=_INDENT * 2)


def _block(title: str, text: str, width: int) -> list[Line]:
    rows = visible_block(text, width=max(width - 4, 40))
    return [line(f"{_INDENT}{title}"), *(line(f"{_INDENT * 2}{row}") for row in rows)]
