"""Media that stand in a text as a data URL (RFC 2397)."""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import unquote_to_bytes

from ..evidence import UndecodableMedia

_URL = re.compile(r"data:(?:image|video|application)/[\w.+-]+(?:;[\w.+=-]+)*,[^\s\"'<>)\\]*", re.IGNORECASE)


def find_data_urls(text: str) -> list[str]:
    """Return the data URLs of pictures and videos in ``text``, each once, in their order."""
    # One without bytes is the head of an SVG that stands behind it as it is.
    return [url for url in dict.fromkeys(_URL.findall(text)) if not url.endswith(",")]


def decode_data_url(url: str) -> bytes:
    """Return the bytes that ``url`` holds. What it says that they are is not believed, and not looked at.

    Raises ``UndecodableMedia`` where it is none, is not in base64 as it says, or is empty.
    """
    head, comma, body = url.strip().partition(",")
    shown = f"the data URL {head[:60]!r}"
    if not comma or not head.lower().startswith("data:"):
        raise UndecodableMedia(f"{shown} has no comma, behind which its bytes would be")
    if head.lower().rstrip().endswith(";base64"):
        packed = re.sub(rb"\s", b"", unquote_to_bytes(body))
        try:
            content = base64.b64decode(packed + b"=" * (-len(packed) % 4), validate=True)
        except binascii.Error as error:
            raise UndecodableMedia(
                f"{shown} is damaged or cut off: its base64 does not decode ({error})"
            ) from error
    else:
        content = unquote_to_bytes(body)
    if not content:
        raise UndecodableMedia(f"{shown} is empty")
    return content
