"""Answers that count only whole: a transcript in JSON, a clip of sound, and what other ones are read with."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ..evidence import Artifact, Missing, Reason, Reply
from .assembly import AssembledReply
from .failure import parse_failure, show

#: An hour of uncompressed sound takes up half of it.
_LONGEST = 512 << 20
_TEXTS = ("text/", "application/json", "application/problem+json", "application/xml", "application/xhtml")


class WholeAnswer:
    """Take the bytes of a body with the time they came; give the reply. Pure: no clock, no network.

    ``read`` makes a reply of a body and its content type, or says why there is none. ``is_timed``: when bytes
    came means something, since they are the model's own.
    """

    is_over = False

    def __init__(
        self, read: Callable[[bytes, str], Reply | Missing], *, content_type: str, is_timed: bool
    ) -> None:
        self._read = read
        self._content_type = content_type
        self._is_timed = is_timed
        self._body = bytearray()
        self._first: float | None = None
        self._last: float | None = None

    def feed(self, data: bytes, at: float) -> None:
        """Take bytes that came at ``at`` (monotonic seconds)."""
        if self._first is None:
            self._first = at
        self._last = at
        if len(self._body) <= _LONGEST:
            self._body += data

    def finish(self, at: float, because: str = "the body ended", *, is_whole: bool = True) -> AssembledReply:
        """Take the end of the body; ``because`` says how it ended, ``is_whole`` whether all of it came."""
        read: Reply | Missing
        if not is_whole:
            read = Missing(Reason.BROKEN_STREAM, f"{because} after {len(self._body):,} bytes of the answer")
        elif len(self._body) > _LONGEST:
            read = Missing(Reason.SERVER_ERROR, f"the answer is longer than {_LONGEST >> 20} MB")
        else:
            read = self._read(bytes(self._body), self._content_type)
        reply, error = (read, read.missing) if isinstance(read, Reply) else (None, read)
        has_times = self._is_timed and reply is not None
        return AssembledReply(
            reply=reply,
            error=error,
            is_done=is_whole,
            first_token=self._first if has_times else None,
            first_content=self._first if has_times else None,
            last_token=self._last if has_times else None,
        )


def read_transcript(body: bytes, content_type: str) -> Reply | Missing:
    """Read a transcription in OpenAI's ``json`` or ``verbose_json``."""
    value, where = parse_json(body), where_of(content_type)
    failure = parse_failure(value)
    if failure is not None:
        return failure.missing(f"error inside {where}")
    text = value.get("text") if isinstance(value, dict) else None
    if not isinstance(text, str):
        return Missing(Reason.SERVER_ERROR, f"no transcript in {where}: {show(shown_text(body))}")
    model = value.get("model")
    return Reply(text=text.strip(), served_model=model if isinstance(model, str) and model else None)


def read_sound(body: bytes, content_type: str) -> Reply | Missing:
    """Take the bytes of a clip; what is text, such as a page that a gateway shows, is none.

    Whether they can be heard is for whoever opens them.
    """
    where = where_of(content_type)
    if not body:
        return Missing(Reason.EMPTY_REPLY, f"no sound in {where}: zero bytes")
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type.startswith(_TEXTS) or body[:256].lstrip()[:1] in (b"{", b"<"):
        failure = parse_failure(parse_json(body))
        if failure is not None:
            return failure.missing(f"error inside {where}")
        return Missing(Reason.SERVER_ERROR, f"no sound in {where}: {show(shown_text(body))}")
    artifact = Artifact.of(body, media_type or "application/octet-stream")
    return Reply(text="", artifact=artifact, content=body)


def where_of(content_type: str) -> str:
    """Name an answer, for errors."""
    return f"HTTP 200 {content_type or 'without content type'}"


def parse_json(body: bytes) -> Any:
    """Return the value of a body, ``None`` where it is no JSON."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def shown_text(body: bytes) -> str:
    """Return the beginning of a body, for errors."""
    return body[:1000].decode("utf-8", "replace")
