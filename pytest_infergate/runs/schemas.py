"""The JSON Schemas of what this tool writes, and checking against them."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from .shape import Shapes

_LONGEST = 160


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Return the schema ``run``, ``record``, ``attempt``, ``verdict`` or ``baseline`` as shipped."""
    text = (files(__package__) / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def schema_problem_of_run(value: Any) -> str | None:
    """Return what is not as the schema asks in ``run.json``, the most telling thing first; or ``None``."""
    return _problem(Draft202012Validator(load_schema("run")), value)


def schema_problem_of_verdict(value: Any) -> str | None:
    """Return what is not as the schema asks in ``verdict.json``, or ``None``."""
    return _problem(Draft202012Validator(load_schema("verdict")), value)


def schema_problem_of_baseline(value: Mapping[str, Any]) -> str | None:
    """Return what is not as the schema asks in a baseline file whose tasks have names, or ``None``.

    Evaluations are checked once for each shape, as records are.
    """
    schema = load_schema("baseline")
    tasks = value["tasks"]
    hollow = {**value, "tasks": [{**task, "samples": []} for task in tasks] if tasks else tasks}
    problem = _problem(Draft202012Validator(schema), hollow)
    if problem is not None:
        return problem
    sample = schema["$defs"]["sample"]
    shapes, validator, good = Shapes(sample, free=frozenset()), Draft202012Validator(sample), set[Hashable]()
    for task in tasks:
        for row in task["samples"]:
            shape = shapes.of(row)
            if shape in good:
                continue
            problem = _problem(validator, row)
            if problem is not None:
                return f"task {task['name']!r}, sample {row['id']!r}: {problem}"
            good.add(shape)
    return None


class RecordCheck:
    """Checks records against their schema.

    jsonschema takes about 0.7 ms a record, and records of a run are much alike: each shape is checked once.
    """

    def __init__(self) -> None:
        schema = load_schema("record")
        self._validator = Draft202012Validator(schema)
        self._shapes = Shapes(schema, free=frozenset({"request", "settings", "details"}))
        self._good: set[Hashable] = set()

    def problem(self, value: Any) -> str | None:
        """Return what is not as the schema asks, the most telling thing first; or ``None``."""
        try:
            shape = self._shapes.of(value)
            if shape in self._good:
                return None
            problem = _problem(self._validator, value)
        except RecursionError:
            return "nested too deeply for a record"
        if problem is None:
            self._good.add(shape)
        return problem


class AttemptCheck:
    """Checks further attempts against their schema, and the record in each against its own."""

    def __init__(self) -> None:
        self._validator = Draft202012Validator(load_schema("attempt"))
        self._records = RecordCheck()

    def problem(self, value: Any) -> str | None:
        """Return what is not as the schemas ask, the most telling thing first; or ``None``."""
        try:
            problem = _problem(self._validator, value)
        except RecursionError:
            return "nested too deeply for an attempt"
        if problem is not None:
            return problem
        inner = self._records.problem(value["record"])
        return f"record: {inner}" if inner else None


def _problem(validator: Draft202012Validator, value: Any) -> str | None:
    error: ValidationError | None = best_match(validator.iter_errors(value))
    if error is None:
        return None
    message = error.message
    if len(message) > _LONGEST:
        message = f"{message[: _LONGEST // 2]} … {message[-_LONGEST // 2 :]}"
    return f"{error.json_path}: {message}"
