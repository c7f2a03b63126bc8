"""What is asked of a server that hears or speaks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..evidence import Artifact
from .outgoing import Form, JsonBody
from .recorded_request import RecordedRequest
from .request import RequestError
from .whole_answer import WholeAnswer, read_sound, read_transcript

#: Fields that the requests say in their own terms.
_OWN = {"transcription": ("model", "file", "stream"), "speech": ("model", "input", "stream_format")}


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptionRequest(RecordedRequest):
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

    def __post_init__(self) -> None:
        _fields(self.options)
        clip = Artifact.of(self.audio, self.media_type).as_json()
        self._record("transcription", {"audio": clip}, _OWN["transcription"])

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
class SpeechRequest(RecordedRequest):
    """Have ``text`` spoken; the reply's artifact is the clip.

    ``options`` are fields of the body: voice, response_format, speed and the like. ``allow`` as for
    ``TranscriptionRequest``. Raises ``RequestError`` for what is no JSON.
    """

    text: str

    def __post_init__(self) -> None:
        self._record("speech", {"input": self.text}, _OWN["speech"])

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
