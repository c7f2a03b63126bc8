"""Text with a sample's fields in it: ``{question}``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import DatasetError, DeclarationError, excerpt
from .sample import Sample

_FORM = "accepted: {field}, the exact name of a field, with {{ and }} for literal braces"
#: What str.format would read as attribute, index, conversion or format; quotes and newlines are JSON's.
_NOT_A_NAME = re.compile(r"""[.\[\]!:"'\n\r]""")
_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class Field:
    """The place of a field in a template."""

    name: str


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template: literal texts and fields in turn. Braces in data are data.

    ``is_computed``: the text is what a callable made of a sample, not a template at all.
    """

    parts: tuple[str | Field, ...]
    is_computed: bool = False

    @property
    def is_from_row(self) -> bool:
        """Whether a row has a part in the text: through a field, or through the callable that made it."""
        return self.is_computed or bool(self.fields)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields, each once, in order."""
        return tuple(dict.fromkeys(part.name for part in self.parts if isinstance(part, Field)))

    def render(self, sample: Sample) -> str:
        """Return the text for ``sample``.

        Strings go in as they are, integers and floats as Python writes them, booleans, arrays and
        objects as JSON. Raises ``MissingFieldError`` for a field that the sample does not have,
        ``DatasetError`` for one that is null.
        """
        return "".join(part if isinstance(part, str) else _as_text(sample, part.name) for part in self.parts)


def parse_template(text: str, where: str) -> Template:
    """Read ``text`` once. Raises ``DeclarationError`` that begins with ``where``."""
    parts: list[str | Field] = []
    place = 0
    for match in _TOKEN.finditer(text):
        parts.append(text[place : match.start()])
        parts.append(_part(match, text, where))
        place = match.end()
    parts.append(text[place:])
    return Template(_merged(parts))


def computed_text(text: str) -> Template:
    """Return the template that renders to ``text``, which a callable made."""
    return Template((text,), is_computed=True)


def escape(text: str) -> str:
    """Return ``text`` as a template that renders to it."""
    return text.replace("{", "{{").replace("}", "}}")


def few_shot(template: str, shots: Iterable[Mapping[str, Any]]) -> str:
    """Return a template that begins with worked examples: ``template`` once for each of ``shots``.

    ``few_shot("Q: {q}\\nA: {a}\\n\\n", shots) + "Q: {q}\\nA:"`` is a prompt for a base model. Fields of
    the shots are filled in now, their braces doubled, so that only what is appended is still a
    template. Raises ``DeclarationError`` for a shot without a field that ``template`` uses.
    """
    parsed = parse_template(template, "few_shot")
    rendered = []
    for number, shot in enumerate(shots, start=1):
        sample = Sample(id=f"shot {number}", digest="", source=f"few_shot: shot {number}", fields=shot)
        try:
            rendered.append(parsed.render(sample))
        except (KeyError, DatasetError) as error:
            raise DeclarationError(str(error)) from error
    return escape("".join(rendered))


def _part(match: re.Match[str], text: str, where: str) -> str | Field:
    token = match[0]
    if token in ("{{", "}}"):
        return token[0]
    if match[1] and not _NOT_A_NAME.search(match[1]):
        return Field(match[1])
    start = max(0, match.start() - 20)
    what = f"the placeholder {excerpt(token, 40)}" if match[1] is not None else f"a single {token!r}"
    raise DeclarationError(
        f"{where}: {what} in the template {excerpt(text[start : start + 60], 60)}; {_FORM}; "
        "for anything else pass a callable, prompt=lambda sample: …"
    )


def _merged(parts: list[str | Field]) -> tuple[str | Field, ...]:
    merged: list[str | Field] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return tuple(merged)


def _as_text(sample: Sample, name: str) -> str:
    value = sample[name]
    if isinstance(value, str):
        return value
    if value is None:
        raise DatasetError(
            f"{sample.source}: the field {name!r} of sample {sample.id!r} is null, and the prompt uses it; "
            "fill it in or drop the row"
        )
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return json.dumps(value, ensure_ascii=False)
