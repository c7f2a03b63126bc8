"""JSON Schema out of Python's type annotations, and values out of JSON by the same annotations."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from ..evidence import canonical_json
from .errors import ToolError

_PLAIN: Mapping[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
    dict: "object",
    Mapping: "object",
    list: "array",
    Sequence: "array",
}
#: Of the fields of a TypedDict; newer than the oldest Python that this runs on.
_MARKS = tuple(getattr(typing, name) for name in ("Required", "NotRequired") if hasattr(typing, name))
_ACCEPTED = (
    "accepted: str, int, float, bool, None, Literal, Enum, Optional and unions, list, dict with str keys, "
    "TypedDict, dataclass, Any"
)


def schema_of(annotation: Any, where: str, *, inside: tuple[Any, ...] = ()) -> dict[str, Any]:
    """Return the JSON Schema of an annotation. Raises ``ToolError`` that begins with ``where``."""
    origin, args = get_origin(annotation), get_args(annotation)
    if annotation is None:
        annotation = type(None)
    if annotation in inside:
        raise ToolError(f"{where}: {_name(annotation)} holds itself; give the schema as a dict")
    if annotation is Any:
        return {}
    if origin is Annotated:
        described = [text for text in args[1:] if isinstance(text, str)]
        schema = schema_of(args[0], where, inside=inside)
        return {**schema, "description": described[0]} if described else schema
    if origin in _MARKS:
        return schema_of(args[0], where, inside=inside)
    if origin is Literal:
        return _choice(args, where)
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(one, where, inside=inside) for one in args]}
    if origin in (list, Sequence):
        return {"type": "array", "items": schema_of(args[0], where, inside=inside)}
    if origin in (dict, Mapping):
        if args[0] is not str:
            raise ToolError(f"{where}: {_name(annotation)} has keys other than str; JSON has none")
        return {"type": "object", "additionalProperties": schema_of(args[1], where, inside=inside)}
    if annotation in _PLAIN:
        return {"type": _PLAIN[annotation]}
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _choice([member.value for member in annotation], where)
    if typing.is_typeddict(annotation):
        hints = hints_of(annotation, where)
        return _object(
            {name: schema_of(hint, where, inside=(*inside, annotation)) for name, hint in hints.items()},
            [name for name in hints if name in annotation.__required_keys__],
        )
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        hints = hints_of(annotation, where)
        fields = [field for field in dataclasses.fields(annotation) if field.init]
        return _object(
            {
                field.name: schema_of(hints[field.name], where, inside=(*inside, annotation))
                for field in fields
            },
            [field.name for field in fields if _is_required(field)],
        )
    raise ToolError(f"{where}: no JSON Schema for the annotation {_name(annotation)}; {_ACCEPTED}")


def value_of(annotation: Any, value: Any) -> Any:
    """Return a JSON value that satisfies the annotation's schema as the annotation means it.

    Objects become dataclasses, values members of an ``Enum``, and 3.0 an ``int``. Of a union the first
    member is taken whose kind of JSON it is.
    """
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated or origin in _MARKS:
        return value_of(args[0], value)
    if origin in (Union, types.UnionType):
        return value_of(next((one for one in args if _is_kind(one, value)), Any), value)
    if origin in (list, Sequence):
        return [value_of(args[0], item) for item in value]
    if origin in (dict, Mapping):
        return {name: value_of(args[1], item) for name, item in value.items()}
    if annotation is int:
        return int(value)
    if annotation is float:
        return float(value)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return annotation(value)
    if typing.is_typeddict(annotation):
        hints = hints_of(annotation, _name(annotation))
        return {name: value_of(hints[name], item) for name, item in value.items()}
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        hints = hints_of(annotation, _name(annotation))
        return annotation(**{name: value_of(hints[name], item) for name, item in value.items()})
    return value


def hints_of(thing: Any, where: str) -> dict[str, Any]:
    """Return the annotations of a function or class, those written as text resolved."""
    try:
        return typing.get_type_hints(thing, include_extras=True)
    except NameError as error:
        raise ToolError(
            f"{where}: an annotation names {error.name!r}, which the module does not have; "
            "define it at the top of the module, not inside a function"
        ) from error
    except TypeError as error:
        raise ToolError(f"{where}: an annotation cannot be read: {error}; {_ACCEPTED}") from error


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return {**schema, "additionalProperties": False}


def _choice(values: Sequence[Any], where: str) -> dict[str, Any]:
    try:
        canonical_json(list(values))
    except (TypeError, ValueError) as error:
        raise ToolError(f"{where}: the choice {list(values)!r} is not JSON; use texts and numbers") from error
    kinds = {_PLAIN[type(value)] for value in values if type(value) in _PLAIN}
    return {**({"type": kinds.pop()} if len(kinds) == 1 else {}), "enum": list(values)}


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _is_kind(annotation: Any, value: Any) -> bool:
    """Whether a JSON value can be of the annotation, as far as its outermost kind tells."""
    from ..evidence import JsonSchema

    return not JsonSchema(schema_of(annotation, _name(annotation))).faults(value)


def _name(annotation: Any) -> str:
    is_class = isinstance(annotation, type) and get_origin(annotation) is None
    return annotation.__name__ if is_class else repr(annotation).replace("typing.", "")
