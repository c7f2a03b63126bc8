"""Pictures, audio and video inside messages: known by their bytes, not kept in the record."""

from __future__ import annotations

import base64
import binascii
from hashlib import sha256
from typing import Any
from urllib.parse import unquote_to_bytes

#: Where base64 stands under a key of its own, its kind under another: ``{"data": …, "format": "wav"}``.
_INLINE = {"input_audio": "audio", "audio": "audio", "input_video": "video", "video": "video"}


def mark_attachments(content: Any) -> Any:
    """Return a message content with inline media replaced by a digest, a size and a media type.

    Text is never touched, also where it looks like a data URL.
    """
    if not isinstance(content, (list, tuple)):
        return content
    return [_mark_part(part) for part in content]


def _mark_part(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    return {key: value if key in ("type", "text") else _mark(value, key) for key, value in part.items()}


def _mark(value: Any, key: str) -> Any:
    if isinstance(value, str):
        return _data_url(value) if value[:5].lower() == "data:" else value
    if isinstance(value, dict):
        kind = _INLINE.get(key)
        marked = {name: _mark(inner, name) for name, inner in value.items()}
        raw = value.get("data")
        if kind and isinstance(raw, str) and isinstance(marked["data"], str):
            marked["data"] = _marker(_decode_base64(raw), f"{kind}/{value.get('format', '*')}")
        return marked
    if isinstance(value, (list, tuple)):
        return [_mark(inner, key) for inner in value]
    return value


def _data_url(url: str) -> Any:
    head, comma, payload = url[5:].partition(",")
    if not comma:
        return url
    media_type, *options = head.split(";")
    is_base64 = any(option.strip().lower() == "base64" for option in options)
    raw = _decode_base64(payload) if is_base64 else unquote_to_bytes(payload)
    return _marker(raw, media_type.strip().lower() or "text/plain")


def _decode_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return text.encode("utf-8", "surrogatepass")  # what is not base64 is still the same or another


def _marker(raw: bytes, media_type: str) -> dict[str, Any]:
    return {"sha256": sha256(raw).hexdigest(), "bytes": len(raw), "media_type": media_type}
