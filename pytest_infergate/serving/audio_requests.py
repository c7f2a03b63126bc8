"""What is asked of a server that hears or speaks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..evidence import Artifact, Reason
from .options import check_options, digest_recorded
from .outgoing import Form, JsonBody
from .request import RequestError
from .whole_answer import WholeAnswer, read_sound, read_transcript

#: Fields that the requests say in their own terms.
_OWN = {"transcription": ("model", "file", "stream"), "speech": ("model", "input", "stream_format")}


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptionRequest:
    """Have the words of a clip written down; the reply's text are those words.

    ``audio`` are the clip's bytes and ``media_type`` what they are; ``name`` is the file name to send, whose
    ending some servers go by. ``options`` are form fields: language, prompt, temperature, response_format
    (json or verbose_json) and the like, each a text, a number or a truth value. ``allow`` are the reasons for
    missing evidence that the caller lifts.

    Raises ``RequestError`` for an option that a form cannot hold.
    """

    audio: bytes = field(repr=False)
    media_type: str
    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    allow: frozenset[Reason] = frozenset()
    _recorded: Mapping[str, Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_options(self.endpoint, self.options, _OWN[self.endpoint])
        _fields(self.options)
        recorded = {
            "endpoint": self.endpoint,
            "audio": Artifact.of(self.audio, self.media_type).as_json(),
            "sampling": dict(self.options),
        }
        object.__setattr__(self, "_recorded", recorded)

    @property
    def endpoint(self) -> str:
        return "transcription"

    @property
    def digest(self) -> str:
        """Digest of ``as_json()``: the clip by its bytes, and the options."""
        return digest_recorded(self._recorded)

    def as_json(self) -> dict[str, Any]:
        """Return the form for the record: of the clip a digest, a size and a media type."""
        return dict(self._recorded)

    def outgoing(self, model: str) -> Form:
        """Return what asks ``model``."""
        return Form(
            endpoint=self.endpoint,
            fields={"model": model, **_fields(self.options)},
            name=self.name,
            content=self.audio,
            media_type=self.media_type,
        )

    def assembly(self, *, status: int, content_type: str) -> WholeAnswer:
        """Return what takes the bytes of the answer."""
        return WholeAnswer(read_transcript, content_type=content_type, is_timed=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechRequest:
    """Have ``text`` spoken; the reply's artifact is the clip.

    ``options`` are fields of the body: voice, response_format, speed and the like. ``allow`` as for
    ``TranscriptionRequest``. Raises ``RequestError`` for what is no JSON.
    """

    text: str
    options: Mapping[str, Any] = field(default_factory=dict)
    allow: frozenset[Reason] = frozenset()
    _recorded: Mapping[str, Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_options(self.endpoint, self.options, _OWN[self.endpoint])
        recorded = {"endpoint": self.endpoint, "input": self.text, "sampling": dict(self.options)}
        object.__setattr__(self, "_recorded", recorded)
        digest_recorded(recorded)  # refuses what is no JSON

    @property
    def endpoint(self) -> str:
        return "speech"

    @property
    def digest(self) -> str:
        """Digest of ``as_json()``: the text, and the options."""
        return digest_recorded(self._recorded)

    def as_json(self) -> dict[str, Any]:
        """Return the form for the record."""
        return dict(self._recorded)

    def outgoing(self, model: str) -> JsonBody:
        """Return what asks ``model``."""
        body = {"model": model, "input": self.text, **self.options}
        return JsonBody(endpoint=self.endpoint, body=json.dumps(body, allow_nan=False).encode("ascii"))

    def assembly(self, *, status: int, content_type: str) -> WholeAnswer:
        """Return what takes the bytes of the answer."""
        return WholeAnswer(read_sound, content_type=content_type, is_timed=True)


def _fields(options: Mapping[str, Any]) -> dict[str, str]:
    return {name: _field(name, value) for name, value in options.items()}


def _field(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    raise RequestError(
        f"the option {name}={value!r:.60} cannot be a form field; accepted: a text, a number, True or False"
    )
