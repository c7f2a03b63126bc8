"""Chat messages: what is accepted, and how their parts are filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..evidence import InputFile, canonical_json
from .errors import DeclarationError, did_you_mean, excerpt
from .media import MediaKind, media_part
from .sample import Sample
from .template import Template, computed_text

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_MEDIA = {kind.value: kind for kind in MediaKind}
#: Part types: ours with a path, and OpenAI's that go out as they are.
_PARTS = (
    "text",
    *_MEDIA,
    "image_url",
    "input_audio",
    "refusal",
    "file",
    "video_url",
    "audio_url",
    "input_video",
)
#: Strings with a meaning of their own, which no field can fill in.
_PLAIN = ("role", "type")


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaPart:
    """A part that names a picture or audio file; ``path`` may hold fields."""

    kind: MediaKind
    path: Template

    def resolve(self, sample: Sample, test_folder: Path) -> Path:
        """Return the file: from the data-set file where a row has a part in the path, else from the test."""
        folder = sample.folder if self.path.is_from_row and sample.folder else test_folder
        return folder / self.path.render(sample)


def check_messages(messages: object, where: str) -> tuple[Mapping[str, Any], ...]:
    """Return ``messages`` where they are chat messages.

    A message is a mapping with a ``role`` of ``ROLES`` and ``content``: a string, parts, or ``None``
    beside ``tool_calls``. Raises ``DeclarationError`` that begins with ``where``.
    """
    if not isinstance(messages, (list, tuple)):
        raise DeclarationError(
            f"{where}: {excerpt(messages)} is not a prompt; accepted: a string, or messages such as "
            '[{"role": "user", "content": "…"}]'
        )
    if not messages:
        raise DeclarationError(f"{where}: the list of messages is empty; give at least one message")
    for number, message in enumerate(messages, start=1):
        _check_message(message, f"{where}: message {number}")
    try:
        canonical_json(list(map(dict, messages)))
    except (TypeError, ValueError, RecursionError) as error:
        raise DeclarationError(
            f"{where}: a message holds what JSON cannot: {error}; use plain JSON"
        ) from error
    return tuple(messages)


def _check_message(message: object, where: str) -> None:
    if not isinstance(message, Mapping) or not all(isinstance(key, str) for key in message):
        raise DeclarationError(
            f'{where} is {excerpt(message)}; a message is a dict such as {{"role": "user", "content": "…"}}'
        )
    role = message.get("role")
    if role not in ROLES:
        near = did_you_mean(role, ROLES) if isinstance(role, str) else ""
        raise DeclarationError(f"{where}: the role is {excerpt(role)}{near}; accepted: {', '.join(ROLES)}")
    content = message.get("content")
    if content is None and (message.get("tool_calls") or message.get("function_call")):
        return
    if isinstance(content, (list, tuple)) and content:
        for number, part in enumerate(content, start=1):
            _check_part(part, f"{where}, part {number}")
    elif not isinstance(content, str):
        raise DeclarationError(
            f"{where}: the content is {excerpt(content)}; accepted: a string or a list of parts"
        )


def _check_part(part: object, where: str) -> None:
    kind = part.get("type") if isinstance(part, Mapping) else None
    if not isinstance(part, Mapping) or kind not in _PARTS:
        near = did_you_mean(kind, _PARTS) if isinstance(kind, str) else ""
        raise DeclarationError(
            f"{where} is {excerpt(part)}{near}; a part is a dict whose type is one of {', '.join(_PARTS)}"
        )
    name = "text" if kind == "text" else "path" if kind in _MEDIA else kind
    value = part.get(name)
    if kind in ("text", *_MEDIA) and not isinstance(value, str):
        raise DeclarationError(
            f"{where}: {name!r} is {excerpt(value)}; a part of type {kind!r} has a string there"
        )
    if value is None:
        raise DeclarationError(f"{where}: a part of type {kind!r} needs {name!r}")
    if kind in _MEDIA and set(part) != {"type", "path"}:
        raise DeclarationError(
            f"{where}: keys {sorted(part)}; a part of type {kind!r} has 'type' and 'path' and nothing else"
        )


def compile_messages(
    messages: Iterable[Mapping[str, Any]], parse: Callable[[str], Template]
) -> tuple[Any, ...]:
    """Return a copy of checked messages: each string through ``parse``, each media part a ``MediaPart``."""
    return tuple(_compile(message, parse) for message in messages)


def render_messages(
    messages: object,
    *,
    sample: Sample,
    test_folder: Path,
    where: str,
    note: Callable[[InputFile], None] | None = None,
) -> tuple[Mapping[str, Any], ...]:
    """Return finished messages, whose strings are no templates, with their media files read in.

    ``note`` is told of each file. Paths resolve as those of a prompt's callable do. Raises
    ``DeclarationError`` and, for a media file, ``DatasetError``.
    """
    compiled = compile_messages(check_messages(messages, where), computed_text)
    return tuple(fill_messages(compiled, sample, test_folder, note))


def leaves(compiled: Any) -> Iterator[Template | MediaPart]:
    """Yield the templates and media parts of compiled messages, in order."""
    if isinstance(compiled, (Template, MediaPart)):
        yield compiled
    elif isinstance(compiled, (dict, list, tuple)):
        for item in compiled.values() if isinstance(compiled, dict) else compiled:
            yield from leaves(item)


def fill_messages(
    compiled: Any, sample: Sample, test_folder: Path, note: Callable[[InputFile], None] | None = None
) -> Any:
    """Return plain messages with the sample's fields and media in them; ``note`` is told of each file."""
    if isinstance(compiled, Template):
        return compiled.render(sample)
    if isinstance(compiled, MediaPart):
        return media_part(compiled.resolve(sample, test_folder), compiled.kind, sample.source, note)
    if isinstance(compiled, dict):
        return {key: fill_messages(item, sample, test_folder, note) for key, item in compiled.items()}
    if isinstance(compiled, (list, tuple)):
        return [fill_messages(item, sample, test_folder, note) for item in compiled]
    return compiled


def _compile(value: Any, parse: Callable[[str], Template]) -> Any:
    if isinstance(value, str):
        return parse(value)
    if isinstance(value, Mapping):
        if value.get("type") in _MEDIA and "path" in value:
            return MediaPart(kind=_MEDIA[value["type"]], path=parse(value["path"]))
        return {key: item if key in _PLAIN else _compile(item, parse) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_compile(item, parse) for item in value]
    return value
