"""Asking the server under test to hear a clip or to speak a text."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from ...evidence import InputFile, NoAnswer, Reason, Reply, Timing, UndecodableMedia
from ...media import HEAD, describe, find_source, recognise
from ...serving import SpeechRequest, TranscriptionRequest
from ...tasks import DeclarationError
from ..evaluations.evaluation import RunningEvaluation
from ..evaluations.media_paths import resolve_path
from ..evaluations.spoken import Spoken
from ..run.run_media import keep_media
from .asker import Asker
from .request_speeds import request_speeds

_MEDIA_TYPES = {"mp3": "audio/mpeg", "mp4": "audio/mp4", "matroska": "audio/x-matroska"}
#: The forms of a transcript that are read, and those of a clip that say themselves what they are.
_TRANSCRIPTS = ("json", "verbose_json")
_CLIPS = ("wav", "mp3", "opus", "flac", "aac")


def transcribe(
    running: RunningEvaluation,
    asker: Asker,
    clip: str | PathLike[str] | bytes | Spoken,
    options: Mapping[str, Any],
    allow: frozenset[Reason],
    where: str,
) -> Reply:
    """Have a clip transcribed by the server under test; see ``Infer.transcribe``."""
    with running.noting_missing():
        options = {"response_format": "json", "temperature": 0, **options}
        _check_form(options, _TRANSCRIPTS, where)
        content, name = _read(running, clip)
        media_format = recognise(content[:HEAD])
        if media_format is None:
            raise UndecodableMedia(f"{name} is no sound that is read: {describe(content[:HEAD])}")
        seconds = _seconds(content)
        request = TranscriptionRequest(
            audio=content,
            media_type=_MEDIA_TYPES.get(media_format.value, f"audio/{media_format.value}"),
            name=name,
            options=options,
            allow=allow,
        )
        reply = asker.ask(running, request)
        running.now.byproducts += request_speeds(reply.timing, seconds)
        return reply


def speak(
    running: RunningEvaluation,
    asker: Asker,
    text: str,
    options: Mapping[str, Any],
    allow: frozenset[Reason],
    where: str,
) -> Spoken:
    """Have a text spoken by the server under test; see ``Infer.speak``."""
    with running.noting_missing():
        if not isinstance(text, str) or not text.strip():
            raise DeclarationError(f"{where} got {text!r:.60}; accepted: a text with words to speak")
        options = {"response_format": "wav", **options}
        _check_form(options, _CLIPS, where)
        reply = asker.ask(running, SpeechRequest(text=text, options=options, allow=allow))
        if reply.artifact is None or reply.content is None:
            # The caller lifted the reason: nothing came, and there is nothing to be heard.
            raise NoAnswer(Reason.EMPTY_REPLY, "the server sent no sound")
        artifact = reply.artifact
        keep_media(running, reply.content, artifact, asker.artifacts)
        seconds = _seconds(reply.content)
        speeds = request_speeds(reply.timing, seconds)
        running.now.byproducts += speeds
        return Spoken(
            content=reply.content,
            artifact=artifact,
            timing=reply.timing or Timing(),
            duration_s=seconds,
            real_time_factor=next((one.value for one in speeds if one.name == "real_time_factor"), None),
        )


def _read(running: RunningEvaluation, clip: str | PathLike[str] | bytes | Spoken) -> tuple[bytes, str]:
    """Return the bytes of a clip and a file name for them. Raises ``NoAnswer`` where there are none."""
    if isinstance(clip, Spoken):
        return clip.content, "clip"
    given: Any = clip
    if isinstance(clip, (str, PathLike)):
        given = resolve_path(clip, sample=running.sample, test_folder=running.task.folder)
    source = find_source(given, "audio")
    with source.open() as file:
        content = file.read()
    if source.path is None:
        return content, "clip"
    running.note_file(InputFile.of(str(source.path.absolute()), content))
    return content, source.path.name


def _seconds(content: bytes) -> float | None:
    """Return how long a clip is; ``None`` where it does not decode whole, or without the extra ``speech``."""
    from ...speech import open_audio

    try:
        return open_audio(content).duration_s
    except NoAnswer:
        return None


def _check_form(options: Mapping[str, Any], accepted: tuple[str, ...], where: str) -> None:
    if options["response_format"] not in accepted:
        raise DeclarationError(
            f"{where}: response_format={options['response_format']!r:.60}; accepted: {', '.join(accepted)}"
        )
