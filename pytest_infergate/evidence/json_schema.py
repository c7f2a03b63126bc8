"""A JSON Schema, and where a value violates it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .canonical import canonical_json
from .errors import InfergateError

_LONGEST = 300  # characters of one message: it quotes the value
#: Formats of the specification that jsonschema checks only with the packages of its format extra.
_WITH_EXTRA = frozenset(
    {
        *("date-time", "time", "duration", "hostname", "uri", "uri-reference", "iri", "iri-reference"),
        *("uri-template", "json-pointer", "relative-json-pointer"),
    }
)
#: Seconds that one pattern may take on one string.
_PATTERN_S = 1.0


class SchemaError(InfergateError):
    """A JSON Schema is not usable as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaFault:
    """One place where a value violates a schema: ``path`` in the value, ``rule`` in the schema."""

    path: str
    message: str
    rule: str

    def __str__(self) -> str:
        return f"at {self.path}: {self.message} (schema {self.rule})"


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """A schema of draft 2020-12, or of the draft that its ``$schema`` names, checked when it is made.

    Formats are checked; references outside the schema are not fetched. Raises ``SchemaError`` for what is
    not a schema, and on use for a reference that leads nowhere.
    """

    content: Mapping[str, Any]
    _validator: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.content, Mapping):
            raise SchemaError(f"a JSON Schema is a mapping; got {_short(self.content)}")
        try:
            frozen = json.loads(canonical_json(self.content))
        except (TypeError, ValueError, RecursionError) as error:
            raise SchemaError(f"the schema is not JSON: {error}") from error
        object.__setattr__(self, "content", frozen)
        object.__setattr__(self, "_validator", _validator(frozen))

    def __hash__(self) -> int:
        return hash(canonical_json(self.content))

    def faults(self, value: Any) -> tuple[SchemaFault, ...]:
        """Return every place where ``value`` violates the schema: the one that tells most, then all in order.

        Raises ``RecursionError`` for a value or a schema that is nested too deeply to tell, and
        ``SchemaError`` where a pattern does not come to an end in a second.
        """
        import jsonschema

        found = list(self._validator.iter_errors(value))
        if not found:
            return ()
        best = jsonschema.exceptions.best_match(found)
        return tuple(dict.fromkeys(map(_fault, (best, *found))))

    def accepts_text(self, text: str) -> bool:
        """Whether ``text`` is one JSON value and nothing else, and satisfies the schema."""
        try:
            return not self.faults(json.loads(text, parse_constant=_refuse_constant))
        except (ValueError, RecursionError, SchemaError):
            return False


def _validator(schema: Any) -> Any:
    import jsonschema
    import referencing

    named = schema.get("$schema")
    kind = jsonschema.Draft202012Validator
    if named is not None:
        kind = jsonschema.validators.validator_for(schema, default=None)
        if kind is None:
            raise SchemaError(
                f"$schema {named!r} is not a known draft; use "
                "'https://json-schema.org/draft/2020-12/schema' or 'http://json-schema.org/draft-07/schema#'"
            )
    try:
        kind.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise SchemaError(
            f"the schema is not valid at {error.json_path}: {error.message[:_LONGEST]}; correct it"
        ) from error
    _check_references(schema, kind.META_SCHEMA["$schema"])
    for name in sorted((_WITH_EXTRA & set(_formats(schema))) - kind.FORMAT_CHECKER.checkers.keys()):
        raise SchemaError(
            f"nothing here can check the format {name!r}; install jsonschema[format-nongpl], or drop it"
        )
    bounded = jsonschema.validators.extend(kind, {"pattern": _check_pattern})
    return bounded(schema, format_checker=kind.FORMAT_CHECKER, registry=referencing.Registry())


def _check_pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Iterator[Any]:
    """Check ``pattern`` with a time limit: what a model writes can make one backtrack without end."""
    import jsonschema
    import regex

    if not validator.is_type(value, "string"):
        return
    try:
        found = regex.search(pattern, value, timeout=_PATTERN_S)
    except TimeoutError:
        raise SchemaError(
            f"the schema's pattern {pattern!r} took more than {_PATTERN_S:g} s on {value[:40]!r}; "
            "write it without nested repetition"
        ) from None
    if not found:
        yield jsonschema.ValidationError(f"{value!r} does not match {pattern!r}")


def _check_references(schema: Any, draft: str) -> None:
    """Raise ``SchemaError`` for a reference to what is not there; only some values would come across it."""
    import referencing.exceptions
    import referencing.jsonschema

    root = referencing.jsonschema.specification_with(draft).create_resource(schema)
    resolver = referencing.Registry().resolver_with_root(root)
    left = [(root, resolver)]
    while left:
        resource, resolver = left.pop()
        parts = resource.contents if isinstance(resource.contents, dict) else {}
        for name in (parts[key] for key in ("$ref", "$dynamicRef") if key in parts):
            try:
                resolver.lookup(name)
            except (referencing.exceptions.Unresolvable, ValueError) as error:  # ValueError: no address
                raise SchemaError(
                    f"the schema refers to {name!r}, which is not in it; include it under $defs"
                ) from error
        left += [(one, resolver.in_subresource(one)) for one in resource.subresources()]


def _formats(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        named = schema.get("format")
        if isinstance(named, str):
            yield named
        for part in schema.values():
            yield from _formats(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _formats(part)


def _fault(error: Any) -> SchemaFault:
    rule = "/".join(map(str, error.absolute_schema_path))
    return SchemaFault(path=error.json_path, message=error.message[:_LONGEST], rule=f"/{rule}")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 120 else f"{shown[:117]}..."
