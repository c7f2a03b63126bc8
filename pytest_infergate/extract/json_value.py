"""The JSON value that a reply gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..evidence import JsonSchema, NoAnswer, Reason, SchemaError, SchemaFault, canonical_json
from .extractor import Extractor, ExtractorError, GoldError, Sample
from .fences import Block, find_blocks
from .strict_json import NotJson, find_json, read_json, same_json

_JSON = ("json", "geojson", "json-ld", "jsonld")
_SHOWN = 5  # faults in one message
_MAYBE = ("", "text", "txt", "plaintext", "javascript", "js", "json5", "jsonc")


class SchemaViolation(AssertionError):
    """The JSON value of a reply violates the schema: a wrong answer, so a failed evaluation."""


@dataclass(frozen=True, slots=True, repr=False)
class JsonValue(Extractor[Any]):
    """Read the JSON value of a reply; see ``rule``.

    ``schema``: a JSON Schema (draft 2020-12, or the draft that its ``$schema`` names; formats are
    checked; references outside the schema are not fetched). Raises ``SchemaViolation``, an
    ``AssertionError``, for a value that violates it, and ``ExtractorError`` when made with a schema that is
    not one. ``parse`` takes a JSON text or a JSON value.
    """

    name = "json_value"
    version = "1"
    rule = (
        "Strict RFC 8259: no NaN, infinity, comment, trailing comma, single quotes, or name twice in an "
        "object. The value found first: the whole text; the last fence marked json; the last fence without "
        "language that begins like JSON; the last object, or array with an object in it, within the text "
        "outside the fences of other languages; the last array. Only the outermost brackets are read, and "
        "where the last candidate of a kind is faulty there is no answer rather than an earlier one or a "
        "part of it. Numbers, texts, true, false and null count as the whole text or a whole fence only."
    )

    schema: Mapping[str, Any] | None = None
    _checked: JsonSchema | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            checked = None if self.schema is None else JsonSchema(self.schema)
        except SchemaError as error:
            raise ExtractorError(f"extract.json_value: {error}") from error
        object.__setattr__(self, "schema", checked.content if checked else None)
        object.__setattr__(self, "_checked", checked)

    def __reduce__(self) -> tuple[type[JsonValue], tuple[Mapping[str, Any] | None]]:
        return type(self), (self.schema,)

    def __hash__(self) -> int:
        return hash((type(self), canonical_json(self.schema)))

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"schema": self.schema}

    def find(self, text: str, sample: Sample | None) -> Any:
        value = _value_in(text)
        faults = self._faults(value)
        if faults:
            raise SchemaViolation(_told(faults))
        return value

    def parse(self, gold: object) -> Any:
        try:
            return read_json(gold if isinstance(gold, str) else canonical_json(gold))
        except (NotJson, TypeError, ValueError, RecursionError) as error:
            raise GoldError(self.name, gold, f"a JSON text or a JSON value ({error})") from error

    def same(self, value: object, gold: object) -> bool:
        try:
            return same_json(value, self.parse(gold))
        except (GoldError, RecursionError):
            return False

    def violations(self, value: Any) -> tuple[str, ...]:
        """Return where a JSON value violates the schema, a text for each place; none: it satisfies it.

        Each begins with the path in the value; the first is the one that tells most. Without a schema there
        are none. To count them as a score of its own, read the value with ``extract.json_value()``, which
        judges nothing.
        """
        return tuple(map(str, self._faults(value)))

    def _faults(self, value: Any) -> tuple[SchemaFault, ...]:
        if self._checked is None:
            return ()
        try:
            return self._checked.faults(value)
        except SchemaError as error:
            raise ExtractorError(f"extract.json_value: {error}") from error
        except RecursionError as error:
            raise NoAnswer(Reason.NO_ANSWER, "extract.json_value: the value is nested too deeply") from error


def _told(faults: Sequence[SchemaFault]) -> str:
    shown = "; ".join(map(str, faults[:_SHOWN]))
    return shown if len(faults) <= _SHOWN else f"{shown}; and {len(faults) - _SHOWN} more"


def _value_in(text: str) -> Any:
    try:
        return read_json(text)
    except NotJson as error:
        fault = str(error)
    blocks = find_blocks(text)
    for languages in (_JSON, _MAYBE):
        marked = [block.content for block in blocks if block.language in languages]
        if languages is _MAYBE:
            marked = [
                content for content in marked if content.lstrip()[:1] in tuple('{["') or len(blocks) == 1
            ]
        if marked:
            try:
                return read_json(marked[-1])
            except NotJson as error:
                if languages is _JSON or marked[-1].lstrip()[:1] in tuple("{["):
                    raise NoAnswer(
                        Reason.NO_ANSWER, f"extract.json_value: the fence is not JSON: {error}"
                    ) from error
    spans = list(find_json(_without_other_code(text, blocks)))
    objects = [span for span in spans if span.holds_object]
    for candidates in (objects, spans):
        if candidates:
            last = candidates[-1]
            if last.fault is None:
                return last.value
            fault = last.fault
            break
    raise NoAnswer(Reason.NO_ANSWER, f"extract.json_value found no JSON: {fault}")


def _without_other_code(text: str, blocks: list[Block]) -> str:
    """Return ``text`` less the blocks that are said to be something else than JSON."""
    kept, position = [], 0
    for block in blocks:
        if block.language not in (*_JSON, *_MAYBE) and block.start >= position:
            kept.append(text[position : block.start])
            position = block.end
    return "".join(kept) + text[position:]


json_value = JsonValue
