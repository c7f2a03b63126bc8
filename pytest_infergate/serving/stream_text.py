"""Text put together from the pieces that servers send."""

from __future__ import annotations

import re
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")
_STRAY_BYTES = re.compile("[\udc80-\udcff]+")


def read_parts(content: Any) -> tuple[str, str]:
    """Text and reasoning of a content that is one typed part or a list of them."""
    text: list[str] = []
    thought: list[str] = []
    for part in content if isinstance(content, list) else (content,):
        if isinstance(part, str):
            text.append(part)
        if not isinstance(part, dict):
            continue
        inner, said = part.get("thinking"), part.get("text")
        if isinstance(said, dict):
            said = said.get("value")  # as the Assistants API wraps it
        if isinstance(inner, list):
            thought.append(read_parts(inner)[0])
        elif isinstance(inner, str):
            thought.append(inner)
        elif isinstance(said, str):
            (thought if _is_thought(part.get("type")) else text).append(said)
    return "".join(text), "".join(thought)


def read_thought(value: Any) -> str:
    """Reasoning that is a text, an object that holds it, or a list of typed parts."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return read_thought(value.get("content") or value.get("text"))
    return "".join(read_parts(value)) if isinstance(value, list) else ""


def _is_thought(kind: Any) -> bool:
    return isinstance(kind, str) and kind.startswith(("reasoning", "thinking"))


def join_pieces(pieces: list[str]) -> str:
    """Join pieces, and the characters that the server cut between them.

    Halves of a surrogate pair that meet become their character, and so do the bytes of a UTF-8
    character; a half that stays alone is kept as it is, a byte that stays alone becomes U+FFFD.
    """
    text = "".join(pieces)
    if text.isascii() or not _SURROGATE.search(text):
        return text
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _STRAY_BYTES.sub(
        lambda m: m[0].encode("utf-8", "surrogateescape").decode("utf-8", "replace"), text
    )
