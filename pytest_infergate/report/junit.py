"""What a JUnit file says of an evaluation."""

from __future__ import annotations

from ..evidence import Record
from .visible import visible_line


def junit_properties(record: Record) -> list[tuple[str, str]]:
    """Return the user properties of an evaluation, each a name and a text without control characters.

    ``infer.score.<name>`` is the number, or ``missing: <reason>``; ``infer.evaluator.<name>`` who made it.
    """
    key = record.evaluation.key
    properties = [
        ("infer.task", key.task),
        ("infer.sample", key.sample),
        ("infer.repeat", str(key.repeat)),
        ("infer.verdict", record.verdict.value),
    ]
    if record.missing is not None:
        properties.append(("infer.missing", str(record.missing)))
    for score in record.scores:
        if score.evaluator.kind == "byproduct":
            continue  # no verdict hangs on them, and the record has them
        value = f"missing: {score.missing.reason.value}" if score.missing else f"{score.value:.12g}"
        properties.append((f"infer.score.{score.name}", value))
        evaluator = str(score.evaluator)
        if score.fallback is not None:
            evaluator += f", a fallback from {score.fallback.preferred}: {score.fallback.because}"
        properties.append((f"infer.evaluator.{score.name}", evaluator))
    return [(visible_line(name, 300), visible_line(value, 1000)) for name, value in properties]
